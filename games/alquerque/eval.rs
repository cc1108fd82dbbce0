//! Alquerque: an evaluation learned from windows of 3x3 points and from rows. Men and room to move are counted.

use std::sync::{Arc, LazyLock};

use arrayvec::ArrayVec;

use super::{Alquerque, AlquerqueMove, AlquerquePosition, MEN, single_steps};
use leap_core::{Position, Rules, Square};
use leap_search::eval::patterns::{Count, Design, Form, LAST_PHASE, Perspective, Symmetry, Window};
use leap_search::eval::weights::Weights;
use leap_search::eval::{Learned, LearnedEvaluator};
use leap_search::{Chances, Searchable};

/// The value of a man.
const MAN: i32 = 100;

/// The value of a possible step before training.
const STEP: f32 = 3.0;

impl Learned for Alquerque {
    fn design() -> Design {
        let window = |at, size| Window { at, size };
        Design {
            game: "alquerque",
            board: Self::GEOMETRY,
            form: Form::Linear,
            symmetry: Symmetry::Square,
            kinds: "Ox",
            windows: vec![
                window((0, 0), (3, 3)),
                window((1, 0), (3, 3)),
                window((0, 0), (5, 1)),
                window((0, 1), (5, 1)),
            ],
            counts: vec![
                Count { name: "men", most: MEN, prior: |own, enemy| MAN as f32 * (own - enemy) },
                Count { name: "mobility", most: 23, prior: |own, enemy| STEP * (own - enemy) },
            ],
        }
    }

    fn built_in() -> Arc<Weights> {
        static MODEL: LazyLock<Arc<Weights>> = LazyLock::new(|| {
            Weights::built_in::<Alquerque>(include_bytes!(env!("LEAPD_WEIGHTS_alquerque")))
        });
        Arc::clone(&MODEL)
    }

    #[inline]
    fn perspective(position: &AlquerquePosition) -> Perspective {
        let (own, enemy) = (position.side(), position.side().other());
        let (men, enemies) = (position.men(own), position.men(enemy));
        let total = (men.len() + enemies.len()) as i32;
        Perspective {
            kinds: ArrayVec::from_iter([men, enemies]),
            counts: ArrayVec::from_iter([
                (men.len(), enemies.len()),
                (single_steps(position, own), single_steps(position, enemy)),
            ]),
            phase: LAST_PHASE - total * LAST_PHASE / (2 * MEN as i32),
        }
    }
}

impl Searchable for Alquerque {
    type EndgameSolver = ();
    type Evaluator = LearnedEvaluator<Self>;

    const CARELESSNESS: [usize; 2] = [250, 940];
    const CHANCES: Chances = Chances { evaluations: [17, 34, 53, 74, 94], draws: 1.0 };

    compiled_search!();

    fn has_quiet_move(&self, position: &AlquerquePosition) -> bool {
        self.may_step(position)
    }

    fn from_to(mv: AlquerqueMove) -> (Square, Square) {
        (mv.from, mv.to)
    }

    fn gain(&self, _: &AlquerquePosition, mv: AlquerqueMove) -> i32 {
        MAN * mv.captured().len() as i32
    }
}
