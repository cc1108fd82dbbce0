//! Laws that hold in every game, checked along random games. [`laws!`](crate::laws!) makes tests of them.
//!
//! Each law is a function that panics where the law does not hold. A game with options passes each of its rulesets.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use crate::notation::{MoveEffect, Next, Notation, PartialMove, Piece, Step, Steps};
use crate::{Game, Position as _, Rules, RulesExt as _, SplitMix64, Square, StopFlag};

/// The number of random games.
const GAMES: u64 = 12;
/// The plies after which a random game is cut off.
const MAX_PLIES: usize = 300;
/// The number of step-by-step walks through [`PartialMove::next`] at each position.
const WALKS: usize = 8;
/// A walk longer than this takes the first end that it may. Sapos routes can go on for ever.
const LONG_WALK: usize = 40;

/// Makes a test of each law, for the default rules of a game.
///
/// ```
/// leap_core::laws!(leap_games::eximo::Eximo);
/// ```
#[macro_export]
macro_rules! laws {
    ($rules:ty) => {
        $crate::laws! { use $crate::laws; $rules:
            pieces_are_letters
            keys_equal_fresh_keys
            texts_round_trip
            moves_are_listed_in_order_and_counted
            turns_reach_exactly_the_legal_moves
            effects_applied_blindly_give_the_next_board
            plies_and_quiet_moves_are_counted
        }
    };
    ($import:item $rules:ty: $($law:ident)*) => {
        $(
            #[test]
            fn $law() {
                $import
                laws::$law(&<$rules>::default());
            }
        )*
    };
}

/// Plays random games, the same in every run, and calls `law` at every position that is not over.
pub fn along_random_games<R: Rules>(
    rules: &R,
    law: impl Fn(&Game<R>, &[R::Move], &mut SplitMix64),
) {
    for seed in 0..GAMES {
        let mut random = SplitMix64::new(seed);
        let mut game = Game::start(rules.clone());
        for _ in 0..MAX_PLIES {
            let moves = game.legal_moves();
            assert_eq!(moves.is_empty(), game.outcome().is_some());
            if moves.is_empty() {
                break;
            }
            law(&game, &moves, &mut random);
            game.push(moves[random.below(moves.len())]);
        }
    }
}

/// What stands on the board.
pub fn pieces<R: Notation>(rules: &R, position: &R::Position) -> BTreeMap<Square, Piece> {
    rules.to_setup(position).pieces.into_iter().collect()
}

/// Each piece is a letter ([`Diagram::check`](crate::notation::Diagram::check)).
pub fn pieces_are_letters<R: Notation>(_: &R) {
    R::DIAGRAM.check();
}

/// The key kept incrementally is the key computed from scratch.
pub fn keys_equal_fresh_keys<R: Notation>(rules: &R) {
    along_random_games(rules, |game, _, _| {
        assert_eq!(game.current().key(), game.current().fresh_key());
    });
}

/// Texts of positions and moves read back as what was printed.
pub fn texts_round_trip<R: Notation>(rules: &R) {
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

/// Moves are listed in the order of their texts (SPEC 9.27). Counts, captures and legal moves agree with the list.
pub fn moves_are_listed_in_order_and_counted<R: Notation>(rules: &R) {
    along_random_games(rules, |game, legal, _| the_list_is_in_order(game, legal));
}

/// The law [`moves_are_listed_in_order_and_counted`] at one position, which has these legal moves.
pub fn the_list_is_in_order<R: Notation>(game: &Game<R>, legal: &[R::Move]) {
    let (rules, position) = (game.rules(), game.current());
    let text = rules.print_position(position);
    let moves = rules.legal_moves(position);
    assert_eq!(rules.count_moves(position, &StopFlag::default()), moves.len() as u64, "{text}");
    assert!(rules.has_move(position), "{text}");
    let is_capture = |mv: &R::Move| rules.is_capture(position, *mv);
    let mut captures = Vec::new();
    let _ = rules.visit_captures(position, |mv| {
        captures.push(mv);
        ControlFlow::Continue(())
    });
    assert!(moves.iter().copied().filter(is_capture).eq(captures), "{text}");
    let routes: Vec<Steps> = moves.iter().map(|mv| rules.route(position, *mv)).collect();
    assert!(routes.is_sorted_by(|a, b| a < b), "strictly ascending in {text}: {routes:?}");
    let allowed = moves.iter().filter(|mv| legal.contains(mv)).count();
    assert_eq!(allowed, legal.len(), "{text}");
}

/// Every move can be entered step by step, and every step on offer leads to a legal move.
pub fn turns_reach_exactly_the_legal_moves<R: Notation>(rules: &R) {
    along_random_games(rules, the_moves_can_be_entered);
}

/// The law [`turns_reach_exactly_the_legal_moves`] at one position, which has these legal moves.
pub fn the_moves_can_be_entered<R: Notation>(
    game: &Game<R>,
    moves: &[R::Move],
    random: &mut SplitMix64,
) {
    let (rules, position) = (game.rules(), game.current());
    let text = rules.print_position(position);
    let turn = game.partial_move().unwrap();
    for mv in moves {
        let mut turn = turn.clone();
        for step in rules.route(position, *mv).0 {
            assert!(turn.next().steps.contains(&step), "{step:?} is on offer in {text}");
            turn.take(step).unwrap();
        }
        assert!(turn.next().may_end, "{mv:?} in {text}");
        assert_eq!(turn.finish(), Ok(*mv), "{text}");
    }
    for _ in 0..WALKS {
        let mv = random_walk(turn.clone(), random);
        assert!(moves.contains(&mv), "{mv:?} in {text}");
    }
}

fn random_walk<T: PartialMove>(mut turn: T, random: &mut SplitMix64) -> T::Move {
    for length in 0.. {
        let Next { steps, may_end } = turn.next();
        assert!(steps.is_sorted_by(|a, b| a < b), "{steps:?}");
        assert_eq!(may_end, turn.finish().is_ok());
        let choice = random.below(steps.len() + usize::from(may_end));
        if may_end && (choice == steps.len() || length > LONG_WALK) {
            return turn.finish().unwrap();
        }
        // After a long walk, drops are preferred: they end a turn that must place a piece.
        let drop = steps.iter().find(|step| matches!(step, Step::Drop(_)) && length > LONG_WALK);
        turn.take(*drop.unwrap_or(&steps[choice])).unwrap();
    }
    unreachable!("the loop returns")
}

/// The effects of a move, applied to the board by somebody who knows no rule, give the board after it.
pub fn effects_applied_blindly_give_the_next_board<R: Notation>(rules: &R) {
    along_random_games(rules, |game, moves, random| {
        let position = game.current();
        let mv = moves[random.below(moves.len())];
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

/// A move adds 1 to `ply`. It sets `quiet` to 0 if it captures, and adds 1 otherwise (SPEC 9.13, 9.14).
pub fn plies_and_quiet_moves_are_counted<R: Rules>(rules: &R) {
    along_random_games(rules, |game, moves, random| {
        let mv = moves[random.below(moves.len())];
        let before = game.current().counters();
        let after = rules.after(game.current(), mv).counters();
        let quiet = if rules.is_capture(game.current(), mv) { 0 } else { before.quiet + 1 };
        assert_eq!((after.ply, after.quiet), (before.ply + 1, quiet));
    });
}
