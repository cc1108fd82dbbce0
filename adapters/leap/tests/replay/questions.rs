//! `leap replay --update` of a transcript that has questions and no answers.

use super::*;

/// What two updates make of these lines: the second one must change nothing.
#[track_caller]
fn answered(lines: &str, rules: &[&str]) -> String {
    let work = transcripts(&[("a.ugt", lines)]);
    let mut seen = Vec::new();
    for word in ["updated", "equal"] {
        let (status, printed) = run(&work, "a.ugt --update", rules);
        assert_eq!(status, Some(0), "{printed}");
        assert!(
            printed.contains(&format!("\n{word:<10}a.ugt")) || printed.starts_with(word),
            "{printed}"
        );
        seen.push(work.read("a.ugt"));
    }
    assert_eq!(seen[0], seen[1]);
    assert_eq!(run(&work, "a.ugt", rules).0, Some(0));
    seen[1].strip_prefix("ugt 1\n").expect("a transcript").to_owned()
}

#[test]
fn every_question_gets_its_answer_behind_it() {
    let rules = ["query moves=response 2 a1a2 b1b2", "go=info depth 1;!sleep 30;bestmove a1a2"];
    let questions = "# mine\ngame race\noption name Hash value 1\n\n> ugi\n> position startpos\n\
                     # whose moves?\n> query moves\n\n> go depth 1\n> go movetime 10\n# the end\n\
                     > isready\n> quit\n";
    let expected = "# mine\ngame race\noption name Hash value 1\n\n> ugi\n< id name mock 1.0\n\
                    < id author nobody\n< ugiok\n> position startpos\n# whose moves?\n\
                    > query moves\n< response 2 a1a2 b1b2\n\n> go depth 1\n< bestmove a1a2\n\
                    > go movetime 10\n< bestmove a1a2\n# the end\n> isready\n< readyok\n> quit\n";
    assert_eq!(answered(questions, &rules), expected);
}

#[test]
fn a_search_alone_gets_its_move() {
    assert_eq!(answered("> go depth 1\n", &[]), "> go depth 1\n< bestmove a1a2\n");
    let expected = "> go depth 1\n< bestmove a1a2\n> quit\n";
    assert_eq!(answered("> go depth 1\n> quit\n", &[]), expected);
    assert_eq!(answered("> go depth 1\n>.\n", &[]), expected.replace("> quit", ">."));
}

#[test]
fn a_search_that_is_stopped_answers_behind_the_stop() {
    for go in ["go infinite", "go depth 99"] {
        let questions = format!("> {go}\n> query fen\n> stop\n> isready\n");
        let expected = format!(
            "> {go}\n> query fen\n< response start\n> stop\n< bestmove b1b2\n> isready\n< readyok\n"
        );
        let rules = ["go=info depth 1", "stop=!sleep 30;bestmove b1b2"];
        assert_eq!(answered(&questions, &rules), expected);
    }
    let expected = "> go ponder movetime 9\n> ponderhit\n< bestmove b1b2\n";
    let rules = ["go=", "ponderhit=!sleep 30;bestmove b1b2"];
    assert_eq!(answered("> go ponder movetime 9\n> ponderhit\n", &rules), expected);
}

#[test]
fn a_search_that_is_refused_is_not_waited_for() {
    let rules = ["go=error game-over : it is over"];
    let expected = "> go depth 1\n< error game-over : it is over\n> isready\n< readyok\n";
    assert_eq!(answered("> go depth 1\n> isready\n", &rules), expected);
    let expected = "> go infinite\n< error game-over : it is over\n> stop\n> isready\n< readyok\n";
    assert_eq!(answered("> go infinite\n> stop\n> isready\n", &rules), expected);
}

#[test]
fn a_perft_is_waited_for() {
    let rules = ["perft=!sleep 30;info perft a1a2 3;perft 1 nodes 3 time 9 nps 9"];
    let expected =
        "> perft 1\n< info perft a1a2 3\n< perft 1 nodes 3 time 9 nps 9\n> isready\n< readyok\n";
    assert_eq!(answered("> perft 1\n> isready\n", &rules), expected);
}

/// New questions among old ones: each gets its own answer, and the old answers stay where they are.
#[test]
fn a_new_question_among_old_ones_gets_its_own_answer() {
    let rules = ["query p1turn=response true", "a=response a", "b=response b"];
    let lines = "> query p1turn\n> query p1turn\n< response true\n> isready\n< readyok\n> a\n";
    let expected = "> query p1turn\n< response true\n> query p1turn\n< response true\n\
                    > isready\n< readyok\n> a\n< response a\n";
    assert_eq!(answered(lines, &rules), expected);
    // Two questions in one go, and a new one: their answers stand behind each.
    let lines = "> a\n> b\n< response a\n< response b\n> query p1turn\n> isready\n< readyok\n";
    let expected = "> a\n< response a\n> b\n< response b\n> query p1turn\n< response true\n\
                    > isready\n< readyok\n";
    assert_eq!(answered(lines, &rules), expected);
}

/// The answer of a search stands where it came, behind another answer.
#[test]
fn an_answer_that_stands_later_stays_there() {
    let lines = "> go movetime 1\n> isready\n< readyok\n< bestmove a1a2\n> query p1turn\n";
    let rules = ["query p1turn=response true"];
    assert_eq!(answered(lines, &rules), format!("{lines}< response true\n"));
}

#[test]
fn no_illegal_move_is_written() {
    let work = transcripts(&[("a.ugt", "> go depth 1\n> isready\n")]);
    let (status, printed) = run(&work, "a.ugt --update", &["go=bestmove z9"]);
    assert_eq!(status, Some(1));
    assert!(printed.contains("line 2: the move is not legal: bestmove z9"), "{printed}");
    assert_eq!(work.read("a.ugt"), "ugt 1\n> go depth 1\n> isready\n");
}
