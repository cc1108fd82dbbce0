//! Captures of positions without counters, by the rules of the game.

use std::ops::ControlFlow;

use leap_core::Rules;
use leap_games::alquerque::{Alquerque, AlquerqueMove};

use crate::Men;

/// The position after a capture, for the other side.
fn after(men: Men, mv: AlquerqueMove) -> Men {
    let (from, to) = (mv.from(), mv.to());
    let own = men.own & !(1 << from.index()) | 1 << to.index();
    Men { own: men.enemy & !(mv.captured().0 as u32), enemy: own }
}

/// Visits the positions after each capture, for the other side.
pub(crate) fn captures(
    rules: &Alquerque,
    men: Men,
    mut visit: impl FnMut(Men) -> ControlFlow<()>,
) -> ControlFlow<()> {
    rules.visit_captures(&men.position(), |mv| visit(after(men, mv)))
}
