//! leapd: a headless engine daemon for Alquerque, Eximo, Sapos, Froglet and Táctica "S".

pub mod engine;
pub mod eval;
pub mod io;
pub mod options;
pub mod rules;
pub mod search;
pub mod session;
