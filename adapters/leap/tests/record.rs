//! `leap record` is a transparent proxy that records the session (SPEC 16.9, 16.10).

use std::io::{BufRead, BufReader, Read, Write};
use std::time::Instant;

use crate::support::{self, LONG, Workplace, ended, run, text};
use leap_transcript::Transcript;

/// The transcript's entries after the recorder's comment and the blank line.
fn body(work: &Workplace, file: &str) -> Vec<String> {
    let text = work.read(file);
    text.parse::<Transcript>().expect("a transcript");
    let lines = text.lines().skip_while(|line| !line.starts_with("# leap record: "));
    lines.skip(2).map(str::to_owned).collect()
}

/// The lines of one side, in order: their order relative to the other side depends on timing.
fn side(body: &[String], sign: char) -> Vec<&str> {
    body.iter().map(String::as_str).filter(|line| line.starts_with(sign)).collect()
}

#[test]
fn bytes_pass_unchanged() {
    let work = Workplace::new();
    let long = "y".repeat(1_500_000);
    let input = format!("  one \r\n\ntwo\u{1F438}\n{long}\nlast");
    let echo = run(work.command("record -o a.ugt -- cat"), input.as_bytes());
    assert!(echo.status.success());
    assert_eq!(text(&echo.stdout), input);
    let body = body(&work, "a.ugt");
    let lines = [">   one ", ">", "> two\u{1F438}", ">! too-long", "> last", ">."];
    assert_eq!(side(&body, '>'), lines);
    let lines = ["<   one ", "<", "< two\u{1F438}", "<! too-long", "< last", "<. exit 0"];
    assert_eq!(side(&body, '<'), lines);
    assert_eq!(body.iter().filter(|line| *line == "# no line end").count(), 2);
}

#[test]
fn lines_that_are_no_text_are_noted() {
    let work = Workplace::new();
    let input = b"a\xFFb\\\nc\rd\n";
    let echo = run(work.command("record -o a.ugt -- cat"), input);
    assert_eq!(echo.stdout, input);
    let body = body(&work, "a.ugt");
    assert_eq!(side(&body, '>'), [r">x a\xFFb\\", r">x c\x0Dd", ">."]);
    assert_eq!(side(&body, '<'), [r"<x a\xFFb\\", r"<x c\x0Dd", "<. exit 0"]);
}

#[test]
fn standard_error_and_status_are_those_of_the_engine() {
    let work = Workplace::new();
    let rules = ["boom=!stderr it burns;!exit 7"];
    let output = work.record("a.ugt", &rules, b"boom\n");
    assert_eq!(output.status.code(), Some(7));
    assert_eq!(text(&output.stderr), "it burns\n");
    assert_eq!(side(&body(&work, "a.ugt"), '<'), ["<. exit 7"]);
}

#[test]
fn the_engine_is_pinned_by_its_name() {
    let work = Workplace::new();
    work.record("a.ugt", &[], b"ugi\nquit\n");
    let header: Vec<_> = work.read("a.ugt").lines().take(2).map(str::to_owned).collect();
    assert_eq!(header, ["ugt 1", "engine mock 1.0"]);
}

#[test]
fn dots_of_the_engine_become_no_wildcards() {
    let work = Workplace::new();
    let rules = ["x=info string a...;response ...;error busy : wait...;response a"];
    work.record("a.ugt", &rules, b"x\nquit\n");
    let body = body(&work, "a.ugt");
    let lines = side(&body, '<');
    let expected =
        ["<* info string a...", "<= response ...", "< error busy : wait...", "< response a"];
    assert_eq!(lines[..4], expected);
}

#[test]
fn a_session_in_lock_step_is_recorded_in_order() {
    let work = Workplace::new();
    let mut proxy = work.start("record -o a.ugt -- MOCK puppet");
    let mut input = proxy.stdin.take().expect("a pipe");
    let mut output = BufReader::new(proxy.stdout.take().expect("a pipe"));
    for _ in 0..20 {
        input.write_all(b"isready\n").expect("the proxy reads");
        let mut line = String::new();
        output.read_line(&mut line).expect("the proxy writes");
        assert_eq!(line, "readyok\n");
        // What has been read is already in the file: nothing is buffered.
        assert!(work.read("a.ugt").ends_with("> isready\n< readyok\n"));
    }
    input.write_all(b"quit\n").expect("the proxy reads");
    assert_eq!(ended(&mut proxy).code(), Some(0));
    let body = body(&work, "a.ugt");
    assert_eq!(body[..2], ["> isready", "< readyok"]);
    assert_eq!(body[40..], ["> quit", "<. exit 0"]);
}

#[test]
fn an_engine_that_dies_in_the_middle_of_a_line_loses_nothing() {
    let work = Workplace::new();
    let output = work.record("a.ugt", &["go=info depth 1;!part bestm;!exit 3"], b"go depth 1\n");
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(text(&output.stdout), "info depth 1\nbestm");
    let body = body(&work, "a.ugt");
    assert_eq!(side(&body, '<'), ["< info depth 1", "< bestm", "<. exit 3"]);
    assert!(body.contains(&"# no line end".to_owned()));
}

#[test]
fn every_game_has_a_file_of_its_own() {
    let work = Workplace::new();
    for _ in 0..3 {
        work.record("game-%n.ugt", &[], b"quit\n");
    }
    for number in 1..=3 {
        assert!(work.path(&format!("game-{number}.ugt")).exists());
    }
}

#[test]
fn what_cannot_be_started_is_told_by_status_2() {
    let work = Workplace::new();
    for (words, expected) in [
        ("a.ugt -- ./no-such-engine", "cannot start the engine ./no-such-engine"),
        ("no/such/dir.ugt -- MOCK puppet", "cannot create no/such/dir.ugt"),
    ] {
        let output = work.run(&format!("record -o {words}"));
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains(expected), "{}", text(&output.stderr));
        assert!(work.names().is_empty());
    }
}

/// A recording must not be overwritten, since it cannot be repeated.
#[test]
fn a_file_is_replaced_only_if_that_is_asked_for() {
    let work = Workplace::new();
    work.write("a.ugt", "precious");
    let output = work.record("a.ugt", &[], b"quit\n");
    assert_eq!(output.status.code(), Some(2));
    let message = text(&output.stderr);
    assert!(message.contains("cannot create a.ugt: expected a new file"), "{message}");
    assert_eq!(work.read("a.ugt"), "precious");
    let output = work.run("record --force -o a.ugt -- ./no-such-engine");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(work.read("a.ugt"), "precious");
    let output = run(work.command("record --force -o a.ugt -- MOCK puppet"), b"quit\n");
    assert!(output.status.success());
    assert_eq!(side(&body(&work, "a.ugt"), '>'), ["> quit", ">."]);
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_a_file_as_it_was_and_the_session_unharmed() {
    let work = Workplace::new();
    work.write("a.ugt", "precious");
    let record = work.command("record --force -o a.ugt -- MOCK puppet");
    let output = run(support::limited(support::FULL_DISK, &record), b"isready\nquit\n");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("cannot create a.ugt"));
    assert_eq!(work.read("a.ugt"), "precious");
    assert_eq!(work.names(), ["a.ugt"]);
    // There is only space for the start; the engine and its client are not affected.
    let nearly = support::limited("-f 8", &record);
    let output = run(nearly, format!("{}quit\n", "isready\n".repeat(1000)).as_bytes());
    assert!(output.status.success());
    assert_eq!(text(&output.stdout).lines().count(), 1000);
    assert!(text(&output.stderr).contains("cannot write the transcript"));
}

/// The GUI has closed both ends, and the engine ignores it.
#[test]
fn a_deaf_engine_does_not_outlive_its_client() {
    let work = Workplace::new();
    let mut proxy = work.start("record -o a.ugt -- MOCK puppet 'go=!deaf'");
    proxy.stdin.take().expect("a pipe").write_all(b"go infinite\n").expect("the proxy reads");
    drop(proxy.stdout.take());
    assert_eq!(ended(&mut proxy).code(), Some(128 + 9));
    let body = body(&work, "a.ugt");
    assert_eq!(body, ["> go infinite", ">.", "# the engine did not end without its client"]);
}

#[cfg(unix)]
#[test]
fn signals_are_passed_on() {
    let work = Workplace::new();
    let mut proxy = work.start("record -o a.ugt -- MOCK puppet");
    let mut input = proxy.stdin.take().expect("a pipe");
    input.write_all(b"isready\n").expect("the proxy reads");
    let mut output = BufReader::new(proxy.stdout.take().expect("a pipe"));
    output.read_line(&mut String::new()).expect("the proxy writes");
    let pid = nix::unistd::Pid::from_raw(i32::try_from(proxy.id()).expect("an id"));
    nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGTERM).expect("the proxy lives");
    assert_eq!(ended(&mut proxy).code(), Some(128 + 15));
    let body = body(&work, "a.ugt");
    assert_eq!(body.last().map(String::as_str), Some("# ended by signal 15 from outside"));
}

#[cfg(unix)]
#[test]
fn an_engine_that_a_signal_killed_is_told_by_the_status() {
    let work = Workplace::new();
    let output = work.record("a.ugt", &["x=!abort"], b"x\n");
    assert_eq!(output.status.code(), Some(128 + 6));
    assert_eq!(side(&body(&work, "a.ugt"), '<'), ["<. signal 6"]);
}

/// A process left behind by the engine keeps its output open.
#[cfg(unix)]
#[test]
fn what_the_engine_has_started_does_not_hold_the_proxy_up() {
    let work = Workplace::new();
    let began = Instant::now();
    let output = work.run("record -o a.ugt -- sh -c 'sleep 60 & echo readyok'");
    assert!(began.elapsed() < LONG);
    assert_eq!(text(&output.stdout), "readyok\n");
}

#[test]
fn large_outputs_pass_while_the_client_writes() {
    let work = Workplace::new();
    let line = "x".repeat(999);
    let input = format!("{line}\n").repeat(5_000);
    let mut proxy = work.start("record -o a.ugt -- cat");
    let mut stdin = proxy.stdin.take().expect("a pipe");
    let sent = input.clone();
    let writer = std::thread::spawn(move || stdin.write_all(sent.as_bytes()));
    let mut output = String::new();
    proxy.stdout.take().expect("a pipe").read_to_string(&mut output).expect("the proxy writes");
    writer.join().expect("no panic").expect("the proxy reads");
    assert!(output == input, "{} bytes of {}", output.len(), input.len());
    ended(&mut proxy);
    assert_eq!(side(&body(&work, "a.ugt"), '>').len(), 5_001);
}
