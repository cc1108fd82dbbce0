//! What each reply line means, of this engine and of others.

use leap_protocol::{ErrorCode, ErrorReply, Reply};

fn best_move(mv: Option<&str>, ponder: Option<&str>, id: Option<&str>) -> Reply {
    let owned = |word: Option<&str>| word.map(str::to_owned);
    Reply::BestMove { mv: owned(mv), ponder: owned(ponder), id: owned(id) }
}

/// SPEC 17.6: the second word counts.
#[test]
fn words_after_the_move_are_skipped_and_the_move_counts() {
    for (line, mv, ponder, id) in [
        ("bestmove b1a2 eval 3.2", Some("b1a2"), None, None),
        ("bestmove b1a2 ponder", Some("b1a2"), None, None),
        ("bestmove b1a2 ponder x y", Some("b1a2"), Some("x"), None),
        ("bestmove b1a2 ponder x id 7 y", Some("b1a2"), Some("x"), Some("7")),
        ("bestmove b1a2 ponder (none)", Some("b1a2"), None, None),
        ("bestmove b1a2 ponder none", Some("b1a2"), None, None),
        ("bestmove b1a2 id", Some("b1a2"), None, None),
        ("bestmove\tb1a2\t\tcp 30 ponder x\r", Some("b1a2"), None, None),
        ("bestmove none eval 0", None, None, None),
        ("bestmove (none) eval 0", None, None, None),
        ("bestmove e2e4 e7e5", Some("e2e4"), None, None),
    ] {
        assert_eq!(Reply::parse(line), best_move(mv, ponder, id), "{line}");
        let strict = Reply::parse_strict(line);
        assert_eq!(strict, Reply::Other(line.to_owned()), "{line}");
    }
    for line in ["bestmove b1a2  ponder x", "bestmove (none)", "bestmove b1a2 id 7\r\n", "readyok"]
    {
        assert_eq!(Reply::parse_strict(line), Reply::parse(line), "{line}");
    }
}

/// A line prints in one order, so that what is printed shows which word belongs to which field.
#[test]
fn lines_of_chess_engines_are_understood() {
    for (line, printed) in [
        ("uciok ", "uciok"),
        ("\treadyok\r\n", "readyok"),
        (
            "info pv e2e4 nodes 3 time 1 score mate 5 upperbound",
            "info score mate 5 upperbound nodes 3 time 1 pv e2e4",
        ),
        (
            "info pv e2 currmovenumber 4 depth 20 currmove b1c3",
            "info depth 20 currmove b1c3 currmovenumber 4 pv e2",
        ),
        ("info ebf 1.85 depth 3", "info depth 3 ebf 1.85"),
        ("info string depth 5 (133MiB, (22528, 1))", "info string depth 5 (133MiB, (22528, 1))"),
        (
            "option name X Y type combo var Off var a b default a b",
            "option name X Y type combo default a b var Off var a b",
        ),
        (
            "option name A type spin min -20 max 50 default 1",
            "option name A type spin default 1 min -20 max 50",
        ),
        ("option name A B type string default ", "option name A B type string default <empty>"),
        (
            "option name SyzygyPath type string",
            "option name SyzygyPath type string default <empty>",
        ),
    ] {
        let reply = Reply::parse(line);
        assert!(!matches!(reply, Reply::Other(_)), "{line}");
        assert_eq!(reply.to_string(), printed);
    }
}

#[test]
fn malformed_lines_and_those_outside_the_protocol_are_kept_as_they_came() {
    for line in [
        "",
        "  ",
        "Stockfish 17 by the Stockfish developers (see AUTHORS file)",
        "error without a colon",
        "error busy lonely-key : text",
        "bestmove",
        "readyok now",
        "draw perhaps",
        "perft 3 nodes x",
        "id version 3",
        "info depth x",
        "info depth",
        "info depth 1 depth 2",
        "info score 35",
        "info lowerbound",
        "info score cp 1 lowerbound upperbound",
        "info nodes 18446744073709551616",
        "info wdl 1 2",
        "option",
        "option name A",
        "option name type button",
        "option name A type slider default 1",
        "option name A type check default maybe",
        "option name A type spin default 1 min 0",
        "option name A type spin default x min 0 max 3",
        "option name A type combo var a",
    ] {
        assert_eq!(Reply::parse(line), Reply::Other(line.to_owned()));
    }
}

#[test]
fn an_error_has_code_fields_and_text() {
    let line = "error illegal-move index 2 move b2b3 column 12 : no piece : on b2";
    let Reply::Error(error) = Reply::parse(line) else { panic!("no error") };
    assert_eq!((&error.code, error.column()), (&ErrorCode::IllegalMove, Some(12)));
    assert_eq!((error.field("move"), error.field("at")), (Some("b2b3"), None));
    assert_eq!(error.text, "no piece : on b2");
    for code in ErrorCode::all() {
        assert_eq!(ErrorCode::from(code.as_str()), code);
    }
    assert_eq!(ErrorCode::from("out-of-cheese"), ErrorCode::Other("out-of-cheese".to_owned()));
}

#[test]
fn a_text_cannot_smuggle_in_a_second_line() {
    let reply = Reply::from(ErrorReply::new(ErrorCode::Internal, "a\nbestmove e2e4"));
    assert_eq!(reply.to_string(), "error internal : a bestmove e2e4");
    assert_eq!(Reply::Other("a\r\nb".to_owned()).to_string(), "a  b");
}

#[test]
fn an_error_with_control_characters_is_the_same_value_when_it_is_printed_and_read_again() {
    for line in
        ["error\tb\tf\0\0\0\t\t\t]\t:", "error \u{1b} : \u{202e}\tx", "error a b\u{7f} c : \u{9b}"]
    {
        let reply = Reply::parse(line);
        assert!(matches!(reply, Reply::Error(_)), "{line:?}");
        assert_eq!(Reply::parse(&reply.to_string()), reply, "{line:?}");
    }
}

/// SPEC 6.11: an error repeats what it was given, which a terminal must not obey.
#[test]
fn an_error_holds_no_control_character_wherever_it_comes_from() {
    let evil = "a\u{1b}[2J\u{9b}0m\u{7f}\u{202e}";
    let seen = "a\\u{1b}[2J\\u{9b}0m\\u{7f}\\u{202e}";
    let error = ErrorReply::new(ErrorCode::Other(evil.to_owned()), format!("{evil}\t\n{evil}"));
    let line = error.with(evil, evil).to_string();
    assert_eq!(line, format!("error {seen} {seen} {seen} : {seen}\\t {seen}"));
    let received = format!("error illegal-move move {evil} : {evil}");
    assert_eq!(
        Reply::parse(&received).to_string(),
        format!("error illegal-move move {seen} : {seen}")
    );
}
