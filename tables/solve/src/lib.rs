#![doc = include_str!("../README.md")]

mod closure;
mod error;
mod leaves;
mod node;
mod proof;
mod search;
mod solve;
mod state;
mod table;

pub use error::SolveError;
pub use solve::{Event, Solved, Solver, Status};
