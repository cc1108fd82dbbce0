//! leapd: a headless engine daemon for Alquerque, Eximo, Sapos, Froglet and Táctica "S".

pub mod eval;
pub mod rules;
pub mod search;
