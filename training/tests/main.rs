//! The program `leap-train` as its users run it. A single program: it is linked once.

mod import;
mod mistakes;
mod readme;
mod recipe;
