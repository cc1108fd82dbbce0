//! Random positions, denser and odder than in games. `tests/library/agreement` compares such boards with the reference.

use std::collections::HashSet;

use super::*;
use leap_core::men::Men;
use leap_core::notation::{Next, PartialMove};
use leap_core::{Counters, RulesExt, SplitMix64};

const GAME: Eximo = Eximo { max_plies: 400 };

const POSITIONS: u32 = 3000;

fn moves(position: &EximoPosition) -> Vec<EximoMove> {
    GAME.legal_moves(position)
}

/// Calls `check` with random positions, the same ones in each run.
fn for_random_positions(mut check: impl FnMut(&EximoPosition)) {
    let mut random = SplitMix64::new(12);
    let mut draw = || random.draw();
    for i in 0..POSITIONS {
        // Each further word halves the number of men.
        let [a, b] =
            [draw() & draw(), draw()].map(|men| if i % 3 == 0 { men & draw() } else { men });
        let (one, two) = if i % 2 == 0 { (a, b & !a) } else { (a & !b, b) };
        let men = |side, set| SquareSet(set) & !LAST_ROW[side];
        let men = Men::new(BySide::new(men(Side::One, one), men(Side::Two, two)));
        let side = if draw() % 2 == 0 { Side::One } else { Side::Two };
        let position = EximoPosition { men, counters: Counters { side, ..Counters::START } };
        check(&position);
    }
}

#[test]
fn counts_lists_and_texts_agree() {
    for_random_positions(|position| {
        let text = GAME.print_position(position);
        let moves = moves(position);
        assert_eq!(GAME.count_moves(position, &StopFlag::default()), moves.len() as u64, "{text}");
        assert_eq!(GAME.has_move(position), !moves.is_empty(), "{text}");
        let routes: Vec<Steps> = moves.iter().map(|mv| GAME.route(position, *mv)).collect();
        assert!(routes.is_sorted_by(|a, b| a < b), "{text}");
        for (mv, route) in moves.iter().zip(routes).take(50) {
            let move_text = route.text(Eximo::GEOMETRY);
            assert_eq!(GAME.parse_move(position, &move_text), Ok(*mv), "{move_text} in {text}");
        }
    });
}

/// Collects the move at the end of every way through [`PartialMove::next`].
fn entered<T: PartialMove<Move = EximoMove>>(turn: &T, moves: &mut HashSet<EximoMove>) {
    let Next { steps, may_end } = turn.next();
    assert_eq!(may_end, steps.is_empty(), "no move of Eximo is the beginning of another");
    if may_end {
        moves.insert(turn.finish().unwrap());
    }
    for step in steps {
        let mut turn = turn.clone();
        turn.take(step).unwrap();
        entered(&turn, moves);
    }
}

#[test]
fn what_can_be_entered_are_exactly_the_moves() {
    for_random_positions(|position| {
        let listed = HashSet::from_iter(moves(position));
        if listed.is_empty() {
            return;
        }
        let mut reached = HashSet::new();
        entered(&GAME.partial_move(position, None), &mut reached);
        assert_eq!(reached, listed, "{}", GAME.print_position(position));
    });
}
