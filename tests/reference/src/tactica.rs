//! Táctica "S" (SPEC 15), without the rule on repetition, which needs the history.

use super::common::*;
use super::routes::Walk;
use std::collections::BTreeSet;

pub(crate) const START: &str = "chsccshc/8/8/8/8/8/8/CHSCCSHC 1 - 0 0";

pub(crate) fn parse(text: &str) -> Result<Position, String> {
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

pub(crate) fn walk_from(position: &Position, options: &Options, origin: usize, walk: &mut Walk) {
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
    if options.tactica_pairs_all {
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

/// The unbroken run of enemy-owned pieces that way, if a piece the mover owns ends it.
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

pub(crate) fn play(position: &Position, options: &Options, turn: &Turn) -> Position {
    let mut after = moved(position, turn.origin(), turn.destination());
    let captured = captures(&after, options, turn.destination());
    for &square in &captured {
        if let Some(piece) = &mut after.cells[square] {
            piece.flipped = !piece.flipped;
        }
    }
    after.side = 3 - position.side;
    after.quiet = if captured.is_empty() { position.quiet + 1 } else { 0 };
    after.ply += 1;
    after
}

/// More enemy pieces flipped wins.
pub(crate) fn count(position: &Position, reason: &'static str) -> Ending {
    let flipped_by = |side: u8| {
        let stops = position.cells.iter().flatten().filter(|piece| piece.flipped);
        stops.filter(|piece| piece.owner() == side).count()
    };
    Ending::by_count(flipped_by(1), flipped_by(2), reason)
}
