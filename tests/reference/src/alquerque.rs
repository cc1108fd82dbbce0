//! Alquerque (SPEC 11).

use super::common::*;
use super::rules::Rules;
use super::routes::*;
use std::collections::BTreeSet;

/// The game.
pub(crate) struct Alquerque;

const START: &str = "mmmmm/mmmmm/mm1MM/MMMMM/MMMMM 1 - 0 0";

fn parse(text: &str) -> Result<Position, String> {
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

fn is_mandatory(options: &Options) -> bool {
    options.is("AlquerqueCapture", "mandatory")
}

fn hops(position: &Position, point: usize) -> Vec<Hop> {
    let is_enemy = |over| position.is_enemy(over);
    hops_over(position, point, &lines(position, point), is_enemy, |_| true)
}

fn any_capture(position: &Position) -> bool {
    position.own_squares().into_iter().any(|point| !hops(position, point).is_empty())
}

fn walk_from(position: &Position, options: &Options, origin: usize, walk: &mut Walk) {
    if !position.is_own(origin) {
        return;
    }
    if !(is_mandatory(options) && any_capture(position)) {
        for to in position.steps(origin, &lines(position, origin)) {
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
        let must_go_on = is_mandatory(options) && !hops(&board, hop.to).is_empty();
        if !must_go_on {
            walk.add(Turn::new(&route, &captured, &[]));
        }
        hop_on(&board, options, &route, &captured, walk);
    }
}

impl Rules for Alquerque {
    fn name(&self) -> &'static str {
        "alquerque"
    }

    fn files(&self) -> usize {
        5
    }

    fn start(&self, _: &Options) -> String {
        START.to_owned()
    }

    fn parse(&self, text: &str) -> Result<Position, String> {
        parse(text)
    }

    fn walk_from(&self, position: &Position, options: &Options, origin: usize, walk: &mut Walk) {
        walk_from(position, options, origin, walk);
    }

    fn play(&self, position: &Position, _: &Options, turn: &Turn) -> Position {
        let (mut after, removed) = hop_along(position, &turn.squares, Position::is_enemy);
        after.pass_on(removed.is_empty());
        after
    }

    /// More men wins.
    fn count(&self, position: &Position, reason: &'static str) -> Ending {
        Ending::by_count(position.count_owned(1), position.count_owned(2), reason)
    }

    fn ends_at_repetition(&self) -> bool {
        true
    }

    fn quiet_limit(&self, options: &Options) -> u64 {
        options.number("AlquerqueQuietLimit", 100)
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::*;
    use crate::{Game, GameId, Options};

    const ID: &str = "alquerque";

    #[test]
    fn counts_from_the_start_are_those_of_the_rules() {
        check_start(ID, &Options::default(), &[4, 8, 33, 218, 1526, 11545, 98183]);
        let mandatory = Options::default().with("AlquerqueCapture", "mandatory");
        check_start(ID, &mandatory, &[4, 5, 6, 12, 29, 107, 523, 2521, 12878, 70759]);
    }

    #[test]
    fn the_third_repetition_ends_the_game_by_count() {
        let there_and_back = "a1a2 e5e4 a2a1 e4e5";
        for (position, score) in [
            ("4m/5/5/5/M4 1 - 0 0", "1/2-1/2"),
            ("4m/5/5/5/M3M 1 - 0 0", "1-0"),
            ("m3m/5/5/5/M4 1 - 0 0", "0-1"),
        ] {
            let mut game = Game::from_position(GameId::of(ID), &Options::default(), position);
            assert_eq!(ending_after(&mut game, there_and_back), None);
            assert_eq!(game.repetitions(), 2);
            assert_eq!(ending_after(&mut game, there_and_back), some(score, "repetition"));
            assert_eq!(game.moves(), Vec::<String>::new());
            assert!(game.undo());
            assert_eq!(game.result(), None);
        }
    }

    #[test]
    fn the_quiet_limit_ends_the_game_by_count() {
        let (id, options) = (GameId::of(ID), Options::default());
        let mut game = Game::from_position(id, &options, "4m/5/5/5/M3M 1 - 99 99");
        assert_eq!(ending_after(&mut game, "a1a2"), some("1-0", "quiet-limit"));
        assert_eq!(id.perft(&game.position(), 1, &options), 0);
        let none = options.with("AlquerqueQuietLimit", "0");
        assert_eq!(id.result(&game.position(), &none), None);
    }

    #[test]
    fn the_last_ply_ends_the_game_by_count() {
        check_max_plies(ID, "4m/5/5/5/M3M 1 - 0 400", "1-0");
    }

    #[test]
    fn a_lack_of_moves_comes_before_any_other_ending() {
        check_without_moves(ID, "5/5/5/5/M4 2 - 100 400", some("1-0", "no-moves"));
    }

    #[test]
    fn impossible_positions_are_refused() {
        check_refused(
            ID,
            &[
                "MMMMM/MMMMM/MMM2/5/5 1 - 0 0",
                "5/5/5/5/6 1 - 0 0",
                "5/5/5/5/32 1 - 0 0",
                "5/5/5/5/05 1 - 0 0",
                "5/5/5/5/5 3 - 0 0",
                "5/5/5/5/5 1 1 0 0",
                "5/5/5/5/5 1 - 00 0",
                "5/5/5/5/5 1 - 0",
            ],
        );
    }

    #[test]
    fn illegal_texts_are_routes_of_nothing() {
        check_illegal(ID, &["c2c3c4", "b2c4"]);
    }
}
