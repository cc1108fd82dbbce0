//! Táctica "S" (SPEC 15), without the rule on repetition, which needs the history.

use super::common::*;
use super::rules::Rules;
use super::routes::Walk;
use std::collections::BTreeSet;

/// The game.
pub(crate) struct Tactica;

const START: &str = "chsccshc/8/8/8/8/8/8/CHSCCSHC 1 - 0 0";

fn parse(text: &str) -> Result<Position, String> {
    let position = Position::parse(text, 8, 8, "CHSchs", true)?;
    if position.extra != "-" {
        return Err("extra: expected -".to_string());
    }
    let pieces = || position.cells.iter().flatten();
    let upper = pieces().filter(|piece| piece.letter.is_ascii_uppercase()).count();
    if upper > 8 || pieces().count() - upper > 8 {
        return Err("more than 8 pieces a side".to_string());
    }
    Ok(position)
}

/// The directions a piece slides in; a Stop cannot move.
fn slides(piece: Piece) -> Vec<Direction> {
    if piece.flipped {
        return Vec::new();
    }
    match piece.letter.to_ascii_uppercase() {
        'C' => ORTHOGONAL.to_vec(),
        'H' => DIAGONAL.to_vec(),
        _ => ORTHOGONAL.into_iter().chain(DIAGONAL).collect(),
    }
}

fn walk_from(position: &Position, options: &Options, origin: usize, walk: &mut Walk) {
    let Some(piece) = position.cells[origin].filter(|piece| piece.owner() == position.side) else {
        return;
    };
    for direction in slides(piece) {
        let mut square = origin;
        while let Some(to) = position.next(square, direction) {
            if !position.is_empty(to) {
                break;
            }
            let captured = captures(&moved(position, origin, to), options, to);
            walk.add(Turn::new(&[origin, to], &captured, &[]));
            square = to;
        }
    }
}

/// The board right after the move, before anything is flipped.
fn moved(position: &Position, from: usize, to: usize) -> Position {
    let mut board = position.without(from);
    board.cells[to] = position.cells[from];
    board
}

/// The squares of the enemy-owned pieces that the piece just moved captures.
fn captures(board: &Position, options: &Options, square: usize) -> BTreeSet<usize> {
    let mut captured = BTreeSet::new();
    for direction in ORTHOGONAL {
        captured.extend(run_captured(board, square, direction));
    }
    let mut pairs = vec![((-1, 0), (1, 0)), ((0, -1), (0, 1))];
    if options.is("TacticaPairs", "all") {
        pairs.extend([((-1, -1), (1, 1)), ((-1, 1), (1, -1))]);
    }
    for (one_way, other_way) in pairs {
        if let Some(one) = board.next(square, one_way)
            && let Some(other) = board.next(square, other_way)
            && board.is_enemy(one)
            && board.is_enemy(other)
        {
            captured.extend([one, other]);
        }
    }
    captured
}

/// The unbroken run of enemy-owned pieces in a direction, if a piece that the mover owns ends it.
fn run_captured(board: &Position, square: usize, direction: Direction) -> Vec<usize> {
    let mut run = Vec::new();
    let mut next = board.next(square, direction);
    while let Some(here) = next {
        if board.is_own(here) {
            return run;
        }
        if board.is_empty(here) {
            return Vec::new();
        }
        run.push(here);
        next = board.next(here, direction);
    }
    Vec::new()
}

impl Rules for Tactica {
    fn name(&self) -> &'static str {
        "tactica"
    }

    fn start(&self, _: &Options) -> String {
        START.to_owned()
    }

    fn parse(&self, text: &str) -> Result<Position, String> {
        parse(text)
    }

    fn walk_from(&self, position: &Position, options: &Options, origin: usize, walk: &mut Walk) {
        walk_from(position, options, origin, walk);
    }

    fn play(&self, position: &Position, options: &Options, turn: &Turn) -> Position {
        let mut after = moved(position, turn.origin(), turn.destination());
        let captured = captures(&after, options, turn.destination());
        for &square in &captured {
            if let Some(piece) = &mut after.cells[square] {
                piece.flipped = !piece.flipped;
            }
        }
        after.pass_on(captured.is_empty());
        after
    }

    /// More enemy pieces flipped wins.
    fn count(&self, position: &Position, reason: &'static str) -> Ending {
        let flipped_by = |side: u8| {
            let stops = position.cells.iter().flatten().filter(|piece| piece.flipped);
            stops.filter(|piece| piece.owner() == side).count()
        };
        Ending::by_count(flipped_by(1), flipped_by(2), reason)
    }

    fn banned_repetition(&self, options: &Options) -> u64 {
        options.number("TacticaRepetition", 3)
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::*;
    use crate::{Game, GameId, Options};

    const ID: &str = "tactica";

    #[test]
    fn counts_from_the_start_are_those_of_the_rules() {
        check_start(ID, &Options::default(), &[64, 3836, 246_026]);
    }

    #[test]
    fn the_move_that_repeats_is_banned() {
        // Player 2 has one piece that moves, shut in on a7 and a8 by Stops of its own.
        let shut_in = "cC~6/1C~6/C~7/8/8/8/8/7C 1 - 0 0";
        let round = "h1h2 a8a7 h2h1 a7a8";
        let set_up = |repetition: &str| {
            let options = Options::default().with("TacticaRepetition", repetition);
            Game::from_position(GameId::of(ID), &options, shut_in)
        };
        for (repetition, rounds) in [("2", 0), ("3", 1), ("4", 2)] {
            let mut game = set_up(repetition);
            for _ in 0..rounds {
                assert_eq!(ending_after(&mut game, round), None);
            }
            assert_eq!(ending_after(&mut game, "h1h2 a8a7 h2h1"), some("1-0", "no-moves"));
            assert_eq!(game.moves(), Vec::<String>::new());
        }
        assert_eq!(ending_after(&mut set_up("0"), &[round; 5].join(" ")), None);
    }

    #[test]
    fn diagonal_pairs_are_captured_only_by_option() {
        let position = "8/8/8/8/c1h5/8/h1c5/1C5C 1 - 0 1";
        let play = |options: &Options| GameId::of(ID).play(position, "b1b3", options);
        let plain = Options::default();
        assert_eq!(play(&plain), "8/8/8/8/c1h5/1C6/h1c5/7C 2 - 1 2");
        assert_eq!(play(&plain.with("TacticaPairs", "all")), "8/8/8/8/c~1h~5/1C6/h~1c~5/7C 2 - 0 2");
    }

    #[test]
    fn the_last_ply_ends_the_game_by_count() {
        check_max_plies(ID, "c~s6/8/8/8/8/8/8/CH6 1 - 0 400", "1-0");
    }

    #[test]
    fn a_lack_of_moves_comes_before_any_other_ending() {
        check_without_moves(ID, "c~7/8/8/8/8/8/8/CH6 2 - 0 400", some("1-0", "no-moves"));
    }

    #[test]
    fn impossible_positions_are_refused() {
        check_refused(ID, &["CCCCCCCC/C~7/8/8/8/8/8/8 1 - 0 0", "~8/8/8/8/8/8/8/8 1 - 0 0"]);
    }

    #[test]
    fn illegal_texts_are_routes_of_nothing() {
        check_illegal(ID, &["a1a8", "a1", "\u{e9}1a2", ""]);
    }
}
