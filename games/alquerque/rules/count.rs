//! Moves counted by sets, without making them.

use leap_core::{Position, Side, Square, SquareSet};

use super::lines::{AXES, DIRECTIONS, HOP_LANDINGS, HOP_ORIGINS, STEPS, beyond, opposite};
use super::{AlquerqueMove, AlquerquePosition, Chain};

/// The points of a position, as the side to move sees them.
#[derive(Clone, Copy)]
pub(super) struct Points {
    pub(super) own: SquareSet,
    pub(super) enemy: SquareSet,
    pub(super) empty: SquareSet,
}

impl Points {
    #[inline]
    pub(super) fn of(position: &AlquerquePosition) -> Self {
        Self::seen_by(position, position.side())
    }

    #[inline]
    pub(super) fn seen_by(position: &AlquerquePosition, side: Side) -> Self {
        let (own, enemy) = (position.men(side), position.men(side.other()));
        Self { own, enemy, empty: position.empty() }
    }

    /// The same points as the other side sees them.
    #[inline]
    pub(super) const fn flipped(self) -> Self {
        Self { own: self.enemy, enemy: self.own, empty: self.empty }
    }

    /// The points after a move, as the other side sees them.
    #[inline]
    fn after(self, mv: AlquerqueMove) -> Self {
        let captured = mv.captured();
        Self {
            own: self.enemy & !captured,
            enemy: self.own.without(mv.from).with(mv.to),
            empty: (self.empty.with(mv.from) | captured).without(mv.to),
        }
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

    /// The number of single steps.
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

    /// The number of captures. All hops begin at `exits`, which may have more points.
    ///
    /// A man who lands elsewhere cannot hop on. Only the point that he has left is empty besides, and there is no man
    /// left to hop over on the way back.
    #[inline]
    fn count_hops(self, exits: SquareSet, must_go_on: bool) -> u64 {
        let mut count = 0;
        for from in self.own & exits {
            let chain = Chain::new(self, from, must_go_on);
            let landings = chain.landings();
            count += u64::from((landings & !exits).len());
            for to in landings & exits {
                count += chain.count(to);
            }
        }
        count
    }

    /// The number of moves.
    #[inline]
    pub(super) fn count(self, must_capture: bool) -> u64 {
        let hops = self.count_hops(self.exits(), must_capture);
        if must_capture && hops > 0 { hops } else { hops + u64::from(self.count_steps()) }
    }

    /// The number of replies to all single steps together.
    ///
    /// A step leaves one point and takes another, so it changes the replies around these two points alone.
    pub(super) fn count_replies_to_steps(self, must_capture: bool) -> u64 {
        let replies = self.flipped();
        let (steps, exits) = (replies.count_steps(), replies.exits());
        let beside = |point: Square| (STEPS[point.index()] & self.enemy).len();
        let mut count = 0;
        for from in self.own {
            let gained = steps + beside(from);
            for to in STEPS[from.index()] & self.empty {
                let after = self.after(AlquerqueMove::step(from, to));
                let hops = after.count_hops(exits | after.exits_by_step(from, to), must_capture);
                count += hops;
                if hops == 0 || !must_capture {
                    count += u64::from(gained - beside(to));
                }
            }
        }
        count
    }

    /// The points where hops begin because the other side has just stepped: over the man on `to`, or onto `from`.
    #[inline]
    fn exits_by_step(self, from: Square, to: Square) -> SquareSet {
        let around = STEPS[to.index()];
        let over = around & opposite(to, around & self.empty);
        let onto = HOP_LANDINGS[from.index()] & beyond(from, self.enemy);
        over | onto
    }

    /// The number of replies to the captures of these men together.
    pub(super) fn count_replies_to_hops(self, men: SquareSet, must_capture: bool) -> u64 {
        let mut count = 0;
        let mut visit = |mv| {
            count += self.after(mv).count(must_capture);
            std::ops::ControlFlow::Continue(())
        };
        for from in men {
            let _ = Chain::new(self, from, must_capture).visit(&mut visit);
        }
        count
    }
}
