//! What each reply line means, of this engine and of others.

use leap_protocol::{
    Bound, Dialect, ErrorCode, ErrorReply, IdKey, Info, OptionDecl, OptionKind, Reply, Score, Wdl,
};

fn info(line: &str) -> Info {
    match Reply::parse(line) {
        Reply::Info(info) => info,
        other => panic!("{line:?} gave {other:?}"),
    }
}

fn option(line: &str) -> OptionDecl {
    match Reply::parse(line) {
        Reply::Option(option) => option,
        other => panic!("{line:?} gave {other:?}"),
    }
}

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

fn best_move(mv: Option<&str>, ponder: Option<&str>, id: Option<&str>) -> Reply {
    let owned = |word: Option<&str>| word.map(str::to_owned);
    Reply::BestMove { mv: owned(mv), ponder: owned(ponder), id: owned(id) }
}

#[test]
fn each_reply_parses_as_its_kind() {
    assert_eq!(Reply::parse("ugiok"), Reply::HelloOk(Dialect::Ugi));
    assert_eq!(Reply::parse("uciok "), Reply::HelloOk(Dialect::Uci));
    assert_eq!(Reply::parse("\treadyok\r\n"), Reply::ReadyOk);
    let value = "Stockfish 17".to_owned();
    assert_eq!(Reply::parse("id name Stockfish 17"), Reply::Id { key: IdKey::Name, value });
    assert_eq!(Reply::parse("response"), Reply::Response(String::new()));
    assert_eq!(Reply::parse("board line a1 b2"), Reply::Board("line a1 b2".to_owned()));
    let count = u64::MAX;
    let line = format!("info perft xd4 {count}");
    assert_eq!(Reply::parse(&line), Reply::PerftMove { mv: "xd4".to_owned(), count });
    assert_eq!(
        Reply::parse("perft 3 nodes 60284 time 12 nps 5023666"),
        Reply::PerftTotal { depth: 3, nodes: 60284, time: 12, nps: 5_023_666, stopped: false }
    );
    assert_eq!(Reply::parse("draw decline"), Reply::Draw { accept: false });
}

#[test]
fn a_best_move_has_a_ponder_move_and_an_id_only_if_given() {
    assert_eq!(Reply::parse("bestmove e2e4"), best_move(Some("e2e4"), None, None));
    assert_eq!(
        Reply::parse("bestmove e2e4 ponder e7e5"),
        best_move(Some("e2e4"), Some("e7e5"), None)
    );
    assert_eq!(Reply::parse("bestmove e2e4 id 7"), best_move(Some("e2e4"), None, Some("7")));
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

#[test]
fn info_lines_of_chess_engines_are_understood() {
    assert_eq!(
        info(
            "info depth 24 seldepth 33 multipv 1 score cp 38 wdl 104 861 35 nodes 1463917 nps \
             1118347 hashfull 521 tbhits 0 time 1309 pv e2e4 e7e5 g1f3"
        ),
        Info {
            depth: Some(24),
            seldepth: Some(33),
            multipv: Some(1),
            score: Some((Score::Cp(38), Bound::Exact)),
            wdl: Some(Wdl { win: 104, draw: 861, loss: 35 }),
            nodes: Some(1_463_917),
            nps: Some(1_118_347),
            hashfull: Some(521),
            tbhits: Some(0),
            time: Some(1309),
            pv: words("e2e4 e7e5 g1f3"),
            ..Info::default()
        }
    );
    assert_eq!(
        info("info depth 20 currmove b1c3 currmovenumber 4"),
        Info {
            depth: Some(20),
            currmove: Some("b1c3".to_owned()),
            other: words("currmovenumber 4"),
            ..Info::default()
        }
    );
    assert_eq!(
        info("info pv e2e4 nodes 3 time 1 score mate 5 upperbound"),
        Info {
            score: Some((Score::Mate(5), Bound::Upper)),
            nodes: Some(3),
            time: Some(1),
            pv: words("e2e4"),
            ..Info::default()
        }
    );
    let text = "NNUE evaluation using nn-1111cefa1111.nnue (133MiB, (22528, 3072, 15, 32, 1))";
    assert_eq!(info(&format!("info string {text}")), Info::string(text));
    assert_eq!(info("info string depth 5"), Info::string("depth 5"));
    assert_eq!(info("info ebf 1.85 depth 3").other, words("ebf 1.85"));
}

#[test]
fn a_malformed_info_is_kept_as_it_came() {
    for line in [
        "info depth x",
        "info depth",
        "info depth 1 depth 2",
        "info score 35",
        "info lowerbound",
        "info score cp 1 lowerbound upperbound",
        "info nodes 18446744073709551616",
        "info wdl 1 2",
    ] {
        assert_eq!(Reply::parse(line), Reply::Other(line.to_owned()));
    }
}

#[test]
fn option_lines_of_chess_engines_are_understood() {
    assert_eq!(
        option("option name X type combo default a var a var b c"),
        OptionDecl {
            name: "X".to_owned(),
            kind: OptionKind::Combo {
                default: "a".to_owned(),
                vars: vec!["a".to_owned(), "b c".to_owned()]
            }
        }
    );
    assert_eq!(
        option(
            "option name Analysis Contempt type combo var Off var Both sides default Both sides"
        )
        .kind,
        OptionKind::Combo {
            default: "Both sides".to_owned(),
            vars: vec!["Off".to_owned(), "Both sides".to_owned()]
        }
    );
    let spin = OptionKind::Spin { default: 10, min: -20, max: 5000 };
    assert_eq!(
        option("option name Move Overhead type spin default 10 min -20 max 5000").kind,
        spin
    );
    assert_eq!(option("option name A type spin min -20 max 5000 default 10").kind, spin);
    assert_eq!(option("option name Clear Hash type button").kind, OptionKind::Button);
    assert_eq!(
        option("option name Ponder type check default true").kind,
        OptionKind::Check { default: true }
    );
    let string = |default: &str| OptionKind::String { default: default.to_owned() };
    assert_eq!(option("option name Debug Log File type string default <empty>").kind, string(""));
    assert_eq!(option("option name Debug Log File type string default ").kind, string(""));
    assert_eq!(option("option name SyzygyPath type string").kind, string(""));
    assert_eq!(
        option("option name EvalFile type string default C:/my nets/nn.nnue").kind,
        string("C:/my nets/nn.nnue")
    );
}

#[test]
fn a_malformed_option_is_kept_as_it_came() {
    for line in [
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
    let line = "error illegal-move index 2 move b2b3 reason empty-square at b2 : no piece : on b2";
    let Reply::Error(error) = Reply::parse(line) else { panic!("no error") };
    assert_eq!(error.code, ErrorCode::IllegalMove);
    assert_eq!(error.field("move"), Some("b2b3"));
    assert_eq!(error.field("at"), Some("b2"));
    assert_eq!(error.field("column"), None);
    assert_eq!(error.text, "no piece : on b2");
    assert_eq!(error.to_string(), line);

    let built = ErrorReply::new(ErrorCode::BadPosition, "too many men")
        .with("field", "board")
        .with("column", 12);
    assert_eq!(built.to_string(), "error bad-position field board column 12 : too many men");
    assert_eq!(built.column(), Some(12));
}

#[test]
fn an_unknown_error_code_is_kept() {
    let Reply::Error(error) = Reply::parse("error out-of-cheese : redo from start") else {
        panic!("no error")
    };
    assert_eq!(error.code, ErrorCode::Other("out-of-cheese".to_owned()));
}

#[test]
fn every_error_code_is_the_one_of_its_word() {
    for code in ErrorCode::all() {
        assert_eq!(ErrorCode::from(code.as_str()), code);
    }
}

#[test]
fn lines_outside_the_protocol_are_kept_as_they_came() {
    for line in [
        "",
        "  ",
        "Stockfish 17 by the Stockfish developers (see AUTHORS file)",
        "Unknown command: 'frob'. Type help for more information.",
        "error without a colon",
        "error busy lonely-key : text",
        "bestmove",
        "readyok now",
        "draw perhaps",
        "perft 3 nodes x",
        "id version 3",
    ] {
        assert_eq!(Reply::parse(line), Reply::Other(line.to_owned()));
    }
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
