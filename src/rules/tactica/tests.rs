use super::*;
use crate::rules::perft::{perft, plain_perft};

fn counts(game: &Tactica, depths: u32) -> Vec<u64> {
    (1..=depths).map(|depth| perft(game, &game.start(), depth, &Cancel::default())).collect()
}

#[test]
fn perft_of_the_start_position_is_that_of_spec_15_24() {
    assert_eq!(counts(&Tactica::default(), 4), [64, 3836, 246_026, 15_073_984]);
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn perft_5_of_the_start_position_is_that_of_spec_15_24() {
    let game = Tactica::default();
    assert_eq!(perft(&game, &game.start(), 5, &Cancel::default()), 962_465_784);
}

#[test]
fn the_bulk_count_equals_the_plain_count() {
    let game = Tactica::default();
    assert_eq!(plain_perft(&game, &game.start(), 3), 246_026);
}

#[test]
fn the_state_is_small() {
    assert!(size_of::<TacticaPosition>() <= 64);
    assert!(size_of::<TacticaMove>() <= 2);
}
