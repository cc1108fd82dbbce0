//! What a `go` allows a search.

use leap_core::Game;
use leap_engine::limits;
use leap_engine::options::Settings;
use leap_games::alquerque::Alquerque;
use leap_games::froglet::Froglet;
use leap_protocol::Go;
use leap_search::Searchable as _;

#[test]
fn each_side_thinks_on_its_own_clock() {
    let rules = Alquerque::default();
    let mut game = Game::start(rules.clone());
    let (p1time, p2time) = (Some(1000), Some(2000));
    let go = Go { p1time, p2time, p1inc: Some(10), p2inc: Some(20), ..Go::default() };
    for expected in [(1000, 10), (2000, 20)] {
        let clock = limits::of(&go, &game, &Settings::default()).unwrap().clock.unwrap();
        assert_eq!((clock.time_left.as_millis(), clock.increment.as_millis()), expected);
        game.push(game.legal_moves()[0]);
    }
}

#[test]
fn the_clock_is_for_the_moves_to_the_time_control_or_to_the_end_of_the_game() {
    let rules = Froglet::default();
    let game = Game::start(rules.clone());
    let moves_to_go = |movestogo| {
        let go = Go { p1time: Some(1000), movestogo, ..Go::default() };
        let limits = limits::of(&go, &game, &Settings::default()).unwrap();
        limits.clock.unwrap().moves_to_go
    };
    let moves_left = rules.time_plan(game.current()).moves_left;
    assert_eq!([Some(3), Some(0), None].map(moves_to_go), [3, moves_left, moves_left]);
    assert_eq!(moves_to_go(Some(moves_left + 1)), moves_left, "the rest is not played");
}
