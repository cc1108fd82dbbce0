//! `leap-train show`: the patterns that weigh most, as small boards.

use std::cmp::Reverse;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use leapd::eval::Learned;
use leapd::eval::model::Model;
use leapd::eval::patterns::MAX_KINDS;
use leapd::games::{GameId, Row};

use crate::with_learned;

/// What stands on a square: nothing, or a kind of piece.
const SIGNS: [char; MAX_KINDS + 1] = ['.', 'O', 'x', 'S', 's'];

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The game
    game: GameId,
    /// A file of weights
    file: PathBuf,
    /// How many patterns
    #[arg(long, value_name = "N", default_value_t = 20)]
    count: usize,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    with_learned!(arguments.game, show(arguments))
}

fn show<G: Row + Learned>(arguments: &Arguments) -> Result<()> {
    let path = arguments.file.display();
    let file = fs::read(&arguments.file).with_context(|| format!("cannot read {path}"))?;
    let design = G::design();
    let model =
        Model::read(arguments.game.into(), &design, &file).with_context(|| path.to_string())?;
    let mut patterns: Vec<_> = model.patterns(&design).collect();
    patterns.sort_by_key(|pattern| Reverse(pattern.centipawns.map(i32::abs).into_iter().max()));
    println!("O is the side to move, x the other; centipawns at the beginning and at the end");
    for pattern in patterns.iter().take(arguments.count) {
        let [begin, end] = pattern.centipawns;
        let ((file, rank), (files, _)) = (pattern.window.at, pattern.window.size);
        println!("\nfrom file {} rank {}: {begin:+} {end:+}", file + 1, rank + 1);
        for row in pattern.digits.chunks(files as usize).rev() {
            let row: String = row.iter().map(|digit| SIGNS[*digit]).collect();
            println!("  {row}");
        }
    }
    Ok(())
}
