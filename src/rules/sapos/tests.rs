use super::*;
use crate::rules::perft::{perft, plain_perft};

fn counts(game: &Sapos, depths: u32) -> Vec<u64> {
    (1..=depths).map(|depth| perft(game, &game.start(), depth, &Cancel::default())).collect()
}

#[test]
fn perft_of_the_start_position_is_that_of_spec_13_24() {
    assert_eq!(counts(&Sapos::default(), 4), [30, 884, 25922, 750_090]);
    let possible = Sapos { placement: Placement::Possible, ..Sapos::default() };
    assert_eq!(counts(&possible, 4), [30, 884, 25926, 750_646]);
    let simple = Sapos { revisit: false, ..Sapos::default() };
    assert_eq!(counts(&simple, 4), [22, 472, 9682, 196_032]);
}

#[test]
fn the_bulk_count_equals_the_plain_count() {
    let game = Sapos::default();
    assert_eq!(plain_perft(&game, &game.start(), 4), 750_090);
}
