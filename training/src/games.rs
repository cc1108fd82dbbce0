//! What the program does with a game.

use anyhow::{Context as _, Result};
use leap_engine::{AnyGame, GameOf};
use leap_games::alquerque::Alquerque;
use leap_games::eximo::Eximo;
use leap_games::froglet::Froglet;
use leap_games::sapos::Sapos;
use leap_games::tactica::Tactica;
use leap_search::Playable;
use leap_search::eval::Learned;
use leapd::usage::Mistake;

use crate::{fit, gate, generate, import, show};

/// A game, whose positions can be kept.
pub(crate) trait AnyPlayed: AnyGame {
    fn generate(&self, arguments: &generate::Arguments) -> Result<()>;
    fn import(&self, arguments: &import::Arguments) -> Result<()>;
}

impl<R: Playable> AnyPlayed for GameOf<R> {
    fn generate(&self, arguments: &generate::Arguments) -> Result<()> {
        generate::generate::<R>(arguments)
    }

    fn import(&self, arguments: &import::Arguments) -> Result<()> {
        import::import::<R>(arguments)
    }
}

/// A game whose evaluation is learned.
pub(crate) trait AnyLearned: AnyGame {
    fn fit(&self, arguments: &fit::Arguments) -> Result<()>;
    fn gate(&self, arguments: &gate::Arguments) -> Result<()>;
    fn show(&self, arguments: &show::Arguments) -> Result<()>;
}

impl<R: Playable + Learned> AnyLearned for GameOf<R> {
    fn fit(&self, arguments: &fit::Arguments) -> Result<()> {
        fit::fit::<R>(arguments)
    }

    fn gate(&self, arguments: &gate::Arguments) -> Result<()> {
        gate::gate::<R>(arguments)
    }

    fn show(&self, arguments: &show::Arguments) -> Result<()> {
        show::show::<R>(arguments)
    }
}

const PLAYED: [&dyn AnyPlayed; 5] = [
    &GameOf::<Alquerque>::VALUE,
    &GameOf::<Eximo>::VALUE,
    &GameOf::<Sapos>::VALUE,
    &GameOf::<Froglet>::VALUE,
    &GameOf::<Tactica>::VALUE,
];

const LEARNED: [&dyn AnyLearned; 3] =
    [&GameOf::<Alquerque>::VALUE, &GameOf::<Eximo>::VALUE, &GameOf::<Tactica>::VALUE];

/// The game of this id.
pub(crate) fn played(id: &str) -> Result<&'static dyn AnyPlayed> {
    PLAYED.into_iter().find(|game| game.id() == id).context("expected a game")
}

/// The game of this id, if its evaluation is learned.
pub(crate) fn learned(id: &str) -> Result<&'static dyn AnyLearned> {
    let found = LEARNED.into_iter().find(|game| game.id() == id);
    let mistake = || format!("expected a game whose evaluation is learned, found {id}");
    Ok(found.ok_or_else(|| Mistake::new(mistake()))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_has_every_game() {
        assert_eq!(PLAYED.map(|game| game.id()), leap_games::IDS);
    }

    #[test]
    fn the_learned_games_are_those_that_read_weights() {
        let by_hand = Err(leap_search::eval::weights::WeightsError::ByHand);
        let reads = |game: &&&dyn AnyPlayed| game.engine().read_weights(Some(b"")) != by_hand;
        let reading = PLAYED.iter().filter(reads).map(|game| game.id());
        assert!(reading.eq(LEARNED.map(|game| game.id())));
    }
}
