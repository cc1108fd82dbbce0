//! Perft: the number of sequences of n moves (SPEC 10.16).

use std::ops::ControlFlow;

use super::{Cancel, Game};

/// Counts the sequences of `depth` moves; the last two plies are counted in bulk. Meaningless once `cancel` is raised.
///
/// ```
/// use leap_games::alquerque::Alquerque;
/// use leap_core::perft::perft;
/// use leap_core::{Cancel, Game};
///
/// let game = Alquerque::default();
/// let count = |depth| perft(&game, &game.start(), depth, &Cancel::default());
/// assert_eq!([0, 1, 2].map(count), [1, 4, 8]);
/// ```
pub fn perft<G: Game>(game: &G, position: &G::Position, depth: u32, cancel: &Cancel) -> u64 {
    if depth == 0 {
        return 1;
    }
    if cancel.is_raised() || game.at_limit(position) {
        return 0;
    }
    match depth {
        1 => game.count_moves(position, cancel),
        2 => game.count_replies(position, cancel),
        _ => count_after_each_move(game, position, depth, cancel),
    }
}

/// Counts the sequences of two moves as [`Game::count_replies`] does, but makes each first move.
pub fn count_each_reply<G: Game>(game: &G, position: &G::Position, cancel: &Cancel) -> u64 {
    count_after_each_move(game, position, 2, cancel)
}

fn count_after_each_move<G: Game>(
    game: &G,
    position: &G::Position,
    depth: u32,
    cancel: &Cancel,
) -> u64 {
    // Moves are visited, not collected: a position may have more of them than fit into memory.
    let mut nodes: u64 = 0;
    let _ = game.visit_moves(position, |mv| {
        // Not `Game::after`: a returned position is copied twice, which slows Táctica's perft.
        let mut child = *position;
        game.play(&mut child, mv);
        nodes = nodes.saturating_add(perft(game, &child, depth - 1, cancel));
        if cancel.is_raised() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    nodes
}

/// Counts as [`perft`] does, but makes every move, the last too. Tests compare the two.
pub fn plain_perft<G: Game>(game: &G, position: &G::Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut nodes = 0;
    if !game.at_limit(position) {
        let _ = game.visit_moves(position, |mv| {
            let child = game.after(position, mv);
            nodes += plain_perft(game, &child, depth - 1);
            ControlFlow::Continue(())
        });
    }
    nodes
}

/// Counts the sequences that begin with each root move, and returns their sum. `None` if `cancel` was raised.
///
/// `report` gets each root move and its number when it is counted, in listing order.
pub fn divide<G: Game>(
    game: &G,
    position: &G::Position,
    depth: u32,
    cancel: &Cancel,
    mut report: impl FnMut(G::Move, u64),
) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    let mut total: u64 = 0;
    if !game.at_limit(position) {
        let _ = game.visit_moves(position, |mv| {
            let child = game.after(position, mv);
            let nodes = perft(game, &child, depth - 1, cancel);
            if cancel.is_raised() {
                return ControlFlow::Break(());
            }
            report(mv, nodes);
            total = total.saturating_add(nodes);
            ControlFlow::Continue(())
        });
    }
    (!cancel.is_raised()).then_some(total)
}
