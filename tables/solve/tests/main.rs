//! Solved positions and their certificates. A single program: it is linked once.

mod forged;
mod solved;
