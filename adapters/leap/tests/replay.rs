//! `leap replay` repeats transcripts in lockstep and reports differences (SPEC 16.15 to 16.20).

mod bounds;
mod junit;
mod moves;
mod questions;
mod update;

use std::process::Command;
use std::time::Instant;

use leap_testing::wait_until;

use crate::support::{self, LONG, Workplace, at_once, text};

/// A directory with transcripts of these lines.
fn transcripts(files: &[(&str, &str)]) -> Workplace {
    let work = Workplace::new();
    files.iter().for_each(|(name, lines)| work.write(name, format!("ugt 1\n{lines}")));
    work
}

/// The status and the output of a command.
fn printed(command: Command) -> (Option<i32>, String) {
    let output = support::run(command, b"");
    (output.status.code(), text(&output.stdout) + &text(&output.stderr))
}

/// `leap replay <args> -- puppet <rules>`.
fn command(work: &Workplace, args: &str, rules: &[&str]) -> Command {
    let mut command = work.command(&format!("replay {args} -- MOCK puppet"));
    command.args(rules);
    command
}

fn run(work: &Workplace, args: &str, rules: &[&str]) -> (Option<i32>, String) {
    printed(command(work, args, rules))
}

/// Replays a transcript of these lines with a puppet that follows these rules.
fn replay(lines: &str, rules: &[&str]) -> (Option<i32>, String) {
    run(&transcripts(&[("a.ugt", lines)]), "a.ugt --timeout 20", rules)
}

#[track_caller]
fn assert_equal(lines: &str, rules: &[&str]) {
    let (status, printed) = replay(lines, rules);
    assert_eq!(status, Some(0), "{printed}");
}

#[track_caller]
fn assert_different(lines: &str, rules: &[&str], message: &str) {
    let (status, printed) = replay(lines, rules);
    assert_eq!(status, Some(1), "{printed}");
    assert!(printed.contains(message), "{printed}");
}

#[test]
fn a_recording_replays_without_a_difference() {
    let work = Workplace::new();
    let rules = ["go=info depth 1 score cp ...;bestmove a1a2", "x=!bytes", "y=!long"];
    let input = b"ugi\nposition startpos\ngo depth 1\ngo movetime 3\nquery fen\nx\ny\n\xFF\nquit\n";
    assert!(work.record("a.ugt", &rules, input).status.success());
    let (status, printed) = run(&work, "a.ugt", &rules);
    assert_eq!(status, Some(0), "{printed}");
}

#[test]
fn a_directory_stands_for_the_transcripts_in_and_below_it() {
    let work = Workplace::new();
    for dir in ["all/b", "none"] {
        std::fs::create_dir_all(work.path(dir)).expect("a directory");
    }
    for (name, reply) in [("all/z.ugt", "readyok"), ("all/b/y.ugt", "other"), ("all/x.txt", "no")] {
        work.write(name, format!("ugt 1\n> isready\n< {reply}\n> quit\n"));
    }
    work.write("own.ugt", "ugt 1\n> isready\n< readyok\n> quit\n");
    let (status, printed) = run(&work, "all own.ugt --format tap", &[]);
    assert_eq!(status, Some(1));
    let results: Vec<&str> = printed.lines().filter(|line| line.contains("ok ")).collect();
    assert_eq!(results, ["not ok 1 - all/b/y.ugt", "ok 2 - all/z.ugt", "ok 3 - own.ugt"]);
    let empty = run(&work, "none", &[]);
    assert_eq!(empty, (Some(2), "leap: none: expected transcripts, .ugt, found none\n".to_owned()));
}

#[test]
fn a_game_record_is_not_taken_for_a_broken_transcript() {
    let work = Workplace::new();
    work.write("game.ugr", "[Game \"race\"]\n\n1. a1b1 p1win\n");
    let (status, printed) = run(&work, "game.ugr", &[]);
    assert_eq!(status, Some(2));
    assert!(printed.contains("found what looks like a game record"), "{printed}");
}

#[test]
fn another_line_is_a_mismatch_with_its_surroundings() {
    let lines = "> position startpos\n> query moves\n< response 2 a1a2 b1b2\n> quit\n";
    let rules = ["query moves=!stderr oh;response 1 a1a2"];
    let (status, printed) = replay(lines, &rules);
    assert_eq!(status, Some(1));
    let expected = "\
different a.ugt: line 4: found another line: response 1 a1a2
         2   > position startpos
         3   > query moves
         4 - < response 2 a1a2 b1b2
           + < response 1 a1a2
                        ^
    position: position startpos
    standard error: oh
1 transcript: 1 different
";
    assert_eq!(printed, expected);
}

#[test]
fn the_header_is_set_first() {
    let lines = "game eximo\noption name Hash value 3\noption name Clear Hash\n> x\n\
                 < setoption name Hash value 3\n< setoption name Clear Hash\n\
                 < setoption name Game value eximo\n< x\n";
    assert_equal(lines, &["setoption=%s", "x=x"]);
}

#[test]
fn lines_may_come_late_and_others_in_between() {
    let rules = ["go=!sleep 300;info depth 1;info string x;bestmove a1a2"];
    assert_equal("> go movetime 1\n< bestmove a1a2\n", &rules);
}

#[test]
fn a_line_before_the_next_command_is_waited_for_before_it_is_sent() {
    // The engine would answer the second line first if it were sent immediately.
    let lines = "> a\n< one\n> b\n< two\n";
    assert_equal(lines, &["a=!sleep 200;one", "b=two"]);
}

#[test]
fn a_search_may_end_sooner_than_it_did() {
    let lines =
        "> go depth 9\n> query fen\n< response x\n> isready\n< readyok\n> stop\n< bestmove a1a2\n";
    assert_equal(lines, &["query fen=response x", "query legal=response true"]);
    let lines = "> go depth 9\n> isready\n< readyok\n< bestmove a1a2\n";
    assert_equal(lines, &[]);
}

#[test]
fn a_second_bestmove_is_a_mismatch() {
    let lines = "> go movetime 1\n< bestmove a1a2\n> quit\n<. exit 0\n";
    assert_different(lines, &["go=bestmove a1a2;bestmove a1a2"], "line 5: found another line");
    let lines = "> go movetime 1\n< bestmove a1a2\n> isready\n< readyok\n";
    assert_different(lines, &["go=bestmove a1a2;bestmove a1a2"], "line 5: found another line");
}

#[test]
fn what_comes_after_the_end_is_a_mismatch() {
    let message = "after the last line: found another line: bye";
    assert_different("> isready\n< readyok\n", &["eof=bye"], message);
    // The answer to a search that is still running is ignored.
    assert_equal("> go infinite\n", &["eof=bestmove a1a2"]);
}

#[test]
fn any_legal_move_is_asked_of_the_referee() {
    let lines = "> position startpos\n> go movetime 1\n< bestmove b1b2\n";
    assert_equal(lines, &[]);
    assert_different(
        lines,
        &["go=bestmove zz"],
        "line 4: the move is not legal: bestmove zz: false",
    );
    assert_different(lines, &["go=bestmove a1a2 ponder b1b2"], "line 4: found another line");
    assert_different(lines, &["go=bestmove none"], "line 4: found another line");
    assert_different("> go movetime 1 id 7\n< bestmove a1a2 id 7\n", &[], "line 3: found another");
}

#[test]
fn the_referee_has_the_position_of_the_search() {
    let lines = "game g\n> position one\n> go movetime 1\n> position two\n\
                 < error busy : x\n< bestmove a\n> position three\n> go movetime 1\n< bestmove b\n";
    let work = transcripts(&[("a.ugt", lines)]);
    let engine =
        ["go=!sleep 1", "position two=error busy : x;bestmove a", "position three=bestmove b"];
    // The referee calls a move illegal if it has not received its position, or too early.
    for (referee, expected, message) in [
        (
            "'query legal=!exit 9' 'position two=!exit 9'",
            2,
            "line 7: cannot ask the referee whether a is legal",
        ),
        // The header is sent too.
        ("'setoption name Game value g=!exit 9'", 2, ""),
        ("'query legal=response true' 'position two=!exit 9'", 0, ""),
    ] {
        let args = format!("a.ugt --referee \"'MOCK' puppet {referee}\"");
        let (status, printed) = run(&work, &args, &engine);
        assert_eq!(status, Some(expected), "{referee}: {printed}");
        assert!(printed.contains(message), "{referee}: {printed}");
    }
}

#[test]
fn a_referee_that_knows_no_rules_is_named() {
    let rules = ["query legal=error unknown-command : what?"];
    let (status, printed) = replay("> go movetime 1\n< bestmove a1a2\n", &rules);
    assert_eq!(status, Some(2));
    assert!(printed.contains("it must know 'query legal'"), "{printed}");
}

#[test]
fn a_fixed_depth_is_exact_if_the_engine_is_pinned() {
    let lines = "> go depth 3\n< bestmove b1b2\n";
    assert_equal(lines, &[]);
    let pinned = format!("engine mock 1.0\n{lines}");
    assert_different(&pinned, &[], "line 4: found another line: bestmove a1a2");
    assert_eq!(run(&transcripts(&[("a.ugt", &pinned)]), "a.ugt --unpinned", &[]).0, Some(0));
}

#[test]
fn classes_compare_as_they_say() {
    for (expected, found, equal) in [
        ("<= a...b", "a...b", true),
        ("<= a...b", "axb", false),
        ("< a...b", "axxb", true),
        ("<~ a[0-9]+|b", "a12", true),
        ("<~ a[0-9]+|b", "a12c", false),
        ("<~ a[0-9]+|b", "xb", false),
        ("<x a", "a", true),
        (r"<x \xFF", "!bytes", true),
        (r"<x \xFF", "a", false),
        ("<! too-long", "!long", true),
        ("< perft 1 nodes 2 time 3 nps 4", "perft 1 nodes 2 time 30 nps 40", true),
        ("< perft 1 nodes 2 time 3 nps 4", "perft 1 nodes 3 time 30 nps 40", false),
        ("< error busy : a", "error busy : b", true),
        ("< error busy : a", "error internal : b", false),
    ] {
        let (status, printed) = replay(&format!("> x\n{expected}\n"), &[&format!("x={found}")]);
        assert_eq!(status, Some(i32::from(!equal)), "{expected} {found}: {printed}");
    }
    assert_equal("> x\n<* maybe\n< yes\n", &["x=yes"]);
    assert_equal("> x\n<* maybe\n< yes\n", &["x=maybe;yes;maybe"]);
}

#[test]
fn the_exit_status_counts_where_it_is_given() {
    assert_equal("> quit\n<. exit 4\n", &["quit=!exit 4"]);
    assert_equal("> quit\n<.\n", &["quit=!exit 4"]);
    assert_equal(">.\n<. exit 5\n", &["eof=!exit 5"]);
    assert_different(
        "> quit\n<. exit 0\n",
        &["quit=!exit 4"],
        "line 3: the engine ended with status 4",
    );
}

#[test]
fn a_dead_engine_is_told_with_its_last_words() {
    let lines = "> isready\n< readyok\n> go depth 1\n< bestmove a1a2\n";
    let rules = ["go=!stderr index out of bounds;!part bestmo;!exit 101"];
    let (status, printed) = replay(lines, &rules);
    assert_eq!(status, Some(1));
    // An incomplete line is no answer.
    assert!(printed.contains("line 5: found another line: bestmo"), "{printed}");
    let rules = ["go=!stderr index out of bounds;!exit 101"];
    let (_, printed) = replay(lines, &rules);
    assert!(printed.contains("line 5: the engine ended with status 101"), "{printed}");
    assert!(printed.contains("standard error: index out of bounds"), "{printed}");
}

#[test]
fn a_hung_engine_is_told_and_not_waited_for() {
    let greeting = "> isready\n< readyok\n";
    let search = format!("{greeting}> go movetime 1\n< bestmove a1a2\n");
    let work = transcripts(&[("greeting.ugt", greeting), ("search.ugt", &search)]);
    let rules = [
        ("search.ugt", "go=!hang", "line 5: the engine hangs: nothing for 0."),
        ("search.ugt", "go=!deaf", "line 5: the engine hangs: nothing for 0."),
        ("search.ugt", "go=info depth 1", "but the engine still answers"),
        ("search.ugt", "quit=", ""),
        ("greeting.ugt", "eof=!hang", "after the last line: the engine hangs"),
    ];
    at_once(&rules, |(file, rule, message)| {
        let began = Instant::now();
        let (status, printed) = run(&work, &format!("{file} --timeout 0.3"), &[rule]);
        assert!(began.elapsed() < LONG, "{rule}");
        assert!(printed.contains(message), "{rule}: {printed}");
        assert_eq!(status, Some(i32::from(!message.is_empty())), "{printed}");
    });
}

/// An engine in its own process group gets no signal from the terminal, and one that hangs does not notice the end of
/// input.
#[cfg(unix)]
#[test]
fn an_interrupted_replay_leaves_no_engine_behind() {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;
    let work = transcripts(&[("a.ugt", "> x\n< y\n")]);
    let engine = "sh -c 'echo $$ > pid; while :; do sleep 1; done'";
    let mut replay = work.start(&format!("replay a.ugt --timeout 60 -- {engine}"));
    let id = wait_until(|| {
        let id = std::fs::read_to_string(work.path("pid")).unwrap_or_default();
        id.trim().parse().map_err(|_| "no engine has been started".to_owned())
    });
    kill(Pid::from_raw(replay.id().try_into().expect("an id")), Signal::SIGINT).expect("it lives");
    assert_eq!(support::ended(&mut replay).code(), Some(128 + 2));
    wait_until(|| kill(Pid::from_raw(id), None).err().ok_or("the engine lives".to_owned()));
}

/// An engine that never stops writing, and one that never reads.
#[test]
fn floods_and_deafness_end_in_time() {
    let many = ">! too-long\n".repeat(3) + "< y\n";
    let work = transcripts(&[("a.ugt", "> x\n< y\n"), ("b.ugt", &many)]);
    let began = Instant::now();
    for words in ["a.ugt -- sh -c 'while :; do echo info depth 1; done'", "b.ugt -- sleep 60"] {
        assert_eq!(work.run(&format!("replay --timeout 0.3 {words}")).status.code(), Some(1));
    }
    assert!(began.elapsed() < LONG);
}

#[test]
fn what_could_not_be_run_has_status_2() {
    let work = transcripts(&[
        ("good.ugt", "> isready\n< readyok\n"),
        ("bad.ugt", "> isready\nreadyok\n"),
        ("regex.ugt", "> isready\n<~ a(\n"),
    ]);
    for (file, message) in [
        ("bad.ugt", "line 3, column 1: expected '>'"),
        ("regex.ugt", "line 3"),
        ("none.ugt", "cannot read the transcript"),
    ] {
        let (status, printed) = run(&work, &format!("good.ugt {file}"), &[]);
        assert_eq!(status, Some(2));
        assert!(printed.contains("equal     good.ugt"), "{printed}");
        assert!(printed.contains(message), "{printed}");
    }
    assert_eq!(work.run("replay good.ugt -- ./none").status.code(), Some(2));
}

#[test]
fn files_are_reported_in_their_order_whatever_ends_first() {
    let work = Workplace::new();
    let names = [0, 1, 2, 3, 4, 5, 6, 7].map(|number| format!("{number}.ugt"));
    for name in &names {
        work.write(name, format!("ugt 1\n> x {name}\n< y\n"));
    }
    let args = format!("--jobs 4 {}", names.join(" "));
    let (_, printed) = run(&work, &args, &["x 0=!sleep 300;y", "x=y"]);
    let files: Vec<_> =
        printed.lines().filter_map(|line| line.strip_prefix("equal     ")).collect();
    assert_eq!(files, names);
}

#[test]
fn tap_has_a_plan_and_a_line_for_each_file() {
    let (equal, different) = ("> isready\n< readyok\n", "> isready\n< \"ready\"\n");
    let work = transcripts(&[("a#1.ugt", equal), ("b.ugt", different)]);
    work.write("c.ugt", "ugt 2\n");
    let expected = "\
TAP version 14
1..3
ok 1 - a\\#1.ugt
not ok 2 - b.ugt
  ---
  message: \"line 3: found another line: readyok\"
  severity: fail
  details: |2
         2   > isready
         3 - < \"ready\"
           + < readyok
               ^
    position: start
  ...
not ok 3 - c.ugt
  ---
  message: \"line 1, column 1: expected 'ugt 1', found 'ugt 2'\"
  severity: error
  ...
";
    let printed = run(&work, "--format tap a#1.ugt b.ugt c.ugt", &[]);
    assert_eq!(printed, (Some(2), expected.to_owned()));
}

#[test]
fn junit_counts_and_tells() {
    let (equal, different) = ("> isready\n< readyok\n", "> isready\n< <&\n");
    let work = transcripts(&[("a.ugt", equal), ("b.ugt", different)]);
    work.write("c.ugt", "ugt 2\n");
    let (status, xml) = run(&work, "--format junit a.ugt b.ugt c.ugt", &[]);
    assert_eq!(status, Some(2));
    for part in [
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
        "<testsuite name=\"leap replay\" tests=\"3\" disabled=\"0\" errors=\"1\" failures=\"1\">",
        "<testcase name=\"a.ugt\" classname=\"leap replay\"",
        "<failure message=\"line 3: found another line: readyok\">",
        "3 - &lt; &lt;&amp;",
        "<error message=\"line 1, column 1: expected &apos;ugt 1&apos;, found &apos;ugt 2&apos;\"",
    ] {
        assert!(xml.contains(part), "{part} in {xml}");
    }
}
