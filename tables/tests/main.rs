//! Tables of exact values: how they are made, listed and opened. A single program: it is linked once.

mod longest;
mod made;
mod opened;
