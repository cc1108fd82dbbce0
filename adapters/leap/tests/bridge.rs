//! `leap bridge`: what the engine hears, what the client hears, and how the bridge ends with an engine that fails.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Output};
use std::time::Instant;

use crate::support::{LEAP, Workplace, at_once, ended, run, start, text, words};

/// An engine of GTP that accepts everything.
const GTP: [&str; 5] = [
    "protocol_version==%n 2;!blank",
    "name==%n Puppet;!blank",
    "list_commands==%n undo;time_left;!blank",
    "genmove==%n D4;!blank",
    "==%n;!blank",
];

/// An engine of UHP in whose game nothing has happened.
const UHP: [&str; 5] = [
    "options=Threads%cint%c2%c2%c1%c8;ok",
    "newgame=Base+MLP%cNotStarted%cWhite[1];ok",
    "validmoves=wG1;ok",
    "bestmove=wG1;ok",
    "=ok",
];

/// The words of a bridge whose engine follows these rules.
fn bridge(protocol: &str, rules: &[&str], more: &[&str]) -> Command {
    let mut command = Command::new(LEAP);
    command.args(words(&format!("bridge {protocol} -- MOCK puppet"))).args(rules).args(more);
    command
}

/// A bridge in use.
struct Bridge {
    child: Child,
    input: ChildStdin,
    output: BufReader<std::process::ChildStdout>,
}

impl Bridge {
    fn start(mut command: Command) -> Bridge {
        let mut child = start(&mut command);
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Bridge { child, input, output }
    }

    /// Sends lines and returns what is said until all of them have been answered.
    fn says(&mut self, lines: &str) -> String {
        // A search is over at its move: `isready` would be answered before.
        let is_search = lines.lines().last().is_some_and(|line| line.starts_with("go"));
        writeln!(self.input, "{lines}").unwrap();
        if !is_search {
            writeln!(self.input, "isready").unwrap();
        }
        let mut said = String::new();
        let is_over = |said: &str| match said.lines().last() {
            Some(last) if is_search => last.starts_with("bestmove") || last.starts_with("error"),
            last => last == Some("readyok"),
        };
        while !is_over(&said) {
            assert!(self.output.read_line(&mut said).unwrap() > 0, "it ended after {said:?}");
        }
        said.trim_end_matches("readyok\n").trim_end().to_owned()
    }
}

/// What the engine heard, without the numbers of the commands.
fn heard(work: &Workplace) -> Vec<String> {
    let strip =
        |line: &str| line.trim_start_matches(|c: char| c.is_ascii_digit()).trim().to_owned();
    work.read("heard").lines().map(strip).collect()
}

/// An engine of GTP that notes what it hears in the file `heard`.
fn noting(work: &Workplace) -> Command {
    let mut command = work.command("bridge gtp -- sh -c 'tee heard | \"$0\" puppet \"$@\"' MOCK");
    command.args(GTP);
    command
}

#[test]
fn the_engine_hears_only_what_is_new() {
    let work = Workplace::new();
    let mut bridge = Bridge::start(noting(&work));
    let said = bridge.says(
        "setoption name BoardSize value 9\nuginewgame\nposition startpos moves e5 i9\n\
         go p1time 61500 p2time 1 movestogo 10",
    );
    // `d4` is on the engine's board already.
    assert_eq!(said, "bestmove d4");
    assert_eq!(
        bridge.says("position startpos moves e5 i9 d4 pass\nquery history"),
        "response 4 e5 i9 d4 pass"
    );
    assert_eq!(
        bridge.says("position startpos moves e5 i9 c3\ngo p1time 1 p2time 500"),
        "bestmove d4"
    );
    assert_eq!(bridge.says("position startpos moves a1"), "");
    let expected = "boardsize 9|komi 7.5|clear_board|boardsize 9|komi 7.5|clear_board|play black E5|play white J9|\
         time_settings 0 61 10|time_left black 61 10|genmove black|play white pass|undo|undo|play black C3|\
         time_settings 1 0 0|time_left white 1 0|genmove white|boardsize 9|komi 7.5|clear_board|play black A1";
    // An engine may have answered a line that `tee` has yet to write.
    leap_testing::wait_until(|| {
        let heard = heard(&work);
        let begun = heard.iter().position(|line| line.starts_with("boardsize")).unwrap();
        let heard = heard[begun..].join("|");
        if heard == expected { Ok(()) } else { Err(format!("expected {expected}, heard {heard}")) }
    });
}

#[test]
fn other_games_have_their_words() {
    let mut command = Command::new(LEAP);
    let line = "bridge gtp --game hex --size 11 --colours red,blue -- MOCK puppet";
    command.args(words(line)).args(["play=?%n %s;!blank"]).args(GTP);
    let mut hex = Bridge::start(command);
    assert!(hex.says("ugi").contains("combo default hex var hex"), "the game");
    // There is a file I, and the second player is blue.
    let said = hex.says("position startpos moves i9");
    assert!(said.ends_with("the engine says: play red I9"), "{said}");
    assert_eq!(hex.says("query game"), "response hex BoardSize 11");
    let said = hex.says("setoption name Komi value 1");
    assert!(said.starts_with("error no-such-option "), "{said}");
}

#[test]
fn faults_of_the_client_and_refusals_of_the_engine_are_errors() {
    let refuses = [
        "play black a2=?%n no;!blank",
        "boardsize 3=?%n small;!blank",
        "play black A2=?%n no;!blank",
    ];
    let mut bridge = Bridge::start(self::bridge("gtp", &refuses, &GTP));
    for (lines, expected) in [
        ("position startpos moves a2", "error illegal-move index 1 move a2 reason refused at - : "),
        ("position startpos moves a1;b", "error illegal-move index 1 move a1;b reason refused "),
        (
            "setoption name BoardSize value 3",
            "error bad-argument : the engine refuses 'boardsize 3': small",
        ),
        ("query game", "response go BoardSize 19 Komi 7.5"),
        ("setoption name BoardSize value 99", "error out-of-range"),
        ("setoption name Komi value nan", "error bad-argument"),
        ("setoption name Game value chess", "error no-such-game"),
        ("setoption name X value y", "error no-such-option"),
        ("position fen 9/9", "error bad-position field board column 1"),
        ("go depth 3", "error not-in-this-game"),
        ("go ponder", "error not-in-this-game"),
        ("undo", "error nothing-to-undo"),
        ("perft 2", "error not-in-this-game"),
        ("query moves", "error not-in-this-game"),
        ("hello", "error unknown-command"),
        // Without --judge the bridge does not say who has won.
        ("query gameover\nquery result\nquery p1turn", "response true"),
    ] {
        let said = bridge.says(lines);
        assert!(said.starts_with(expected) && said.lines().count() == 1, "{lines}: {said}");
    }
}

#[test]
fn an_engine_that_judges_says_who_has_won_after_two_passes() {
    let rules = ["final_score==%n W+3.5;!blank"];
    let mut command = Command::new(LEAP);
    command.args(words("bridge gtp --judge -- MOCK puppet")).args(rules).args(GTP);
    let mut bridge = Bridge::start(command);
    let ask = "query gameover\nquery result";
    assert_eq!(
        bridge.says(&format!("position startpos moves a1 pass\n{ask}")),
        "response false\nresponse none"
    );
    let said = bridge.says(&format!("position startpos moves a1 pass pass\n{ask}"));
    assert_eq!(said, "response true\nresponse p2win");
}

#[test]
fn answers_to_other_commands_and_stray_lines_are_skipped() {
    let noise = [
        "genmove=thinking;=1 Z9;!blank;=99999999999999999999 Z8;more;!blank;=%n c3;!blank;=%n Z7;!blank",
    ];
    let mut bridge = Bridge::start(bridge("gtp", &noise, &GTP));
    assert_eq!(bridge.says("go movetime 1000"), "bestmove c3");
    assert_eq!(bridge.says("position startpos moves c3\nquery history"), "response 1 c3");
}

#[test]
fn during_a_search_the_bridge_is_ready_and_ends_at_quit() {
    let mut bridge = Bridge::start(bridge("gtp", &["genmove=!hang"], &GTP));
    writeln!(bridge.input, "go").unwrap();
    assert_eq!(bridge.says("stop"), "");
    writeln!(bridge.input, "quit").unwrap();
    assert_eq!(ended(&mut bridge.child).code(), Some(0));
}

#[test]
fn the_end_of_the_input_loses_no_move() {
    let slow = ["genmove=!sleep 200;=%n D4;!blank"];
    let output = run(bridge("gtp", &slow, &GTP), b"go\n");
    assert_eq!((text(&output.stdout), output.status.code()), ("bestmove d4\n".to_owned(), Some(0)));
}

/// An engine that fails: its protocol, a rule, the client's line, what the bridge says of it.
const FAILURES: &[(&str, &str, &str, &str)] = &[
    ("gtp", "genmove=!exit 7", "go", "the engine has ended after"),
    ("gtp", "genmove=!abort", "go", "the engine has ended after"),
    ("gtp", "protocol_version==%n 9;!blank", "ugi", "expected version 2 of GTP, found '9'"),
    ("gtp", "genmove=!hang", "go", "found none in 300 ms"),
    ("gtp", "name=!deaf", "go", "found none in 300 ms"),
    ("gtp", "genmove==%n D4 and more;!blank", "go", "expected a vertex, found 'D4 and more'"),
    ("gtp", "genmove==%n \u{1b}[2J;!blank", "go", "expected a vertex, found "),
    ("gtp", "genmove==%n;!flood 9 x", "go", "found no end of it"),
    ("gtp", "genmove=!bytes;!long;!flood 1 y", "go", "found no end of it"),
    ("gtp", "genmove=!part =", "go", "found none in 300 ms"),
    ("uhp", "bestmove=!exit 1", "go depth 1", "the engine has ended after 'bestmove depth 1'"),
    ("uhp", "bestmove=!hang", "go depth 1", "found none in 300 ms"),
    ("uhp", "bestmove=!flood 1 x", "go depth 1", "found no end of it"),
    ("uhp", "bestmove=ok", "go depth 1", "expected a MoveString"),
    ("uhp", "newgame=what;ok", "query result", "expected a GameString, found 'what'"),
];

#[test]
fn an_engine_that_fails_ends_the_bridge_with_one_line() {
    at_once(FAILURES, |(protocol, rule, line, expected)| {
        let greets: &[&str] = if *protocol == "uhp" { &["id puppet", "ok"] } else { &[] };
        // Only an engine that is silent is waited for.
        let stall = if expected.ends_with("300 ms") { "300" } else { "60000" };
        let said = failure(&["bridge", protocol, "--stall", stall], rule, line, greets);
        assert_eq!(said.status.code(), Some(2), "{rule}");
        let errors = text(&said.stderr);
        let last = errors.lines().last().unwrap_or_default();
        assert!(last.starts_with("leap: ") && last.contains(expected), "{rule}: {errors}");
    });
}

/// The end of a bridge whose engine follows this rule. The engine greets with lines of its own.
fn failure(bridge: &[&str], rule: &str, line: &str, greets: &[&str]) -> Output {
    let rules: &[&str] = if bridge.contains(&"uhp") { &UHP } else { &GTP };
    let greeting: String = greets.iter().map(|line| format!("echo {line};")).collect();
    let script = format!("{greeting} exec \"$0\" puppet \"$@\"");
    let mut command = Command::new(LEAP);
    command.args(bridge).args(["--", "sh", "-c", &script]);
    command.args(words("MOCK")).arg(rule).args(rules);
    run(command, format!("{line}\n").as_bytes())
}

#[cfg(target_os = "linux")]
#[test]
fn an_endless_answer_costs_no_memory() {
    let mut bridge = Bridge::start(bridge("gtp", &["genmove==%n;!flood 5000 x"], &GTP));
    writeln!(bridge.input, "go").unwrap();
    let begun = Instant::now();
    let mut peak = 0;
    while bridge.child.try_wait().unwrap().is_none() && begun.elapsed() < crate::support::LONG {
        peak = peak.max(leap_testing::peak_memory_kib(bridge.child.id()).unwrap_or(0) / 1024);
    }
    assert!(ended(&mut bridge.child).code() == Some(2) && peak < 200, "{peak} MiB");
}

#[test]
fn hive_is_played_with_one_text_for_each_destination() {
    let rules = [
        "options set=err unknown;ok",
        "options=Threads%cint%c2%c2%c1%c8;ok",
        "newgame=Base%cNotStarted%cWhite[1];ok",
        "validmoves=bQ wG1-%cbA1 -wG1%cbQ \\wG1;ok",
        "play wG9=invalidmove no such piece;ok",
        "play=Base%cInProgress%cBlack[1];ok",
        "undo=Base%cNotStarted%cWhite[1];ok",
        "bestmove=bQ wG1-;ok",
        "=ok",
    ];
    let script = "echo id hiver; echo ok; exec \"$0\" puppet \"$@\"";
    let mut command = Command::new(LEAP);
    command.args(["bridge", "uhp", "--type", "Base", "--", "sh", "-c", script]);
    command.args(words("MOCK")).args(rules);
    let mut hive = Bridge::start(command);
    let greeting = hive.says("ugi");
    assert!(greeting.contains("option name Threads type spin default 2 min 1 max 8"), "{greeting}");
    assert!(greeting.contains("option name GameType type string default Base"), "{greeting}");
    assert_eq!(
        hive.says("position startpos moves wG1\nquery p1turn\nquery result"),
        "response false\nresponse none"
    );
    assert_eq!(hive.says("query moves limit 2"), "response 2+ bA1_-wG1 bQ_\\wG1");
    assert_eq!(hive.says("query legal bQ_wG1-"), "response true");
    assert_eq!(hive.says("go movetime 2000"), "bestmove bQ_wG1-");
    let said = hive.says("position startpos moves wG9");
    assert!(said.starts_with("error illegal-move index 1 move wG9 "), "{said}");
    let said = hive.says("setoption name Threads value 3");
    assert!(
        said.starts_with("error bad-argument : the engine refuses 'options set Threads 3'"),
        "{said}"
    );
}

#[test]
fn dialects_are_translated_word_by_word() {
    let rules = [
        "teinewgame 6=info string new",
        "tei=id name puppet;teiok",
        "go wtime 9 btime 8=bestmove a1",
    ];
    let mut command = Command::new(LEAP);
    command.args(words("bridge tei --size 6 -- MOCK puppet")).args(rules);
    // An engine of Tak is told of a game before it is told of a position.
    let input = b"ugi\nposition startpos\nuginewgame\ngo p1time 9 p2time 8\nisready\nquit\n";
    let output = run(command, input);
    let said = text(&output.stdout);
    let new = "info string new\n".repeat(2);
    assert_eq!(said, format!("id name puppet\nugiok\n{new}bestmove a1\nreadyok\n"));
    assert_eq!(output.status.code(), Some(0));
    let mut command = Command::new(LEAP);
    command.args(words("bridge uai -- MOCK puppet")).args(["go btime 9=!exit 3"]);
    let mut bridge = Bridge::start(command);
    writeln!(bridge.input, "go p1time 9").unwrap();
    assert_eq!(ended(&mut bridge.child).code(), Some(2));
}

#[test]
fn an_engine_that_ignores_quit_and_the_end_of_the_input_is_killed() {
    at_once(&["quit\n", ""], |input| {
        let mut command = Command::new(LEAP);
        command.args(words("bridge uai -- MOCK puppet quit=!deaf eof=!hang"));
        let output = run(command, input.as_bytes());
        assert_eq!((text(&output.stderr), output.status.code()), (String::new(), Some(0)));
    });
}

/// A search that the input's end finds at work is finished.
#[test]
fn the_last_search_finishes_after_the_end_of_the_input() {
    let mut command = Command::new(LEAP);
    command.args(words("bridge uai -- MOCK puppet")).arg("go=!sleep 300;bestmove 0000");
    let output = run(command, b"uai\ngo movetime 300\n");
    assert_eq!((text(&output.stdout).as_str(), output.status.code()), ("bestmove pass\n", Some(0)));
}
