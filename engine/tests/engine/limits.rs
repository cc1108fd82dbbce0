//! What a `go` allows a search.

use leap_core::Game as _;
use leap_core::record::Record;
use leap_engine::limits;
use leap_engine::options::Settings;
use leap_games::froglet::Froglet;
use leap_protocol::Go;
use leap_search::Searchable as _;

#[test]
fn the_clock_is_for_the_moves_to_the_time_control_or_to_the_end_of_the_game() {
    let game = Froglet::default();
    let record = Record::new(game.clone(), game.start());
    let moves_to_go = |movestogo| {
        let go = Go { p1time: Some(1000), movestogo, ..Go::default() };
        let limits = limits::of(&go, &record, &Settings::default()).unwrap();
        limits.clock.unwrap().moves_to_go
    };
    let moves_left = game.time_plan(record.current()).moves_left;
    assert_eq!([Some(3), Some(0), None].map(moves_to_go), [3, moves_left, moves_left]);
    assert_eq!(moves_to_go(Some(moves_left + 1)), moves_left, "the rest is not played");
}
