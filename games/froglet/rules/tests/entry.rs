//! Moves entered step by step.

use super::*;
use leap_core::notation::{Illegal, MoveEffect, Next, PartialMove, Reason};

/// Frogs around which another can hop in a square (a1 over b1, c2, b3, a2), and others in the way.
const SQUARE: &str = "12/12/12/12/12/12/12/GG10/4B7/1R10/G1Y9/GG9G 1 0-0 0 3";

fn square(name: &str) -> Square {
    let Step::To(square) = Steps::parse(Froglet::GEOMETRY, name).unwrap().0[0] else {
        panic!("{name}")
    };
    square
}

fn refused(position: &FrogletPosition, text: &str) -> (Reason, Option<String>) {
    let Illegal { reason, at } = rules().parse_move(position, text).unwrap_err();
    (reason, at.map(|at| Froglet::GEOMETRY.name(at).to_string()))
}

#[track_caller]
fn assert_refused(text: &str, mv: &str, reason: Reason, at: &str) {
    let at = (at != "-").then(|| at.to_owned());
    assert_eq!(refused(&position(text), mv), (reason, at), "{mv}");
}

#[test]
fn reasons_on_a_full_board() {
    let start = rules().print_position(&rules().start());
    assert_refused(&start, "xb1", super::super::partial_move::NOT_GREEN, "b1");
    assert_refused(&start, "a1c1", super::super::partial_move::MUST_REMOVE, "a1");
    assert_refused(&start, "xc1xf1", Reason::TurnEnded, "f1");
    assert_refused(&start, "xc1c3", Reason::TurnEnded, "c3");
    assert_refused(&start, "xc1@c3", Reason::DropNotAllowed, "c3");
    assert_refused(&start, "@c1", Reason::DropNotAllowed, "c1");
}

#[test]
fn reasons_for_hops() {
    assert_refused(SQUARE, "c1e1", Reason::EmptySquare, "c1");
    assert_refused(SQUARE, "e4e6", Reason::Blocked, "e4");
    assert_refused(SQUARE, "l1j1", Reason::Blocked, "l1");
    assert_refused(SQUARE, "xa1", Reason::NoRemoval, "a1");
    assert_refused(SQUARE, "a1xb1", Reason::NoRemoval, "b1");
    assert_refused(SQUARE, "a1", Reason::Incomplete, "-");
    for to in ["b1", "b2", "e1", "a5", "a1", "c3", "l12"] {
        assert_refused(SQUARE, &format!("a1{to}"), Reason::NoSuchLine, to);
    }
    assert_refused(SQUARE, "a1a3a5", Reason::LandingOccupied, "a5");
    assert_refused(SQUARE, "a1c1e1", Reason::NothingToJump, "d1");
    assert_refused(SQUARE, "a1c1a1", Reason::NothingToJump, "b1");
    assert_refused(SQUARE, "a1@c1", Reason::DropNotAllowed, "c1");
    assert_refused(SQUARE, "a13c1", Reason::OffBoard, "-");
    assert_refused(SQUARE, "a1?", Reason::BadText, "-");
}

#[test]
fn a_frog_that_was_jumped_is_no_longer_there() {
    assert_refused(SQUARE, "a1a3c3a3", Reason::NothingToJump, "b3");
}

#[test]
fn a_round_comes_back_to_its_origin_and_is_one_move_both_ways() {
    let position = position(SQUARE);
    let round = resolve(&position, "a1c1c3a3a1");
    assert_eq!(resolve(&position, "a1a3c3c1a1"), round);
    assert_eq!(rules().print_move(&position, round), "a1c1c3a3a1");
    assert_eq!(
        after(&rules(), SQUARE, "a1a3c3c1a1"),
        "12/12/12/12/12/12/12/GG10/4B7/12/12/G10G 2 7-0 0 4"
    );
}

#[test]
fn next_offers_origins_then_landings() {
    let position = position(SQUARE);
    let rules = rules();
    let mut turn = rules.partial_move(&position, None);
    let squares = |names: &[&str]| names.iter().map(|name| Step::To(square(name))).collect();
    assert_eq!(turn.next().steps, squares(&["a1", "a5"]));
    turn.take(Step::To(square("a1"))).unwrap();
    assert_eq!(turn.next(), Next { steps: squares(&["c1", "a3"]), may_end: false });
    turn.take(Step::To(square("c1"))).unwrap();
    assert_eq!(turn.next(), Next { steps: squares(&["c3"]), may_end: true });
}

#[test]
fn effects_tell_hop_by_hop_and_the_points_last() {
    let position = position(SQUARE);
    let rules = rules();
    let mut turn = rules.partial_move(&position, None);
    for name in ["a1", "c1", "c3"] {
        turn.take(Step::To(square(name))).unwrap();
    }
    let effects = [turn.effects(), &turn.end_effects()].concat();
    let [a1, b1, c1, c2, c3] = ["a1", "b1", "c1", "c2", "c3"].map(square);
    let expected = [
        MoveEffect::Moved { from: a1, to: c1 },
        MoveEffect::Captured(b1),
        MoveEffect::Moved { from: c1, to: c3 },
        MoveEffect::Captured(c2),
        MoveEffect::Scored(3),
    ];
    assert_eq!(effects, expected);
}

#[test]
fn a_removal_tells_its_point_only_if_it_scores() {
    for (first_frog_scores, scored) in [(false, None), (true, Some(MoveEffect::Scored(1)))] {
        let rules = Froglet { first_frog_scores, ..rules() };
        let start = rules.start();
        let mut turn = rules.partial_move(&start, None);
        turn.take(Step::Remove(square("c1"))).unwrap();
        assert!(turn.next().may_end && turn.next().steps.is_empty());
        let effects = [turn.effects(), &turn.end_effects()].concat();
        let removed = MoveEffect::Removed(square("c1"));
        assert_eq!(effects, [Some(removed), scored].into_iter().flatten().collect::<Vec<_>>());
    }
}
