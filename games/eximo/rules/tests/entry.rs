//! Moves entered step by step: the next steps, their effects, and the reasons for illegal steps.

use super::*;
use leap_core::notation::{Illegal, MoveEffect, PartialMove};

fn square(name: &str) -> Square {
    Steps::parse(Eximo::GEOMETRY, name).unwrap().0[0].square()
}

/// The reason why a text is not a legal move, and the square at fault.
fn refused(position_text: &str, mv: &str) -> (Reason, String) {
    let Illegal { reason, at } = GAME.parse_move(&position(position_text), mv).expect_err(mv);
    (reason, at.map_or("-".to_owned(), |at| Eximo::GEOMETRY.name(at).to_string()))
}

#[track_caller]
fn assert_refused(position_text: &str, reason: Reason, cases: &[(&str, &str)]) {
    for (mv, at) in cases {
        assert_eq!(refused(position_text, mv), (reason, (*at).to_owned()), "{mv}");
    }
}

/// c2 captures d3 and then e5; h1 has nothing to capture.
const CAPTURE: &str = "8/8/8/4m3/8/3m2m1/2M1M3/2M4M 1 - 0 0";
/// c7 reaches the last row. There is room on b1 and c1.
const RUNNER: &str = "8/2M5/8/8/8/8/1MMMMMM1/3MMMM1 1 - 0 0";
/// c7 reaches the last row. There is no room.
const FULL: &str = "8/2M5/8/8/8/8/1MMMMMM1/1MMMMMM1 1 - 0 0";
/// c1 jumps over c2. Then it stands before the enemy on c4, which it may not capture.
const MIXED: &str = "7m/8/8/8/2m5/8/2M5/2M5 1 - 0 0";
/// c1 jumps over c2 and must go on over c4.
const CHAIN: &str = "7m/8/8/8/2M5/8/2M5/2M5 1 - 0 0";
/// d2 captures c3 and then c5. The own man on b5 plays no part in that move.
const CAPTURES: &str = "7m/8/8/1Mm5/8/2m5/3M4/8 1 - 0 0";

#[test]
fn texts_that_are_no_moves() {
    assert_refused(MIXED, Reason::BadText, &[("", "-"), ("c1-c3", "-"), ("C1_c3", "-")]);
    assert_refused(MIXED, Reason::OffBoard, &[("c1i3", "-"), ("c9c8", "-")]);
    assert_refused(MIXED, Reason::NoRemoval, &[("xc1", "c1"), ("c1xc2", "c2")]);
    assert_refused(MIXED, Reason::Incomplete, &[("c1", "-"), ("@b1", "-"), ("c1@b1", "-")]);
}

#[test]
fn the_origin_holds_a_man_of_the_mover_who_can_move() {
    assert_refused(MIXED, Reason::EmptySquare, &[("c3c4", "c3")]);
    assert_refused(MIXED, Reason::NotYourPiece, &[("h8h7", "h8")]);
    let blocked = "8/8/8/8/8/m1m5/mm6/M6M 1 - 0 0";
    assert_refused(blocked, Reason::Blocked, &[("a1a2", "a1")]);
    assert_refused(CAPTURE, Reason::CaptureMandatory, &[("h1h2", "h1")]);
}

#[test]
fn a_capture_is_demanded_of_a_man_who_has_one() {
    assert_refused(CAPTURE, Reason::CaptureMandatory, &[("c2b3", "b3"), ("c2c3", "c3")]);
}

#[test]
fn men_go_straight_or_diagonally_forward_by_one_or_two_squares() {
    let far = &[("c1a2", "a2"), ("c1c4", "c4"), ("c1d3", "d3"), ("c1c1", "c1")];
    assert_refused(MIXED, Reason::NoSuchLine, far);
    let back = &[("c2b1", "b1"), ("c2b2", "b2"), ("c2d2", "d2"), ("c2d1", "d1")];
    assert_refused(MIXED, Reason::Backward, back);
    assert_refused("7m/8/8/8/8/2M5/2M5/8 1 - 0 0", Reason::Backward, &[("c3c1", "c1")]);
}

#[test]
fn a_hop_needs_a_man_to_hop_over_and_room_to_land() {
    assert_refused(MIXED, Reason::NothingToJump, &[("c2e4", "d3"), ("c2a2", "b2")]);
    assert_refused(MIXED, Reason::LandingOccupied, &[("c1c2", "c2"), ("c2c4", "c4")]);
    assert_refused("7m/8/8/8/8/8/8/2MM4 1 - 0 0", Reason::OwnPieceJumped, &[("c1e1", "d1")]);
    // The man captured first has left the board.
    let back = "8/8/8/1m6/2mM4/8/8/8 1 - 0 0";
    assert_refused(back, Reason::NothingToJump, &[("d4b4d4", "c4")]);
}

#[test]
fn kinds_of_moves_do_not_mix() {
    assert_refused(MIXED, Reason::CannotMix, &[("c1c3c5", "c5"), ("c1c3b4", "b4")]);
    assert_refused(CHAIN, Reason::CannotMix, &[("c1c3b4", "b4")]);
    assert_refused(CAPTURES, Reason::CannotMix, &[("d2b4b6", "b6"), ("d2b4d6e7", "e7")]);
}

#[test]
fn chains_go_on_while_they_can_and_no_longer() {
    assert_refused(CHAIN, Reason::MustContinue, &[("c1c3", "c3"), ("c1c3@b1", "c3")]);
    assert_refused(MIXED, Reason::TurnEnded, &[("c2d3e4", "e4"), ("c1c3a1", "a1")]);
    let gone = &[("c7c8c7", "c7"), ("c7c8@b1c7", "c7"), ("c7c8@b1@c1c2", "c2")];
    assert_refused(RUNNER, Reason::TurnEnded, gone);
}

#[test]
fn drops_are_as_many_as_there_is_room_for_up_to_two() {
    assert_refused(RUNNER, Reason::DropMissing, &[("c7c8", "c8"), ("c7c8@b1", "c8")]);
    assert_refused(RUNNER, Reason::TooManyDrops, &[("c7c8@b1@c1@d3", "d3")]);
    assert_refused(MIXED, Reason::DropNotAllowed, &[("c1c3@b1", "b1"), ("c2d3@b1", "b1")]);
    assert_refused(FULL, Reason::DropNotAllowed, &[("c7c8@b1", "b1")]);
}

#[test]
fn drops_go_to_empty_squares_of_the_zone() {
    assert_refused(RUNNER, Reason::DropOutsideZone, &[("c7c8@a1", "a1"), ("c7c8@b1@c3", "c3")]);
    assert_refused(RUNNER, Reason::DropOccupied, &[("c7c8@b2", "b2"), ("c7c8@b1@b1", "b1")]);
}

#[test]
fn drops_may_be_entered_in_any_order() {
    let position = position(RUNNER);
    assert_eq!(resolve(&position, "c7c8@c1@b1"), resolve(&position, "c7c8@b1@c1"));
}

#[test]
fn next_offers_only_captures_where_there_is_one() {
    let position = position(CAPTURE);
    let mut turn = GAME.partial_move(&position, None);
    for (step, following) in [("c2", "e4"), ("e4", "e6")] {
        turn.take(Step::To(square(step))).unwrap();
        let next = turn.next();
        assert_eq!((next.steps, next.may_end), (vec![Step::To(square(following))], false));
    }
}

#[test]
fn effects_tell_hops_captures_and_drops_in_order() {
    let position = position("8/3m4/3M4/8/8/8/8/8 1 - 0 0");
    let mut turn = GAME.partial_move(&position, None);
    for step in Steps::parse(Eximo::GEOMETRY, "d6d8@g2@b1").unwrap().0 {
        turn.take(step).unwrap();
    }
    let [d6, d7, d8] = ["d6", "d7", "d8"].map(square);
    assert_eq!(
        turn.effects(),
        [
            MoveEffect::Moved { from: d6, to: d8 },
            MoveEffect::Captured(d7),
            MoveEffect::Removed(d8),
            MoveEffect::Dropped(square("g2"), Piece::plain('M')),
            MoveEffect::Dropped(square("b1"), Piece::plain('M')),
        ]
    );
}
