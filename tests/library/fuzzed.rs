//! The checks of the fuzz targets, with inputs that proptest draws.

#[path = "../../fuzz/checks.rs"]
mod checks;

use leap_core::notation::Notation;
use leap_toys::cases::cases;
use proptest::prelude::*;

/// A text like a position's, on the board of a game.
fn board<R: Notation>() -> BoxedStrategy<String> {
    let flips = if R::DIAGRAM.has_flipped() { "~" } else { "" };
    let letters: Vec<char> = R::DIAGRAM.letters().chars().chain(flips.chars()).collect();
    let square = prop_oneof![3 => Just('1'), 1 => prop::sample::select(letters)];
    let rank =
        prop::collection::vec(square, usize::from(R::GEOMETRY.files)).prop_map(String::from_iter);
    let ranks = prop::collection::vec(rank, usize::from(R::GEOMETRY.ranks));
    ranks.prop_map(|ranks| ranks.join("/")).boxed()
}

fn extra() -> impl Strategy<Value = String> {
    prop_oneof![Just("-".to_owned()), "[12]", "[0-9]{1,2}-[0-9]{1,2}", "[0-9-]{0,8}",]
}

/// The rules and a position text that is often accepted.
fn position() -> impl Strategy<Value = Vec<u8>> {
    let boards = leap_games::games!(board());
    let rules_and_board = any::<u8>()
        .prop_flat_map(move |rules| (Just(rules), boards[rules as usize % boards.len()].clone()));
    (rules_and_board, 1..=2u8, extra(), 0..120u32, 0..450u32).prop_map(
        |((rules, board), side, extra, quiet, ply)| {
            let mut input = vec![rules];
            input.extend(format!("{board} {side} {extra} {quiet} {ply}").bytes());
            input
        },
    )
}

fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        "(stop|isready|ponderhit|uginewgame|undo|quit|)",
        "go (depth 2|nodes 50|infinite|ponder|movetime 1|perft 2|wtime 5)",
        "perft [0-9]{1,2}",
        "setoption name (Hash|Threads|MaxPlies|MultiPV|Strength) value [0-9]{1,2}",
        prop::sample::select(&leap_games::IDS)
            .prop_map(|game| format!("setoption name Game value {game}")),
        "position startpos( moves( [a-h][1-8][a-h][1-8]){0,3})?",
        "query (moves|next|legal|effects|turn|status|board|fen|history|rules|game|games|result)( [a-h][1-8]){0,2}",
        any::<String>(),
    ]
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn any_line_is_refused_or_prints_as_what_it_means(line in any::<String>()) {
        checks::commands(line.as_bytes());
        checks::reply(&line);
    }

    #[test]
    fn any_line_that_begins_as_a_known_one_does_so_too(
        first in prop::sample::select(vec![
            "setoption name", "position", "position fen", "go", "go depth", "query", "query moves",
            "move", "undo", "perft", "draw", "debug", "info", "info score", "option name x type",
            "bestmove", "error", "id", "response", "false", "leap", "3", "language x of",
            "clause a :", "example fen", "prompt", "option x :", "word", "entered", "over",
        ]),
        rest in "\\PC{0,20}",
    ) {
        checks::commands(format!("{first} {rest}").as_bytes());
        checks::reply(&format!("{first} {rest}"));
    }

    #[test]
    fn any_position_text_is_refused_or_understood(input in position()) {
        checks::position(&input);
    }

    #[test]
    fn any_bytes_are_no_position_or_one(input in any::<Vec<u8>>()) {
        checks::commands(&input);
        checks::position(&input);
        checks::mv(&input);
    }

    #[test]
    fn any_move_text_is_refused_or_legal(
        position in position(),
        mv in "x?([a-l]1?[0-9]){1,5}(@[a-h][1-8]){0,2}",
    ) {
        let mut input = position;
        input.push(b'\n');
        input.extend(mv.bytes());
        checks::mv(&input);
        input.truncate(1);
        input.extend(mv.bytes());
        checks::mv(&input);
    }
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn any_session_goes_on(lines in prop::collection::vec(line(), 0..40)) {
        checks::session(lines.join("\n").as_bytes());
    }
}
