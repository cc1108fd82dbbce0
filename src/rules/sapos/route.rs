//! The canonical route of a move (SPEC 9.24), where routes may come back to their squares.

use arrayvec::ArrayVec;

use super::chain::Chain;
use super::jumps::{LANDINGS, flood, over};
use crate::rules::Square;
use crate::rules::bits::Squares;

/// The vertices and edges of the lattice that a piece jumps on.
const VERTICES: usize = 16;
const EDGES: usize = 24;

/// More than any route is long.
const UNREACHABLE: u8 = u8::MAX - 1;

/// The squares after the origin on the shortest route, and of those the smallest, that ends on `to` with exactly these
/// captures. Empty if there is none.
pub(super) fn canonical(chain: &Chain, to: Square, captured: u64) -> Vec<Square> {
    let distances = Distances::new(chain, to, captured);
    let mut route = Vec::new();
    let (mut at, mut left) = (chain.from, captured);
    if at == to && captured == 0 {
        // The way back to the origin begins with a jump, though the piece is there already.
        let away =
            Squares(chain.landings()).find(|next| chain.friends & over(at, *next).bit() != 0);
        at = away.unwrap_or(at);
        route.extend(away);
    }
    while distances.get(at, left) != 0 {
        let nearer = Squares(LANDINGS[at.index()]).find_map(|next| {
            let jumped = over(at, next).bit();
            let is_jump = (chain.friends | left) & jumped != 0;
            let nearer = distances.get(next, left & !jumped) + 1 == distances.get(at, left);
            (is_jump && nearer).then_some((next, left & !jumped))
        });
        let Some(next) = nearer else { break };
        (at, left) = next;
        route.push(at);
    }
    route
}

/// How many jumps it takes from each vertex to the end of a move, for each set of enemies still to be captured.
struct Distances {
    captured: u64,
    /// By set: bit n for the n-th of the captured pieces.
    jumps: Vec<[u8; VERTICES]>,
}

impl Distances {
    fn new(chain: &Chain, to: Square, captured: u64) -> Distances {
        let edges = Edges::new(chain, captured);
        let mut jumps: Vec<[u8; VERTICES]> = Vec::with_capacity(1 << captured.count_ones());
        for set in 0..1_usize << captured.count_ones() {
            let mut row = [UNREACHABLE; VERTICES];
            if set == 0 {
                row[vertex(to)] = 0;
            }
            for (n, [a, b]) in &edges.captures {
                if set >> n & 1 != 0 {
                    let rest = &jumps[set ^ 1 << n];
                    row[*a] = row[*a].min(rest[*b].saturating_add(1));
                    row[*b] = row[*b].min(rest[*a].saturating_add(1));
                }
            }
            edges.relax(&mut row);
            jumps.push(row);
        }
        Distances { captured, jumps }
    }

    fn get(&self, at: Square, left: u64) -> u8 {
        let set = Squares(self.captured).enumerate();
        let set =
            set.filter(|(_, piece)| left & piece.bit() != 0).fold(0, |set, (n, _)| set | 1 << n);
        self.jumps[set][vertex(at)]
    }
}

/// The edges of the lattice that a move can go along.
struct Edges {
    friends: ArrayVec<[usize; 2], EDGES>,
    /// Each with the number of the captured piece on it.
    captures: ArrayVec<(u32, [usize; 2]), EDGES>,
}

impl Edges {
    fn new(chain: &Chain, captured: u64) -> Edges {
        let mut edges = Edges { friends: ArrayVec::new(), captures: ArrayVec::new() };
        let region = flood(chain.from.bit(), chain.friends | captured, chain.open);
        for a in Squares(region) {
            for b in Squares(LANDINGS[a.index()] & region).filter(|b| a < *b) {
                let jumped = over(a, b).bit();
                let ends = [vertex(a), vertex(b)];
                if chain.friends & jumped != 0 {
                    edges.friends.push(ends);
                } else if captured & jumped != 0 {
                    edges.captures.push(((captured & (jumped - 1)).count_ones(), ends));
                }
            }
        }
        edges
    }

    /// Lets the distances of a row spread over friends, which can be jumped any number of times.
    fn relax(&self, row: &mut [u8; VERTICES]) {
        let mut settled = false;
        while !settled {
            settled = true;
            for [a, b] in &self.friends {
                let (near, far) = if row[*a] < row[*b] { (*a, *b) } else { (*b, *a) };
                if row[near] + 1 < row[far] {
                    row[far] = row[near] + 1;
                    settled = false;
                }
            }
        }
    }
}

/// The number of a square's vertex in its lattice.
const fn vertex(square: Square) -> usize {
    square.index() / 16 * 4 + square.index() % 8 / 2
}
