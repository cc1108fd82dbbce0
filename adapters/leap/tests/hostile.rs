//! Control characters in text from engines are escaped: none reaches the output of the programs that print it.

use std::borrow::Cow;
use std::process::Output;

use crate::support::{Workplace, at_once, run, text};
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

/// A text as one word of a command line.
fn quoted(text: &str) -> Cow<'_, str> {
    shlex::try_quote(text).unwrap()
}

/// These rules as words of a command line. [`EVIL`] replaces `~`.
fn rules(before: &str, rules: &[&str]) -> String {
    let word =
        |rule: &&str| format!(" {}", quoted(&(before.to_owned() + &rule.replace('~', EVIL))));
    rules.iter().map(word).collect()
}

/// A puppet with these rules.
fn engine(of: &[&str]) -> String {
    format!("MOCK puppet{}", rules("", of))
}

/// Control characters in every text of an engine, in a dialogue that works nonetheless.
const TALKATIVE: [&str; 11] = [
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
];

#[test]
fn check_shows_what_an_engine_says() {
    let (work, engine) = (Workplace::new(), engine(&TALKATIVE));
    at_once(&["--verbose", "--show-stderr", "--list"], |more| {
        let output =
            work.run(&format!("check --timeout 300 --level handshake,session {more} {engine}"));
        let shown = assert_visible(&output, more);
        assert!(*more == "--list" || shown.contains("\\u{1b}[2J"), "{shown}");
    });
}

/// Transcripts and result files contain the original text; what is printed does not.
#[test]
fn record_passes_all_on_and_replay_shows_it() {
    let work = Workplace::new();
    let engine = engine(&["x=~", "y=!stderr ~"]);
    let output = run(work.command(&format!("record -o a.ugt -- {engine}")), b"x\n");
    assert_eq!(text(&output.stdout), format!("{EVIL}\n"));
    work.write("b.ugt", format!("ugt 1\n> y\n> x\n< other{EVIL}\n"));
    for format in ["human", "tap"] {
        for file in ["a.ugt", "b.ugt", &quoted(&format!("{EVIL}.ugt"))] {
            let output = work.run(&format!("replay {file} --format {format} -- {engine}"));
            let shown = assert_visible(&output, format);
            assert!(file == "a.ugt" || shown.contains("\\u{1b}[2J"), "{shown}");
        }
    }
}

#[test]
fn compare_shows_what_engines_say() {
    let work = Workplace::new();
    let compare = |engine: String, other: &str, more: &str| {
        let other = engine.replace("evil", other);
        let line = format!("compare {} {} {more}", quoted(&engine), quoted(&other));
        let output = work.run(&line);
        (output.status.code(), assert_visible(&output, more))
    };
    for more in ["", "--game r", "--option O=1", "--show-stderr"] {
        compare(engine(&TALKATIVE), "other", &format!("--timeout 1000 {more}"));
    }
    let lying = engine(&[
        "query protocol=response leap 1.0 fen moves",
        "query moves=response 1 a1a2~",
        "query fen=response ~",
        "query=response true",
    ]);
    let (status, shown) = compare(lying, "good", "--games 1");
    assert!(status == Some(1) && shown.contains("\\u{1b}[2J"), "{shown}");
}

#[test]
fn matches_show_what_engines_say() {
    let place = Workplace::new();
    let engine = format!("--engine cmd=MOCK arg=puppet{}", rules("arg=", &TALKATIVE));
    let play = |name: &str, more: &str| {
        let engines = format!("{engine} name={} {engine} name=B", quoted(name));
        let line = format!("match --referee MOCK --games 2 --each depth=1 {engines} {more}");
        assert_visible(&place.run(&line), "match")
    };
    let shown = play("A", "--out m");
    assert!(shown.contains("faults of A: "), "{shown}");
    let shown = play("A", "--out n --game race");
    assert!(shown.contains("\\u{202e}") && shown.contains("evil, found 'race'"), "{shown}");
    // A name with control characters would spoil records.
    let shown = play(&format!("A{EVIL}"), "--out o");
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
    let work = Workplace::new();
    let told = |line: &str, input: &str| {
        let mut command = work.command(&format!("{line} -- {engine}"));
        command.env("RUST_LOG", "debug");
        assert_visible(&run(command, input.as_bytes()), line)
    };
    let shown = told("gogui --movetime 10", input);
    assert!(shown.contains("= n\\u{1b}[2J"), "{shown}");
    let input = "xboard\nprotover 2\nnew\ngo\nusermove a1b2\nlift a1\nput a2\noption O=1\nhint\n\u{1b}[2J\n";
    let shown = told("xboard --movetime 10 --record /dev/null", input);
    assert!(shown.contains("\\u{1b}[2J"), "{shown}");
}

/// The text is one that people have typed or pasted.
#[test]
fn mistakes_on_the_command_line_are_shown() {
    let place = Workplace::new();
    for line in [
        "~",
        "check --timeout=~ x",
        "check ~",
        "compare ~ ~",
        "merge ~ --out ~",
        "report ~",
        "record -o ~ -- ~",
        "gogui -- ~",
        "web --host ~",
    ] {
        let output = place.run(&line.replace('~', &quoted(EVIL)));
        let shown = assert_visible(&output, line);
        assert_eq!(output.status.code(), Some(2), "{shown}");
    }
}
