//! Moves of positions without counters, by the rules of the game.

use std::ops::ControlFlow;

use leap_core::{Rules, SquareSet};
use leap_games::alquerque::{Alquerque, AlquerqueMove, CaptureRule, neighbours};

use crate::Men;

impl Men {
    /// Visits the positions after all moves, for the other side: captures first. Several moves may lead to one position.
    pub fn visit_moves(self, rules: &Alquerque, mut visit: impl FnMut(Self)) {
        let mut can_capture = false;
        let _ = self.visit_captures(rules, |after| {
            can_capture = true;
            visit(after);
            ControlFlow::Continue(())
        });
        if !can_capture || rules.capture == CaptureRule::Optional {
            steps(self.own, self.free(), |own| visit(Self { own: self.enemy, enemy: own }));
        }
    }

    /// Visits the positions after all captures, for the other side.
    pub fn visit_captures(
        self,
        rules: &Alquerque,
        mut visit: impl FnMut(Self) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        rules.visit_captures(&self.position(), |mv| visit(self.after_capture(mv)))
    }

    fn after_capture(self, mv: AlquerqueMove) -> Self {
        let (from, to) = (mv.from, mv.to);
        let own = self.own & !(1 << from.index()) | 1 << to.index();
        Self { own: self.enemy & !(mv.captured().0 as u32), enemy: own }
    }

    /// The different positions after all moves, for the other side: the least of its images for each, in ascending order.
    #[must_use]
    pub fn after_moves(self, rules: &Alquerque) -> Vec<Self> {
        let mut after = Vec::new();
        self.visit_moves(rules, |men| after.push(men.least_image()));
        after.sort_unstable();
        after.dedup();
        after
    }
}

/// Visits the men of the side `own` after each step of one of them.
pub(crate) fn steps(own: u32, free: u32, mut visit: impl FnMut(u32)) {
    for from in SquareSet(u64::from(own)) {
        let without = own & !(1 << from.index());
        for to in neighbours(from) & SquareSet(u64::from(free)) {
            visit(without | 1 << to.index());
        }
    }
}
