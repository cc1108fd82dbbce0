//! Control characters in text from engines are escaped: none reaches the output of the programs that print it.

use std::fs;
use std::process::{Command, Output};

use crate::support::{LEAP, MOCK, Workplace, at_once, leap, run, text};
use leap_protocol::Visible;

/// Clears the screen, sets the window title, moves back, reverses the following text, and the same by single
/// characters.
const EVIL: &str = "\u{1b}[2J\u{1b}]2pwned\u{7}\u{8}\u{7f}\u{9b}31m\u{202e}\u{2066}\u{85}evil";

/// Checks that neither output contains control characters for a terminal; returns both as text.
fn assert_visible(output: &Output, what: &str) -> String {
    let shown = text(&output.stdout) + &text(&output.stderr);
    for line in shown.lines() {
        assert_eq!(line, Visible(line).to_string(), "{what}");
    }
    shown
}

/// A puppet with these rules, in whose lines [`EVIL`] replaces `~`.
fn engine(rules: &[&str]) -> Vec<String> {
    let rules = rules.iter().map(|rule| rule.replace('~', EVIL));
    [MOCK.to_owned(), "puppet".to_owned()].into_iter().chain(rules).collect()
}

/// Control characters in every text of an engine, in a dialogue that works nonetheless.
fn talkative() -> Vec<String> {
    engine(&[
        "ugi=id name n~\rover;id author ~;option name Game type combo default r~ var r~;\
         option name O~ type string default ~;~;ugiok",
        "query protocol=!stderr ~;response leap 1.0 fen legal status moves games~",
        "query fen=response ~",
        "query legal=response false bad-text at ~ : ~",
        "query=error internal k~ ~ : ~",
        "isready=info string ~;readyok",
        "go=info string ~;info pv ~;bestmove ~",
        "position=error illegal-move move ~ : ~",
        "perft=error ~ : ~",
        "setoption=~",
        "x=error ~ : ~",
    ])
}

fn with<'a>(args: &[&'a str], engine: &'a [String]) -> Vec<&'a str> {
    args.iter().copied().chain(engine.iter().map(String::as_str)).collect()
}

#[test]
fn check_shows_what_an_engine_says() {
    let engine = talkative();
    at_once(&["--verbose", "--show-stderr", "--list"], |more| {
        let args = ["check", "--timeout", "300", "--level", "handshake,session", more];
        let output = leap(&with(&args, &engine));
        let shown = assert_visible(&output, more);
        assert!(*more == "--list" || shown.contains("\\u{1b}[2J"), "{shown}");
    });
}

/// Transcripts and result files contain the original text; what is printed does not.
#[test]
fn record_passes_all_on_and_replay_shows_it() {
    let work = Workplace::new();
    let engine = engine(&["x=~", "y=!stderr ~"]);
    let words: Vec<&str> = engine.iter().map(String::as_str).collect();
    let output = run(work.leap(&["record", "-o", "a.ugt"], &words), b"x\n");
    assert_eq!(text(&output.stdout), format!("{EVIL}\n"));
    fs::write(work.path("b.ugt"), format!("ugt 1\n> y\n> x\n< other{EVIL}\n")).unwrap();
    for format in ["human", "tap"] {
        for file in ["a.ugt", "b.ugt", &format!("{EVIL}.ugt")] {
            let output = run(work.leap(&["replay", file, "--format", format], &words), b"");
            let shown = assert_visible(&output, format);
            assert!(file == "a.ugt" || shown.contains("\\u{1b}[2J"), "{shown}");
        }
    }
}

#[test]
fn compare_shows_what_engines_say() {
    let one = shlex::try_join(talkative().iter().map(String::as_str)).unwrap();
    let two = one.replace("evil", "other");
    for args in [&[][..], &["--game", "r"], &["--option", "O=1"], &["--show-stderr"]] {
        let args = [&["compare", &one, &two, "--timeout", "1000"], args].concat();
        assert_visible(&leap(&args), "compare");
    }
    let lying = engine(&[
        "query protocol=response leap 1.0 fen moves",
        "query moves=response 1 a1a2~",
        "query fen=response ~",
        "query=response true",
    ]);
    let lying = shlex::try_join(lying.iter().map(String::as_str)).unwrap();
    let honest = lying.replace("evil", "good");
    let output = leap(&["compare", &lying, &honest, "--games", "1"]);
    let shown = assert_visible(&output, "compare");
    assert!(output.status.code() == Some(1) && shown.contains("\\u{1b}[2J"), "{shown}");
}

#[test]
fn matches_show_what_engines_say() {
    let place = Workplace::new();
    let evil = talkative();
    let rules: Vec<String> = evil[1..].iter().map(|rule| format!("arg={rule}")).collect();
    let program = format!("cmd={}", evil[0]);
    let play = |name: &str, out: &str, more: &[&str]| {
        let mut command = Command::new(LEAP);
        command.args(["match", "--referee", MOCK, "--games", "2", "--each", "depth=1"]);
        for name in [name, "name=B"] {
            command.args(["--engine", &program, name]).args(&rules);
        }
        command.args(["--out", out]).args(more).current_dir(place.path("."));
        let output = run(command, b"");
        assert_visible(&output, "match")
    };
    let shown = play("name=A", "m", &[]);
    assert!(shown.contains("faults of A: "), "{shown}");
    let shown = play("name=A", "n", &["--game", "race"]);
    assert!(shown.contains("\\u{202e}") && shown.contains("evil, found 'race'"), "{shown}");
    // A name with control characters would spoil records.
    let shown = play(&format!("name=A{EVIL}"), "o", &[]);
    assert!(shown.contains("the name of an engine: expected no control characters"), "{shown}");
}

#[test]
fn gogui_and_xboard_are_told_what_an_engine_says() {
    let board = "board files 2 ranks 2 kind cells;board piece A name ~ owner p1 value 1;\
                 board colours p1 ~ p2 black;boardok";
    let board = format!("query board={board}");
    let status = "query status=response over false result none reason ~ turn p1 ply 0 quiet 0 \
                  repetitions 1 k~ ~";
    let engine = engine(&[
        "ugi=id name n~\rover;id author ~;option name O~ type string default ~;ugiok",
        "query protocol=response leap 1.0 fen board status next effects legal moves",
        &board,
        status,
        "query fen=response 2/2 1 - 0 0",
        "query next=response a1~ a1",
        "query legal=response false ~ at ~ : ~",
        "query=error ~ : ~",
        "go=info string ~;info depth 1 pv ~;bestmove ~",
        "position=",
    ]);
    let input = "list_commands\nname\ngogui-title\nshowboard\nleap-position\nleap-moves\nplay b a1\nplay b b2\n\
                 gogui-rules_legal_moves\ngogui-rules_board_gfx\ngogui-rules_final_result\ngenmove b\n\u{1b}[2J\nplay \u{9b}\n";
    let output = leap_with(&["gogui", "--movetime", "10"], &engine, input);
    let shown = assert_visible(&output, "gogui");
    assert!(shown.contains("= n\\u{1b}[2J"), "{shown}");
    let input = "xboard\nprotover 2\nnew\ngo\nusermove a1b2\nlift a1\nput a2\noption O=1\nhint\n\u{1b}[2J\n";
    let output =
        leap_with(&["xboard", "--movetime", "10", "--record", "/dev/null"], &engine, input);
    let shown = assert_visible(&output, "xboard");
    assert!(shown.contains("\\u{1b}[2J"), "{shown}");
}

fn leap_with(args: &[&str], engine: &[String], input: &str) -> Output {
    let mut command = Command::new(LEAP);
    command.args(args).arg("--").args(engine).env("RUST_LOG", "debug");
    run(command, input.as_bytes())
}

/// The text is one that people have typed or pasted.
#[test]
fn mistakes_on_the_command_line_are_shown() {
    let place = Workplace::new();
    let number = format!("--timeout={EVIL}");
    for args in [
        &[EVIL][..],
        &["check", &number, "x"],
        &["check", EVIL],
        &["compare", EVIL, EVIL],
        &["merge", EVIL, "--out", EVIL],
        &["report", EVIL],
        &["record", "-o", EVIL, "--", EVIL],
        &["gogui", "--", EVIL],
        &["web", "--host", EVIL],
    ] {
        let mut command = Command::new(LEAP);
        command.args(args).current_dir(place.path("."));
        let output = run(command, b"");
        let shown = assert_visible(&output, &format!("{args:?}"));
        assert_eq!(output.status.code(), Some(2), "{shown}");
    }
}
