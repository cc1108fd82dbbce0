//! The games of leapd. No other file of the program names a game.

use crate::tools::{GameTools, game};

/// The games of leapd, in the order of their announcement. The first is in play when a session begins (SPEC 1.6).
///
/// A static: what it names is compiled with this crate alone. A constant would be compiled again in each crate that uses
/// it.
pub static GAMES: [GameTools; 5] = leap_games::games!(game());
