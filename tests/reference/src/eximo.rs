//! Eximo (SPEC 12).

use super::common::*;
use super::routes::*;
use std::collections::BTreeSet;

pub(crate) const START: &str = "1mmmmmm1/1mmmmmm1/1mm2mm1/8/8/1MM2MM1/1MMMMMM1/1MMMMMM1 1 - 0 0";

pub(crate) fn parse(text: &str) -> Result<Position, String> {
    let position = Position::parse(text, 8, 8, "Mm", false)?;
    if position.extra != "-" {
        return Err("extra: expected -".to_string());
    }
    for square in position.squares() {
        let owner = position.owner(square);
        if owner != 0 && position.rank(square) == last_rank(owner) {
            return Err("a man on its own last row".to_string());
        }
    }
    Ok(position)
}

fn last_rank(side: u8) -> usize {
    if side == 1 { 8 } else { 1 }
}

/// Forward and diagonally forward.
fn forward(side: u8) -> Vec<Direction> {
    let up = if side == 1 { 1 } else { -1 };
    vec![(-1, up), (0, up), (1, up)]
}

/// The empty squares of the mover's drop zone: files b to g of the own first two rows.
fn empty_drop_squares(board: &Position) -> Vec<usize> {
    let ranks = if board.side == 1 { 1..=2 } else { 7..=8 };
    board
        .squares()
        .filter(|&square| ranks.contains(&board.rank(square)))
        .filter(|&square| (2..=7).contains(&board.file(square)))
        .filter(|&square| board.is_empty(square))
        .collect()
}

fn steps(position: &Position, square: usize) -> Vec<usize> {
    let mut found = Vec::new();
    for direction in forward(position.side) {
        if let Some(to) = position.next(square, direction)
            && position.is_empty(to)
        {
            found.push(to);
        }
    }
    found
}

/// Over friendly men, in three directions; nothing is captured.
fn jumps(position: &Position, square: usize) -> Vec<Hop> {
    let mut found = Vec::new();
    for direction in forward(position.side) {
        if let Some(over) = position.next(square, direction)
            && position.is_own(over)
            && let Some(to) = position.next(over, direction)
            && position.is_empty(to)
        {
            found.push(Hop { over, to, captures: false });
        }
    }
    found
}

/// Over enemy men, in five directions.
fn captures(position: &Position, square: usize) -> Vec<Hop> {
    let mut found = Vec::new();
    for direction in forward(position.side).into_iter().chain([(-1, 0), (1, 0)]) {
        if let Some(over) = position.next(square, direction)
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
    position.own_squares().into_iter().any(|square| !captures(position, square).is_empty())
}

pub(crate) fn walk_from(position: &Position, origin: usize, walk: &mut Walk) {
    if !position.is_own(origin) {
        return;
    }
    let lifted = position.without(origin);
    if any_capture(position) {
        hop_on(&lifted, captures, &[origin], &BTreeSet::new(), walk);
        return;
    }
    for to in steps(position, origin) {
        if walk.enters(&[origin, to], &BTreeSet::new()) {
            stop(&lifted, &[origin, to], &BTreeSet::new(), walk);
        }
    }
    hop_on(&lifted, jumps, &[origin], &BTreeSet::new(), walk);
}

/// Every way to hop on, with jumps alone or captures alone, from the last square of the route.
fn hop_on(
    board: &Position,
    hops: Hops,
    route: &[usize],
    captured: &BTreeSet<usize>,
    walk: &mut Walk,
) {
    for hop in hops(board, route[route.len() - 1]) {
        let mut route = route.to_vec();
        route.push(hop.to);
        let mut captured = captured.clone();
        if hop.captures {
            captured.insert(hop.over);
        }
        let board = board_after(board, hop);
        if !walk.enters(&route, &captured) {
            continue;
        }
        let on_last_row = board.rank(hop.to) == last_rank(board.side);
        if on_last_row || hops(&board, hop.to).is_empty() {
            stop(&board, &route, &captured, walk);
        } else {
            hop_on(&board, hops, &route, &captured, walk);
        }
    }
}

/// The man stays where it stopped; from the last row it leaves the board for drops.
fn stop(board: &Position, route: &[usize], captured: &BTreeSet<usize>, walk: &mut Walk) {
    if board.rank(route[route.len() - 1]) != last_rank(board.side) {
        walk.add(Turn::new(route, captured, &[]));
        return;
    }
    let empty = empty_drop_squares(board);
    match empty[..] {
        [] => walk.add(Turn::new(route, captured, &[])),
        [one] => walk.add(Turn::new(route, captured, &[one])),
        _ => {
            for first in 0..empty.len() {
                for second in first + 1..empty.len() {
                    walk.add(Turn::new(route, captured, &[empty[first], empty[second]]));
                }
            }
        }
    }
}

pub(crate) fn play(position: &Position, turn: &Turn) -> Position {
    let (mut after, removed) = hop_along(position, &turn.squares, Position::is_enemy);
    if position.rank(turn.destination()) == last_rank(position.side) {
        after.cells[turn.destination()] = None;
    }
    for &square in &turn.drops {
        after.cells[square] = position.cells[turn.origin()];
    }
    after.side = 3 - position.side;
    after.quiet = if removed.is_empty() { position.quiet + 1 } else { 0 };
    after.ply += 1;
    after
}
