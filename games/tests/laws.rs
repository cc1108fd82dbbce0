//! Laws that hold for every game with any of its options. They are checked along random games.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use leap_core::notation::{Glyph, MoveEffect, Next, Notation, Step, Steps, Turn};
use leap_core::perft::count_each_reply;
use leap_core::symmetry::Image;
use leap_core::{Cancel, Position, Side, Square};
use leap_games::{GameId, Row};
use leap_search::eval::{Evaluator, MAX_EVALUATION};
use leap_search::{SearchTuning, Searchable};
use leap_toys::random::{along_random_games, below, pieces};
use rand_chacha::ChaCha8Rng;

/// The number of step-by-step walks through [`Turn::next`] at each position.
const WALKS: usize = 8;
/// Positions with more moves are left out where the replies to all of them are counted.
const MOST_COUNTED_MOVES: usize = 300;
/// A walk longer than this takes the first end that it may. Sapos routes can go on for ever.
const LONG_WALK: usize = 40;

fn keys_equal_fresh_keys<G: Notation>(game: &G) {
    along_random_games(game, |record, _, _| {
        assert_eq!(record.current().key(), record.current().fresh_key());
    });
}

fn texts_round_trip<G: Notation>(game: &G) {
    along_random_games(game, |record, moves, _| {
        let position = record.current();
        let text = game.print_position(position);
        let parsed = game.parse_position(&text).unwrap();
        assert_eq!(&parsed, position, "{text}");
        assert_eq!(parsed.key(), position.key(), "{text}");
        for mv in moves {
            let move_text = game.move_text(position, *mv);
            assert_eq!(record.resolve(&move_text), Ok(*mv), "{move_text} in {text}");
        }
    });
}

fn moves_are_listed_in_order_and_counted<G: Notation>(game: &G) {
    along_random_games(game, |record, legal, _| {
        let position = record.current();
        let mut moves = Vec::new();
        game.moves(position, usize::MAX, &mut moves);
        assert_eq!(game.count_moves(position, &Cancel::default()), moves.len() as u64);
        assert!(game.has_move(position));
        let is_capture = |mv: &G::Move| game.is_capture(position, *mv);
        let mut captures = Vec::new();
        let _ = game.visit_captures(position, |mv| {
            captures.push(mv);
            ControlFlow::Continue(())
        });
        assert!(moves.iter().copied().filter(is_capture).eq(captures));
        assert_eq!(game.has_quiet_move(position), !moves.iter().all(is_capture));
        let routes: Vec<Steps> = moves.iter().map(|mv| game.route(position, *mv)).collect();
        let text = game.print_position(position);
        assert!(routes.is_sorted_by(|a, b| a < b), "strictly ascending in {text}: {routes:?}");
        let allowed = moves.iter().filter(|mv| legal.contains(mv)).count();
        assert_eq!(allowed, legal.len());
    });
}

/// Two plies that are counted in bulk are as many as one after the other.
fn replies_are_counted_as_after_each_move<G: Notation>(game: &G) {
    along_random_games(game, |record, moves, _| {
        if moves.len() > MOST_COUNTED_MOVES || game.at_limit(record.current()) {
            return;
        }
        let cancel = Cancel::default();
        let replies = game.count_replies(record.current(), &cancel);
        let text = game.print_position(record.current());
        assert_eq!(replies, count_each_reply(game, record.current(), &cancel), "{text}");
    });
}

/// Every move can be entered step by step, and every step on offer leads to a legal move.
fn turns_reach_exactly_the_legal_moves<G: Notation>(game: &G) {
    along_random_games(game, |record, moves, rng| {
        let banned = |position: &G::Position| record.banned(position);
        let turn = game.turn(record.current(), &banned);
        for mv in moves {
            let mut turn = turn.clone();
            for step in game.route(record.current(), *mv).0 {
                assert!(turn.next().steps.contains(&step), "{step:?} is on offer");
                turn.take(step, &mut Vec::new()).unwrap();
            }
            assert!(turn.next().may_end);
            assert_eq!(turn.finish(&mut Vec::new()), Ok(*mv));
        }
        for _ in 0..WALKS {
            let mv = random_walk(turn.clone(), rng);
            assert!(moves.contains(&mv), "{mv:?}");
        }
    });
}

fn random_walk<T: Turn>(mut turn: T, rng: &mut ChaCha8Rng) -> T::Move {
    for length in 0.. {
        let Next { steps, may_end } = turn.next();
        assert!(steps.is_sorted_by(|a, b| a < b), "{steps:?}");
        assert_eq!(may_end, turn.finish(&mut Vec::new()).is_ok());
        let choice = below(rng, steps.len() + usize::from(may_end));
        if may_end && (choice == steps.len() || length > LONG_WALK) {
            return turn.finish(&mut Vec::new()).unwrap();
        }
        // After a long walk, drops are preferred: they end a turn that must place a piece.
        let drop = steps.iter().find(|step| matches!(step, Step::Drop(_)) && length > LONG_WALK);
        turn.take(*drop.unwrap_or(&steps[choice]), &mut Vec::new()).unwrap();
    }
    unreachable!("the loop returns")
}

fn effects_applied_blindly_give_the_next_board<G: Notation>(game: &G) {
    along_random_games(game, |record, moves, rng| {
        let position = record.current();
        let mv = moves[below(rng, moves.len())];
        let mut turn = game.turn(position, &|_| false);
        let mut effects = Vec::new();
        for step in game.route(position, mv).0 {
            turn.take(step, &mut effects).unwrap();
        }
        turn.finish(&mut effects).unwrap();
        let mut board = pieces(game, position);
        for effect in effects {
            apply(&mut board, effect);
        }
        let child = game.after(position, mv);
        assert_eq!(board, pieces(game, &child));
    });
}

fn apply(board: &mut BTreeMap<Square, Glyph>, effect: MoveEffect) {
    match effect {
        MoveEffect::Moved { from, to } => {
            let piece = board.remove(&from).unwrap();
            assert_eq!(board.insert(to, piece), None);
        }
        MoveEffect::Captured(square) | MoveEffect::Removed(square) => {
            board.remove(&square).unwrap();
        }
        MoveEffect::Flipped(square, glyph) => {
            board.insert(square, glyph).unwrap();
        }
        MoveEffect::Dropped(square, glyph) => assert_eq!(board.insert(square, glyph), None),
        MoveEffect::Scored(_) => {}
    }
}

fn evaluations_are_bounded_and_opposite<G: Searchable>(game: &G) {
    along_random_games(game, |record, moves, _| {
        let [one, two] =
            Side::BOTH.map(|side| G::Evaluator::default().evaluate(game, record.current(), side));
        assert_eq!(one, -two);
        assert!(one.abs() <= MAX_EVALUATION);
        for mv in moves {
            assert!(game.gain(record.current(), *mv) >= 0);
        }
        let mut candidates = Vec::new();
        game.candidates(record.current(), &mut candidates);
        assert!(!candidates.is_empty());
    });
}

fn evaluations_are_the_sum_of_their_parts_and_the_same_for_images<G: Row>(game: &G) {
    let evaluator = G::Evaluator::default();
    along_random_games(game, |record, _, _| {
        let position = record.current();
        let value = evaluator.evaluate(game, position, position.side());
        let parts = |position: &G::Position| {
            let terms = evaluator.terms(game, position);
            terms.iter().map(|term| (term.name, term.balance(position.side()))).collect::<Vec<_>>()
        };
        let own = parts(position);
        let sum: i32 = own.iter().map(|(_, value)| value).sum();
        assert_eq!(value, sum.clamp(-MAX_EVALUATION, MAX_EVALUATION));
        for image in Image::ALL.iter().filter_map(|image| image.of(game, position)) {
            let text = game.print_position(&image);
            assert_eq!(evaluator.evaluate(game, &image, image.side()), value, "{text}");
            assert_eq!(parts(&image), own, "{text}");
        }
    });
}

/// Late move pruning stops at the first late quiet move, so no capture may come after it.
fn no_capture_is_left_out_as_a_late_move<G: Searchable>(game: &G) {
    let SearchTuning { captures_first, late_moves, .. } = G::TUNING;
    if late_moves.depth == 0 || captures_first || !G::TUNING.quiescence {
        return;
    }
    along_random_games(game, |record, moves, _| {
        let captures = moves.iter().filter(|mv| game.is_capture(record.current(), **mv)).count();
        assert!(captures == 0 || captures == moves.len());
    });
}

/// No move uses up the clock, and no time is saved for moves that nobody plays.
fn a_clock_is_for_some_moves<G: Searchable>(game: &G) {
    along_random_games(game, |record, _, _| {
        let moves = game.time_plan(record.current()).moves_left;
        assert!((2..=100).contains(&moves), "{moves}");
    });
}

fn plies_and_quiet_moves_are_counted<G: Row>(game: &G) {
    along_random_games(game, |record, moves, rng| {
        let mv = moves[below(rng, moves.len())];
        let captures = game.is_capture(record.current(), mv);
        let before = record.current().counters();
        let child = game.after(record.current(), mv);
        assert_eq!(child.counters().ply, before.ply + 1);
        let quiet_stands_still = captures || G::ID == GameId::Froglet;
        assert_eq!(child.counters().quiet, if quiet_stands_still { 0 } else { before.quiet + 1 });
    });
}

macro_rules! laws {
    ($($id:ident $rules:ident $title:literal;)*) => {$(
        mod $id {
            use leap_games::$id::$rules;

            law!($rules: keys_equal_fresh_keys);
            law!($rules: texts_round_trip);
            law!($rules: moves_are_listed_in_order_and_counted);
            law!($rules: replies_are_counted_as_after_each_move);
            law!($rules: turns_reach_exactly_the_legal_moves);
            law!($rules: effects_applied_blindly_give_the_next_board);
            law!($rules: evaluations_are_bounded_and_opposite);
            law!($rules: evaluations_are_the_sum_of_their_parts_and_the_same_for_images);
            law!($rules: no_capture_is_left_out_as_a_late_move);
            law!($rules: a_clock_is_for_some_moves);
            law!($rules: plies_and_quiet_moves_are_counted);
        }
    )*};
}

/// A test that a law holds with every option of the rules.
macro_rules! law {
    ($rules:ident: $law:ident) => {
        #[test]
        fn $law() {
            <$rules as leap_games::RulesRow>::variants().iter().for_each(super::$law);
        }
    };
}

leap_games::for_each_game!(laws);
