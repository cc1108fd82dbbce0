//! All games: laws along random games, and counts of positions. A single program: it is linked once.

mod laws;
mod perft;
