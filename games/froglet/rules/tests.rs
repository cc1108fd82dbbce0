use super::*;
use leap_core::RulesExt;
use leap_core::perft::perft;

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

#[test]
fn places_and_squares_are_inverse() {
    for square in (0..144).map(Square::new) {
        assert_eq!(Place::of(square).square(), square);
    }
    assert!(squares([ALL; CLASSES]).map(Square::index).eq(0..144));
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
