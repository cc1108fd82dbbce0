//! Checks the tables in a directory: every position of small slices, and random ones of larger slices.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "the program reports to a person")]

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail, ensure};
use clap::Parser;
use indicatif::{ParallelProgressIterator as _, ProgressBar, ProgressStyle};
use leap_games::alquerque::Capture;
use leap_tables::{EndgameTablebase, MOST, Slice};
use leap_verify::rules::Board;
use leap_verify::{Values, check, own_sets, random_board, subsets};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};
use rayon::prelude::*;

/// Checks tables of Alquerque against the definition of their values
#[derive(Parser)]
struct Arguments {
    /// Where the tables are
    directory: PathBuf,
    /// The rule of the tables
    #[arg(long, default_value_t = Capture::Optional)]
    capture: Capture,
    /// Every position with at most so many men is checked
    #[arg(long, value_name = "N", default_value_t = 7)]
    men: u32,
    /// Positions with fewer men are not checked: an earlier run has
    #[arg(long, value_name = "N", default_value_t = 2)]
    from: u32,
    /// How many random positions with more men are checked
    #[arg(long, value_name = "N", default_value_t = 0)]
    random: u64,
    /// The seed of the random positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(lines) => {
            println!("{lines}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<String> {
    let mut tables = EndgameTablebase::new(arguments.capture);
    if let Some((name, error)) = tables.open(&arguments.directory).into_iter().next() {
        bail!("{name} {error}");
    }
    let (there, men) = (tables.men(), arguments.men);
    ensure!(men <= there, "expected tables to {men} men, found those to {there}");
    let from = arguments.from;
    ensure!(
        from <= men,
        "expected --from of at most {men}, the men that are checked, found {from}"
    );
    let checked = if arguments.random > 0 { 2 * MOST } else { men };
    tables.unpack(checked).map_err(|(name, error)| anyhow::anyhow!("{name} {error}"))?;
    let slices: Vec<Slice> = tables.slices().filter(|slice| slice.men() <= checked).collect();
    let mut values = Values::new(arguments.capture);
    let progress = progress(slices.iter().map(|slice| slice.size()).sum())?.with_prefix("probes");
    for slice in &slices {
        values.add(&tables, *slice);
        progress.inc(slice.size());
    }
    progress.finish_and_clear();
    drop(tables);
    let mut every = 0;
    for slice in Slice::all(men).filter(|slice| slice.men() >= from) {
        let count = check_slice(&values, slice)?;
        let (own, enemy) = (slice.own, slice.enemy);
        println!("{} {own}-{enemy}: {count} positions are right", arguments.capture);
        every += count;
    }
    let larger: Vec<Slice> = slices.into_iter().filter(|slice| slice.men() > men).collect();
    let random = check_random(&values, &larger, arguments)?;
    Ok(format!("{}: {every} positions and {random} random ones are right", arguments.capture))
}

fn progress(length: u64) -> Result<ProgressBar> {
    let style = ProgressStyle::with_template("{prefix} {wide_bar} {eta}")?;
    Ok(ProgressBar::new(length).with_style(style))
}

/// Checks each position of a slice. Returns how many there are.
fn check_slice(values: &Values, slice: Slice) -> Result<u64> {
    let sets: Vec<u32> = own_sets(slice).collect();
    let progress =
        progress(sets.len() as u64)?.with_prefix(format!("{}-{}", slice.own, slice.enemy));
    let counts = sets.par_iter().progress_with(progress).map(|own| {
        let free = !own & ((1 << leap_verify::rules::POINTS) - 1);
        let mut count = 0;
        for enemy in subsets(slice.enemy, free) {
            confirm(values, Board { own: *own, enemy })?;
            count += 1;
        }
        Ok(count)
    });
    counts.sum()
}

/// Checks random positions with more men than those that are all checked.
fn check_random(values: &Values, slices: &[Slice], arguments: &Arguments) -> Result<u64> {
    ensure!(
        arguments.random == 0 || !slices.is_empty(),
        "no table has more than {} men",
        arguments.men
    );
    let batches = arguments.random.div_ceil(BATCH);
    let progress = progress(batches)?.with_prefix("random");
    (0..batches).into_par_iter().progress_with(progress).try_for_each(|batch| {
        let mut random = ChaCha8Rng::seed_from_u64(arguments.seed);
        random.set_stream(batch);
        (0..BATCH).try_for_each(|_| {
            let slice = slices[random.next_u32() as usize % slices.len()];
            confirm(values, random_board(slice, &mut random))
        })
    })?;
    Ok(batches * BATCH)
}

/// The random positions that one stream of random numbers gives.
const BATCH: u64 = 100_000;

fn confirm(values: &Values, board: Board) -> Result<()> {
    check(values, board).map_err(|mismatch| anyhow::anyhow!("{mismatch:?}"))
}
