//! `leap gogui` with engines that are silent or never stop writing: every command is answered in time and with bounded
//! memory.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command};
use std::time::{Duration, Instant};

use crate::support::{
    LEAP, Workplace, at_once, ended, peak_memory_mib, run, sample, start, text, words,
};

/// A command asks a few questions, each of which may take ten seconds; an engine that crashes is restarted.
const SOME_QUESTIONS: Duration = Duration::from_secs(60);

/// What the puppet answers so that a game can be shown.
const GAME: [&str; 5] = [
    "query protocol=response leap 1.0 fen board status next effects legal moves",
    "query board=board files 8 ranks 2 kind cells;board piece A name man owner p1 value 1;boardok",
    "query status=response over false result none reason none turn p1 ply 0 quiet 0 repetitions 1",
    "query fen=response 8/A7 1 - 0 0",
    "query next=response a1",
];

struct Gtp {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Gtp {
    /// `leap gogui` with these words, and the rules of a puppet.
    fn start(line: &str, rules: &[&str]) -> Gtp {
        let mut child = start(Command::new(LEAP).arg("gogui").args(words(line)).args(rules));
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Gtp { child, input, output }
    }

    /// The puppet with additional or overriding rules.
    fn puppet(options: &str, rules: &[&str]) -> Gtp {
        Gtp::start(&format!("{options} -- MOCK puppet"), &[rules, &GAME].concat())
    }

    fn write(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    fn read(&mut self) -> String {
        let mut answer = String::new();
        while !answer.ends_with("\n\n") {
            assert!(self.output.read_line(&mut answer).unwrap() > 0, "it ended after {answer:?}");
        }
        answer.trim_end().to_owned()
    }

    /// The answer and the time it took.
    fn ask(&mut self, command: &str) -> (String, Duration) {
        let begun = Instant::now();
        self.write(command);
        (self.read(), begun.elapsed())
    }

    /// The command must fail without an answer, and the next one that needs no answer must succeed.
    fn gives_up(&mut self, command: &str, within: Duration) {
        let (answer, took) = self.ask(command);
        assert!(answer.starts_with("? the engine did not answer within "), "{answer}");
        assert!(took < within, "{took:?}");
        assert_eq!(self.ask("protocol_version").0, "= 2");
    }
}

impl Drop for Gtp {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.write("quit");
            assert!(ended(&mut self.child).success());
        }
    }
}

#[test]
fn a_search_without_a_move_is_given_up() {
    let mut gtp = Gtp::start("--depth 3 --stall 300 -- MOCK --defect no-bestmove", &[]);
    for _ in 0..2 {
        gtp.gives_up("genmove b", SOME_QUESTIONS);
    }
    assert_eq!(gtp.ask("play b a1").0, "=");
    let mut deaf = Gtp::puppet("--depth 3 --stall 300", &["go=!deaf"]);
    deaf.gives_up("genmove b", SOME_QUESTIONS);
}

#[test]
fn a_search_that_only_floods_is_given_up() {
    for line in sample(&["info depth 1", "hello", "readyok"]) {
        let mut gtp = Gtp::puppet("--nodes 3 --stall 300", &[&format!("go=!flood 1 {line}")]);
        gtp.gives_up("genmove b", SOME_QUESTIONS);
    }
}

/// Searches end soon after their time, and after an interrupt that the engine ignores; questions have a deadline.
#[test]
#[ignore = "slow: run by .ci/run"]
fn engines_that_stop_answering_are_given_up() {
    let question = "play b a1";
    at_once(
        &[
            ("--movetime 10", "go=!deaf", "genmove b"),
            ("--depth 3", "go=!deaf", "genmove b\n# interrupt"),
            ("", "query next a1=!deaf", question),
            ("", "query next a1=!flood 1 info depth 1", question),
            ("", "query next a1=!hang", question),
        ],
        |(options, rule, commands)| {
            Gtp::puppet(options, &[rule]).gives_up(commands, SOME_QUESTIONS);
        },
    );
}

#[test]
fn an_engine_that_resigns_moves_nothing() {
    let mut gtp = Gtp::puppet("--depth 1", &["go=bestmove resign"]);
    assert_eq!(gtp.ask("genmove b").0, "= resign");
    assert_eq!(gtp.ask("leap-hint").0, "? the engine resigns");
}

/// The puppet has two moves and has begun one of them. It does not know `searchmoves`.
#[test]
fn the_engine_completes_the_turn_that_was_entered_and_makes_no_other_move() {
    let rules = [
        "query moves=response 2 a1b1 b1b2",
        "query next a1b1=response end",
        "query next a1=response b1",
        "query history=response 1 a1b1",
        "go=bestmove b1b2",
    ];
    let mut gtp = Gtp::puppet("--depth 1", &rules);
    assert_eq!(gtp.ask("play b a1").0, "=");
    let hint = gtp.ask("leap-hint").0;
    assert!(hint.contains("Hint a1b1."), "{hint}");
    assert_eq!(gtp.ask("genmove b").0, "= B1");
    // A turn that never ends.
    let endless = ["query moves=response 1 b1b2", "query next a1=response a1", "go=bestmove b1b2"];
    let mut gtp = Gtp::puppet("--depth 1", &endless);
    assert_eq!(gtp.ask("play b a1").0, "=");
    assert_eq!(gtp.ask("genmove b").0, "? no way to complete a1 was found: take it back");
}

/// The questions about a turn among what was sent to an engine, while these vertices were played.
fn questions(engine: &str, rules: &[&str], vertices: &[&str]) -> Vec<String> {
    let work = Workplace::new();
    let file = work.path("session.ugt");
    let recorder = format!("'{LEAP}' record -o '{}'", file.display());
    let mut gtp = Gtp::start(&format!("-- {recorder} -- {engine}"), rules);
    for vertex in vertices {
        assert_eq!(gtp.ask(&format!("play b {vertex}")).0, "=");
    }
    drop(gtp);
    let session = work.read("session.ugt");
    let sent = session.lines().filter_map(|line| line.strip_prefix("> query "));
    let of_turns = |line: &&str| ["turn", "next", "effects"].iter().any(|q| line.starts_with(q));
    sent.filter(of_turns).map(str::to_owned).collect()
}

/// What may follow and the board in mid-turn are one answer; nothing is found out by trying.
#[test]
fn every_vertex_is_one_question() {
    let asked = questions("MOCK", &[], &["a1", "c1"]);
    assert_eq!(asked, ["turn", "turn a1", "turn a1c1", "turn"]);
    // An engine without this question: no board in mid-turn.
    let plain = [&["query next a1=response c1"], &GAME[..]].concat();
    assert_eq!(questions("MOCK puppet", &plain, &["a1"]), ["next", "next a1"]);
}

/// The rules of the protocol, version 2, for lines and for games without a score.
#[test]
fn a_game_in_progress_has_no_score_and_numbers_come_back_as_they_came() {
    let mut gtp = Gtp::puppet("", &[]);
    for (line, answer) in [
        ("final_score", "? cannot score"),
        ("4294967296 final_score", "?4294967296 cannot score"),
        ("0099999999999999999999\tprotocol_version\r", "=0099999999999999999999 2"),
        ("# a comment\n\n\r\n5\n6 pro\u{1}tocol_version # x", "=6 2"),
        ("7 known_command", "=7 false"),
        ("known_command\tfinal_score", "= true"),
        ("8 nothing", "?8 unknown command"),
    ] {
        assert_eq!(gtp.ask(line).0, answer, "{line:?}");
    }
    let over =
        "query status=response over true result p2win reason a turn p1 ply 3 quiet 0 repetitions 1";
    let mut gtp = Gtp::puppet("", &[over]);
    assert_eq!(gtp.ask("1 final_score").0, "=1 W+1");
    let draw = over.replace("p2win", "draw");
    assert_eq!(Gtp::puppet("", &[&draw]).ask("final_score").0, "= 0");
}

/// Awaited lines are kept, so they must be bounded.
#[test]
fn an_answer_without_end_is_refused() {
    for rule in ["ugi=!flood 1 option name X type button", "query board=!flood 100 board x"] {
        let mut command = Command::new(LEAP);
        command.args(words("gogui -- MOCK puppet")).arg(rule).args(GAME);
        let output = run(command, b"name\n");
        assert_eq!(output.status.code(), Some(2));
        let errors = text(&output.stderr);
        assert!(errors.contains("without an end"), "{errors}");
    }
}

/// Nobody reads what an idle engine writes; little of it is buffered.
#[test]
fn long_lines_of_an_idle_engine_fill_no_memory() {
    let mut gtp = Gtp::puppet("", &["query next=response a1;!flood 100000 info x "]);
    assert_eq!(gtp.ask("protocol_version").0, "= 2");
    std::thread::sleep(Duration::from_secs(1));
    let mib = peak_memory_mib(&gtp.child);
    assert!(mib < 100, "{mib} MiB");
}
