//! What the program does with a game.

use anyhow::{Context as _, Result};
use leap_engine::{AnyGame, game};
use leap_games::alquerque::Alquerque;
use leap_games::eximo::Eximo;
use leap_games::tactica::Tactica;
use leap_search::Playable;
use leap_search::eval::Learned;
use leapd::usage::Mistake;

use crate::{fit, gate, generate, import, show};

/// A game, whose positions can be kept.
#[derive(Clone, Copy)]
pub(crate) struct Played {
    game: AnyGame,
    pub(crate) generate: fn(&generate::Arguments) -> Result<()>,
    pub(crate) import: fn(&import::Arguments) -> Result<()>,
}

const fn playing<R: Playable>() -> Played {
    Played { game: game::<R>(), generate: generate::generate::<R>, import: import::import::<R> }
}

/// A game whose evaluation is learned.
#[derive(Clone, Copy)]
pub(crate) struct Trained {
    id: &'static str,
    pub(crate) fit: fn(&fit::Arguments) -> Result<()>,
    pub(crate) gate: fn(&gate::Arguments) -> Result<()>,
    pub(crate) show: fn(&show::Arguments) -> Result<()>,
}

const fn trained<R: Playable + Learned>() -> Trained {
    Trained { id: R::ID, fit: fit::fit::<R>, gate: gate::gate::<R>, show: show::show::<R> }
}

const PLAYED: [Played; 5] = leap_games::games!(playing());

const LEARNED: [Trained; 3] = [trained::<Alquerque>(), trained::<Eximo>(), trained::<Tactica>()];

/// The game of this id.
pub(crate) fn played(id: &str) -> Result<Played> {
    PLAYED.into_iter().find(|played| played.game.id == id).context("expected a game")
}

/// The game of this id, if its evaluation is learned.
pub(crate) fn learned(id: &str) -> Result<Trained> {
    let found = LEARNED.into_iter().find(|game| game.id == id);
    let mistake = || format!("expected a game whose evaluation is learned, found {id}");
    Ok(found.ok_or_else(|| Mistake::new(mistake()))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_learned_games_are_those_that_read_weights() {
        let by_hand = Err(leap_search::eval::weights::WeightsError::ByHand);
        let reads = |played: &&Played| (played.game.engine)().read_weights(Some(b"")) != by_hand;
        let reading = PLAYED.iter().filter(reads).map(|played| played.game.id);
        assert!(reading.eq(LEARNED.map(|game| game.id)));
    }
}
