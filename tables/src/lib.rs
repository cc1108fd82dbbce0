#![doc = include_str!("../README.md")]

mod built_in;
mod bytes;
mod cache;
pub mod certificate;
mod file;
pub mod files;
mod index;
mod library;
#[cfg(feature = "make")]
pub mod make;
mod moves;
mod points;
mod tables;
mod value;

pub use leap_core::exact::{Exact, Wdl};
pub use leap_games::alquerque::CaptureRule;

pub use built_in::BUILT_IN;
pub use file::{FileError, file_name};
pub use index::{MOST, Men, Slice, number};
pub use library::Library;
pub use tables::EndgameTablebase;
