use super::*;
use leap_core::Game;
use leap_core::notation::{Field, Reason};
use leap_core::perft::{perft, plain_perft};
use leap_core::{EndReason, GameResult, Outcome, RulesExt};

mod composed;
mod entry;

const GAME: Eximo = Eximo { max_plies: 400 };

fn position(text: &str) -> EximoPosition {
    GAME.parse_position(text).unwrap()
}

fn moves(position: &EximoPosition) -> Vec<EximoMove> {
    GAME.legal_moves(position)
}

/// The canonical texts of all moves, in listing order.
fn listed(text: &str) -> Vec<String> {
    let position = position(text);
    moves(&position).iter().map(|mv| GAME.print_move(&position, *mv)).collect()
}

fn resolve(position: &EximoPosition, text: &str) -> EximoMove {
    GAME.parse_move(position, text).unwrap()
}

/// The position text after a move.
fn after(text: &str, mv: &str) -> String {
    let mut position = position(text);
    let mv = resolve(&position, mv);
    GAME.play_unchecked(&mut position, mv);
    GAME.print_position(&position)
}

#[test]
fn perft_of_the_start_position_is_that_of_spec_12_23() {
    let counts = (1..=4).map(|depth| perft(&GAME, &GAME.start(), depth, &StopFlag::default()));
    assert_eq!(counts.collect::<Vec<_>>(), [40, 1600, 60284, 2_093_190]);
}

#[test]
fn the_bulk_count_equals_the_plain_count() {
    assert_eq!(plain_perft(&GAME, &GAME.start(), 4), 2_093_190);
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn perft_5_of_the_start_position_is_that_of_spec_12_23() {
    assert_eq!(perft(&GAME, &GAME.start(), 5, &StopFlag::default()), 68_336_644);
}

#[test]
fn the_start_position_is_that_of_spec_12_4() {
    let text = "1mmmmmm1/1mmmmmm1/1mm2mm1/8/8/1MM2MM1/1MMMMMM1/1MMMMMM1 1 - 0 0";
    assert_eq!(GAME.print_position(&GAME.start()), text);
    assert_eq!(Eximo::default(), GAME);
}

#[test]
fn the_state_is_small() {
    assert!(size_of::<EximoPosition>() <= 40);
    assert!(size_of::<EximoMove>() <= 16);
}

#[test]
fn men_step_forward_only() {
    assert_eq!(listed("7m/8/8/8/3M4/8/8/8 1 - 0 0"), ["d4c5", "d4d5", "d4e5"]);
    assert_eq!(listed("8/8/8/3m4/8/8/8/7M 2 - 0 0"), ["d5c4", "d5d4", "d5e4"]);
}

#[test]
fn a_jumping_move_goes_on_while_it_can() {
    let moves = listed("7m/8/8/8/2M5/8/2M5/2M5 1 - 0 0");
    assert!(moves.contains(&"c1c3c5".to_owned()));
    assert!(!moves.contains(&"c1c3".to_owned()));
}

#[test]
fn jumping_routes_to_one_square_are_one_move() {
    let text = "7m/8/8/8/1MMM4/8/1MMM4/2M5 1 - 0 0";
    let from_c1: Vec<_> = listed(text).into_iter().filter(|mv| mv.starts_with("c1")).collect();
    assert_eq!(from_c1, ["c1a3c5", "c1c3a5", "c1c3e5"]);
    let position = position(text);
    for route in ["c1c3c5", "c1e3c5"] {
        assert_eq!(resolve(&position, route), resolve(&position, "c1a3c5"));
    }
}

#[test]
fn a_jumping_move_does_not_go_on_as_a_capture() {
    let moves = listed("8/8/8/8/2m5/8/2M5/2M5 1 - 0 0");
    assert_eq!(moves, ["c1b2", "c1d2", "c1c3", "c2b3", "c2c3", "c2d3"]);
}

#[test]
fn a_capture_does_not_go_on_as_a_jumping_move() {
    assert_eq!(listed("7m/8/8/8/2M5/8/2m5/2M5 1 - 0 0"), ["c1c3"]);
}

#[test]
fn captures_go_forward_left_and_right_and_must_be_made() {
    let surrounded = "8/8/8/2mmm3/2mMm3/2mmm3/8/4M3 1 - 0 0";
    assert_eq!(listed(surrounded), ["d4b4d6", "d4f4d6", "d4b6", "d4d6", "d4f6"]);
}

#[test]
fn a_chain_of_captures_may_take_any_branch_but_goes_on() {
    let text = "8/8/8/2m1m3/8/2m1m3/3M4/8 1 - 3 0";
    assert_eq!(listed(text), ["d2b4d6", "d2f4d6"]);
    assert_eq!(after(text, "d2b4d6"), "8/8/3M4/4m3/8/4m3/8/8 2 - 0 1");
}

#[test]
fn a_captured_man_is_not_there_to_be_captured_again() {
    assert_eq!(listed("8/8/8/8/2mM4/8/8/8 1 - 0 0"), ["d4b4"]);
}

#[test]
fn every_kind_of_move_to_the_last_row_drops_two_men() {
    for (ranks, mv) in
        [("8/2M5/8", "c7c8@b1@c1"), ("8/2M5/2M5", "c6c8@b1@c1"), ("8/2m5/2M5", "c6c8@b1@c1")]
    {
        let text = format!("{ranks}/8/8/8/1MMMMMM1/3MMMM1 1 - 4 0");
        assert!(listed(&text).contains(&mv.to_owned()), "{mv} in {text}");
        let after = after(&text, mv);
        assert!(after.starts_with("8/"), "the man is off the board: {after}");
        assert!(after.contains("/1MMMMMM1/1MMMMMM1 2 "), "two men are back: {after}");
    }
}

#[test]
fn a_chain_ends_on_the_last_row_though_there_is_a_man_to_capture() {
    let position = position("3m4/2m5/2M5/8/8/8/8/8 1 - 0 0");
    let moves = moves(&position);
    assert_eq!(moves.len(), 12 * 11 / 2, "one for each pair of squares of the zone");
    assert!(moves.iter().all(|mv| mv.captured().len() == 1));
}

#[test]
fn squares_that_the_move_has_emptied_count_for_drops() {
    let text = "8/3m4/8/3m4/8/3m4/1Mm1MMM1/1MMMMMM1 1 - 0 0";
    let from_b2: Vec<_> = listed(text).into_iter().filter(|mv| mv.starts_with("b2")).collect();
    assert_eq!(from_b2, ["b2d2d4d6d8@b2@c2", "b2d2d4d6d8@b2@d2", "b2d2d4d6d8@c2@d2"]);
    let board = "8/8/8/8/8/8/1MM1MMM1/1MMMMMM1 2 - 0 1";
    assert_eq!(after(text, "b2d2d4d6d8@b2@c2"), board);
}

#[test]
fn one_man_is_dropped_where_there_is_room_for_one() {
    let text = "8/2M5/8/8/8/8/1MMMMMM1/1MMMMM2 1 - 0 0";
    let from_c7: Vec<_> = listed(text).into_iter().filter(|mv| mv.starts_with("c7")).collect();
    assert_eq!(from_c7, ["c7b8@g1", "c7c8@g1", "c7d8@g1"]);
}

#[test]
fn a_man_is_lost_where_there_is_no_room_at_all() {
    let text = "8/2M5/8/8/8/8/1MMMMMM1/1MMMMMM1 1 - 0 0";
    let from_c7: Vec<_> = listed(text).into_iter().filter(|mv| mv.starts_with("c7")).collect();
    assert_eq!(from_c7, ["c7b8", "c7c8", "c7d8"]);
    assert_eq!(after(text, "c7c8"), "8/8/8/8/8/8/1MMMMMM1/1MMMMMM1 2 - 1 1");
}

#[test]
fn who_cannot_move_loses_and_that_comes_before_the_limit() {
    for text in ["8/8/8/8/8/m1m5/mm6/M7 1 - 0 10", "8/8/8/m7/8/8/8/8 1 - 0 400"] {
        let outcome = Outcome { result: GameResult::Win(Side::Two), reason: EndReason::NoMoves };
        assert_eq!(GAME.outcome(&position(text)), Some(outcome), "{text}");
        assert!(listed(text).is_empty());
    }
}

#[test]
fn max_plies_is_a_draw_and_0_is_no_limit() {
    let ahead = "8/8/8/m7/8/8/8/1MMM4 1 - 7 400";
    let outcome = Outcome { result: GameResult::Draw, reason: EndReason::MaxPlies };
    assert_eq!(GAME.outcome(&position(ahead)), Some(outcome));
    assert_eq!(perft(&GAME, &position(ahead), 1, &StopFlag::default()), 0);
    assert_eq!(Eximo { max_plies: 401 }.outcome(&position(ahead)), None);
    assert_eq!(Eximo { max_plies: 0 }.outcome(&position(ahead)), None);
}

#[test]
fn the_third_occurrence_is_a_draw() {
    // One man of each side walks to the last row. Each is dropped on the square that he left, the only free one.
    let start = position("1mmmmmm1/1mmmmmm1/8/8/8/8/1MMMMMM1/1MMMMMM1 1 - 0 0");
    let mut game = Game::new(GAME, start);
    let ones = ["g2h3", "h3h4", "h4h5", "h5h6", "h6h7", "h7h8@g2"];
    let twos = ["b7a6", "a6a5", "a5a4", "a4a3", "a3a2", "a2a1@b7"];
    let round = ones.into_iter().zip(twos).flat_map(|(one, two)| [one, two]);
    for mv in round.clone().chain(round) {
        assert_eq!(game.outcome(), None);
        game.push(game.parse_move(mv).unwrap());
    }
    let outcome = Outcome { result: GameResult::Draw, reason: EndReason::Repetition };
    assert_eq!(game.outcome(), Some(outcome));
    assert_eq!(game.parse_move("g2h3").map_err(|illegal| illegal.reason), Err(Reason::GameOver));
}

#[test]
fn men_on_their_own_last_row_are_refused_where_they_stand() {
    for (text, column) in [("8/8/8/8/8/8/8/1Mm5 1 - 0 0", 17), ("m6M/8/8/8/8/8/8/8 1 - 0 0", 3)] {
        let error = GAME.parse_position(text).unwrap_err();
        assert_eq!((error.field, error.column), (Field::Board, column), "{error}");
    }
    let error = GAME.parse_position("8/8/8/8/8/8/8/M7 1 1 0 0").unwrap_err();
    assert_eq!((error.field, error.column), (Field::Extra, 20), "{error}");
}

#[test]
fn the_number_of_men_is_not_limited() {
    let men =
        position("mmmmmmmm/mmmmmmmm/mmmmmmmm/mmmmmmmm/MMMMMMMM/MMMMMMMM/MMMMMMMM/MMMMMMMM 1 - 0 0");
    assert_eq!(GAME.tally(&men), [("men", Tally::Each(BySide::new(32, 32)))]);
    assert!(!GAME.has_move(&men));
}
