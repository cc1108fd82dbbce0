//! The protocol as its users parse and print it. A single program: it is linked once.

mod commands;
mod lines;
mod payloads;
mod replies;
mod round_trip;
mod time;
