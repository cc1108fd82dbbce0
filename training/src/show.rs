//! `leap-train show` prints the patterns with the largest weights as small boards.

use std::cmp::Reverse;
use std::path::PathBuf;

use anyhow::{Context, Result};
use leap_core::Geometry;
use leap_search::Playable;
use leap_search::eval::Learned;
use leap_search::eval::weights::{Pattern, Weights};
use leapd::usage::positive;

use crate::read;

/// The command line.
#[derive(clap::Args)]
pub struct Arguments {
    /// The game
    pub(crate) game: String,
    /// A file of weights
    file: PathBuf,
    /// The number of patterns
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = positive::<usize>())]
    count: usize,
}

pub(crate) fn show<R: Playable + Learned>(arguments: &Arguments) -> Result<()> {
    let path = arguments.file.display();
    let design = R::design();
    let weights =
        Weights::read(&design, &read(&arguments.file)?).with_context(|| path.to_string())?;
    let mut patterns: Vec<_> = weights.patterns(&design).collect();
    patterns.sort_by_key(|pattern| Reverse(pattern.centipawns.map(i32::abs).into_iter().max()));
    println!(
        "pieces are {}, those of the side to move first; centipawns at the beginning and at the end",
        design.kinds
    );
    for pattern in patterns.iter().take(arguments.count) {
        let [begin, end] = pattern.centipawns;
        println!("\n{begin:+} {end:+}\n{}", drawn(pattern, R::GEOMETRY, design.kinds));
    }
    Ok(())
}

/// The board with the squares of a pattern, others left blank.
fn drawn(pattern: &Pattern, board: Geometry, kinds: &str) -> String {
    let sign = |file, rank| {
        let here =
            |(square, _): &&(_, usize)| (board.file(*square), board.rank(*square)) == (file, rank);
        let kind = pattern.squares.iter().find(here).map(|(_, kind)| *kind);
        kind.map_or(' ', |kind| {
            kind.checked_sub(1).and_then(|at| kinds.chars().nth(at)).unwrap_or('.')
        })
    };
    let row = |rank| (0..board.files).map(|file| sign(file, rank)).collect::<String>();
    let rows = (0..board.ranks).rev().map(|rank| format!("  |{}|", row(rank)));
    rows.collect::<Vec<_>>().join("\n")
}
