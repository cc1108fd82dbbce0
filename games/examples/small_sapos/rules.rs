//! Sapos on boards of other sizes: the default rules (SPEC 13.8 to 13.12), one turn a side, from the mover's view.

/// A position. The other pieces of each side are in its reserve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct State {
    /// The pieces of the side to move.
    pub(crate) own: u64,
    /// The pieces of the other side.
    pub(crate) enemy: u64,
}

/// A board, and the pieces of each side.
#[derive(Clone, Debug)]
pub(crate) struct SmallBoard {
    squares: u32,
    pieces: u32,
    neighbours: Vec<u64>,
    /// For each square, the jumps from it: the square that is jumped, and the square where the jump ends.
    jumps: Vec<Vec<(u64, u64)>>,
}

impl SmallBoard {
    /// A board of at most 64 squares, where each side has this many pieces.
    pub(crate) fn new(files: i32, ranks: i32, pieces: u32) -> Self {
        let mask = |file: i32, rank: i32| {
            let is_inside = (0..files).contains(&file) && (0..ranks).contains(&rank);
            is_inside.then(|| 1 << (rank * files + file))
        };
        let ways = [(0, 1), (1, 0), (0, -1), (-1, 0)];
        let squares = (0..ranks).flat_map(|rank| (0..files).map(move |file| (file, rank)));
        let (neighbours, jumps) = squares
            .map(|(file, rank)| {
                let beside = ways.iter().filter_map(|(x, y)| mask(file + x, rank + y));
                let jump = |(x, y): &(i32, i32)| {
                    Some((mask(file + x, rank + y)?, mask(file + 2 * x, rank + 2 * y)?))
                };
                (beside.sum::<u64>(), ways.iter().filter_map(jump).collect::<Vec<_>>())
            })
            .unzip();
        Self { squares: (files * ranks) as u32, pieces, neighbours, jumps }
    }

    /// The number of squares.
    pub(crate) const fn squares(&self) -> u32 {
        self.squares
    }

    /// The pieces that a side owns, on the board and in reserve.
    pub(crate) const fn pieces(&self) -> u32 {
        self.pieces
    }

    /// The pieces of a side in reserve, of which so many stand on the board.
    pub(crate) const fn reserve(&self, set: u64) -> u32 {
        self.pieces - set.count_ones()
    }

    /// The pieces of a side that can jump, and the ways in which they can jump over a friend and over an enemy.
    pub(crate) fn mobility(&self, own: u64, enemy: u64) -> [u32; 3] {
        let ways = |from: u32, jumped: u64| {
            let open = self.jumps[from as usize].iter();
            open.filter(|(over, to)| jumped & over != 0 && (own | enemy) & to == 0).count() as u32
        };
        let jumpers = bits(own).filter(|from| ways(*from, own | enemy) > 0).count() as u32;
        let over = |set| bits(own).map(|from| ways(from, set)).sum();
        [jumpers, over(own), over(enemy)]
    }

    /// Visits the positions after each turn, some of them several times, until `visit` returns true.
    pub(crate) fn any_after(&self, state: State, mut visit: impl FnMut(State) -> bool) -> bool {
        bits(state.own).any(|from| self.any_route(state, from, &mut visit))
    }

    /// The turns of one piece. A node of its routes is a square with the pieces captured on the way.
    fn any_route(&self, state: State, from: u32, visit: &mut impl FnMut(State) -> bool) -> bool {
        let own = state.own & !(1 << from);
        let (mut nodes, mut at) = (vec![(from, 0)], 0);
        let mut comes_back = false;
        while let Some((square, captured)) = nodes.get(at).copied() {
            let enemy = state.enemy & !captured;
            if at > 0 && self.any_end(own, enemy, square, captured != 0, visit) {
                return true;
            }
            let occupied = own | enemy;
            for (over, to) in &self.jumps[square as usize] {
                if occupied & over == 0 || occupied & to != 0 {
                    continue;
                }
                let node = (to.trailing_zeros(), captured | (state.enemy & over));
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
        own: u64,
        enemy: u64,
        square: u32,
        has_captured: bool,
        visit: &mut impl FnMut(State) -> bool,
    ) -> bool {
        let moved = own | 1 << square;
        if has_captured {
            return visit(State { own: enemy, enemy: moved });
        }
        let places = self.neighbours[square as usize] & !(moved | enemy);
        self.reserve(moved) > 0
            && bits(places).any(|place| visit(State { own: enemy, enemy: moved | 1 << place }))
    }
}

/// The numbers of the set bits.
pub(crate) fn bits(set: u64) -> impl Iterator<Item = u32> {
    std::iter::successors(Some(set), |set| Some(set & set.wrapping_sub(1)))
        .take_while(|set| *set != 0)
        .map(u64::trailing_zeros)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::ops::ControlFlow;

    use leap_core::{Game, Position};
    use leap_games::sapos::{PIECES, Sapos, SaposPosition};
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    use super::*;

    const GAMES: u64 = 20;

    fn seen(position: &SaposPosition) -> State {
        let side = position.side();
        State { own: position.pieces(side).0, enemy: position.pieces(side.other()).0 }
    }

    /// On the whole board, the turns are those of the engine.
    #[test]
    fn turns_on_a_board_of_64_squares_are_those_of_the_game() {
        let (game, board) = (Sapos::default(), SmallBoard::new(8, 8, PIECES));
        for seed in 0..GAMES {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            let mut position = game.start();
            loop {
                let mut after = Vec::new();
                let _ = game.visit_moves(&position, |mv| {
                    let mut next = position;
                    game.play(&mut next, mv);
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
