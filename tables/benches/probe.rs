//! Probing random positions. `cargo bench -p leap-tables`; `TABLES=DIR` takes mapped files from there.
//!
//! A probe looks at the positions after captures too, so it may read several blocks.

use std::path::PathBuf;
use std::sync::OnceLock;

use divan::Bencher;
use leap_tables::{BUILT_IN, CaptureRule, EndgameTablebase, Men, Slice, make};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

fn main() {
    divan::main();
}

const RULES: [CaptureRule; 2] = [CaptureRule::Optional, CaptureRule::Mandatory];

/// Endless random positions of the slices with this many men, each slice as often as the others.
fn positions(men: std::ops::RangeInclusive<u32>) -> impl FnMut() -> Men {
    let slices: Vec<Slice> =
        Slice::all(*men.end()).filter(|slice| slice.men() >= *men.start()).collect();
    let mut random = ChaCha8Rng::seed_from_u64(1);
    move || {
        let slice = slices[random.next_u32() as usize % slices.len()];
        slice.men_at(random.next_u64() % slice.size())
    }
}

/// The tables of a directory, mapped anew: no block is unpacked.
fn mapped(capture: CaptureRule) -> EndgameTablebase {
    static MADE: [OnceLock<tempfile::TempDir>; 2] = [const { OnceLock::new() }; 2];
    let made = || {
        let directory = tempfile::tempdir().unwrap();
        make::tables(capture, BUILT_IN, directory.path()).unwrap();
        directory
    };
    let directory = std::env::var_os("TABLES")
        .map_or_else(|| MADE[capture as usize].get_or_init(made).path().to_owned(), PathBuf::from);
    let mut tables = EndgameTablebase::new(capture);
    tables.open(&directory);
    tables
}

/// Seven men, unpacked.
#[divan::bench(args = RULES, sample_count = 1000, sample_size = 100)]
fn built_in(bencher: Bencher<'_, '_>, capture: CaptureRule) {
    let tables = EndgameTablebase::built_in(capture);
    tables.unpack(BUILT_IN).unwrap();
    bencher.with_inputs(positions(BUILT_IN..=BUILT_IN)).bench_local_values(|men| tables.probe(men));
}

/// The most men of the files, where neither the cache nor the processor has anything of them.
#[divan::bench(args = RULES, sample_count = 2000, sample_size = 1)]
fn mapped_cold(bencher: Bencher<'_, '_>, capture: CaptureRule) {
    let men = mapped(capture).men();
    let mut next = positions(men..=men);
    bencher
        .with_inputs(|| (mapped(capture), next()))
        .bench_local_refs(|(tables, men)| tables.probe(*men));
}

/// The most men of the files, one probe after another: the cache has some of the blocks.
#[divan::bench(args = RULES, sample_count = 1000, sample_size = 100)]
fn mapped_on_and_on(bencher: Bencher<'_, '_>, capture: CaptureRule) {
    let tables = mapped(capture);
    let men = tables.men();
    bencher.with_inputs(positions(men..=men)).bench_local_values(|men| tables.probe(men));
}
