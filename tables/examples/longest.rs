//! Prints, for each slice, a position from which it takes longest to force a capture or the end of the game.
//!
//! `cargo run --release -p leap-tables --example longest -- DIR RULE MEN` reads the tables in a directory. A line has
//! the capture rule, the men of both sides, the plies, the outcome for the side to move and the position text.
//! Slices in which the count of men decides everything have no line.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program")]

use std::error::Error;
use std::path::Path;

use leap_core::exact::Exact;
use leap_core::notation::Notation;
use leap_games::alquerque::Alquerque;
use leap_tables::{EndgameTablebase, Men, Slice};

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [directory, rule, men] = &words[..] else {
        return Err("expected DIR RULE MEN".into());
    };
    let mut tables = EndgameTablebase::new(rule.parse()?);
    for (name, error) in tables.open(Path::new(directory)) {
        eprintln!("{name} {error}");
    }
    let men = men.parse()?;
    // Captures lead anywhere, so that a cache of blocks would help little.
    tables.unpack(men).map_err(|(name, error)| format!("{name} {error}"))?;
    for slice in Slice::all(men) {
        let longest = longest(&tables, slice).ok_or("a table of a slice is missing")?;
        let Some((Exact { outcome, plies: Some(plies) }, men)) = longest else { continue };
        let text = Alquerque::default().print_position(&men.position());
        let Slice { own, enemy } = slice;
        println!("alquerque,AlquerqueCapture={rule},{own},{enemy},{plies},{outcome:?},{text}");
    }
    Ok(())
}

/// The first position of a slice with the most plies. The outer `None`: a table is missing.
fn longest(tables: &EndgameTablebase, slice: Slice) -> Option<Option<(Exact, Men)>> {
    let mut longest: Option<(Exact, Men)> = None;
    for at in 0..slice.size() {
        let men = slice.men_at(at);
        let exact = tables.probe(men)?;
        if exact.plies > longest.and_then(|(exact, _)| exact.plies) {
            longest = Some((exact, men));
        }
    }
    Some(longest)
}
