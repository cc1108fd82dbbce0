//! Solves Sapos on a small board, and tells which terms of an evaluation predict its results:
//! `cargo run --release -p leap-games --example small_sapos 4 5 5` for 4x5 squares and 5 pieces a side.
#![allow(clippy::print_stdout, reason = "an example's output")]

mod fit;
mod rules;
mod solve;

use std::error::Error;

use leap_core::Geometry;

use rules::SmallBoard;
use solve::Solution;

/// The most squares of a board that is solved.
const MOST_SQUARES: u32 = 20;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [files, ranks, pieces] = words.as_slice() else {
        return Err("expected the files, the ranks and the pieces of a side".into());
    };
    let board = Geometry { files: files.parse()?, ranks: ranks.parse()? };
    let pieces: u32 = pieces.parse()?;
    if !(1..=MOST_SQUARES as usize).contains(&board.squares()) {
        return Err(format!("expected 1 to {MOST_SQUARES} squares, found {files}x{ranks}").into());
    }
    if !(1..=MOST_SQUARES).contains(&pieces) {
        return Err(format!("expected 1 to {MOST_SQUARES} pieces a side, found {pieces}").into());
    }
    let solution = Solution::new(SmallBoard::new(board, pieces));
    fit::report(&solution);
    Ok(())
}
