//! All games: laws along random games and on composed boards, and counts of positions. A single program: it is linked once.

mod composed;
mod laws;
mod perft;
