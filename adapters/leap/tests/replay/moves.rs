//! Moves that a transcript expects, and what a replay does not compare.

use super::*;

/// A puppet whose game has the moves `a1a2`, `b1b2` and, after a move, `c1c2`.
const RULES: [&str; 4] = [
    "query protocol=response leap 1.0 fen legal move undo",
    "query legal a1a2=response true",
    "query legal b1b2=response true",
    "query legal=response false empty-square at z1 : no man stands there",
];

#[test]
fn an_expected_move_that_is_illegal_is_refused() {
    for (lines, at, mv) in [
        ("> go depth 1\n< bestmove z1z2\n", 3, "z1z2"),
        ("> go movetime 1\n> isready\n< readyok\n< bestmove z1z2\n", 5, "z1z2"),
        ("> go depth 1\n<? bestmove z1z2\n", 3, "z1z2"),
        ("> go movetime 1 id 7\n< bestmove z1z2 id 7\n", 3, "z1z2"),
        ("> go movetime 1\n< bestmove b1b2 ponder z1z2\n", 3, "z1z2"),
    ] {
        let go = if lines.contains("id 7") { "go=bestmove a1a2 id 7" } else { "go=bestmove a1a2" };
        let (status, printed) = replay(lines, &[&[go][..], &RULES].concat());
        assert_eq!(status, Some(2), "{lines}: {printed}");
        let message = format!(
            "not run   a.ugt: line {at}: expected a legal move, found {mv}: false empty-square"
        );
        assert!(printed.contains(&message), "{lines}: {printed}");
    }
}

/// The engine repeats its illegal move, so the texts are equal.
#[test]
fn an_illegal_move_is_refused_also_where_the_engine_repeats_it() {
    for (expected, go) in [
        ("<= bestmove z1z2", "go=bestmove z1z2"),
        ("< bestmove z1z2", "go=bestmove z1z2"),
        ("< bestmove a1a2 ponder z1z2", "go=bestmove a1a2 ponder z1z2"),
        ("<= bestmove z1z2 ponder ...", "go=bestmove z1z2 ponder ..."),
    ] {
        let lines = format!("engine mock 1.0\n> go depth 1\n{expected}\n");
        let (status, printed) = replay(&lines, &[&[go][..], &RULES].concat());
        assert_eq!(status, Some(2), "{expected}: {printed}");
        assert!(printed.contains("line 4: expected a legal move, found z1z2"), "{printed}");
    }
}

#[test]
fn a_wildcard_is_no_licence_for_an_illegal_move() {
    for expected in ["< bestmove ...", "< bestmove z1z2...", "<~ bestmove [a-z0-9 ]+"] {
        let lines = format!("> go depth 1\n{expected}\n");
        let message =
            "line 3: the move is not legal: bestmove z1z2 ponder a1a2: false empty-square";
        let bad = "go=bestmove z1z2 ponder a1a2";
        assert_different(&lines, &[&[bad][..], &RULES].concat(), message);
    }
    let legal = [&["go=bestmove a1a2 ponder b1b2"][..], &RULES].concat();
    assert_equal("> go depth 1\n< bestmove ...\n", &legal);
}

#[test]
fn an_engine_that_expects_an_illegal_reply_differs() {
    let lines = "option name Ponder value true\n> go movetime 1\n< bestmove b1b2\n";
    let rules = [&["go=bestmove a1a2 ponder z1z2"][..], &RULES].concat();
    assert_different(
        lines,
        &rules,
        "line 4: the move is not legal: bestmove a1a2 ponder z1z2: z1z2: false empty-square",
    );
    assert_equal(lines, &[&["go=bestmove a1a2 ponder b1b2"][..], &RULES].concat());
}

/// A transcript whose lines are all exact needs nobody who knows the rules.
#[test]
fn exact_lines_need_no_rules() {
    let plain = ["query=", "go=bestmove z1z2"];
    assert_equal("engine mock 1.0\n> go depth 1\n< bestmove z1z2\n", &plain);
    assert_equal("> go depth 1\n<= bestmove z1z2\n", &plain);
}

#[test]
fn an_update_replaces_an_expected_move_that_is_illegal() {
    let lines = "> go depth 1\n< bestmove z1z2\n> isready\n< readyok\n";
    let work = transcripts(&[("a.ugt", lines)]);
    let (status, printed) = run(&work, "a.ugt --update", &RULES);
    assert_eq!(status, Some(0), "{printed}");
    let expected = "ugt 1\n> go depth 1\n< bestmove a1a2\n> isready\n< readyok\n";
    assert_eq!(work.read("a.ugt"), expected);
}

#[test]
fn what_was_not_compared_is_said_at_the_end() {
    let lines = "> ugi\n< id name other\n< ugiok\n> go movetime 1\n< info depth 3\n\
                 < info depth 4\n< bestmove b1b2\n<* maybe\n";
    let (status, printed) = replay(lines, &[]);
    assert_eq!(status, Some(0));
    let end = "1 transcript: 1 equal\nnot compared: 2 info lines, 1 move (any legal move is right), \
               1 line up to the engine (not pinned), 1 line marked <*\n";
    assert!(printed.ends_with(end), "{printed}");
    let (_, printed) = replay("> isready\n< readyok\n", &[]);
    assert!(printed.ends_with("1 transcript: 1 equal\n"), "{printed}");
}

#[test]
fn formats_for_programs_say_what_was_not_compared() {
    let work = transcripts(&[("a.ugt", "> go movetime 1\n< bestmove b1b2\n")]);
    let (_, tap) = run(&work, "a.ugt --format tap", &[]);
    let remark = "not compared: 1 move (any legal move is right)";
    assert!(tap.ends_with(&format!("ok 1 - a.ugt\n# {remark}\n")), "{tap}");
    let (_, xml) = run(&work, "a.ugt --format junit", &[]);
    assert!(xml.contains(&format!("<system-out>{remark}</system-out>")), "{xml}");
}

#[test]
fn a_header_that_the_engine_refuses_is_named_by_its_line() {
    let rules =
        ["setoption name Game=error no-such-game : no", "setoption name Hash=error bad : no"];
    for (lines, message) in [
        ("# a\ngame chess\n> x\n", "line 3: the engine refuses the header: error no-such-game"),
        ("game chess\n> isready\n< readyok\n", "line 2: the engine refuses the header"),
        ("game chess\n\noption name Hash value x\n", "line 4: the engine refuses the header"),
        ("option name Ponder value true\ngame chess\n", "line 3: the engine refuses the header"),
    ] {
        assert_different(lines, &rules, message);
    }
    assert_different("game chess\n> x\n", &["setoption=!exit 3"], "line 2: the engine ended");
}
