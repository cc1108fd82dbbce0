//! Eximo: a network over all windows of 2x2 squares, with men counted.
//!
//! Each side sees the board with its own first row at the bottom.

use std::sync::{Arc, LazyLock};

use arrayvec::ArrayVec;

use super::{Eximo, EximoMove, EximoPosition};
use leap_core::{Position, Rules, Side, Square, SquareSet};
use leap_search::eval::patterns::{
    Count, Design, Form, LAST_PHASE, Perspective, Shape, Symmetry, Window,
};
use leap_search::eval::weights::Weights;
use leap_search::eval::{Learned, LearnedEvaluator};
use leap_search::{Chances, LateMoves, SearchTuning, Searchable, TimePlan};

/// The value of a man. Reaching the last row gains as much, since one man comes back as two.
const MAN: i32 = 100;

/// The men of both sides at the start.
const MEN: u32 = 32;

/// A game with few men can take this many moves to its end.
const LAST_MOVES: u32 = 6;

impl Learned for Eximo {
    fn design() -> Design {
        let windows = (0..7).flat_map(|rank| (0..4).map(move |file| (file, rank)));
        Design {
            game: "eximo",
            board: Self::GEOMETRY,
            form: Form::Network(Shape { units: 64, buckets: 4 }),
            symmetry: Symmetry::Mirror,
            kinds: "Ox",
            windows: windows.map(|at| Window { at, size: (2, 2) }).collect(),
            counts: vec![Count {
                name: "men",
                most: MEN / 2,
                prior: |own, enemy| MAN as f32 * (own - enemy),
            }],
        }
    }

    fn built_in() -> Arc<Weights> {
        static MODEL: LazyLock<Arc<Weights>> = LazyLock::new(|| {
            Weights::built_in::<Eximo>(include_bytes!(env!("LEAPD_WEIGHTS_eximo")))
        });
        Arc::clone(&MODEL)
    }

    #[inline]
    fn perspective(position: &EximoPosition) -> Perspective {
        let side = position.side();
        let (own, enemy) = (position.men(side), position.men(side.other()));
        let men = (own.len() + enemy.len()).min(MEN) as i32;
        let seen = |set: SquareSet| if side == Side::One { set } else { set.flip_ranks() };
        Perspective {
            kinds: ArrayVec::from_iter([seen(own), seen(enemy)]),
            counts: ArrayVec::from_iter([(own.len(), enemy.len())]),
            phase: LAST_PHASE - men * LAST_PHASE / MEN as i32,
        }
    }
}

impl Searchable for Eximo {
    type EndgameSolver = ();
    type Evaluator = LearnedEvaluator<Self>;

    const CARELESSNESS: [usize; 2] = [820, 920];
    const CHANCES: Chances = Chances { evaluations: [22, 48, 83, 133, 211], draws: 0.0 };
    const TUNING: SearchTuning = SearchTuning {
        quiescence_table: true,
        late_moves: LateMoves { depth: 8, base: 10, per_square: 150 },
        ..SearchTuning::DEFAULT
    };

    /// Plans for about half of the moves that games take, since the early moves are worth more time.
    fn time_plan(&self, position: &EximoPosition) -> TimePlan {
        let men = position.men(Side::One).len() + position.men(Side::Two).len();
        TimePlan { moves_left: LAST_MOVES.max(men * 3 / 5) }
    }

    compiled_search!();

    fn has_quiet_move(&self, position: &EximoPosition) -> bool {
        !self.must_capture(position) && self.has_move(position)
    }

    fn from_to(mv: EximoMove) -> (Square, Square) {
        (mv.from, mv.to)
    }

    fn gain(&self, _: &EximoPosition, mv: EximoMove) -> i32 {
        let dropped = if mv.drops().count() > 1 { MAN } else { 0 };
        MAN * mv.captured.len() as i32 + dropped
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use leap_core::notation::Notation;

    #[test]
    fn a_capture_on_the_last_row_gains_two_men() {
        let rules = Eximo::default();
        let position = rules.parse_position("8/3m4/3M4/8/8/8/8/8 1 - 0 0").unwrap();
        let mv = rules.parse_move(&position, "d6d8@b1@c1").unwrap();
        assert_eq!(rules.gain(&position, mv), 2 * MAN);
    }
}
