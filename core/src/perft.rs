//! Perft: the number of sequences of n moves (SPEC 10.16).

use std::ops::ControlFlow;

use super::{Rules, RulesExt, StopFlag};

/// Counts the sequences of `depth` moves; the moves of the last ply are counted, not made.
///
/// The count is meaningless once `stop` is raised.
///
/// ```
/// use leap_core::perft::perft;
/// use leap_core::{Rules, StopFlag};
/// use leap_games::alquerque::Alquerque;
///
/// let rules = Alquerque::default();
/// let count = |depth| perft(&rules, &rules.start(), depth, &StopFlag::default());
/// assert_eq!([0, 1, 2].map(count), [1, 4, 8]);
/// ```
pub fn perft<R: Rules>(rules: &R, position: &R::Position, depth: u32, stop: &StopFlag) -> u64 {
    if depth == 0 {
        return 1;
    }
    if stop.is_raised() || rules.at_limit(position) {
        return 0;
    }
    if depth == 1 {
        return rules.count_moves(position, stop);
    }
    // Moves are visited, not collected: a position may have more of them than fit into memory.
    let mut nodes: u64 = 0;
    let _ = rules.visit_moves(position, |mv| {
        // Not `RulesExt::after`: a returned position is copied twice, which slows Táctica's perft.
        let mut child = *position;
        rules.play_unchecked(&mut child, mv);
        nodes = nodes.saturating_add(perft(rules, &child, depth - 1, stop));
        if stop.is_raised() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    nodes
}

/// Counts the sequences that begin with each root move, and returns their sum. `None` if `stop` was raised.
///
/// `report` gets each root move and its number when it is counted, in listing order.
pub fn divide<R: Rules>(
    rules: &R,
    position: &R::Position,
    depth: u32,
    stop: &StopFlag,
    mut report: impl FnMut(R::Move, u64),
) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    let mut total: u64 = 0;
    if !rules.at_limit(position) {
        let _ = rules.visit_moves(position, |mv| {
            let child = rules.after(position, mv);
            let nodes = perft(rules, &child, depth - 1, stop);
            if stop.is_raised() {
                return ControlFlow::Break(());
            }
            report(mv, nodes);
            total = total.saturating_add(nodes);
            ControlFlow::Continue(())
        });
    }
    (!stop.is_raised()).then_some(total)
}
