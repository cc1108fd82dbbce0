//! Froglet (SPEC 14).

use super::common::*;
use super::rules::Rules;
use super::routes::*;
use std::collections::BTreeSet;

/// The game.
pub(crate) struct Froglet;

/// A random filling that `FrogletSeed` picks.
fn start(options: &Options) -> String {
    let mut frogs = Vec::new();
    for (letter, number) in [('G', 66), ('Y', 51), ('R', 21), ('B', 6)] {
        frogs.extend(vec![Some(Piece::new(letter)); number]);
    }
    let mut random = SplitMix64(options.number("FrogletSeed", 1));
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

fn parse(text: &str) -> Result<Position, String> {
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

/// The hops over any frog.
fn hops(board: &Position, square: usize) -> Vec<Hop> {
    hops_over(board, square, &ORTHOGONAL, |over| !board.is_empty(over), |_| true)
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
fn turns(position: &Position, limit: usize) -> Option<Vec<Turn>> {
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
fn has_turn(position: &Position) -> bool {
    if is_full(position) {
        return position.squares().any(|square| removal(position, square).is_some());
    }
    position
        .squares()
        .filter(|&square| !position.is_empty(square))
        .any(|square| !hops(position, square).is_empty())
}

fn walk_from(position: &Position, origin: usize, walk: &mut Walk) {
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

fn play(position: &Position, options: &Options, turn: &Turn) -> Position {
    let (mut after, removed) = hop_along(position, &turn.squares, |_, _| true);
    let mut scored: usize = removed.into_iter().map(points_of).sum();
    if turn.removal {
        after.cells[turn.origin()] = None;
        if options.is("FrogletFirstFrogScores", "true") {
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

impl Rules for Froglet {
    fn name(&self) -> &'static str {
        "froglet"
    }

    fn files(&self) -> usize {
        12
    }

    fn start(&self, options: &Options) -> String {
        start(options)
    }

    fn parse(&self, text: &str) -> Result<Position, String> {
        parse(text)
    }

    fn turns(&self, position: &Position, _: &Options, limit: usize) -> Option<Vec<Turn>> {
        turns(position, limit)
    }

    fn has_turn(&self, position: &Position, _: &Options) -> bool {
        has_turn(position)
    }

    fn walk_from(&self, position: &Position, _: &Options, origin: usize, walk: &mut Walk) {
        walk_from(position, origin, walk);
    }

    fn play(&self, position: &Position, options: &Options, turn: &Turn) -> Position {
        play(position, options, turn)
    }

    /// More points wins.
    fn count(&self, position: &Position, reason: &'static str) -> Ending {
        let (p1, p2) = points(position);
        Ending::by_count(p1, p2, reason)
    }

    fn without_moves(&self, position: &Position) -> Ending {
        self.count(position, "count")
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::*;
    use crate::{GameId, Options};

    const ID: &str = "froglet";

    #[test]
    fn counts_from_the_start_are_those_of_the_rules() {
        check_start(ID, &Options::default(), &[66, 223, 1137, 10946, 134_134]);
    }

    #[test]
    fn the_first_frog_scores_only_by_option() {
        let (id, plain) = (GameId::of(ID), Options::default());
        let scores = plain.clone().with("FrogletFirstFrogScores", "true");
        for (options, tail) in [(plain, "2 0-0 0 1"), (scores, "2 1-0 0 1")] {
            assert!(id.play(&id.start(&options), "xc1", &options).ends_with(tail));
        }
    }

    #[test]
    fn the_last_ply_ends_the_game_by_count() {
        let position = "GG10/12/12/12/12/12/12/12/12/12/12/12 1 3-5 0 400";
        check_max_plies(ID, position, "0-1");
    }

    #[test]
    fn a_lack_of_moves_comes_before_any_other_ending() {
        let position = "G11/12/12/12/12/12/12/12/12/12/12/12 1 3-5 0 400";
        check_without_moves(ID, position, some("0-1", "count"));
    }

    #[test]
    fn impossible_positions_are_refused() {
        check_refused(
            ID,
            &[
                "12/12/12/12/12/12/12/12/12/12/12/12 1 0-0 1 1",
                "12/12/12/12/12/12/12/12/12/12/12/12 1 00-0 0 1",
                "12/12/12/12/12/12/12/12/12/12/12/g11 1 0-0 0 1",
            ],
        );
    }

    #[test]
    fn illegal_texts_are_routes_of_nothing() {
        check_illegal(ID, &["xa1", "a1a3"]);
    }
}
