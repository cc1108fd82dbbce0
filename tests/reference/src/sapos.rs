//! Sapos (SPEC 13).

use super::common::*;
use super::rules::Rules;
use super::routes::*;
use std::collections::BTreeSet;

/// The game.
pub(crate) struct Sapos;

const START: &str = "8/3mm3/3mm3/8/8/3MM3/3MM3/8 1 1 0 0";

fn parse(text: &str) -> Result<Position, String> {
    let position = Position::parse(text, 8, 8, "Mm", false)?;
    if position.extra != "1" && position.extra != "2" {
        return Err("extra: expected 1 or 2".to_string());
    }
    if position.count_owned(1) > 16 || position.count_owned(2) > 16 {
        return Err("more than 16 pieces a side".to_string());
    }
    Ok(position)
}

/// The hops over a piece of either side. An enemy is captured.
fn hops(board: &Position, square: usize) -> Vec<Hop> {
    let is_enemy = |over| board.is_enemy(over);
    hops_over(board, square, &ORTHOGONAL, |over| !board.is_empty(over), is_enemy)
}

fn may_revisit(options: &Options) -> bool {
    !options.is("SaposRevisit", "false")
}

/// The turns that stop at the end of this route.
///
/// There is one for each square to place a piece on, or one that places nothing, or none.
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
    if turns.is_empty() && options.is("SaposPlacement", "possible") {
        turns.push(Turn::new(route, captured, &[]));
    }
    turns
}

/// All moves, one route each.
///
/// With `SaposRevisit` the routes have no end, but the moves have. The moves are found by the shortest route to each
/// square with each set of captured pieces.
fn turns(position: &Position, options: &Options, limit: usize) -> Option<Vec<Turn>> {
    let mut turns = Vec::new();
    for origin in position.own_squares() {
        if may_revisit(options) {
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

fn walk_from(position: &Position, options: &Options, origin: usize, walk: &mut Walk) {
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
        if !may_revisit(options) && route.contains(&hop.to) {
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

impl Rules for Sapos {
    fn name(&self) -> &'static str {
        "sapos"
    }

    fn start(&self, _: &Options) -> String {
        START.to_owned()
    }

    fn parse(&self, text: &str) -> Result<Position, String> {
        parse(text)
    }

    fn turns(&self, position: &Position, options: &Options, limit: usize) -> Option<Vec<Turn>> {
        turns(position, options, limit)
    }

    fn walk_from(&self, position: &Position, options: &Options, origin: usize, walk: &mut Walk) {
        walk_from(position, options, origin, walk);
    }

    fn play(&self, position: &Position, _: &Options, turn: &Turn) -> Position {
        let (mut after, removed) = hop_along(position, &turn.squares, Position::is_enemy);
        for &square in &turn.drops {
            after.cells[square] = position.cells[turn.origin()];
        }
        after.pass_on(removed.is_empty());
        if position.extra == "2" {
            (after.side, after.extra) = (position.side, "1".to_owned());
        } else {
            after.extra = if position.ply == 0 { "2" } else { "1" }.to_owned();
        }
        after
    }

    fn ends_at_repetition(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::*;
    use crate::{Game, GameId, Options};

    const ID: &str = "sapos";

    #[test]
    fn counts_from_the_start_are_those_of_the_rules() {
        let plain = Options::default();
        check_start(ID, &plain, &[30, 884, 25922, 750_090]);
        let possible = plain.clone().with("SaposPlacement", "possible");
        check_start(ID, &possible, &[30, 884, 25926, 750_646]);
        let once = plain.with("SaposRevisit", "false");
        check_start(ID, &once, &[22, 472, 9682, 196_032]);
    }

    #[test]
    fn the_third_repetition_is_a_draw() {
        let full = "mmmmmmmm/mmmmmmmm/8/8/8/8/MMMMMMMM/MMMMMMMM 1 1 0 1";
        let id = GameId::of(ID);
        let possible = Options::default().with("SaposPlacement", "possible");
        let mut game = Game::from_position(id, &possible, full);
        assert_eq!(ending_after(&mut game, "a1a3a1 a8a6a8"), None);
        assert_eq!(ending_after(&mut game, "a1a3a1 a8a6a8"), some("1/2-1/2", "repetition"));
        assert_eq!(id.result(full, &Options::default()), some("0-1", "no-moves"));
    }

    #[test]
    fn the_last_ply_is_a_draw() {
        check_max_plies(ID, "8/3mm3/3mm3/8/8/3MM3/3M4/8 1 1 0 400", "1/2-1/2");
    }

    #[test]
    fn a_lack_of_moves_comes_before_any_other_ending() {
        check_without_moves(ID, "8/8/8/8/8/8/8/MM6 2 1 0 400", some("1-0", "no-moves"));
    }

    #[test]
    fn impossible_positions_are_refused() {
        check_refused(
            ID,
            &[
                "mmmmmmmm/mmmmmmmm/m7/8/8/8/8/8 1 1 0 1",
                "8/8/8/8/8/8/8/8 1 3 0 1",
                "8/8/8/8/8/8/8/M~7 1 1 0 1",
            ],
        );
    }

    #[test]
    fn illegal_texts_are_routes_of_nothing() {
        check_illegal(ID, &["d2d4", "d2d4@d5@c4", "d2d4@a1"]);
    }
}
