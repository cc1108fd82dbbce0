//! An evaluation for games that have none of their own.

use std::convert::Infallible;

use leap_core::{GameResult, Position as _, Side};

use super::{Evaluator, Terms};
use crate::playout::play_out;
use crate::{Dice, Searchable};

/// The number of random games that an evaluation plays.
const GAMES: i32 = 16;
/// The value of a position from which every random game is won, in centipawns.
const ALL_WON: i32 = 400;

/// Evaluates a position by random games from it: who wins more of them is ahead.
///
/// The same position is worth the same in every search. A game can begin with this evaluation. One that knows the game
/// is faster by far, and better.
#[derive(Clone, Debug, Default)]
pub struct Playouts;

impl<R: Searchable> Evaluator<R> for Playouts {
    fn terms(&self, rules: &R, position: &R::Position) -> Terms {
        let mut dice = Dice::new(0, position);
        let mut moves = Vec::new();
        let mut won = 0;
        for _ in 0..GAMES {
            let free = |_| Ok::<(), Infallible>(());
            let Ok(result) = play_out(rules, *position, &mut dice, &mut moves, free);
            won += value(result);
        }
        let of_mover = if position.side() == Side::One { won } else { -won };
        Terms::from_iter([("playouts", ALL_WON * of_mover / GAMES)])
    }
}

/// What a result is worth to player 1.
const fn value(result: GameResult) -> i32 {
    match result {
        GameResult::Win(Side::One) => 1,
        GameResult::Win(Side::Two) => -1,
        GameResult::Draw => 0,
    }
}
