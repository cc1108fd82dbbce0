//! The moves of one piece in listing order, and their routes, where no route revisits a square.
//!
//! The next jumps then depend on the whole route. The lattice of 16 vertices has at most some thousand routes. All are
//! walked, and the smallest of each move is kept.

use std::ops::ControlFlow;

use super::SaposMove;
use super::chain::{Chain, Placing};
use leap_core::{Square, SquareSet};

/// A move's text after the origin, as bytes whose order is the listing order (SPEC 9.27).
///
/// The text has at most 15 squares and a drop. The end is less than a square, and a square is less than a drop.
type Text = [u8; 16];

const fn square_byte(square: Square) -> u8 {
    1 + square.index() as u8
}

const fn drop_byte(square: Square) -> u8 {
    65 + square.index() as u8
}

/// A route that can be the end of a move. `end` has its captures and its last square, without a placement.
struct Path {
    end: SaposMove,
    length: usize,
    text: Text,
}

/// Visits the moves of a lifted piece in listing order.
///
/// Looks at the first `paths` routes of the walk, and takes the `ends` shortest of them.
pub(super) fn visit<V>(
    chain: &Chain,
    placing: &Placing,
    paths: usize,
    ends: usize,
    visit: &mut V,
) -> ControlFlow<()>
where
    V: FnMut(SaposMove) -> ControlFlow<()>,
{
    let mut found = collect(chain, placing, paths);
    found.sort_unstable_by_key(|path| (path.length, path.text));
    found.truncate(ends);
    let mut moves: Vec<(Text, SaposMove)> = Vec::new();
    for Path { end, length, text } in found {
        if !end.captured.is_empty() || placing.is_needless(end.to) {
            moves.push((text, end));
            continue;
        }
        for drop in placing.beside(end.to) {
            let mut text = text;
            text[length] = drop_byte(drop);
            moves.push((text, SaposMove { drop: Some(drop), ..end }));
        }
    }
    moves.sort_unstable_by_key(|(text, _)| *text);
    moves.into_iter().try_for_each(|(_, mv)| visit(mv))
}

/// The number of moves of a lifted piece.
pub(super) fn count(chain: &Chain, placing: &Placing) -> u64 {
    let found = collect(chain, placing, usize::MAX);
    let moves = |Path { end, .. }| {
        if end.captured.is_empty() { placing.count(SquareSet::of(end.to)) } else { 1 }
    };
    found.into_iter().map(moves).sum()
}

/// The smallest route to each end, among the first `limit` routes that may end.
fn collect(chain: &Chain, placing: &Placing, limit: usize) -> Vec<Path> {
    let mut found = Vec::new();
    let _ = walk(chain, 0, [0; 16], &mut |chain: &Chain, length, text| {
        if !chain.captured.is_empty() || placing.some_end(SquareSet::of(chain.at)) {
            found.push(Path { end: chain.end(None), length, text });
        }
        if found.len() < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    let identity = |path: &Path| (path.end.to, path.end.captured);
    found.sort_unstable_by_key(|path| (identity(path), path.length, path.text));
    found.dedup_by_key(|path| identity(path));
    found
}

/// The squares after the origin on the smallest route of a move. Empty if there is no route.
pub(super) fn canonical(chain: &Chain, to: Square, captured: SquareSet) -> Vec<Square> {
    let mut best: Option<(usize, Text)> = None;
    let _ = walk(&chain.restricted(captured), 0, [0; 16], &mut |chain: &Chain, length, text| {
        let arrived = chain.at == to && chain.captured == captured;
        if arrived && best.is_none_or(|best| (length, text) < best) {
            best = Some((length, text));
        }
        ControlFlow::Continue(())
    });
    let (length, text) = best.unwrap_or_default();
    text[..length].iter().map(|byte| Square::new(usize::from(byte - 1))).collect()
}

/// Calls `arrive` after each jump of each route, with the route's length and text.
fn walk(
    chain: &Chain,
    length: usize,
    text: Text,
    arrive: &mut impl FnMut(&Chain, usize, Text) -> ControlFlow<()>,
) -> ControlFlow<()> {
    for to in chain.landings() {
        let mut text = text;
        text[length] = square_byte(to);
        let chain = chain.landed(to);
        arrive(&chain, length + 1, text)?;
        walk(&chain, length + 1, text, arrive)?;
    }
    ControlFlow::Continue(())
}
