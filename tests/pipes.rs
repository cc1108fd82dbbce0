//! `leapd` stops working when its pipes are closed or nobody reads them (SPEC 3.23, 7.6, 7.7).

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// More than any end takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(10);
/// More than a pipe holds: a writer of this much has to wait for a reader.
const PIPE_BYTES: usize = 64 << 10;

fn start(args: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_leapd"));
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap()
}

fn send(child: &mut Child, lines: &str) {
    child.stdin.as_mut().unwrap().write_all(lines.as_bytes()).unwrap();
}

/// Waits for the process to end by itself; kills it and fails if it does not.
fn assert_ends(mut child: Child, what: &str) {
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        if let Some(status) = child.try_wait().unwrap() {
            assert!(status.success(), "{what}: {status}");
            return;
        }
        thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    panic!("{what}: still running after {PATIENCE:?}");
}

/// Reads one line, byte by byte, so that nothing after it is taken.
fn read_line(child: &mut Child) -> String {
    let stdout = child.stdout.as_mut().unwrap();
    let (mut line, mut byte) = (Vec::new(), [0]);
    while stdout.read(&mut byte).unwrap() == 1 && byte != *b"\n" {
        line.extend(byte);
    }
    String::from_utf8(line).unwrap()
}

#[cfg(unix)]
#[test]
fn work_ends_when_nobody_reads_the_output_any_more() {
    for work in ["perft 20", "go depth 100", "go infinite", "go movetime 1000000"] {
        for is_input_open in [false, true] {
            let mut child = start(&["--game", "eximo"]);
            send(&mut child, &format!("isready\n{work}\n"));
            assert_eq!(read_line(&mut child), "readyok");
            let stdin = child.stdin.take().filter(|_| is_input_open);
            drop(child.stdout.take());
            assert_ends(child, &format!("{work}, input open: {is_input_open}"));
            drop(stdin);
        }
    }
}

#[cfg(unix)]
#[test]
fn an_idle_session_ends_when_nobody_reads_the_output_any_more() {
    let mut child = start(&[]);
    send(&mut child, "isready\n");
    read_line(&mut child);
    let stdin = child.stdin.take();
    drop(child.stdout.take());
    assert_ends(child, "idle");
    drop(stdin);
}

#[cfg(unix)]
#[test]
fn commands_end_when_nobody_reads_the_output_any_more() {
    for args in [&["perft", "eximo", "20"][..], &["bench"]] {
        let mut child = start(args);
        drop(child.stdout.take());
        assert_ends(child, &args.join(" "));
    }
}

#[test]
fn quit_ends_the_process_though_nobody_reads() {
    let mut child = start(&[]);
    send(&mut child, &"ugi\n".repeat(PIPE_BYTES / 1000));
    send(&mut child, "go infinite\nquit\n");
    assert_ends(child, "quit");
}

#[test]
fn stop_and_quit_are_heard_though_a_search_has_filled_the_pipe() {
    let mut child = start(&["--option", "MultiPV=256", "--game", "tactica"]);
    send(&mut child, "go infinite\n");
    thread::sleep(Duration::from_millis(500));
    send(&mut child, "stop\nisready\nquit\n");
    assert_ends(child, "quit");
}

#[test]
fn what_was_asked_before_quit_is_answered() {
    let mut child = start(&["--game", "eximo"]);
    send(&mut child, &format!("{}quit\n", "query moves\n".repeat(300)));
    let mut output = String::new();
    child.stdout.take().unwrap().read_to_string(&mut output).unwrap();
    assert_eq!(output.lines().count(), 300);
    assert_ends(child, "quit");
}

#[test]
fn after_the_end_of_input_a_slow_reader_is_waited_for() {
    let mut child = start(&[]);
    send(&mut child, &"ugi\n".repeat(8 * PIPE_BYTES / 1000));
    send(&mut child, "go depth 3\n");
    drop(child.stdin.take());
    thread::sleep(Duration::from_millis(500));
    let mut output = String::new();
    child.stdout.take().unwrap().read_to_string(&mut output).unwrap();
    assert_eq!(output.matches("ugiok\n").count(), 8 * PIPE_BYTES / 1000);
    assert!(output.lines().last().unwrap().starts_with("bestmove "));
    assert_ends(child, "end of input");
}

/// The replies to this many questions overfill the pipe and the buffers of leapd. The questions fit into a pipe.
const QUESTIONS: usize = 3000;

fn start_with_long_replies() -> Child {
    start(&["--game", "tactica"])
}

#[test]
fn quit_is_heard_behind_replies_that_nobody_reads() {
    for (question, count) in [("query rules", 400), ("query moves", QUESTIONS)] {
        let mut child = start_with_long_replies();
        send(&mut child, &(format!("{question}\n").repeat(count) + "  quit \n"));
        assert_ends(child, &format!("quit behind {count} '{question}'"));
    }
}

#[test]
fn quit_is_heard_behind_a_search_and_replies_that_nobody_reads() {
    let mut child = start_with_long_replies();
    send(&mut child, &("query moves\n".repeat(QUESTIONS) + "go infinite\nperft 20\nquit\n"));
    assert_ends(child, "quit behind a search");
}

#[test]
fn questions_are_answered_in_order_once_the_client_reads_though_it_sends_no_more() {
    let mut child = start_with_long_replies();
    // Each reply tells which question it answers.
    let limit = |question: usize| 40 + question % 20;
    let questions: Vec<String> =
        (0..QUESTIONS).map(|i| format!("query moves limit {}\n", limit(i))).collect();
    send(&mut child, &questions.concat());
    thread::sleep(Duration::from_millis(300));
    for i in 0..QUESTIONS {
        let line = read_line(&mut child);
        let expected = format!("response {}+ ", limit(i));
        assert!(line.starts_with(&expected), "{i}: expected {expected}, found {line}");
    }
    send(&mut child, "isready\n");
    assert_eq!(read_line(&mut child), "readyok");
    send(&mut child, "quit\n");
    assert_ends(child, "quit");
}

#[cfg(target_os = "linux")]
#[test]
fn a_client_that_never_reads_is_not_read_without_end() {
    let mut child = start_with_long_replies();
    let mut stdin = child.stdin.take().unwrap();
    let writer = thread::spawn(move || {
        let questions = "query moves\n\n".repeat(PIPE_BYTES);
        (0..100).take_while(|_| stdin.write_all(questions.as_bytes()).is_ok()).count()
    });
    thread::sleep(Duration::from_secs(1));
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let peak: usize = peak.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(peak < 64 << 10, "{peak} KiB");
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(writer.join().unwrap(), 0, "megabytes of questions were read");
}
