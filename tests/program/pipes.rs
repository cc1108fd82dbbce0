//! `leapd` stops working when its pipes are closed or nobody reads them (SPEC 3.23, 7.6, 7.7).

use std::io::{Read, Write};
use std::process::Child;
use std::thread;
use std::time::Duration;

use crate::process::{assert_ends, start};

/// More than a pipe holds: a writer of this much has to wait for a reader.
const PIPE_BYTES: usize = 64 << 10;

fn send(child: &mut Child, lines: &str) {
    child.stdin.as_mut().unwrap().write_all(lines.as_bytes()).unwrap();
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
            assert_ends(&mut child, &format!("{work}, input open: {is_input_open}"));
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
    assert_ends(&mut child, "idle");
    drop(stdin);
}

#[cfg(unix)]
#[test]
fn commands_end_when_nobody_reads_the_output_any_more() {
    for args in [&["perft", "eximo", "20"][..], &["bench"]] {
        let mut child = start(args);
        drop(child.stdout.take());
        assert_ends(&mut child, &args.join(" "));
    }
}

#[test]
fn quit_ends_the_process_though_nobody_reads() {
    let mut child = start(&[]);
    send(&mut child, &"ugi\n".repeat(PIPE_BYTES / 1000));
    send(&mut child, "go infinite\nquit\n");
    assert_ends(&mut child, "quit");
}

#[test]
fn stop_and_quit_are_heard_though_a_search_has_filled_the_pipe() {
    let mut child = start(&["--option", "MultiPV=256", "--game", "tactica"]);
    send(&mut child, "go infinite\n");
    thread::sleep(Duration::from_millis(500));
    send(&mut child, "stop\nisready\nquit\n");
    assert_ends(&mut child, "quit");
}

#[test]
fn what_was_asked_before_quit_is_answered() {
    let mut child = start(&["--game", "eximo"]);
    send(&mut child, &format!("{}quit\n", "query moves\n".repeat(300)));
    let mut output = String::new();
    child.stdout.take().unwrap().read_to_string(&mut output).unwrap();
    assert_eq!(output.lines().count(), 300);
    assert_ends(&mut child, "quit");
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
    assert_ends(&mut child, "end of input");
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
        assert_ends(&mut child, &format!("quit behind {count} '{question}'"));
    }
}

#[test]
fn quit_is_heard_behind_a_search_and_replies_that_nobody_reads() {
    let mut child = start_with_long_replies();
    send(&mut child, &("query moves\n".repeat(QUESTIONS) + "go infinite\nperft 20\nquit\n"));
    assert_ends(&mut child, "quit behind a search");
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
    assert_ends(&mut child, "quit");
}

#[cfg(target_os = "linux")]
#[test]
fn a_client_that_never_reads_is_not_read_without_end() {
    use crate::process::peak_memory_kib;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// More questions than are ever read, and what both pipes hold.
    const MOST_BYTES: usize = 13 * PIPE_BYTES;
    let mut child = start_with_long_replies();
    send(&mut child, "isready\n");
    assert_eq!(read_line(&mut child), "readyok");
    let mut stdin = child.stdin.take().unwrap();
    let written = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&written);
    let writer = thread::spawn(move || {
        let questions = "query moves\n\n".repeat(1000);
        while stdin.write_all(questions.as_bytes()).is_ok() {
            count.fetch_add(questions.len(), Ordering::Relaxed);
        }
    });
    // Until nothing is read for a while.
    let mut before = usize::MAX;
    while before != written.load(Ordering::Relaxed) {
        before = written.load(Ordering::Relaxed);
        thread::sleep(Duration::from_millis(200));
    }
    let peak = peak_memory_kib(child.id()).unwrap();
    assert!(peak < 64 << 10, "{peak} KiB");
    child.kill().unwrap();
    child.wait().unwrap();
    writer.join().unwrap();
    assert!(before < MOST_BYTES, "{before} bytes of questions were read");
}
