#![doc = include_str!("../README.md")]

mod bytes;
mod file;
mod index;
mod library;
pub mod make;
mod moves;
mod points;
mod tables;
mod value;

pub use leap_core::exact::{Exact, Wdl as Outcome};
use leap_games::GameId;
pub use leap_games::alquerque::Capture;

pub use file::{FileError, file_name};
pub use index::{MOST, Men, Slice, number};
pub use library::Library;
pub use tables::Tables;

/// The games that have tables.
pub const GAMES: [GameId; 1] = [GameId::Alquerque];
