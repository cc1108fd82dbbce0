//! `leap-tables verify`: checks every position of small slices, and random ones of larger slices.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use indicatif::ParallelProgressIterator as _;
use leap_tables::{CaptureRule, MOST, Men, Slice};
use leap_verify::{Values, check, own_sets, random_men, rules, subsets};
use leapd::io::Progress;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};
use rayon::prelude::*;

use crate::{opened, rule, unpack};

/// What is to be checked
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Where the tables are
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// The rule of the tables
    #[arg(long, value_name = "RULE", default_value_t = CaptureRule::Optional, value_parser = rule)]
    capture: CaptureRule,
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

/// Checks tables, and prints a line for each slice that is right.
///
/// # Errors
/// The first position whose value is wrong, or a table that is missing or damaged.
pub(crate) fn run(wanted: &Args, print: &mut dyn FnMut(String) -> Result<()>) -> Result<()> {
    let tables = opened(wanted.capture, &wanted.directory)?;
    let (there, men) = (tables.men(), wanted.men);
    ensure!(men <= there, "expected tables to {men} men, found those to {there}");
    let from = wanted.from;
    ensure!(
        from <= men,
        "expected --from of at most {men}, the men that are checked, found {from}"
    );
    let checked = if wanted.random > 0 { 2 * MOST } else { men };
    unpack(&tables, checked)?;
    let slices: Vec<Slice> = tables.slices().filter(|slice| slice.men() <= checked).collect();
    let mut values = Values::new(wanted.capture);
    let size = slices.iter().map(|slice| slice.size()).sum();
    let progress = Progress::new(Some(size), "probes")?;
    for slice in &slices {
        values.add(&tables, *slice);
        progress.inc(slice.size());
    }
    drop((progress, tables));
    let mut every = 0;
    for slice in Slice::all(men).filter(|slice| slice.men() >= from) {
        let count = check_slice(&values, slice)?;
        let (own, enemy) = (slice.own, slice.enemy);
        print(format!("{} {own}-{enemy}: {count} positions are right", wanted.capture))?;
        every += count;
    }
    let larger: Vec<Slice> = slices.into_iter().filter(|slice| slice.men() > men).collect();
    let random = check_random(&values, &larger, wanted)?;
    print(format!("{}: {every} positions and {random} random ones are right", wanted.capture))
}

/// Checks each position of a slice. Returns how many there are.
fn check_slice(values: &Values, slice: Slice) -> Result<u64> {
    let sets: Vec<u32> = own_sets(slice).collect();
    let progress = Progress::new(Some(sets.len() as u64), "sets of own men")?;
    progress.set_message(format!(", {} against {}", slice.own, slice.enemy));
    let counts = sets.par_iter().progress_with(progress.clone()).map(|own| {
        let free = !own & ((1 << rules::POINTS) - 1);
        let mut count = 0;
        for enemy in subsets(slice.enemy, free) {
            confirm(values, Men { own: *own, enemy })?;
            count += 1;
        }
        Ok(count)
    });
    counts.sum()
}

/// Checks random positions with more men than those that are all checked.
fn check_random(values: &Values, slices: &[Slice], wanted: &Args) -> Result<u64> {
    ensure!(wanted.random == 0 || !slices.is_empty(), "no table has more than {} men", wanted.men);
    let batches = wanted.random.div_ceil(BATCH);
    let progress = Progress::new(Some(batches), "batches of random positions")?;
    (0..batches).into_par_iter().progress_with(progress.clone()).try_for_each(|batch| {
        let mut random = ChaCha8Rng::seed_from_u64(wanted.seed);
        random.set_stream(batch);
        (0..BATCH).try_for_each(|_| {
            let slice = slices[random.next_u32() as usize % slices.len()];
            confirm(values, random_men(slice, &mut random))
        })
    })?;
    Ok(batches * BATCH)
}

/// The random positions that one stream of random numbers gives.
const BATCH: u64 = 100_000;

fn confirm(values: &Values, men: Men) -> Result<()> {
    check(values, men).map_err(|mismatch| anyhow::anyhow!("{mismatch:?}"))
}
