//! A match whose program was killed, at any moment: it begins anew or continues, and no litter piles up.

use std::thread::sleep;

use nix::sys::signal::{Signal, kill};
use nix::sys::stat::Mode;
use nix::unistd::{Pid, mkfifo};

use super::*;

fn fifo(path: &Path) {
    mkfifo(path, Mode::S_IRWXU).unwrap();
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < support::LONG, "{what}");
        sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_match_whose_first_line_is_torn_begins_anew() {
    let place = Place::new();
    let begin = args_in(&place, &["sound", "other"], &[], "m");
    let resume = args_in(&place, &["sound", "other"], &["--resume"], "m");
    assert!(run(&begin).status.success());
    let stream = place.path("m").join("events.ndjson");
    let whole = fs::read(&stream).unwrap();
    let first = whole.iter().position(|byte| *byte == b'\n').unwrap();
    for length in [0, 1, 9, first / 2, first] {
        for args in [&begin, &resume] {
            fs::remove_dir_all(place.path("m")).unwrap();
            fs::create_dir(place.path("m")).unwrap();
            fs::write(&stream, &whole[..length]).unwrap();
            let bare = leap(&["match", "--resume", "--out", &place.dir("m")]);
            let message = refusal(&bare);
            assert!(message.contains("found no whole line in events.ndjson"), "{message}");
            let output = run(args);
            let message = text(&output.stderr);
            assert_eq!(output.status.code(), Some(0), "{length}: {message}");
            let said = "events.ndjson had no whole line, so the match begins anew";
            assert!(message.contains(said), "{length}: {message}");
            assert_eq!(events(&place.path("m"), "end").len(), 2);
        }
    }
    for length in [first + 1, first + 2, first + 200] {
        fs::write(&stream, &whole[..length]).unwrap();
        let output = leap(&["match", "--resume", "--quiet", "--out", &place.dir("m")]);
        assert_eq!(output.status.code(), Some(0), "{length}: {}", text(&output.stderr));
        assert_eq!(events(&place.path("m"), "end").len(), 2);
    }
}

/// A program that is killed while it replaces a file leaves a draft. The next program removes it. The draft of a
/// program at work stays.
#[test]
fn drafts_of_killed_programs_do_not_pile_up() {
    let place = Place::new();
    assert!(run(&args_in(&place, &["sound", "other"], &[], "m")).status.success());
    let whole = fs::read(place.path("m").join("events.ndjson")).unwrap();
    let part = place.path("part");
    fs::create_dir_all(&part).unwrap();
    fifo(&part.join("events.ndjson"));
    fs::create_dir(place.path("all")).unwrap();
    let merge = ["merge".to_owned(), place.dir("part"), "--out".to_owned(), place.dir("all")];
    let is_draft = |name: &&String| name.ends_with(".draft");
    let drafts = || names(&place.path("all")).iter().filter(is_draft).count();
    for round in 1..=3 {
        // The merge reads its part twice: to check it and, for the draft, to copy it. Then nobody writes to it.
        let mut merging = start(&merge);
        fs::write(part.join("events.ndjson"), &whole).unwrap();
        wait_until("no draft is begun", || drafts() == 1);
        let transcript = place.dir(&format!("all/{round}.ugt"));
        assert!(leap(&["record", "-o", &transcript, "--", "/bin/true"]).status.success());
        assert_eq!(drafts(), 1, "a program is at work on it");
        merging.kill().unwrap();
        merging.wait().unwrap();
        assert_eq!(drafts(), 1, "it was killed");
    }
    let transcript = place.dir("all/last.ugt");
    assert!(leap(&["record", "-o", &transcript, "--", "/bin/true"]).status.success());
    assert_eq!(names(&place.path("all")), ["1.ugt", "2.ugt", "3.ugt", "last.ugt"]);
}

/// A file argument may be a pipe that nobody writes to.
#[test]
fn a_signal_is_heard_while_a_file_is_awaited() {
    let place = Place::new();
    fifo(&place.path("fifo"));
    let fifo = place.dir("fifo");
    // Commands that write have pipes of their own: the others would read what is written to a shared pipe.
    let outputs = ["out-1", "out-2"].map(|name| place.dir(name));
    outputs.iter().for_each(|path| self::fifo(Path::new(path)));
    let events = place.path("p");
    fs::create_dir(&events).unwrap();
    self::fifo(&events.join("events.ndjson"));
    let words = |args: &[&str]| args.iter().map(|arg| (*arg).to_owned()).collect::<Vec<_>>();
    let cases = [
        args_in(&place, &["sound", "other"], &["--openings", &fifo], "a"),
        words(&["match", "--plan-file", &fifo, "--out", &place.dir("b")]),
        words(&["match", "--config", &fifo, "--out", &place.dir("c")]),
        words(&["match", "--resume", "--out", &place.dir("p")]),
        words(&["match", "--expect", "--config", &fifo]),
        words(&["compare", MOCK, MOCK, "--positions", &fifo]),
        words(&["replay", &fifo, "--", MOCK]),
        words(&["merge", &place.dir("p"), "--out", &place.dir("d")]),
        words(&["report", &place.dir("p")]),
        words(&["record", "-o", &outputs[0], "--", MOCK]),
        words(&["check", "--filter", "readyok-exact", "--json", &outputs[1], MOCK]),
        words(&["web", "--export", &place.dir("e"), "--wasm", &place.dir("p")]),
    ];
    at_once(&cases, |args| {
        for signal in [Signal::SIGTERM, Signal::SIGINT] {
            let mut leap = start(args);
            // This is usually long enough to come to the file. A signal before that ends the program too.
            sleep(Duration::from_millis(500));
            kill(Pid::from_raw(leap.id().cast_signed()), signal).unwrap();
            let status = support::ended(&mut leap);
            let is_ended = status.code() == Some(128 + signal as i32) || status.code() == Some(2);
            assert!(is_ended, "{args:?}: {status}");
        }
    });
}

#[test]
fn openings_may_come_through_a_pipe() {
    let place = Place::new();
    let openings = place.write("openings", "startpos moves a1b1\n");
    let args = args_in(&place, &["sound", "other"], &["--openings", "/dev/stdin"], "m");
    let mut command = Command::new(LEAP);
    command.args(&args);
    let output = support::run(command, &fs::read(openings).unwrap());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let starts = events(&place.path("m"), "start");
    assert!(starts.iter().all(|start| start["moves"] == serde_json::json!(["a1b1"])));
}

/// Long work that is not seen on a terminal tells how far it is, on standard error alone.
#[test]
fn a_long_match_tells_how_far_it_is() {
    let place = Place::new();
    let more = ["--each", "movetime=300", "--max-plies", "10", "--json", "--out", &place.dir("m")];
    let output = run(&args(&["sound", "other"], &more));
    let message = text(&output.stderr);
    assert!(message.lines().any(|line| line.contains(": 1 of 2 games")), "{message}");
    assert!(serde_json::from_slice::<Value>(&output.stdout).is_ok());
}
