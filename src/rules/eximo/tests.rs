use super::*;
use crate::rules::perft::{perft, plain_perft};

#[test]
fn perft_of_the_start_position_is_that_of_spec_12_23() {
    let game = Eximo::default();
    let counts = (1..=4).map(|depth| perft(&game, &game.start(), depth, &Cancel::default()));
    assert_eq!(counts.collect::<Vec<_>>(), [40, 1600, 60284, 2093190]);
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn perft_of_the_start_position_at_depth_5_is_that_of_spec_12_23() {
    let game = Eximo::default();
    let started = std::time::Instant::now();
    assert_eq!(perft(&game, &game.start(), 5, &Cancel::default()), 68_336_644);
    eprintln!("{:?}", started.elapsed());
}

#[test]
fn the_bulk_count_equals_the_plain_count() {
    let game = Eximo::default();
    assert_eq!(plain_perft(&game, &game.start(), 4), 2_093_190);
}

#[test]
fn the_state_is_small() {
    assert!(size_of::<EximoPosition>() <= 40);
    assert!(size_of::<EximoMove>() <= 16);
}
