//! Prints the positions of a slice from which it takes longest to force a capture or the end of the game.
//!
//! `cargo run --release -p leap-tables --example longest -- DIR RULE OWN ENEMY` reads the tables in a directory. A line
//! has the plies, the value for the side to move and the position text. Symmetric positions are printed once.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program")]

use std::error::Error;
use std::path::Path;

use leap_core::exact::Exact;
use leap_core::notation::Notation;
use leap_games::alquerque::Alquerque;
use leap_tables::{Men, Slice, Tables, number};

/// The most positions that are printed.
const MOST: usize = 10;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [directory, rule, own, enemy] = &words[..] else {
        return Err("expected DIR RULE OWN ENEMY".into());
    };
    let slice = Slice { own: own.parse()?, enemy: enemy.parse()? };
    let mut tables = Tables::new(rule.parse()?);
    for (name, error) in tables.open(Path::new(directory)) {
        eprintln!("{name} {error}");
    }
    // Captures lead anywhere, so that a cache of blocks would help little.
    tables.unpack(slice.men()).map_err(|(name, error)| format!("{name} {error}"))?;
    let mut longest: (u32, Vec<(Exact, Men)>) = (0, Vec::new());
    for at in 0..slice.size() {
        let men = slice.men_at(at);
        if number(men) != at {
            continue;
        }
        let exact = tables.probe(men).ok_or("a table of this slice or a smaller one is missing")?;
        let plies = exact.plies.unwrap_or(0);
        if plies > longest.0 {
            longest = (plies, Vec::new());
        }
        if plies == longest.0 && longest.1.len() < MOST {
            longest.1.push((exact, men));
        }
    }
    for (exact, men) in longest.1 {
        let text = Alquerque::default().print_position(&men.position());
        println!("{} {:?} {text}", longest.0, exact.outcome);
    }
    Ok(())
}
