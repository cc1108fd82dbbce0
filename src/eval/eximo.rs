//! Eximo: men decide, then how far they have come, above all those that nothing can stop.
//!
//! Weights in centipawns, from matches of variants against each other at 1,000 and 4,000 nodes a move: all terms
//! together won 84 and 90 % against men alone. Mobility and men covered by friends were tried and lost: forced captures
//! turn both against their owner.

use super::{Evaluate, LateMoves, Term, Terms, Tuning};
use crate::rules::eximo::{Eximo, EximoMove, EximoPosition};
use crate::rules::{BySide, Game, Position, Side, SquareSet};

/// A man; also what reaching the last row wins, where one man comes back as two.
const MAN: i32 = 100;
/// A man on each row, counted from its first row: men at home guard the row that the enemy has to reach.
const ROWS: [i32; 8] = [5, 0, 1, 2, 4, 7, 10, 14];
/// A man on file a or h, which can be captured only from straight ahead.
const EDGE: i32 = 12;
/// A man that nothing can stop, by row: what it will win, less the cost of getting there.
const RUNNERS: [i32; 8] = [4, 12, 20, 28, 36, 44, 52, 60];
/// Being the side to move.
const TEMPO: i32 = 10;

/// The squares with another one to the left, and to the right.
const NOT_FILE_A: SquareSet = Eximo::BOARD.origins(-1, 0);
const NOT_FILE_H: SquareSet = Eximo::BOARD.origins(1, 0);

impl Evaluate for Eximo {
    type Endings = ();

    const TUNING: Tuning = Tuning {
        quiescence_table: true,
        late_moves: LateMoves { depth: 8, base: 10, per_square: 150 },
        ..Tuning::DEFAULT
    };

    fn terms(&self, position: &EximoPosition) -> Terms {
        let views = BySide::from_fn(|side| View::new(position, side));
        let tempo = BySide::from_fn(|side| if side == position.side() { TEMPO } else { 0 });
        Terms::from_iter([
            Term { name: "men", values: views.map(|view| MAN * count(view.own)) },
            Term { name: "rows", values: views.map(|view| by_row(view.own, &ROWS)) },
            Term {
                name: "edge",
                values: views.map(|view| EDGE * count(view.own & !(NOT_FILE_A & NOT_FILE_H))),
            },
            Term { name: "runners", values: views.map(|view| by_row(view.runners(), &RUNNERS)) },
            Term { name: "tempo", values: tempo },
        ])
    }

    fn gain(&self, _: &EximoPosition, mv: EximoMove) -> i32 {
        let dropped = if mv.drops().count() > 1 { MAN } else { 0 };
        MAN * count(mv.captured()) + dropped
    }
}

/// The men as one side sees them: forward is up for both.
#[derive(Clone, Copy)]
struct View {
    own: SquareSet,
    enemy: SquareSet,
}

impl View {
    fn new(position: &EximoPosition, side: Side) -> Self {
        let (own, enemy) = (position.men(side), position.men(side.other()));
        match side {
            Side::One => Self { own, enemy },
            Side::Two => Self { own: upside_down(own), enemy: upside_down(enemy) },
        }
    }

    /// The men that no enemy can reach by steps and jumps: none stands in the cone before them.
    fn runners(self) -> SquareSet {
        let reached = (1..8).fold(self.enemy, |reached, _| {
            let down = reached.shift(-8);
            reached | down | (down & NOT_FILE_A).shift(-1) | (down & NOT_FILE_H).shift(1)
        });
        self.own & !reached
    }
}

const fn upside_down(set: SquareSet) -> SquareSet {
    SquareSet(set.0.swap_bytes())
}

const fn count(men: SquareSet) -> i32 {
    men.len() as i32
}

/// The sum of the weights of the rows that the men stand on.
fn by_row(men: SquareSet, weights: &[i32; 8]) -> i32 {
    let rows = men.0.to_le_bytes();
    rows.iter().zip(weights).map(|(row, weight)| weight * row.count_ones() as i32).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::notation::Notation;

    fn term(text: &str, name: &str) -> BySide<i32> {
        let game = Eximo::default();
        let terms = game.terms(&game.parse_position(text).unwrap());
        terms.into_iter().find(|term| term.name == name).unwrap().values
    }

    #[test]
    fn the_start_position_is_even_but_for_the_tempo() {
        let game = Eximo::default();
        assert_eq!(game.evaluate(&game.start(), Side::One), TEMPO);
    }

    #[test]
    fn a_runner_is_a_man_with_no_enemy_in_the_cone_before_him() {
        assert_eq!(
            term("8/8/8/m7/4M3/8/8/8 1 - 0 0", "runners"),
            BySide::new(RUNNERS[3], RUNNERS[3])
        );
        assert_eq!(term("m7/8/8/8/4M3/8/8/8 1 - 0 0", "runners"), BySide::new(0, 0));
    }

    #[test]
    fn a_capture_on_the_last_row_gains_two_men() {
        let game = Eximo::default();
        let position = game.parse_position("8/3m4/3M4/8/8/8/8/8 1 - 0 0").unwrap();
        let mv = game.resolve(&position, &|_| false, "d6d8@b1@c1").unwrap();
        assert_eq!(game.gain(&position, mv), 2 * MAN);
    }
}
