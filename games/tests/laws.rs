//! Laws that hold for every game with any of its options. They are checked along random games.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use leap_core::notation::{MoveEffect, Next, Notation, PartialMove, Piece, Step, Steps};
use leap_core::perft::{perft, plain_perft};
use leap_core::symmetry::Image;
use leap_core::{Position, Rules, RulesExt, Square, StopFlag};
use leap_games::froglet::Froglet;
use leap_games::games;
use leap_search::eval::{Evaluator, MAX_EVALUATION, total};
use leap_search::{Playable, SearchTuning, Searchable};
use leap_toys::random::{along_random_games, below, pieces};
use rand_chacha::ChaCha8Rng;

/// The number of step-by-step walks through [`PartialMove::next`] at each position.
const WALKS: usize = 8;
/// A walk longer than this takes the first end that it may. Sapos routes can go on for ever.
const LONG_WALK: usize = 40;

fn keys_equal_fresh_keys<R: Notation>(rules: &R) {
    along_random_games(rules, |game, _, _| {
        assert_eq!(game.current().key(), game.current().fresh_key());
    });
}

fn texts_round_trip<R: Notation>(rules: &R) {
    along_random_games(rules, |game, moves, _| {
        let position = game.current();
        let text = rules.print_position(position);
        let parsed = rules.parse_position(&text).unwrap();
        assert_eq!(&parsed, position, "{text}");
        assert_eq!(parsed.key(), position.key(), "{text}");
        for mv in moves {
            let move_text = rules.print_move(position, *mv);
            assert_eq!(game.parse_move(&move_text), Ok(*mv), "{move_text} in {text}");
        }
    });
}

fn moves_are_listed_in_order_and_counted<R: Notation>(rules: &R) {
    along_random_games(rules, |game, legal, _| {
        let position = game.current();
        let moves = rules.legal_moves(position);
        assert_eq!(rules.count_moves(position, &StopFlag::default()), moves.len() as u64);
        assert!(rules.has_move(position));
        let is_capture = |mv: &R::Move| rules.is_capture(position, *mv);
        let mut captures = Vec::new();
        let _ = rules.visit_captures(position, |mv| {
            captures.push(mv);
            ControlFlow::Continue(())
        });
        assert!(moves.iter().copied().filter(is_capture).eq(captures));
        let routes: Vec<Steps> = moves.iter().map(|mv| rules.route(position, *mv)).collect();
        let text = rules.print_position(position);
        assert!(routes.is_sorted_by(|a, b| a < b), "strictly ascending in {text}: {routes:?}");
        let allowed = moves.iter().filter(|mv| legal.contains(mv)).count();
        assert_eq!(allowed, legal.len());
    });
}

/// Counts of move sequences are those of moves made one by one, and stop at a limit.
fn moves_of_the_last_ply_are_counted_as_if_made<R: Playable>(rules: &R) {
    for max_plies in 0..=3 {
        let mut rules = rules.clone();
        *rules.max_plies().unwrap() = max_plies;
        let start = rules.start();
        let count = perft(&rules, &start, 3, &StopFlag::default());
        assert_eq!(count, plain_perft(&rules, &start, 3), "{rules:?}");
    }
}

/// Every move can be entered step by step, and every step on offer leads to a legal move.
fn turns_reach_exactly_the_legal_moves<R: Notation>(rules: &R) {
    along_random_games(rules, |game, moves, rng| {
        let turn = game.partial_move().unwrap();
        for mv in moves {
            let mut turn = turn.clone();
            for step in rules.route(game.current(), *mv).0 {
                assert!(turn.next().steps.contains(&step), "{step:?} is on offer");
                turn.take(step).unwrap();
            }
            assert!(turn.next().may_end);
            assert_eq!(turn.finish(), Ok(*mv));
        }
        for _ in 0..WALKS {
            let mv = random_walk(turn.clone(), rng);
            assert!(moves.contains(&mv), "{mv:?}");
        }
    });
}

fn random_walk<T: PartialMove>(mut turn: T, rng: &mut ChaCha8Rng) -> T::Move {
    for length in 0.. {
        let Next { steps, may_end } = turn.next();
        assert!(steps.is_sorted_by(|a, b| a < b), "{steps:?}");
        assert_eq!(may_end, turn.finish().is_ok());
        let choice = below(rng, steps.len() + usize::from(may_end));
        if may_end && (choice == steps.len() || length > LONG_WALK) {
            return turn.finish().unwrap();
        }
        // After a long walk, drops are preferred: they end a turn that must place a piece.
        let drop = steps.iter().find(|step| matches!(step, Step::Drop(_)) && length > LONG_WALK);
        turn.take(*drop.unwrap_or(&steps[choice])).unwrap();
    }
    unreachable!("the loop returns")
}

fn effects_applied_blindly_give_the_next_board<R: Notation>(rules: &R) {
    along_random_games(rules, |game, moves, rng| {
        let position = game.current();
        let mv = moves[below(rng, moves.len())];
        let mut turn = rules.partial_move(position, None);
        for step in rules.route(position, mv).0 {
            turn.take(step).unwrap();
        }
        let mut board = pieces(rules, position);
        for effect in turn.effects().iter().copied().chain(turn.end_effects()) {
            apply(&mut board, effect);
        }
        let child = rules.after(position, mv);
        assert_eq!(board, pieces(rules, &child));
    });
}

fn apply(board: &mut BTreeMap<Square, Piece>, effect: MoveEffect) {
    match effect {
        MoveEffect::Moved { from, to } => {
            let piece = board.remove(&from).unwrap();
            assert_eq!(board.insert(to, piece), None);
        }
        MoveEffect::Captured(square) | MoveEffect::Removed(square) => {
            board.remove(&square).unwrap();
        }
        MoveEffect::Flipped(square, piece) => {
            board.insert(square, piece).unwrap();
        }
        MoveEffect::Dropped(square, piece) => assert_eq!(board.insert(square, piece), None),
        MoveEffect::Scored(_) => {}
    }
}

fn gains_and_candidates_are_as_the_search_expects<R: Searchable>(rules: &R) {
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

fn evaluations_are_the_sum_of_their_parts_and_the_same_for_images<R: Playable>(rules: &R) {
    let evaluator = R::Evaluator::default();
    along_random_games(rules, |game, _, _| {
        let position = game.current();
        let value = evaluator.evaluate(rules, position);
        let terms = evaluator.terms(rules, position);
        assert_eq!(value, total(&terms).clamp(-MAX_EVALUATION, MAX_EVALUATION));
        for image in Image::ALL.iter().filter_map(|image| image.of(rules, position)) {
            let text = rules.print_position(&image);
            assert_eq!(evaluator.evaluate(rules, &image), value, "{text}");
            assert_eq!(evaluator.terms(rules, &image), terms, "{text}");
        }
    });
}

/// Late move pruning stops at the first late quiet move, so no capture may come after it.
fn no_capture_is_left_out_as_a_late_move<R: Searchable>(rules: &R) {
    let SearchTuning { captures_first, late_moves, .. } = R::TUNING;
    if late_moves.depth == 0 || captures_first || !R::TUNING.quiescence {
        return;
    }
    along_random_games(rules, |game, moves, _| {
        let captures = moves.iter().filter(|mv| rules.is_capture(game.current(), **mv)).count();
        assert!(captures == 0 || captures == moves.len());
    });
}

/// No move uses up the clock, and no time is saved for moves that nobody plays.
fn a_clock_is_for_some_moves<R: Searchable>(rules: &R) {
    along_random_games(rules, |game, _, _| {
        let moves = rules.time_plan(game.current()).moves_left;
        assert!((2..=100).contains(&moves), "{moves}");
    });
}

fn plies_and_quiet_moves_are_counted<R: Playable>(rules: &R) {
    along_random_games(rules, |game, moves, rng| {
        let mv = moves[below(rng, moves.len())];
        let captures = rules.is_capture(game.current(), mv);
        let before = game.current().counters();
        let child = rules.after(game.current(), mv);
        assert_eq!(child.counters().ply, before.ply + 1);
        let quiet_stands_still = captures || R::ID == Froglet::ID;
        assert_eq!(child.counters().quiet, if quiet_stands_still { 0 } else { before.quiet + 1 });
    });
}

/// Names the game in which a test panics.
struct Naming(&'static str);

impl Drop for Naming {
    #[allow(clippy::print_stderr, reason = "a test's output")]
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the game is {}", self.0);
        }
    }
}

/// A test that a law holds in each game, with every option of its rules.
macro_rules! law {
    ($law:ident) => {
        mod $law {
            use super::*;

            fn holds<R: Playable>() {
                let _naming = Naming(R::ID);
                R::variants().iter().for_each(super::$law);
            }

            #[test]
            fn in_every_game() {
                games!(holds());
            }
        }
    };
}

law!(keys_equal_fresh_keys);
law!(texts_round_trip);
law!(moves_are_listed_in_order_and_counted);
law!(moves_of_the_last_ply_are_counted_as_if_made);
law!(turns_reach_exactly_the_legal_moves);
law!(effects_applied_blindly_give_the_next_board);
law!(gains_and_candidates_are_as_the_search_expects);
law!(evaluations_are_the_sum_of_their_parts_and_the_same_for_images);
law!(no_capture_is_left_out_as_a_late_move);
law!(a_clock_is_for_some_moves);
law!(plies_and_quiet_moves_are_counted);

#[test]
fn positions_and_moves_are_small() {
    fn sizes<R: Rules>() -> [usize; 2] {
        [size_of::<R::Position>(), size_of::<R::Move>()]
    }
    assert_eq!(games!(sizes()), [[40, 8], [40, 16], [40, 16], [128, 24], [64, 16]]);
}
