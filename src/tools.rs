//! What the program does with a game, besides what an engine does.

use anyhow::Result;
use indicatif::ProgressBar;
use leap_engine::{AnyGame, GameOf};
use leap_search::Playable;

use crate::bench::suite::{self, Solved};
use crate::genfens;
use crate::openings::{self, Opening};
use crate::problems::make::{self, Made};

/// A game of the program. [`game`] makes one of any [`Playable`] rules.
pub trait GameTools: AnyGame {
    /// Makes openings ([`openings::make`]), and the lines of their file.
    ///
    /// # Errors
    /// There are fewer than wanted, or memory or threads are not available.
    fn openings(
        &self,
        wanted: &openings::Wanted,
        progress: &ProgressBar,
    ) -> Result<(Vec<Opening>, Vec<String>)>;

    /// Makes quick openings, each as a line ([`genfens::Request::each`]).
    ///
    /// # Errors
    /// The book cannot be read, too few positions qualify, or `each` fails.
    fn fens(
        &self,
        request: &genfens::Request,
        each: &mut dyn FnMut(String) -> Result<()>,
    ) -> Result<()>;

    /// Makes problems ([`make::make`]).
    ///
    /// # Errors
    /// Memory or threads are not available.
    fn make_problems(&self, wanted: &make::Wanted, progress: &ProgressBar) -> Result<Made>;

    /// Searches the built-in problems, each with this many nodes ([`suite::solve`]).
    ///
    /// # Errors
    /// The problems are malformed, or the table does not fit into memory.
    fn solve_problems(&self, nodes: u64, progress: &ProgressBar) -> Result<Solved>;
}

impl<R: Playable> GameTools for GameOf<R> {
    fn openings(
        &self,
        wanted: &openings::Wanted,
        progress: &ProgressBar,
    ) -> Result<(Vec<Opening>, Vec<String>)> {
        let made = openings::make::<R>(wanted, progress)?;
        let lines = openings::lines::<R>(wanted, &made);
        Ok((made, lines))
    }

    fn fens(
        &self,
        request: &genfens::Request,
        each: &mut dyn FnMut(String) -> Result<()>,
    ) -> Result<()> {
        request.each::<R>(each)
    }

    fn make_problems(&self, wanted: &make::Wanted, progress: &ProgressBar) -> Result<Made> {
        make::make::<R>(wanted, progress)
    }

    fn solve_problems(&self, nodes: u64, progress: &ProgressBar) -> Result<Solved> {
        suite::solve::<R>(nodes, progress)
    }
}

/// The game with the rules `R`, for a list of games.
#[must_use]
pub const fn game<R: Playable>() -> &'static dyn GameTools {
    &const { GameOf::<R>::VALUE }
}

/// The game of this id.
#[must_use]
pub fn named(games: &[&'static dyn GameTools], id: &str) -> Option<&'static dyn GameTools> {
    games.iter().copied().find(|game| game.id().eq_ignore_ascii_case(id))
}
