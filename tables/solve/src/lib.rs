#![doc = include_str!("../README.md")]

mod board;
mod certificate;
mod check;
mod closure;
mod knowledge;
mod position;
mod proof;
mod search;
mod solve;
mod state;
mod table;

pub use leap_games::alquerque::{Alquerque as Rules, AlquerqueMove as Move};

pub use certificate::{Claim, FormatError, Head};
pub use check::{CheckError, Checked, Fault, check, head, rules};
pub use knowledge::{Knowledge, with_proofs};
pub use position::Position;
pub use solve::{Event, Progress, Question, SolveError, Solved, Wanted, solve};
