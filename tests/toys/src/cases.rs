//! How many cases a property is tried with, and which.

use proptest::test_runner::{Config, RngSeed};

/// A configuration with this number of cases, the same in every run.
///
/// Not all are tried everywhere: see [`leap_testing::tried`].
#[must_use]
pub fn cases(cases: u32) -> Config {
    let cases = leap_testing::tried(cases);
    Config { cases, rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..Config::default() }
}
