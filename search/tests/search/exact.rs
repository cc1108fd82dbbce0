//! Exact values in the search.

use leap_core::RulesExt;
use std::collections::HashMap;

use leap_core::exact::{Exact, Wdl, probe_move};
use leap_games::alquerque::{AlquerqueMove, AlquerquePosition};

use super::*;

/// Values of some positions.
#[derive(Debug, Default)]
struct Known(HashMap<u64, Exact>);

impl Tablebase<Alquerque> for Known {
    fn reach(&self) -> u32 {
        24
    }

    fn covers(&self, _: &AlquerquePosition) -> bool {
        true
    }

    fn probe(&self, _: &Alquerque, position: &AlquerquePosition) -> Option<Exact> {
        self.0.get(&position.key()).copied()
    }
}

const fn exact(outcome: Wdl, plies: Option<u32>) -> Exact {
    Exact { outcome, plies }
}

/// Values of the positions after each move, by the number of the move.
fn after_each_move(game: &Game<Alquerque>, value: impl Fn(usize) -> Exact) -> Known {
    let children = game.legal_moves().into_iter().enumerate();
    let key = |mv| game.rules().after(game.current(), mv).key();
    Known(children.map(|(at, mv)| (key(mv), value(at))).collect())
}

fn search_known(
    game: &Game<Alquerque>,
    limits: &Limits<AlquerqueMove>,
    known: &Known,
) -> (SearchResult<AlquerqueMove>, Reports<Alquerque>) {
    answer_of(search, game, limits, &Control::new(), Some(known))
}

/// The position with four moves and equal men.
fn opening() -> Game<Alquerque> {
    start(CaptureRule::Optional)
}

#[test]
fn the_side_that_gains_takes_the_shortest_way_and_the_other_side_the_longest() {
    let game = opening();
    let moves = game.legal_moves();
    let winning = after_each_move(&game, |at| exact(Wdl::Loss, Some([9, 3, 5, 7][at])));
    let (answer, reports) = search_known(&game, &Limits::depth(6), &winning);
    assert_eq!(answer.best, Some(moves[1]));
    assert!(answer.score > Score::evaluation(i32::MAX), "beyond every evaluation");
    assert!(reports.last().unwrap().is_solved);
    let losing = after_each_move(&game, |at| exact(Wdl::Win, Some([9, 3, 5, 7][at])));
    let (answer, _) = search_known(&game, &Limits::depth(6), &losing);
    assert_eq!(answer.best, Some(moves[0]));
    assert!(answer.score < Score::evaluation(i32::MIN));
}

#[test]
fn the_outcome_comes_before_the_distance_and_lines_are_ranked_by_both() {
    let game = opening();
    let moves = game.legal_moves();
    let values =
        [(Wdl::Win, Some(9)), (Wdl::Draw, None), (Wdl::Loss, Some(8)), (Wdl::Loss, Some(4))];
    let known = after_each_move(&game, |at| exact(values[at].0, values[at].1));
    let limits = Limits { multipv: 4, ..Limits::depth(3) };
    let (_, reports) = search_known(&game, &limits, &known);
    let last: Vec<_> = reports[reports.len() - 4..].iter().map(|report| report.pv[0]).collect();
    assert_eq!(last, [moves[3], moves[2], moves[1], moves[0]]);
}

#[test]
fn where_endless_play_is_best_a_search_without_tables_chooses_among_the_best_moves() {
    let game = opening();
    let moves = game.legal_moves();
    let known = after_each_move(&game, |at| match at {
        2 => exact(Wdl::Win, Some(3)),
        _ => exact(Wdl::Draw, None),
    });
    for depth in 1..8 {
        let (answer, reports) = search_known(&game, &Limits::depth(depth), &known);
        assert_ne!(answer.best, Some(moves[2]));
        assert_eq!(answer.score, Score::DRAW);
        let last = reports.last().unwrap();
        assert_eq!((last.is_solved, last.tbhits), (true, 0));
        assert!(answer.nodes > u64::from(depth) * moves.len() as u64, "below the root too");
    }
}

#[test]
fn a_move_that_is_known_to_win_is_made_although_others_are_unknown() {
    let game = opening();
    let moves = game.legal_moves();
    let mut known = Known::default();
    known.0.insert(game.current().key(), exact(Wdl::Win, Some(6)));
    for (at, plies) in [(1, 9), (2, 5)] {
        let child = game.rules().after(game.current(), moves[at]);
        known.0.insert(child.key(), exact(Wdl::Loss, Some(plies)));
    }
    let (answer, _) = search_known(&game, &Limits::depth(1), &known);
    assert_eq!(answer.best, Some(moves[2]), "the shorter way");
}

#[test]
fn a_win_by_the_count_is_not_brought_about_by_a_repetition() {
    let rules = alquerque(CaptureRule::Optional);
    let position = rules.parse_position("5/5/1MM2/5/4m 2 - 0 10").unwrap();
    let mut game = Game::new(rules, position);
    make(&mut game, "e1e2 b3b4 e2e1 b4b3 e1e2 b3b4 e2e1");
    let known = after_each_move(&game, |_| exact(Wdl::Loss, None));
    let repeating = game.parse_move("b4b3").unwrap();
    let value = probe_move(&game, &known, repeating).unwrap();
    assert_eq!(value, exact(Wdl::Win, None), "what the count gives, as by endless play");
    for contempt in [0, 10] {
        let limits = Limits { contempt, ..Limits::depth(5) };
        let (answer, _) = search_known(&game, &limits, &known);
        assert_ne!(answer.best, Some(repeating));
        assert!(answer.score.is_decided() && answer.score > Score::DRAW);
    }
}

#[test]
fn values_below_the_root_decide_the_move_and_are_counted() {
    let game = opening();
    let moves = game.legal_moves();
    // The last move lets the second player choose a position that is lost for the first.
    let mut known = Known::default();
    for (at, mv) in moves.iter().enumerate() {
        let mut later = game.clone();
        later.push(*mv);
        let value = exact(if at == 3 { Wdl::Win } else { Wdl::Loss }, Some(5));
        known.0.extend(after_each_move(&later, |_| value).0);
    }
    let (answer, reports) = search_known(&game, &Limits::depth(4), &known);
    assert_eq!(answer.best, Some(moves[3]));
    assert!(answer.score.is_decided());
    assert!(reports.last().unwrap().tbhits > 0);
    assert!(reports.is_sorted_by_key(|report| report.tbhits));
}

#[test]
fn a_search_for_a_win_in_n_moves_and_a_weak_player_ask_no_tables() {
    let game = opening();
    let known = after_each_move(&game, |at| exact(Wdl::Loss, Some(at as u32)));
    let mate = Limits { mate: Some(1), ..Limits::default() };
    let weak = Limits { strength: 10, ..Limits::depth(4) };
    for limits in [mate, weak] {
        let (answer, reports) = search_known(&game, &limits, &known);
        assert!(!answer.score.is_decided());
        assert_eq!(reports.last().unwrap().tbhits, 0);
    }
}
