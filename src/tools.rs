//! What the program does with a game, besides what an engine does.

use anyhow::Result;
use indicatif::ProgressBar;
use leap_engine::AnyGame;
use leap_search::Playable;

use crate::bench::suite::{self, Solved};
use crate::genfens;
use crate::openings::{self, Opening};
use crate::problems::make::{self, Made};

/// Makes openings, and the lines of their file.
pub type MakeOpenings =
    fn(&openings::Arguments, &ProgressBar) -> Result<(Vec<Opening>, Vec<String>)>;

/// Makes quick openings, each as a line.
pub type MakeFens = fn(&genfens::Genfens, &mut dyn FnMut(String) -> Result<()>) -> Result<()>;

/// A game of the program. [`game`] makes one of any [`Playable`] rules.
#[derive(Clone, Copy, Debug)]
pub struct GameTools {
    /// The game as an engine knows it.
    pub game: AnyGame,
    /// Makes openings ([`openings::make`]), and the lines of their file.
    pub openings: MakeOpenings,
    /// Makes quick openings, each as a line ([`genfens::Genfens::each`]).
    pub fens: MakeFens,
    /// Makes problems ([`make::make`]).
    pub make_problems: fn(&make::Arguments, &ProgressBar) -> Result<Made>,
    /// Searches the built-in problems, each with this many nodes ([`suite::solve`]).
    pub solve_problems: fn(u64, &ProgressBar) -> Result<Solved>,
}

impl AsRef<AnyGame> for GameTools {
    fn as_ref(&self) -> &AnyGame {
        &self.game
    }
}

/// The game with the rules `R`, for a list of games.
#[must_use]
pub const fn game<R: Playable>() -> GameTools {
    GameTools {
        game: leap_engine::game::<R>(),
        openings: |wanted, progress| {
            let made = openings::make::<R>(wanted, progress)?;
            let lines = openings::lines::<R>(wanted, &made);
            Ok((made, lines))
        },
        fens: genfens::Genfens::each::<R>,
        make_problems: make::make::<R>,
        solve_problems: suite::solve::<R>,
    }
}

/// The game of this id.
#[must_use]
pub fn named<'a>(games: &'a [GameTools], id: &str) -> Option<&'a GameTools> {
    games.iter().find(|tools| tools.game.id.eq_ignore_ascii_case(id))
}
