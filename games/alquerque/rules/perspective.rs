//! The points of a position, as one side sees them.

use leap_core::{Position, Side, SquareSet};

use super::AlquerquePosition;
use super::lines::{AXES, DIRECTIONS, HOP_ORIGINS};

/// The points of a position, as one side sees them.
#[derive(Clone, Copy)]
pub(super) struct Perspective {
    pub(super) own: SquareSet,
    pub(super) enemy: SquareSet,
    pub(super) empty: SquareSet,
}

impl Perspective {
    /// The points as the side to move sees them.
    #[inline]
    pub(super) fn of(position: &AlquerquePosition) -> Self {
        Self::seen_by(position, position.side())
    }

    #[inline]
    pub(super) fn seen_by(position: &AlquerquePosition, side: Side) -> Self {
        let (own, enemy) = (position.men(side), position.men(side.other()));
        Self { own, enemy, empty: position.empty() }
    }

    /// The lines along which a man can make a step, as sets of their lower points, one set for each axis.
    #[inline]
    fn step_lines(self) -> impl Iterator<Item = SquareSet> {
        AXES.into_iter().map(move |(delta, lower)| {
            let up = self.own & self.empty.shift(-delta);
            let down = self.empty & self.own.shift(-delta);
            lower & (up | down)
        })
    }

    /// The number of single steps, counted by whole axes.
    #[inline]
    pub(super) fn count_steps(self) -> u32 {
        self.step_lines().map(SquareSet::len).sum()
    }

    /// Whether there is a single step.
    #[inline]
    pub(super) fn can_step(self) -> bool {
        !self.step_lines().fold(SquareSet::EMPTY, |all, lines| all | lines).is_empty()
    }

    /// The points where a hop begins, whoever stands there.
    #[inline]
    pub(super) fn exits(self) -> SquareSet {
        let toward = |d: usize| {
            let jumpable = self.enemy & self.empty.rotate(-DIRECTIONS[d]);
            HOP_ORIGINS[d] & jumpable.rotate(-DIRECTIONS[d])
        };
        (0..DIRECTIONS.len()).fold(SquareSet::EMPTY, |all, d| all | toward(d))
    }

    /// The men that can capture.
    #[inline]
    pub(super) fn hoppers(self) -> SquareSet {
        self.own & self.exits()
    }
}
