use super::*;
use leap_core::RulesExt;
use leap_core::perft::{perft, plain_perft};

mod entry;
mod hostile;
mod identity;

fn rules() -> Froglet {
    Froglet::default()
}

fn position(text: &str) -> FrogletPosition {
    rules().parse_position(text).unwrap()
}

fn resolve(position: &FrogletPosition, text: &str) -> FrogletMove {
    rules().parse_move(position, text).unwrap()
}

/// The position text after a move, by the given rules.
fn after(rules: &Froglet, text: &str, mv: &str) -> String {
    let mut position = position(text);
    let mv = resolve(&position, mv);
    rules.play_unchecked(&mut position, mv);
    rules.print_position(&position)
}

/// The canonical texts of all moves, in listing order.
fn listed(position: &FrogletPosition) -> Vec<String> {
    let moves = rules().legal_moves(position);
    moves.iter().map(|mv| rules().print_move(position, *mv)).collect()
}

/// The position with these frogs on an otherwise empty board, player 1 to move.
fn placed(frogs: impl IntoIterator<Item = (Square, usize)>) -> FrogletPosition {
    let mut position = FrogletPosition::EMPTY;
    for (square, kind) in frogs {
        position.put(square, kind);
    }
    position
}

const FEW: &str = "12/12/12/12/12/12/12/12/2R9/12/1B10/GYG9 2 7-8 0 21";
const EMPTY: &str = "12/12/12/12/12/12/12/12/12/12/12/12";

#[test]
fn perft_of_seed_1_is_that_of_spec_14_23() {
    let counts =
        (1..=5).map(|depth| perft(&rules(), &rules().start(), depth, &StopFlag::default()));
    assert_eq!(counts.collect::<Vec<_>>(), [66, 223, 1137, 10946, 134_134]);
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn perft_6_of_seed_1_is_that_of_spec_14_23() {
    assert_eq!(perft(&rules(), &rules().start(), 6, &StopFlag::default()), 2_110_420);
}

#[test]
fn the_bulk_count_equals_the_plain_count() {
    assert_eq!(plain_perft(&rules(), &rules().start(), 5), 134_134);
}

#[test]
fn the_bulk_count_stops_at_the_last_ply() {
    for max_plies in 1..5 {
        let rules = Froglet { max_plies, ..rules() };
        for depth in 1..=4 {
            let bulk = perft(&rules, &rules.start(), depth, &StopFlag::default());
            assert_eq!(bulk, plain_perft(&rules, &rules.start(), depth), "{max_plies} {depth}");
        }
    }
}

#[test]
fn a_seed_picks_the_filling() {
    let starts = std::fs::read_to_string("froglet/perft.jsonl").unwrap();
    for (seed, line) in (1..=3).zip(starts.lines()) {
        let start = Froglet { seed, ..rules() }.start();
        let text = format!("\"fen\": \"{}\"", rules().print_position(&start));
        assert!(line.contains(&text), "seed {seed}: {text}");
    }
    assert_ne!(Froglet { seed: u64::MAX, ..rules() }.start(), rules().start());
}

#[test]
fn the_state_is_small() {
    assert!(size_of::<FrogletPosition>() <= 128);
    assert!(size_of::<FrogletMove>() <= 24);
}

#[test]
fn places_and_squares_are_inverse() {
    for square in (0..144).map(Square::new) {
        assert_eq!(Place::of(square).square(), square);
    }
    assert!(squares([ALL; CLASSES]).map(Square::index).eq(0..144));
}

#[test]
fn the_examples_of_spec_14_21_hold() {
    assert_eq!(listed(&position(FEW)), ["b1d1", "b1b3"]);
    let over_green = "12/12/12/12/12/12/12/12/2R9/12/1B10/G2Y8 1 7-9 0 22";
    let over_blue = "12/12/12/12/12/12/12/12/2R9/1Y10/12/G1G9 1 7-12 0 22";
    assert_eq!(after(&rules(), FEW, "b1d1"), over_green);
    assert_eq!(after(&rules(), FEW, "b1b3"), over_blue);
}

#[test]
fn every_colour_scores_its_points_for_the_mover() {
    for (letter, points) in [('G', 1), ('Y', 2), ('R', 3), ('B', 4)] {
        let text = format!("{}/G{letter}10 2 5-6 0 9", &EMPTY[3..]);
        let next = after(&rules(), &text, "a1c1");
        assert!(next.ends_with(&format!(" 1 5-{} 0 10", 6 + points)), "{next}");
        assert_eq!(position(&text).best_gain(), points);
    }
}

#[test]
fn the_frog_removed_from_a_full_board_scores_only_by_option() {
    let start = rules().print_position(&rules().start());
    assert!(after(&rules(), &start, "xc1").ends_with(" 2 0-0 0 1"));
    let scoring = Froglet { first_frog_scores: true, ..rules() };
    assert!(after(&scoring, &start, "xc1").ends_with(" 2 1-0 0 1"));
}

#[test]
fn a_full_board_without_a_green_frog_ends_the_game() {
    let yellow = ["YYYYYYYYYYYY"; 12].join("/");
    let outcome = rules().outcome(&position(&format!("{yellow} 1 3-2 0 0")));
    let result = GameResult::Win(Side::One);
    assert_eq!(outcome, Some(Outcome { result, reason: EndReason::Count }));
    assert_eq!(
        perft(&rules(), &position(&format!("{yellow} 1 3-2 0 0")), 1, &StopFlag::default()),
        0
    );
    let one_green = yellow.replacen('Y', "G", 1);
    assert_eq!(listed(&position(&format!("{one_green} 2 0-0 0 0"))), ["xa12"]);
}

#[test]
fn the_points_decide_when_no_frog_can_hop() {
    let apart = "G11/12/12/12/12/12/12/12/12/12/12/11B";
    for (points, result) in [
        ("9-8", GameResult::Win(Side::One)),
        ("8-9", GameResult::Win(Side::Two)),
        ("8-8", GameResult::Draw),
    ] {
        for (board, side) in [(apart, 1), (EMPTY, 2)] {
            let position = position(&format!("{board} {side} {points} 0 400"));
            let outcome = Outcome { result, reason: EndReason::Count };
            assert_eq!(rules().outcome(&position), Some(outcome), "before max-plies");
        }
    }
}

#[test]
fn max_plies_ends_the_game_by_points() {
    let rules = Froglet { max_plies: 22, ..rules() };
    let mut position = position(FEW);
    assert_eq!(rules.outcome(&position), None);
    assert_eq!(perft(&rules, &position, 2, &StopFlag::default()), 0);
    let mv = resolve(&position, "b1d1");
    rules.play_unchecked(&mut position, mv);
    assert!(!rules.has_move(&position), "no hop comes before max-plies");
    let ended = self::position(&FEW.replace("21", "22"));
    let result = GameResult::Win(Side::Two);
    assert_eq!(rules.outcome(&ended), Some(Outcome { result, reason: EndReason::MaxPlies }));
    assert_eq!(Froglet { max_plies: 0, ..rules }.outcome(&ended), None);
}

#[test]
fn impossible_texts_are_refused_with_field_and_column() {
    let column = EMPTY.len() + 4;
    for extra in
        ["-", "0", "0-", "-0", "0-0-0", "00-0", "0-01", "+1-0", "0--1", "65536-0", "0-99999999999"]
    {
        let error = rules().parse_position(&format!("{EMPTY} 1 {extra} 0 0")).unwrap_err();
        assert_eq!((error.field, error.column), (Field::Extra, column), "{extra}");
        assert!(error.text.ends_with(&format!("found '{extra}'")), "{}", error.text);
    }
    let error = rules().parse_position(&format!("{EMPTY} 1 0-65535 3 0")).unwrap_err();
    assert_eq!((error.field, error.column), (Field::Quiet, column + 8));
    assert_eq!(error.text, "expected 0, found 3");
    let small = EMPTY.replacen("12", "g11", 1);
    let error = rules().parse_position(&format!("{small} 1 0-0 0 0")).unwrap_err();
    assert_eq!((error.field, error.column), (Field::Board, 1));
}

#[test]
fn frogs_may_be_of_any_mix() {
    let blue = ["BBBBBBBBBBBB"; 11].join("/");
    let text = format!("{blue}/1BBBBBBBBBBB 1 65535-65535 0 7");
    assert_eq!(rules().print_position(&position(&text)), text);
    assert_eq!(listed(&position(&text)), ["c1a1", "a3a1"]);
}

#[test]
fn side_and_points_are_part_of_the_identity_and_counters_are_not() {
    let [base, side, points, ply] = ["1 7-8 0 21", "2 7-8 0 21", "1 8-7 0 21", "1 7-8 0 22"]
        .map(|rest| position(&FEW.replace("2 7-8 0 21", rest)));
    assert!(base.repeats(&ply) && base.key() == ply.key());
    for other in [side, points] {
        assert!(!base.repeats(&other) && base.key() != other.key());
    }
}

#[test]
fn the_tally_has_frogs_and_points_in_the_order_of_the_spec() {
    let tally = rules().tally(&position(FEW));
    assert_eq!(tally, [("frogs", Tally::Board(5)), ("points", Tally::Each(BySide::new(7, 8)))]);
}
