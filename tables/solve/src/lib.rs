#![doc = include_str!("../README.md")]

mod closure;
mod leaves;
mod node;
mod proof;
mod search;
mod solve;
mod state;
mod table;

pub use solve::{Event, Progress, Question, SolveError, Solved, Wanted, solve};
