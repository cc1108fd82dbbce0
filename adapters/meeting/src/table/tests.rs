//! Whole games at the table, without a referee: every move is legal, and sides alternate unless told otherwise.

use super::Person::{Guest, Host};
use super::Request::{Draw, Rematch, Takeback};
use super::*;

const CONTROL: Control = Control { base: 10_000, increment: 1_000 };

fn on(turn: Side) -> Verdict {
    Verdict { turn, ending: None }
}

fn over(result: &str) -> Verdict {
    let ending = Ending { result: result.to_owned(), reason: "no-moves".to_owned(), rule: true };
    Verdict { turn: Side::P2, ending: Some(ending) }
}

/// A game of the host, who is p1, at which both have arrived.
fn table(control: Option<Control>) -> Table {
    let mut table = Table::new(Side::P1, Side::P1, true, control);
    assert_eq!(table.arrive(Host, 1, 0), None);
    assert_eq!(table.arrive(Guest, 2, 0), None);
    table
}

/// Makes the next move of a person at this time.
fn play(table: &mut Table, person: Person, now: u64) {
    let ply = table.moves.len();
    assert_eq!(table.may_move(person, ply, now), Ok(()));
    let next = table.turn.other();
    table.make(format!("m{ply}"), on(next), now, now);
}

fn left(table: &Table, now: u64) -> [u64; 2] {
    let times = table.snapshot(now).clock.unwrap();
    [times.p1, times.p2]
}

fn result(table: &Table) -> [&str; 2] {
    let ending = table.ending.as_ref().unwrap();
    [&ending.result, &ending.reason]
}

#[test]
fn sides_move_in_turn_and_only_in_the_position_that_they_know() {
    let mut table = table(None);
    assert_eq!(table.may_move(Guest, 0, 0), Err(Refusal::NotYourTurn));
    play(&mut table, Host, 0);
    assert_eq!(table.may_move(Host, 1, 0), Err(Refusal::NotYourTurn));
    assert_eq!(table.may_move(Guest, 0, 0), Err(Refusal::Stale { ply: 1 }));
    play(&mut table, Guest, 0);
    assert_eq!(table.snapshot(0).moves, ["m0", "m1"]);
}

#[test]
fn a_side_that_is_to_move_again_moves_again() {
    let mut table = table(None);
    table.make("m0".to_owned(), on(Side::P1), 0, 0);
    assert_eq!(table.may_move(Host, 1, 0), Ok(()));
    assert_eq!(table.may_move(Guest, 1, 0), Err(Refusal::NotYourTurn));
}

#[test]
fn nobody_moves_before_both_have_come() {
    let mut table = Table::new(Side::P1, Side::P1, true, None);
    table.arrive(Host, 1, 0);
    assert_eq!(table.may_move(Host, 0, 0), Err(Refusal::Waiting));
    assert_eq!(table.resign(Host, true, 0), Err(Refusal::Waiting));
    table.arrive(Guest, 2, 0);
    table.leave(Guest, 2);
    assert_eq!(table.may_move(Host, 0, 0), Ok(()), "who has come once keeps the seat");
}

#[test]
fn clocks_run_from_the_first_move_on_and_get_the_increment() {
    let mut table = table(Some(CONTROL));
    play(&mut table, Host, 5_000);
    assert_eq!(left(&table, 7_000), [10_000, 8_000], "the first move costs no time");
    play(&mut table, Guest, 7_000);
    assert_eq!(left(&table, 8_000), [9_000, 9_000]);
    play(&mut table, Host, 8_000);
    assert_eq!(left(&table, 8_000), [10_000, 9_000]);
    assert_eq!(table.deadline(), Some(17_000));
}

#[test]
fn a_flag_ends_the_game_when_it_falls_and_not_before() {
    let mut table = table(Some(CONTROL));
    play(&mut table, Host, 0);
    assert_eq!(table.deadline(), Some(10_000));
    assert!(!table.tick(9_999));
    assert!(table.tick(10_000));
    assert_eq!(result(&table), ["p1win", "time"]);
    assert!(!table.tick(20_000), "once");
    assert_eq!(left(&table, 20_000), [10_000, 0]);
    assert_eq!(table.deadline(), None);
}

#[test]
fn a_move_that_comes_after_the_flag_is_refused() {
    let mut table = table(Some(CONTROL));
    play(&mut table, Host, 0);
    assert_eq!(table.may_move(Guest, 1, 10_000), Err(Refusal::Over));
    assert_eq!(result(&table), ["p1win", "time"]);
}

#[test]
fn a_cut_connection_keeps_the_seat_and_its_clock_runs_on() {
    let mut table = table(Some(CONTROL));
    play(&mut table, Host, 0);
    assert!(table.leave(Guest, 2));
    assert!(!table.snapshot(0).here.guest);
    assert_eq!(table.arrive(Guest, 3, 4_000), None);
    assert_eq!(left(&table, 4_000), [10_000, 6_000]);
    play(&mut table, Guest, 4_000);
}

#[test]
fn who_opens_a_link_again_takes_the_place_of_the_first() {
    let mut table = table(None);
    assert_eq!(table.arrive(Guest, 3, 0), Some(2));
    assert!(!table.leave(Guest, 2), "the end of the first connection frees no seat");
    assert!(table.snapshot(0).here.guest);
    assert!(table.leave(Guest, 3));
    assert!(!table.is_empty());
}

/// A game as it is read from a file at this time.
fn read_again(table: &Table, now: u64) -> Table {
    let kept = serde_json::to_string(&table.at_rest(now)).unwrap();
    let mut table: Table = serde_json::from_str(&kept).unwrap();
    assert_eq!(table.check(), Ok(()));
    table.resume(now);
    table
}

#[test]
fn after_a_restart_the_clock_goes_on_when_both_are_back() {
    let mut table = table(Some(CONTROL));
    play(&mut table, Host, 0);
    let mut table = read_again(&table, 3_000);
    assert!(table.is_empty());
    table.arrive(Guest, 1, 50_000);
    assert_eq!(left(&table, 60_000), [10_000, 7_000]);
    table.arrive(Host, 2, 60_000);
    assert_eq!(left(&table, 61_000), [10_000, 6_000]);
    play(&mut table, Guest, 61_000);
}

#[test]
fn after_a_restart_a_move_starts_no_clock_of_a_player_who_is_away() {
    let mut table = table(Some(CONTROL));
    play(&mut table, Host, 0);
    let mut table = read_again(&table, 3_000);
    table.arrive(Guest, 1, 4_000);
    play(&mut table, Guest, 5_000);
    assert_eq!(left(&table, 1_000_000), [10_000, 7_000], "the host is away");
    assert!(!table.tick(1_000_000));
    // Who comes and goes again was back.
    table.arrive(Host, 2, 1_000_000);
    table.leave(Host, 2);
    assert_eq!(left(&table, 1_001_000), [9_000, 7_000]);
    assert!(table.tick(1_010_000));
    assert_eq!(result(&table), ["p2win", "time"]);
}

#[test]
fn after_a_restart_nobody_is_waited_for_longer_than_an_hour() {
    let mut table = table(Some(CONTROL));
    play(&mut table, Host, 0);
    let mut table = read_again(&table, 3_000);
    table.arrive(Guest, 1, 4_000);
    assert_eq!(table.deadline(), Some(3_000 + 3_600_000));
    play(&mut table, Guest, 10_000);
    let until = 10_000 + 3_600_000;
    assert_eq!(table.deadline(), Some(until), "each move begins the wait anew");
    assert!(!table.tick(until - 1));
    assert!(table.tick(until));
    assert_eq!(table.deadline(), Some(until + 10_000));
    assert!(table.tick(until + 10_000));
    assert_eq!(result(&table), ["p2win", "time"]);
}

#[test]
fn after_a_restart_a_game_without_moves_or_clocks_waits_for_nothing() {
    for control in [Some(CONTROL), None] {
        let mut table = read_again(&table(control), 0);
        assert_eq!(table.deadline(), None);
        table.arrive(Host, 1, 0);
        play(&mut table, Host, 0);
        table.arrive(Guest, 2, 0);
        play(&mut table, Guest, 1_000);
    }
}

#[test]
fn the_clock_of_the_next_side_runs_from_when_it_is_told() {
    let mut table = table(Some(CONTROL));
    play(&mut table, Host, 0);
    assert_eq!(table.may_move(Guest, 1, 2_000), Ok(()));
    // The referee takes four seconds.
    table.make("m1".to_owned(), on(Side::P1), 2_000, 6_000);
    assert_eq!(left(&table, 6_000), [10_000, 9_000]);
    assert_eq!(left(&table, 7_000), [9_000, 9_000]);
}

#[test]
fn increments_fill_a_clock_up_to_a_year() {
    const DAY: u64 = 86_400_000;
    let mut table = table(Some(Control { base: DAY, increment: DAY }));
    for ply in 0..2_000 {
        play(&mut table, if ply % 2 == 0 { Host } else { Guest }, 0);
    }
    assert_eq!(left(&table, 0), [365 * DAY; 2]);
    assert_eq!(table.check(), Ok(()));
}

#[test]
fn a_draw_is_offered_and_agreed() {
    let mut table = table(Some(CONTROL));
    play(&mut table, Host, 0);
    assert_eq!(table.answer(Guest, Draw, true, 0), Err(Refusal::NotAsked));
    table.ask(Host, Draw, 0).unwrap();
    assert_eq!(table.answer(Host, Draw, true, 0), Err(Refusal::NotAsked), "not by oneself");
    table.answer(Guest, Draw, true, 0).unwrap();
    assert_eq!(result(&table), ["draw", "agreement"]);
    assert_eq!(table.deadline(), None);
}

#[test]
fn a_draw_that_both_offer_is_agreed_and_some_games_have_none() {
    let mut drawn = table(None);
    drawn.ask(Host, Draw, 0).unwrap();
    drawn.ask(Guest, Draw, 0).unwrap();
    assert_eq!(result(&drawn), ["draw", "agreement"]);
    let mut other = table(None);
    other.draws = false;
    assert_eq!(other.ask(Host, Draw, 0), Err(Refusal::NoDraws));
}

#[test]
fn a_declined_question_is_asked_again_only_after_a_move() {
    let mut table = table(None);
    table.ask(Guest, Draw, 0).unwrap();
    table.answer(Host, Draw, false, 0).unwrap();
    assert_eq!(table.ask(Guest, Draw, 0), Err(Refusal::Declined));
    play(&mut table, Host, 0);
    table.ask(Guest, Draw, 0).unwrap();
    table.answer(Guest, Draw, false, 0).unwrap();
    assert_eq!(table.snapshot(0).offer, None, "an own question can be taken back");
    table.ask(Guest, Draw, 0).unwrap();
}

#[test]
fn a_move_declines_the_others_offer_and_keeps_the_movers_own() {
    let mut table = table(None);
    table.ask(Host, Draw, 0).unwrap();
    play(&mut table, Host, 0);
    assert_eq!(table.snapshot(0).offer, Some(Offer { what: Draw, by: Host }));
    play(&mut table, Guest, 0);
    assert_eq!(table.snapshot(0).offer, None);
}

#[test]
fn one_question_is_open_at_a_time() {
    let mut table = table(None);
    play(&mut table, Host, 0);
    table.ask(Host, Takeback, 0).unwrap();
    table.ask(Host, Takeback, 0).unwrap();
    assert_eq!(table.ask(Host, Draw, 0), Err(Refusal::Asked));
    assert_eq!(table.ask(Guest, Draw, 0), Err(Refusal::Asked));
    assert_eq!(table.answer(Guest, Draw, true, 0), Err(Refusal::NotAsked));
}

#[test]
fn a_takeback_goes_back_to_the_askers_last_turn() {
    let mut table = table(Some(CONTROL));
    assert_eq!(table.ask(Guest, Takeback, 0), Err(Refusal::NothingToTakeBack));
    play(&mut table, Host, 0);
    play(&mut table, Guest, 1_000);
    play(&mut table, Host, 2_000);
    table.ask(Guest, Takeback, 2_500).unwrap();
    table.answer(Host, Takeback, true, 3_000).unwrap();
    assert_eq!(table.snapshot(0).moves, ["m0"]);
    assert_eq!(left(&table, 4_000)[1], 8_000, "the asker's clock runs, and time is not given back");
    play(&mut table, Guest, 4_000);
    table.ask(Host, Takeback, 4_000).unwrap();
    table.answer(Guest, Takeback, true, 4_000).unwrap();
    assert_eq!(table.snapshot(0).turn, Side::P1);
    assert_eq!(table.deadline(), None, "before the first move no clock runs");
}

#[test]
fn a_resignation_is_one_message_that_says_it_is_sure() {
    let mut table = table(None);
    assert_eq!(table.resign(Guest, false, 0), Err(Refusal::NotSure));
    table.resign(Guest, true, 0).unwrap();
    assert_eq!(result(&table), ["p1win", "resignation"]);
    assert_eq!(table.resign(Host, true, 0), Err(Refusal::Over));
    assert_eq!(table.may_move(Host, 0, 0), Err(Refusal::Over));
}

#[test]
fn the_rules_end_a_game() {
    let mut table = table(Some(CONTROL));
    table.make("m0".to_owned(), over("p1win"), 0, 0);
    assert_eq!(result(&table), ["p1win", "no-moves"]);
    assert_eq!(table.may_move(Guest, 1, 0), Err(Refusal::Over));
    assert_eq!(table.ask(Guest, Takeback, 0), Err(Refusal::Over));
    assert_eq!(table.deadline(), None);
}

#[test]
fn a_rematch_exchanges_sides_and_fills_the_clocks() {
    let mut table = table(Some(CONTROL));
    assert_eq!(table.ask(Host, Rematch, 0), Err(Refusal::NotOver));
    play(&mut table, Host, 0);
    table.resign(Host, true, 5_000).unwrap();
    table.ask(Host, Rematch, 5_000).unwrap();
    table.ask(Guest, Rematch, 6_000).unwrap();
    let snapshot = table.snapshot(6_000);
    assert_eq!((snapshot.round, snapshot.host, snapshot.turn), (2, Side::P2, Side::P1));
    assert_eq!(left(&table, 60_000), [10_000, 10_000]);
    assert_eq!(table.may_move(Host, 0, 0), Err(Refusal::NotYourTurn));
    play(&mut table, Guest, 0);
}

#[test]
fn a_snapshot_is_the_whole_game_as_json() {
    let mut table = table(Some(CONTROL));
    play(&mut table, Host, 0);
    table.ask(Guest, Draw, 0).unwrap();
    let text = serde_json::to_string(&table.snapshot(1_000)).unwrap();
    assert_eq!(
        text,
        r#"{"round":1,"host":"p1","guest":"p2","draws":true,"turn":"p2","moves":["m0"],"#
            .to_owned()
            + r#""clock":{"base":10000,"increment":1000,"p1":10000,"p2":9000,"running":"p2"},"#
            + r#""ending":null,"offer":{"what":"draw","by":"guest"},"declined":[],"#
            + r#""come":{"host":true,"guest":true},"here":{"host":true,"guest":true}}"#
    );
    assert_eq!(
        table.at_rest(0),
        serde_json::from_str(&serde_json::to_string(&table.at_rest(0)).unwrap()).unwrap()
    );
}
