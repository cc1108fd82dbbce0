//! Ataxx: the rules, and an evaluation learned from games.

pub mod evaluation;
pub mod rules;
