//! Tests of several games.

use leap_core::notation::Notation;
use leap_search::Searchable;

use crate::eximo::Eximo;
use crate::froglet::Froglet;

fn moves_left<R: Searchable + Notation>(game: &R, text: &str) -> (u32, u32) {
    let end = game.parse_position(text).unwrap();
    (game.time_plan(&game.start()).moves_left, game.time_plan(&end).moves_left)
}

#[test]
fn few_moves_are_left_where_little_is_left_to_play_for() {
    let two_frogs = "GG10/12/12/12/12/12/12/12/12/12/12/12 1 9-9 0 0";
    assert_eq!(moves_left(&Froglet::default(), two_frogs), (4 + 114 / 4, 4));
    assert_eq!(moves_left(&Eximo::default(), "m7/8/8/8/8/8/8/7M 1 - 0 0"), (19, 6));
}
