//! Alquerque (SPEC 11).

use super::common::*;
use super::routes::*;
use std::collections::BTreeSet;

pub(crate) const START: &str = "mmmmm/mmmmm/mm1MM/MMMMM/MMMMM 1 - 0 0";

pub(crate) fn parse(text: &str) -> Result<Position, String> {
    let position = Position::parse(text, 5, 5, "Mm", false)?;
    if position.extra != "-" {
        return Err("extra: expected -".to_string());
    }
    if position.count_owned(1) > 12 || position.count_owned(2) > 12 {
        return Err("more than 12 men a side".to_string());
    }
    Ok(position)
}

/// The directions in which lines leave a point: diagonals where file + rank is even.
fn lines(position: &Position, point: usize) -> Vec<Direction> {
    let mut directions = ORTHOGONAL.to_vec();
    if (position.file(point) + position.rank(point)).is_multiple_of(2) {
        directions.extend(DIAGONAL);
    }
    directions
}

fn steps(position: &Position, point: usize) -> Vec<usize> {
    let mut found = Vec::new();
    for direction in lines(position, point) {
        if let Some(to) = position.next(point, direction)
            && position.is_empty(to)
        {
            found.push(to);
        }
    }
    found
}

fn hops(position: &Position, point: usize) -> Vec<Hop> {
    let mut found = Vec::new();
    for direction in lines(position, point) {
        if let Some(over) = position.next(point, direction)
            && position.is_enemy(over)
            && let Some(to) = position.next(over, direction)
            && position.is_empty(to)
        {
            found.push(Hop { over, to, captures: true });
        }
    }
    found
}

fn any_capture(position: &Position) -> bool {
    position.own_squares().into_iter().any(|point| !hops(position, point).is_empty())
}

pub(crate) fn walk_from(position: &Position, options: &Options, origin: usize, walk: &mut Walk) {
    if !position.is_own(origin) {
        return;
    }
    if !(options.alquerque_mandatory && any_capture(position)) {
        for to in steps(position, origin) {
            walk.add(Turn::new(&[origin, to], &BTreeSet::new(), &[]));
        }
    }
    hop_on(&position.without(origin), options, &[origin], &BTreeSet::new(), walk);
}

/// Every way to hop on from the last square of the route.
fn hop_on(
    board: &Position,
    options: &Options,
    route: &[usize],
    captured: &BTreeSet<usize>,
    walk: &mut Walk,
) {
    for hop in hops(board, route[route.len() - 1]) {
        let mut route = route.to_vec();
        route.push(hop.to);
        let mut captured = captured.clone();
        captured.insert(hop.over);
        let board = board_after(board, hop);
        if !walk.enters(&route, &captured) {
            continue;
        }
        let must_go_on = options.alquerque_mandatory && !hops(&board, hop.to).is_empty();
        if !must_go_on {
            walk.add(Turn::new(&route, &captured, &[]));
        }
        hop_on(&board, options, &route, &captured, walk);
    }
}

pub(crate) fn play(position: &Position, turn: &Turn) -> Position {
    let (mut after, removed) = hop_along(position, &turn.squares, Position::is_enemy);
    after.side = 3 - position.side;
    after.quiet = if removed.is_empty() { position.quiet + 1 } else { 0 };
    after.ply += 1;
    after
}

/// More men wins.
pub(crate) fn count(position: &Position, reason: &'static str) -> Ending {
    Ending::by_count(position.count_owned(1), position.count_owned(2), reason)
}
