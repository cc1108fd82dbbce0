//! Froglet (SPEC 14).

use super::common::*;
use super::routes::*;
use std::collections::BTreeSet;

/// A random filling that `FrogletSeed` picks.
pub(crate) fn start(options: &Options) -> String {
    let mut frogs = Vec::new();
    for (letter, number) in [('G', 66), ('Y', 51), ('R', 21), ('B', 6)] {
        frogs.extend(vec![Some(Piece::new(letter)); number]);
    }
    let mut random = SplitMix64(options.froglet_seed);
    for i in (1..=143).rev() {
        let j = random.below(i + 1);
        frogs.swap(i, j);
    }
    let position = Position {
        files: 12,
        ranks: 12,
        cells: frogs,
        side: 1,
        extra: "0-0".to_string(),
        quiet: 0,
        ply: 0,
    };
    position.print()
}

pub(crate) fn parse(text: &str) -> Result<Position, String> {
    let position = Position::parse(text, 12, 12, "GYRB", false)?;
    let (p1, p2) = position.extra.split_once('-').ok_or("extra: expected <p1>-<p2>")?;
    parse_number(p1)?;
    parse_number(p2)?;
    if position.quiet != 0 {
        return Err("quiet: expected 0".to_string());
    }
    Ok(position)
}

fn points_of(frog: Piece) -> usize {
    match frog.letter {
        'G' => 1,
        'Y' => 2,
        'R' => 3,
        _ => 4,
    }
}

/// The points of player 1 and of player 2.
fn points(position: &Position) -> (usize, usize) {
    let (p1, p2) = position.extra.split_once('-').expect("points as <p1>-<p2>");
    (p1.parse().expect("a number"), p2.parse().expect("a number"))
}

/// Over any frog.
fn hops(board: &Position, square: usize) -> Vec<Hop> {
    let mut found = Vec::new();
    for direction in ORTHOGONAL {
        if let Some(over) = board.next(square, direction)
            && !board.is_empty(over)
            && let Some(to) = board.next(over, direction)
            && board.is_empty(to)
        {
            found.push(Hop { over, to, captures: true });
        }
    }
    found
}

fn is_full(position: &Position) -> bool {
    position.cells.iter().all(Option::is_some)
}

fn removal(position: &Position, square: usize) -> Option<Turn> {
    let green = position.cells[square] == Some(Piece::new('G'));
    let turn = Turn::new(&[square], &BTreeSet::new(), &[]);
    green.then_some(Turn { removal: true, ..turn })
}

/// All moves, one route each; None where there are more than `limit`.
pub(crate) fn turns(position: &Position, limit: usize) -> Option<Vec<Turn>> {
    if is_full(position) {
        let removals = position.squares().filter_map(|square| removal(position, square));
        return Some(list(removals.collect()));
    }
    let mut turns = Vec::new();
    for origin in position.squares().filter(|&square| !position.is_empty(square)) {
        let routes = shortest_routes(position, origin, hops, limit - turns.len())?;
        for ((_, captured), route) in &routes {
            turns.push(Turn::new(route, captured, &[]));
        }
    }
    Some(list(turns))
}

/// Whether any hop or removal exists, without enumerating them.
pub(crate) fn has_turn(position: &Position) -> bool {
    if is_full(position) {
        return position.squares().any(|square| removal(position, square).is_some());
    }
    position
        .squares()
        .filter(|&square| !position.is_empty(square))
        .any(|square| !hops(position, square).is_empty())
}

pub(crate) fn walk_from(position: &Position, origin: usize, walk: &mut Walk) {
    if is_full(position) {
        if let Some(turn) = removal(position, origin) {
            walk.add(turn);
        }
    } else if !position.is_empty(origin) {
        hop_on(&position.without(origin), &[origin], &BTreeSet::new(), walk);
    }
}

/// Every way to hop on from the last square of the route.
fn hop_on(board: &Position, route: &[usize], captured: &BTreeSet<usize>, walk: &mut Walk) {
    for hop in hops(board, route[route.len() - 1]) {
        let mut route = route.to_vec();
        route.push(hop.to);
        let mut captured = captured.clone();
        captured.insert(hop.over);
        if walk.enters(&route, &captured) {
            walk.add(Turn::new(&route, &captured, &[]));
            hop_on(&board_after(board, hop), &route, &captured, walk);
        }
    }
}

pub(crate) fn play(position: &Position, options: &Options, turn: &Turn) -> Position {
    let (mut after, removed) = hop_along(position, &turn.squares, |_, _| true);
    let mut scored: usize = removed.into_iter().map(points_of).sum();
    if turn.removal {
        after.cells[turn.origin()] = None;
        if options.froglet_first_frog_scores {
            scored = 1;
        }
    }
    let (mut p1, mut p2) = points(position);
    if position.side == 1 {
        p1 += scored;
    } else {
        p2 += scored;
    }
    after.extra = format!("{p1}-{p2}");
    after.side = 3 - position.side;
    after.ply += 1;
    after
}

/// More points wins.
pub(crate) fn count(position: &Position, reason: &'static str) -> Ending {
    let (p1, p2) = points(position);
    Ending::by_count(p1, p2, reason)
}
