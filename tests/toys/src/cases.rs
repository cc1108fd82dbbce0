//! How many cases a property is tried with, and which.

use proptest::test_runner::{Config, RngSeed};

/// A configuration with this number of cases, the same in every run.
///
/// `cargo test` tries a quarter of them. The stages of `.ci/run` try all: they set `LEAP_CASES=all`.
#[must_use]
pub fn cases(cases: u32) -> Config {
    let is_all = std::env::var("LEAP_CASES").is_ok_and(|cases| cases == "all");
    let cases = if is_all { cases } else { cases.div_ceil(4) };
    Config { cases, rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..Config::default() }
}
