//! Exact solving by exhaustion: every legal move is tried, and nothing is estimated. The solver shares only the rules
//! with the search, so it can judge the search.
//!
//! Wins are proved by depth over positions without their history. This is exact for some plies ([`exact_plies`]).
//! Nobody can undo a move of the other side. A position therefore returns after four plies at the earliest, and for the
//! third time after eight.

use std::collections::HashMap;
use std::ops::ControlFlow;

use thiserror::Error;

use leap_core::{BySide, GameResult, Key, Position, Repetition, Rules, RulesExt, Side};
use leap_search::Searchable;

/// For how many plies forced wins are exact under the default rules.
///
/// They are exact before a third occurrence. Where a third occurrence is forbidden, they are exact before a player can
/// lack another move.
pub fn exact_plies<R: Rules>(game: &R) -> u32 {
    if matches!(game.repetition(), Repetition::Forbids(_)) { 6 } else { 7 }
}

/// There are too many positions, or a limit of the rules is too near.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the position is too large to be solved")]
pub struct Unsolved;

/// Legal moves, each with what is known of it.
pub type Moves<R, T> = Vec<(<R as Rules>::Move, T)>;

/// Solves positions of a game, and remembers what it has proved.
#[derive(Debug)]
pub struct Solver<'a, R: Rules> {
    game: &'a R,
    /// How many positions it may still look at.
    left: u64,
    /// What is known of each side's wins. Positions count plies and quiet moves, so limits of the rules are exact.
    wins: BySide<HashMap<R::Position, WinBounds>>,
    margins: HashMap<Key, i32>,
}

/// What is known of a side's forced wins from a position.
#[derive(Clone, Copy, Debug)]
struct WinBounds {
    /// The side wins within this many plies.
    won: u32,
    /// The side does not win within fewer plies than this.
    open: u32,
}

impl<'a, R: Rules> Solver<'a, R> {
    /// A solver that gives up after this many positions.
    #[must_use]
    pub fn new(game: &'a R, positions: u64) -> Self {
        let wins = BySide::from_fn(|_| HashMap::new());
        Self { game, left: positions, wins, margins: HashMap::new() }
    }

    /// For each legal move, the least number of plies in which `winner` then wins by force. The move itself counts.
    /// `None` if it takes more than `plies`.
    ///
    /// # Errors
    /// There are too many positions.
    pub fn forced(
        &mut self,
        position: &R::Position,
        winner: Side,
        plies: u32,
    ) -> Result<Moves<R, Option<u32>>, Unsolved> {
        let children = self.children(position)?;
        let length = |(mv, child)| Ok((mv, self.length(winner, &child, plies - 1)?.map(|n| n + 1)));
        children.into_iter().map(length).collect()
    }

    /// The least number of plies in which a side wins by force. `None` if it takes more than `plies`.
    ///
    /// # Errors
    /// There are too many positions.
    pub fn length(
        &mut self,
        winner: Side,
        position: &R::Position,
        plies: u32,
    ) -> Result<Option<u32>, Unsolved> {
        for length in 0..=plies {
            if self.wins(winner, position, length)? {
                return Ok(Some(length));
            }
        }
        Ok(None)
    }

    /// Whether a side wins by force within this many plies.
    ///
    /// # Errors
    /// There are too many positions.
    pub fn wins(
        &mut self,
        winner: Side,
        position: &R::Position,
        plies: u32,
    ) -> Result<bool, Unsolved> {
        if let Some(outcome) = self.game.outcome(position) {
            return Ok(outcome.result == GameResult::Win(winner));
        }
        if plies == 0 {
            return Ok(false);
        }
        let known = self.wins[winner].get(position).copied();
        let mut known = known.unwrap_or(WinBounds { won: u32::MAX, open: 1 });
        if plies >= known.won || plies < known.open {
            return Ok(plies >= known.won);
        }
        // The winner needs one good move. All moves of the other side must lose.
        let decisive = position.side() == winner;
        let mut won = !decisive;
        for (_, child) in self.children(position)? {
            if self.wins(winner, &child, plies - 1)? == decisive {
                won = decisive;
                break;
            }
        }
        if won {
            known.won = plies;
        } else {
            known.open = plies + 1;
        }
        self.wins[winner].insert(*position, known);
        Ok(won)
    }

    /// The legal moves and what they lead to, captures first: they decide sooner.
    ///
    /// # Errors
    /// There are too many.
    pub fn children(&mut self, position: &R::Position) -> Result<Moves<R, R::Position>, Unsolved> {
        let mut children = Vec::new();
        let _ = self.game.visit_moves(position, |mv| {
            let child = self.game.after(position, mv);
            children.push((mv, child));
            if children.len() as u64 > self.left {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        self.left = self.left.checked_sub(children.len() as u64).ok_or(Unsolved)?;
        children.sort_by_key(|(mv, _)| !self.game.is_capture(position, *mv));
        Ok(children)
    }
}

impl<R: Searchable> Solver<'_, R> {
    /// For each legal move of a game played for points, the final margin of the side to move after best play, in
    /// centipawns. Only the points of the evaluation are used.
    ///
    /// # Errors
    /// There are too many positions, or a limit of the rules may end the game.
    pub fn margins(&mut self, position: &R::Position) -> Result<Moves<R, i32>, Unsolved> {
        let side = position.side();
        let children = self.children(position)?;
        let value =
            |(mv, child)| Ok((mv, self.game.banked(&child, side) + self.future(&child, side)?));
        children.into_iter().map(value).collect()
    }

    /// The points that a side still gains from a position on.
    fn future(&mut self, position: &R::Position, side: Side) -> Result<i32, Unsolved> {
        if self.game.at_limit(position) {
            return Err(Unsolved);
        }
        let own = position.side();
        let key = self.game.unrealised_key(position);
        let future = match self.margins.get(&key) {
            Some(future) => *future,
            None => {
                let banked = self.game.banked(position, own);
                let margins = self.margins(position)?;
                let best = margins.into_iter().map(|(_, margin)| margin).max();
                let future = best.map_or(0, |margin| margin - banked);
                self.margins.insert(key, future);
                future
            }
        };
        Ok(if side == own { future } else { -future })
    }
}

#[cfg(test)]
mod tests;
