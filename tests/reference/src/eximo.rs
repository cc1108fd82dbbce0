//! Eximo (SPEC 12).

use super::common::*;
use super::rules::Rules;
use super::routes::*;
use std::collections::BTreeSet;

/// The game.
pub(crate) struct Eximo;

const START: &str = "1mmmmmm1/1mmmmmm1/1mm2mm1/8/8/1MM2MM1/1MMMMMM1/1MMMMMM1 1 - 0 0";

fn parse(text: &str) -> Result<Position, String> {
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

/// The jumps over friendly men, in three directions. Nothing is captured.
fn jumps(position: &Position, square: usize) -> Vec<Hop> {
    let is_own = |over| position.is_own(over);
    hops_over(position, square, &forward(position.side), is_own, |_| false)
}

/// The captures over enemy men, in five directions.
fn captures(position: &Position, square: usize) -> Vec<Hop> {
    let mut directions = forward(position.side);
    directions.extend([(-1, 0), (1, 0)]);
    hops_over(position, square, &directions, |over| position.is_enemy(over), |_| true)
}

fn any_capture(position: &Position) -> bool {
    position.own_squares().into_iter().any(|square| !captures(position, square).is_empty())
}

fn walk_from(position: &Position, origin: usize, walk: &mut Walk) {
    if !position.is_own(origin) {
        return;
    }
    let lifted = position.without(origin);
    if any_capture(position) {
        hop_on(&lifted, captures, &[origin], &BTreeSet::new(), walk);
        return;
    }
    for to in position.steps(origin, &forward(position.side)) {
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

impl Rules for Eximo {
    fn name(&self) -> &'static str {
        "eximo"
    }

    fn start(&self, _: &Options) -> String {
        START.to_owned()
    }

    fn parse(&self, text: &str) -> Result<Position, String> {
        parse(text)
    }

    fn walk_from(&self, position: &Position, _: &Options, origin: usize, walk: &mut Walk) {
        walk_from(position, origin, walk);
    }

    fn play(&self, position: &Position, _: &Options, turn: &Turn) -> Position {
        let (mut after, removed) = hop_along(position, &turn.squares, Position::is_enemy);
        if position.rank(turn.destination()) == last_rank(position.side) {
            after.cells[turn.destination()] = None;
        }
        for &square in &turn.drops {
            after.cells[square] = position.cells[turn.origin()];
        }
        after.pass_on(removed.is_empty());
        after
    }

    fn ends_at_repetition(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::*;
    use crate::{GameId, Options};

    const ID: &str = "eximo";

    #[test]
    fn counts_from_the_start_are_those_of_the_rules() {
        check_start(ID, &Options::default(), &[40, 1600, 60284]);
    }

    #[test]
    fn as_many_men_are_dropped_as_find_room() {
        let (id, options) = (GameId::of(ID), Options::default());
        for (position, moves) in [
            ("8/2M5/8/8/8/8/1MMMMMM1/1MMMMMM1 1 - 0 1", ["c7b8", "c7c8", "c7d8"]),
            ("8/2M5/8/8/8/8/1MMMMMM1/1MMMM1M1 1 - 0 1", ["c7b8@f1", "c7c8@f1", "c7d8@f1"]),
            (
                "8/2M5/8/8/8/8/1MMM1MM1/1MMMM1M1 1 - 0 1",
                ["c7b8@f1@e2", "c7c8@f1@e2", "c7d8@f1@e2"],
            ),
        ] {
            let found = id.moves(position, &options);
            assert!(found.ends_with(&moves.map(String::from)), "{found:?}");
        }
    }

    #[test]
    fn the_square_that_the_man_comes_from_is_empty_for_its_own_drops() {
        let from_zone = "8/2m5/8/2m5/8/2m5/1MMMMMM1/1MMMMMM1 1 - 0 1";
        let found = GameId::of(ID).moves(from_zone, &Options::default());
        assert!(found.contains(&"c2c4c6c8@c2".to_string()), "{found:?}");
    }

    #[test]
    fn the_last_ply_is_a_draw() {
        check_max_plies(ID, "1mm5/8/8/8/8/8/8/1M6 1 - 0 400", "1/2-1/2");
    }

    #[test]
    fn a_lack_of_moves_comes_before_any_other_ending() {
        check_without_moves(ID, "8/8/8/8/8/8/8/1M6 2 - 0 400", some("1-0", "no-moves"));
    }

    #[test]
    fn impossible_positions_are_refused() {
        check_refused(ID, &["1M6/8/8/8/8/8/8/8 1 - 0 0", "8/8/8/8/8/8/8/1m6 1 - 0 0"]);
    }

    #[test]
    fn illegal_texts_are_routes_of_nothing() {
        check_illegal(ID, &["b3b4@b1@c1", "c2c4b5"]);
    }
}
