//! Sapos on boards of other sizes: the default rules (SPEC 13.8 to 13.12), one turn a side, from the mover's view.

use leap_core::{Geometry, Square, SquareSet};

/// The steps to the orthogonal neighbours of a square.
const STEPS: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];

/// A position. The other pieces of each side are in its reserve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct State {
    /// The pieces of the side to move.
    pub(crate) own: SquareSet,
    /// The pieces of the other side.
    pub(crate) enemy: SquareSet,
}

/// A board, and the pieces of each side.
#[derive(Clone, Debug)]
pub(crate) struct SmallBoard {
    pieces: u32,
    neighbours: Vec<SquareSet>,
    /// For each square, the jumps from it: the square that is jumped, and the square where the jump ends.
    jumps: Vec<Vec<(Square, Square)>>,
}

impl SmallBoard {
    /// A board of at most 64 squares, where each side has this many pieces.
    pub(crate) fn new(board: Geometry, pieces: u32) -> Self {
        let squares = || (0..board.squares()).map(Square::new);
        let beside = |from: Square| {
            STEPS.iter().filter_map(move |(files, ranks)| board.offset(from, *files, *ranks))
        };
        let jump = |from: Square, (files, ranks): (i32, i32)| {
            let to = board.offset(from, 2 * files, 2 * ranks)?;
            Some((board.offset(from, files, ranks)?, to))
        };
        let jumps = |from: Square| STEPS.iter().filter_map(|step| jump(from, *step)).collect();
        Self {
            pieces,
            neighbours: squares().map(|from| beside(from).collect()).collect(),
            jumps: squares().map(jumps).collect(),
        }
    }

    /// The number of squares.
    pub(crate) const fn squares(&self) -> u32 {
        self.neighbours.len() as u32
    }

    /// The pieces that a side owns, on the board and in reserve.
    pub(crate) const fn pieces(&self) -> u32 {
        self.pieces
    }

    /// The pieces of a side in reserve, of which so many stand on the board.
    pub(crate) const fn reserve(&self, set: SquareSet) -> u32 {
        self.pieces - set.len()
    }

    /// The pieces of a side that can jump, and the ways in which they can jump over a friend and over an enemy.
    pub(crate) fn mobility(&self, own: SquareSet, enemy: SquareSet) -> [u32; 3] {
        let occupied = own | enemy;
        let ways = |from: Square, jumped: SquareSet| {
            let open = self.jumps[from.index()].iter();
            open.filter(|(over, to)| jumped.contains(*over) && !occupied.contains(*to)).count()
                as u32
        };
        let jumpers = own.into_iter().filter(|from| ways(*from, occupied) > 0).count() as u32;
        let over = |set| own.into_iter().map(|from| ways(from, set)).sum();
        [jumpers, over(own), over(enemy)]
    }

    /// Visits the positions after each turn, some of them several times, until `visit` returns true.
    pub(crate) fn any_after(&self, state: State, mut visit: impl FnMut(State) -> bool) -> bool {
        state.own.into_iter().any(|from| self.any_route(state, from, &mut visit))
    }

    /// The turns of one piece. A node of its routes is a square with the pieces captured on the way.
    fn any_route(&self, state: State, from: Square, visit: &mut impl FnMut(State) -> bool) -> bool {
        let own = state.own.without(from);
        let (mut nodes, mut at) = (vec![(from, SquareSet::EMPTY)], 0);
        let mut comes_back = false;
        while let Some((square, captured)) = nodes.get(at).copied() {
            let enemy = state.enemy & !captured;
            if at > 0 && self.any_end(own, enemy, square, !captured.is_empty(), visit) {
                return true;
            }
            let occupied = own | enemy;
            for (over, to) in &self.jumps[square.index()] {
                if !occupied.contains(*over) || occupied.contains(*to) {
                    continue;
                }
                let node = (*to, captured | (state.enemy & SquareSet::of(*over)));
                comes_back |= node == nodes[0];
                if !nodes.contains(&node) {
                    nodes.push(node);
                }
            }
            at += 1;
        }
        comes_back && self.any_end(own, state.enemy, from, false, visit)
    }

    /// The positions after a turn that ends here.
    fn any_end(
        &self,
        own: SquareSet,
        enemy: SquareSet,
        square: Square,
        has_captured: bool,
        visit: &mut impl FnMut(State) -> bool,
    ) -> bool {
        let moved = own.with(square);
        if has_captured {
            return visit(State { own: enemy, enemy: moved });
        }
        let mut places = (self.neighbours[square.index()] & !(moved | enemy)).into_iter();
        self.reserve(moved) > 0
            && places.any(|place| visit(State { own: enemy, enemy: moved.with(place) }))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::ops::ControlFlow;

    use leap_core::{Position, Rules};
    use leap_games::sapos::{PIECES, Sapos, SaposPosition};
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    use super::*;

    const GAMES: u64 = 20;

    fn seen(position: &SaposPosition) -> State {
        let side = position.side();
        State { own: position.pieces(side), enemy: position.pieces(side.other()) }
    }

    /// On the whole board, the turns are those of the engine.
    #[test]
    fn turns_on_a_board_of_64_squares_are_those_of_the_game() {
        let (rules, board) = (Sapos::default(), SmallBoard::new(Sapos::GEOMETRY, PIECES));
        for seed in 0..GAMES {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            let mut position = rules.start();
            loop {
                let mut after = Vec::new();
                let _ = rules.visit_moves(&position, |mv| {
                    let mut next = position;
                    rules.play_unchecked(&mut next, mv);
                    after.push(next);
                    ControlFlow::Continue(())
                });
                // From ply 3 on, the sides alternate (SPEC 13.6).
                if position.counters().ply >= 3 {
                    let mut found = BTreeSet::new();
                    board.any_after(seen(&position), |state| {
                        found.insert(state);
                        false
                    });
                    assert_eq!(found, after.iter().map(seen).collect());
                }
                let Some(number) = random.next_u64().checked_rem(after.len() as u64) else { break };
                position = after[number as usize];
            }
        }
    }
}
