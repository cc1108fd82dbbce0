//! What a search looks at where it cannot look at everything (SPEC 14.19).

use std::cmp::Reverse;

use super::lattice::{ALL, CLASSES, Edges, Lattice, Place, cells, squares};
use super::trail::{Trail, Worth};
use super::{Froglet, FrogletMove, FrogletPosition};
use crate::rules::Game;

/// Up to this many moves a position's moves are all looked at.
const MAX_LISTED: usize = 1000;

/// Hops looked at for each first hop when the best gain is estimated.
const GAIN_BUDGET: u32 = 32;

/// How many trails of a length are kept: every single hop, and the fewer the longer they are.
const fn width(hops: usize) -> usize {
    match hops {
        0 | 1 => usize::MAX,
        2 | 3 => 256 >> hops,
        _ => 16,
    }
}

/// Appends all moves if they are at most [`MAX_LISTED`], else the choice of a beam search: every single hop, and of
/// the longer trails of each length those that have scored most, no more than half of them from one origin. That is
/// some 1,200 moves at most.
pub(super) fn candidates(game: &Froglet, position: &FrogletPosition, moves: &mut Vec<FrogletMove>) {
    let before = moves.len();
    game.moves(position, MAX_LISTED + 1, moves);
    if moves.len() - before <= MAX_LISTED {
        return;
    }
    moves.truncate(before);
    let mut beam = no_hops(position);
    while !beam.is_empty() {
        beam = one_hop_more(position, &beam);
        moves.extend(beam.iter().map(Trail::end));
    }
}

fn no_hops(position: &FrogletPosition) -> Vec<Trail> {
    let origins = squares(position.movers()).map(|square| {
        let Place { class, cell } = Place::of(square);
        Trail::new(&Lattice::of(&position.frogs, class), cell)
    });
    origins.collect()
}

/// The trails of the next length, no two of them the same move.
fn one_hop_more(position: &FrogletPosition, beam: &[Trail]) -> Vec<Trail> {
    let mut longer = Vec::new();
    for trail in beam {
        for to in cells(trail.landings()) {
            let mut trail = trail.clone();
            trail.hop(to);
            let mv = trail.end();
            longer.push((Reverse(position.points_of_hops(mv)), mv, trail));
        }
    }
    longer.sort_unstable_by_key(|(points, mv, _)| (*points, mv.from, mv.to, mv.jumped));
    longer.dedup_by_key(|(_, mv, _)| *mv);
    let width = longer.first().map_or(0, |(_, _, trail)| width(trail.hops()));
    let mut from_origin = [0; 144];
    longer.retain(|(_, mv, _)| {
        let count = &mut from_origin[mv.from.index()];
        *count += 1;
        *count <= width / 2
    });
    longer.truncate(width);
    longer.into_iter().map(|(_, _, trail)| trail).collect()
}

/// The most points that the side to move can score at once; where trails are many, some that it can.
pub(super) fn best_gain(position: &FrogletPosition) -> u32 {
    let mut best = 0;
    for class in 0..CLASSES {
        let lattice = Lattice::of(&position.frogs, class);
        let worth =
            Worth { low: Edges::of(&position.low, class), high: Edges::of(&position.high, class) };
        for (from, to) in lattice.first_hops(ALL) {
            let mut points = worth.of(Edges::between(from, to));
            if lattice.exits() >> to & 1 != 0 {
                let mut trail = Trail::new(&lattice, from);
                trail.hop(to);
                points += trail.best_points(&worth, &mut GAIN_BUDGET.clone());
            }
            best = best.max(points);
        }
    }
    best
}
