//! What the program does with a game.

use std::path::Path;

use anyhow::{Context as _, Result};
use leap_search::Playable;
use leap_search::eval::Learned;
use leapd::usage::Mistake;

use crate::{evaluator, fit, generate, import, show};

/// A game of the program. [`learned`] and [`played`] make one.
#[derive(Clone, Copy, Debug)]
pub struct Trained {
    /// The id of the game.
    pub id: &'static str,
    pub(crate) generate: fn(&generate::Arguments) -> Result<()>,
    pub(crate) import: fn(&import::Arguments) -> Result<()>,
    learning: Option<Learning>,
}

/// What only games with learned weights have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Learning {
    pub(crate) fit: fn(&fit::Arguments) -> Result<()>,
    pub(crate) show: fn(&show::Arguments) -> Result<()>,
    check: fn(&Path) -> Result<()>,
}

/// A game whose positions can be kept. Its evaluation is made by hand.
#[must_use]
pub const fn played<R: Playable>() -> Trained {
    Trained {
        id: R::ID,
        generate: generate::generate::<R>,
        import: import::import::<R>,
        learning: None,
    }
}

/// A game whose evaluation is learned.
#[must_use]
pub const fn learned<R: Playable + Learned>() -> Trained {
    let check = |file: &Path| evaluator::<R>(file).map(drop);
    let learning = Learning { fit: fit::fit::<R>, show: show::show::<R>, check };
    Trained { learning: Some(learning), ..played::<R>() }
}

impl Trained {
    /// Whether the evaluation of the game is learned.
    #[must_use]
    pub const fn is_learned(&self) -> bool {
        self.learning.is_some()
    }

    /// Checks that the weights of a file fit the game.
    ///
    /// # Errors
    /// The file cannot be read, its weights do not fit, or the game learns none.
    pub fn check(&self, weights: &Path) -> Result<()> {
        (self.learning()?.check)(weights)
    }

    pub(crate) fn learning(&self) -> Result<Learning> {
        let expected = "expected a game whose evaluation is learned, found";
        Ok(self.learning.ok_or_else(|| Mistake::new(format!("{expected} {}", self.id)))?)
    }
}

/// The game of this id.
///
/// # Errors
/// There is none: the command line offers only games of the list.
pub fn named<'a>(games: &'a [Trained], id: &str) -> Result<&'a Trained> {
    games.iter().find(|game| game.id == id).context("expected a game")
}
