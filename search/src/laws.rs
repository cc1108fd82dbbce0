//! Laws about what the search is told of a game, beside those of [`mod@leap_core::laws`]. [`laws!`](crate::laws!) makes
//! tests of them.

use leap_core::laws::along_random_games;
use leap_core::{GameResult, Position as _, RulesExt as _, Side};

use crate::eval::{Evaluator as _, MAX_EVALUATION, total};
use crate::{SearchTuning, Searchable};

/// Makes a test of each law, for the default rules of a game.
///
/// ```
/// leap_search::laws!(leap_games::eximo::Eximo);
/// ```
#[macro_export]
macro_rules! laws {
    ($rules:ty) => {
        ::leap_core::laws! { use $crate::laws; $rules:
            gains_and_candidates_are_as_the_search_expects
            evaluations_are_the_sum_of_their_parts
            no_capture_is_left_out_as_a_late_move
            a_win_with_the_next_move_is_one
            a_clock_is_for_some_moves
        }
    };
}

/// A position is worth the sum of the terms, within bounds.
pub fn evaluations_are_the_sum_of_their_parts<R: Searchable>(rules: &R) {
    let evaluator = R::Evaluator::default();
    along_random_games(rules, |game, _, _| {
        let terms = evaluator.terms(rules, game.current());
        let value = evaluator.evaluate(rules, game.current());
        assert_eq!(value, total(&terms).clamp(-MAX_EVALUATION, MAX_EVALUATION));
    });
}

/// Gains are not negative, a choice of moves is never empty, and quiet moves are found where they exist.
pub fn gains_and_candidates_are_as_the_search_expects<R: Searchable>(rules: &R) {
    along_random_games(rules, |game, moves, _| {
        for mv in moves {
            assert!(rules.gain(game.current(), *mv) >= 0);
        }
        let mut candidates = Vec::new();
        rules.candidates(game.current(), &mut candidates);
        assert!(!candidates.is_empty());
        let is_quiet = |mv: R::Move| !rules.is_capture(game.current(), mv);
        let quiet = rules.legal_moves(game.current()).into_iter().any(is_quiet);
        assert_eq!(rules.has_quiet_move(game.current()), quiet);
    });
}

/// Late move pruning stops at the first late quiet move, so no capture may come after it.
pub fn no_capture_is_left_out_as_a_late_move<R: Searchable>(rules: &R) {
    let SearchTuning { captures_first, late_moves, .. } = R::TUNING;
    if late_moves.depth == 0 || captures_first || !R::TUNING.quiescence {
        return;
    }
    along_random_games(rules, |game, moves, _| {
        let captures = moves.iter().filter(|mv| rules.is_capture(game.current(), **mv)).count();
        assert!(captures == 0 || captures == moves.len());
    });
}

/// A side to move that is said to win with its next move has such a move. Nobody wins a game that is over.
pub fn a_win_with_the_next_move_is_one<R: Searchable>(rules: &R) {
    along_random_games(rules, |game, moves, _| {
        let position = game.current();
        let children = || moves.iter().map(|mv| rules.after(position, *mv));
        let result = |child: &R::Position| rules.outcome(child).map(|outcome| outcome.result);
        let side = position.side();
        if rules.wins_next(position, side) {
            assert!(children().any(|child| result(&child) == Some(GameResult::Win(side))));
        }
        let claims =
            |child: &R::Position| Side::BOTH.iter().any(|side| rules.wins_next(child, *side));
        assert!(children().filter(claims).all(|child| result(&child).is_none()));
    });
}

/// No move uses up the clock, and no time is saved for moves that nobody plays.
pub fn a_clock_is_for_some_moves<R: Searchable>(rules: &R) {
    along_random_games(rules, |game, _, _| {
        let moves = rules.time_plan(game.current()).moves_left;
        assert!((2..=100).contains(&moves), "{moves}");
    });
}
