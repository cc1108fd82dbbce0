//! What a position of Ataxx is worth: learned from windows of 3x2 squares, the stones, and the squares beside them.

use std::sync::Arc;

use leap_core::{Rules as _, SquareSet};
use leap_search::eval::Learned;
use leap_search::eval::patterns::{Count, Design, Form, LAST_PHASE, Perspective, Symmetry, Window};
use leap_search::eval::weights::Weights;

use super::rules::{Ataxx, Stones, around, empty};

impl Learned for Ataxx {
    fn design() -> Design {
        // Nine windows, of which the board has 60 images: it can be turned and mirrored.
        let window = |index| Window { at: (index % 3, index / 3), size: (3, 2) };
        let count = |name, prior| Count { name, most: 49, prior };
        Design {
            game: "ataxx",
            board: Self::GEOMETRY,
            symmetry: Symmetry::Square,
            kinds: "Oo",
            windows: (0..9).map(window).collect(),
            counts: vec![
                count("stones", |own, enemy| 100.0 * (own - enemy)),
                count("room", |own, enemy| 10.0 * (own - enemy)),
            ],
            form: Form::Linear,
        }
    }

    fn built_in() -> Arc<Weights> {
        Weights::built_in::<Self>(include_bytes!("../weights"))
    }

    fn perspective(position: &Stones) -> Perspective {
        let (own, enemy, empty) = (position.own(), position.enemy(), empty(position));
        let room = |stones: SquareSet| (around(stones) & empty).len();
        Perspective {
            kinds: [own, enemy].into_iter().collect(),
            counts: [(own.len(), enemy.len()), (room(own), room(enemy))].into_iter().collect(),
            phase: LAST_PHASE - LAST_PHASE * empty.len() as i32 / 49,
        }
    }
}
