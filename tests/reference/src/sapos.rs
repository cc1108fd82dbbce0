//! Sapos (SPEC 13).

use super::common::*;
use super::routes::*;
use std::collections::BTreeSet;

pub(crate) const START: &str = "8/3mm3/3mm3/8/8/3MM3/3MM3/8 1 1 0 0";

pub(crate) fn parse(text: &str) -> Result<Position, String> {
    let position = Position::parse(text, 8, 8, "Mm", false)?;
    if position.extra != "1" && position.extra != "2" {
        return Err("extra: expected 1 or 2".to_string());
    }
    if position.count_owned(1) > 16 || position.count_owned(2) > 16 {
        return Err("more than 16 pieces a side".to_string());
    }
    Ok(position)
}

/// Over a piece of either side; an enemy is captured.
fn hops(board: &Position, square: usize) -> Vec<Hop> {
    let mut found = Vec::new();
    for direction in ORTHOGONAL {
        if let Some(over) = board.next(square, direction)
            && !board.is_empty(over)
            && let Some(to) = board.next(over, direction)
            && board.is_empty(to)
        {
            found.push(Hop { over, to, captures: board.is_enemy(over) });
        }
    }
    found
}

/// The turns that stop at the end of this route: one for each square to place a piece on, or one that places nothing,
/// or none.
fn stops(
    position: &Position,
    options: &Options,
    route: &[usize],
    captured: &BTreeSet<usize>,
) -> Vec<Turn> {
    if !captured.is_empty() {
        return vec![Turn::new(route, captured, &[])];
    }
    // Nothing was captured: only the jumping piece changed its place.
    let (from, to) = (route[0], route[route.len() - 1]);
    let mut board = position.without(from);
    board.cells[to] = position.cells[from];
    let reserve = 16 - board.count_owned(board.side);
    let mut turns = Vec::new();
    for direction in ORTHOGONAL {
        if reserve > 0
            && let Some(square) = board.next(to, direction)
            && board.is_empty(square)
        {
            turns.push(Turn::new(route, captured, &[square]));
        }
    }
    if turns.is_empty() && options.sapos_placement_possible {
        turns.push(Turn::new(route, captured, &[]));
    }
    turns
}

/// All moves, one route each. With `SaposRevisit` the routes have no end, but the moves have: they are found by the
/// shortest route to each square with each set of captured pieces.
pub(crate) fn turns(position: &Position, options: &Options, limit: usize) -> Option<Vec<Turn>> {
    let mut turns = Vec::new();
    for origin in position.own_squares() {
        if options.sapos_revisit {
            let routes = shortest_routes(position, origin, hops, limit)?;
            for ((_, captured), route) in &routes {
                turns.extend(stops(position, options, route, captured));
            }
        } else {
            let mut walk = Walk::everything();
            walk_from(position, options, origin, &mut walk);
            if !walk.is_complete() {
                return None;
            }
            turns.extend(walk.turns);
        }
        if turns.len() > limit {
            return None;
        }
    }
    Some(list(turns))
}

pub(crate) fn walk_from(position: &Position, options: &Options, origin: usize, walk: &mut Walk) {
    if position.is_own(origin) {
        let lifted = position.without(origin);
        hop_on(position, &lifted, options, &[origin], &BTreeSet::new(), walk);
    }
}

/// Every way to hop on from the last square of the route.
fn hop_on(
    position: &Position,
    board: &Position,
    options: &Options,
    route: &[usize],
    captured: &BTreeSet<usize>,
    walk: &mut Walk,
) {
    for hop in hops(board, route[route.len() - 1]) {
        if !options.sapos_revisit && route.contains(&hop.to) {
            continue;
        }
        let mut route = route.to_vec();
        route.push(hop.to);
        let mut captured = captured.clone();
        if hop.captures {
            captured.insert(hop.over);
        }
        if !walk.enters(&route, &captured) {
            continue;
        }
        for turn in stops(position, options, &route, &captured) {
            walk.add(turn);
        }
        hop_on(position, &board_after(board, hop), options, &route, &captured, walk);
    }
}

pub(crate) fn play(position: &Position, turn: &Turn) -> Position {
    let (mut after, removed) = hop_along(position, &turn.squares, Position::is_enemy);
    for &square in &turn.drops {
        after.cells[square] = position.cells[turn.origin()];
    }
    if position.extra == "2" {
        after.extra = "1".to_string();
    } else {
        after.side = 3 - position.side;
        after.extra = if position.ply == 0 { "2" } else { "1" }.to_string();
    }
    after.quiet = if removed.is_empty() { position.quiet + 1 } else { 0 };
    after.ply += 1;
    after
}
