//! The moves that a search looks at, where it cannot look at all of them (SPEC 14.19).

use std::cmp::Reverse;
use std::ops::ControlFlow;

use super::lattice::{CLASSES, Edges, Lattice, Place, cells, squares};
use super::trail::{Trail, Worth};
use super::{Froglet, FrogletMove, FrogletPosition};
use leap_core::Rules;

/// Up to this number of moves, a search looks at all of them.
const MAX_LISTED: usize = 1000;

/// The number of moves taken from the beginnings of the origins' lists. All origins share this number.
const LISTED_SHARE: usize = 384;

/// The hops to look at for each first hop when the best gain is estimated.
const GAIN_BUDGET: u32 = 32;

/// The number of trails of a length that the beam keeps: all single hops, and fewer trails of greater length.
const fn width(hops: usize) -> usize {
    match hops {
        0 | 1 => usize::MAX,
        2..=4 => 256 >> hops,
        _ => 12,
    }
}

/// Appends all moves if they are at most [`MAX_LISTED`], otherwise about 1,300 chosen ones at most.
///
/// Returns whether these are all moves of the position.
///
/// The chosen moves are these:
///
/// - every single hop;
/// - an equal share of each origin's list, which goes deep before it goes wide;
/// - the moves that a beam search finds.
pub(super) fn candidates(
    rules: &Froglet,
    position: &FrogletPosition,
    moves: &mut Vec<FrogletMove>,
) -> bool {
    let before = moves.len();
    let is_whole = rules.visit_moves(position, |mv| {
        moves.push(mv);
        if moves.len() - before <= MAX_LISTED {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    if is_whole.is_continue() {
        return true;
    }
    let origins = no_hops(position);
    let share = LISTED_SHARE / origins.len();
    let mut chosen = Vec::new();
    for mut trail in origins.iter().cloned() {
        let end = chosen.len() + share;
        let _ = trail.visit(&mut |trail| {
            chosen.push(trail.end());
            if chosen.len() < end { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
    }
    let mut beam = origins;
    while !beam.is_empty() {
        beam = one_hop_more(position, &beam);
        chosen.extend(beam.iter().map(Trail::end));
    }
    chosen.sort_unstable();
    chosen.dedup();
    moves.truncate(before);
    moves.append(&mut chosen);
    false
}

/// The trails without hops, from all origins that have a first hop.
fn no_hops(position: &FrogletPosition) -> Vec<Trail> {
    let origins = squares(position.movers()).map(|square| {
        let Place { class, cell } = Place::of(square);
        Trail::new(&Lattice::of(&position.frogs, class), cell)
    });
    origins.collect()
}

/// The most promising trails of the next length. No two are the same move, and at most half begin at one origin.
fn one_hop_more(position: &FrogletPosition, beam: &[Trail]) -> Vec<Trail> {
    let mut longer = Vec::new();
    for trail in beam {
        for to in cells(trail.landings()) {
            let mut trail = trail.clone();
            trail.hop(to);
            let mv = trail.end();
            longer.push((Reverse(promise(position, &trail)), mv, trail));
        }
    }
    longer.sort_unstable_by_key(|(promise, mv, _)| (*promise, *mv));
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

/// The promise of a trail. Ways to go on count besides points, so that the beam does not end in dead ends.
fn promise(position: &FrogletPosition, trail: &Trail) -> u32 {
    position.points_of_hops(trail.end()) + 2 * trail.landings().count_ones()
}

/// The most points that the side to move can score in one move. With too many trails, a lower bound.
pub(super) fn best_gain(position: &FrogletPosition) -> u32 {
    let best_of = |class| {
        let lattice = Lattice::of(&position.frogs, class);
        let worth = Worth::of_frogs(position, class);
        let single = worth.most(lattice.first_edges());
        let longer = lattice.first_hops().map(|(from, to)| {
            let edge = Edges::between(from, to);
            let open = lattice.empty() | 1 << from;
            let left = lattice.edges.toggled(edge);
            worth.of(edge) + worth.most_from(to, left, open, &mut GAIN_BUDGET.clone())
        });
        longer.max().unwrap_or(0).max(single)
    };
    (0..CLASSES).map(best_of).max().unwrap_or(0)
}
