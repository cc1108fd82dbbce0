#![doc = include_str!("../README.md")]

mod bytes;
mod file;
mod index;
pub mod make;
mod moves;
mod points;
mod tables;
mod value;

use leap_games::GameId;
pub use leap_games::alquerque::Capture;

pub use file::{FileError, file_name};
pub use index::{MOST, Men, Slice, number};
pub use tables::Tables;
pub use value::{Exact, Outcome};

/// The games that have tables.
pub const GAMES: [GameId; 1] = [GameId::Alquerque];
