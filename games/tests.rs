//! Helpers that the tests of evaluations share.

use leap_core::notation::Notation;
use leap_core::{BySide, Side};
use leap_search::Searchable;
use leap_search::eval::Evaluator;

use crate::alquerque::Alquerque;
use crate::eximo::Eximo;
use crate::froglet::Froglet;

/// One term of the evaluation of a position text.
pub(crate) fn term<R: Searchable + Notation>(game: &R, text: &str, name: &str) -> BySide<i32> {
    let position = game.parse_position(text).unwrap();
    let terms = R::Evaluator::default().terms(game, &position);
    terms.iter().find(|term| term.name == name).unwrap().values
}

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

#[test]
fn parts_add_up_to_the_evaluation() {
    let game = Alquerque::default();
    let evaluator = <Alquerque as Searchable>::Evaluator::default();
    for text in ["mmmmm/mmmmm/mm1MM/MMMMM/MMMMM 1 - 0 0", "5/2m2/5/1m3/2M1M 2 - 0 52"] {
        let position = game.parse_position(text).unwrap();
        for side in Side::BOTH {
            let parts = evaluator.terms(&game, &position);
            let sum: i32 = parts.iter().map(|term| term.balance(side)).sum();
            assert_eq!(evaluator.evaluate(&game, &position, side), sum, "{text}");
        }
    }
}
