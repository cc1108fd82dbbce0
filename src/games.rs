//! The games of leapd. No other file of the program names a game.

use leap_games::alquerque::Alquerque;
use leap_games::eximo::Eximo;
use leap_games::froglet::Froglet;
use leap_games::sapos::Sapos;
use leap_games::tactica::Tactica;

use crate::tools::{GameTools, game};

/// The games of leapd, in the order of their announcement. The first is in play when a session begins (SPEC 1.6).
pub const GAMES: [GameTools; 5] =
    [game::<Alquerque>(), game::<Eximo>(), game::<Sapos>(), game::<Froglet>(), game::<Tactica>()];

#[cfg(test)]
mod tests {
    #[test]
    fn the_program_has_every_game() {
        assert_eq!(super::GAMES.map(|tools| tools.game.id), leap_games::IDS);
    }
}
