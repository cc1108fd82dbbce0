//! Move lists of the nodes on the path, and move ordering.

use std::cmp::Reverse;

use super::MAX_PLY;
use super::table::Tag;
use crate::eval::Evaluate;
use crate::rules::{Game, Side};

/// The moves of all nodes on one worker's path; each node's begin at its base. Nothing is allocated at a node.
#[derive(Debug)]
pub(super) struct MoveStack<M> {
    moves: Vec<M>,
    ranks: Vec<Rank>,
}

/// A move's rank: by score, ties in the order of generation. Larger is earlier.
type Rank = (i32, Reverse<u32>);

/// The moves of one node, from the first to try on.
#[derive(Debug)]
pub(super) struct Picker {
    base: usize,
    picked: usize,
}

/// This many moves are picked one by one, which is cheaper than sorting if a cutoff comes early; then the rest is
/// sorted.
const PICKED_SINGLY: usize = 6;

impl<M: Copy> MoveStack<M> {
    pub(super) const fn new() -> Self {
        Self { moves: Vec::new(), ranks: Vec::new() }
    }

    /// Generates moves on top of the stack and scores each for the order; `None` leaves a move out.
    pub(super) fn generate(
        &mut self,
        generate: impl FnOnce(&mut Vec<M>),
        mut score: impl FnMut(M) -> Option<i32>,
    ) -> Picker {
        let base = self.ranks.len();
        self.moves.truncate(base);
        generate(&mut self.moves);
        let mut kept = base;
        for index in base..self.moves.len() {
            let mv = self.moves[index];
            if let Some(score) = score(mv) {
                self.moves[kept] = mv;
                self.ranks.push((score, Reverse(kept as u32)));
                kept += 1;
            }
        }
        self.moves.truncate(kept);
        Picker { base, picked: 0 }
    }

    /// How many moves a node on top of the stack has.
    pub(super) fn len(&self, picker: &Picker) -> usize {
        self.ranks.len() - picker.base
    }

    /// The best move not picked yet of the node on top of the stack, with its score.
    pub(super) fn pick(&mut self, picker: &mut Picker) -> Option<(M, i32)> {
        let rest = &mut self.ranks[picker.base + picker.picked..];
        if picker.picked < PICKED_SINGLY {
            let best = (0..rest.len()).max_by_key(|index| rest[*index])?;
            rest.swap(0, best);
        } else if picker.picked == PICKED_SINGLY {
            rest.sort_unstable_by_key(|rank| Reverse(*rank));
        }
        let (score, Reverse(index)) = *rest.first()?;
        picker.picked += 1;
        Some((self.moves[index as usize], score))
    }

    /// The moves that were picked before the last one.
    pub(super) fn tried(&self, picker: &Picker) -> impl Iterator<Item = M> + '_ {
        let end = picker.base + picker.picked.saturating_sub(1);
        self.ranks[picker.base..end].iter().map(|(_, index)| self.moves[index.0 as usize])
    }

    /// Takes the moves of the node on top off the stack.
    pub(super) fn release(&mut self, picker: &Picker) {
        self.moves.truncate(picker.base);
        self.ranks.truncate(picker.base);
    }

    /// Takes all moves off the stack.
    pub(super) fn clear(&mut self) {
        self.moves.clear();
        self.ranks.clear();
    }
}

/// Killer moves and histories.
#[derive(Debug)]
pub(super) struct MoveOrdering<M> {
    /// For each ply, the last two moves that caused a cutoff there.
    killers: Vec<[Option<M>; 2]>,
    /// For each side, origin and destination, the history of such moves.
    from_to: Vec<i16>,
    /// For each side, the histories of whole moves, drops and captures included.
    whole: Vec<i16>,
    /// The histories of whole moves as replies to the move before.
    replies: Vec<i16>,
    squares: usize,
}

/// Where the histories of a move are.
#[derive(Clone, Copy, Debug)]
struct Indices {
    from_to: usize,
    whole: usize,
    reply: usize,
}

/// Where a move is to be made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) side: Side,
    pub(super) ply: usize,
    /// The move that led there.
    pub(super) previous: Tag,
}

const TABLE_MOVE: i32 = i32::MAX;
/// The weight of a centipawn won at once: a man weighs more than the best history.
const PER_CENTIPAWN: i32 = 512;
const KILLERS: [i32; 2] = [24_000, 23_000];
/// Histories stay within ±this.
const MAX_HISTORY: i32 = 16_384;
const MAX_BONUS: i32 = 1_600;
/// Whole moves and replies are told apart by so many bits.
const HISTORY_BITS: u32 = 14;

impl<M: Copy + Eq + std::hash::Hash> MoveOrdering<M> {
    pub(super) fn new<G: Game<Move = M>>() -> Self {
        let squares = G::BOARD.squares();
        Self {
            killers: vec![[None; 2]; MAX_PLY + 1],
            from_to: vec![0; 2 * squares * squares],
            whole: vec![0; 2 << HISTORY_BITS],
            replies: vec![0; 2 << HISTORY_BITS],
            squares,
        }
    }

    /// A move's ordering score: the table move first, then gains, killers, histories.
    pub(super) fn rank<G: Evaluate<Move = M>>(
        &self,
        game: &G,
        position: &G::Position,
        mv: M,
        best: Tag,
        place: Place,
    ) -> i32 {
        let tag = Tag::of(&mv);
        if best == tag {
            return TABLE_MOVE;
        }
        let gain = game.gain(position, mv).saturating_mul(PER_CENTIPAWN);
        let killer = match self.killers[place.ply] {
            [Some(first), _] if first == mv => KILLERS[0],
            [_, Some(second)] if second == mv => KILLERS[1],
            _ => 0,
        };
        let history = self.history::<G>(mv, tag, place);
        gain.saturating_add(killer + history).min(TABLE_MOVE - 1)
    }

    /// What the histories say of a move, within ±3 times [`MAX_HISTORY`].
    pub(super) fn history<G: Game<Move = M>>(&self, mv: M, tag: Tag, place: Place) -> i32 {
        let indices = self.indices::<G>(place, mv, tag);
        i32::from(self.from_to[indices.from_to])
            + i32::from(self.whole[indices.whole])
            + i32::from(self.replies[indices.reply])
    }

    /// Updates killers and histories: `best` caused a cutoff, the moves in `tried` did not.
    pub(super) fn cutoff<G: Game<Move = M>>(
        &mut self,
        best: M,
        tried: impl Iterator<Item = M>,
        depth: i32,
        place: Place,
    ) {
        let killers = &mut self.killers[place.ply];
        if killers[0] != Some(best) {
            *killers = [Some(best), killers[0]];
        }
        let bonus = (16 * depth * depth).min(MAX_BONUS);
        for mv in tried {
            self.adjust(self.indices::<G>(place, mv, Tag::of(&mv)), -bonus);
        }
        self.adjust(self.indices::<G>(place, best, Tag::of(&best)), bonus);
    }

    /// Moves histories towards ±[`MAX_HISTORY`], more slowly the nearer they are.
    fn adjust(&mut self, indices: Indices, bonus: i32) {
        let histories = [
            &mut self.from_to[indices.from_to],
            &mut self.whole[indices.whole],
            &mut self.replies[indices.reply],
        ];
        for history in histories {
            let old = i32::from(*history);
            *history = (old + bonus - old * bonus.abs() / MAX_HISTORY) as i16;
        }
    }

    fn indices<G: Game<Move = M>>(&self, place: Place, mv: M, tag: Tag) -> Indices {
        let (from, to) = G::from_to(mv);
        let side = place.side as usize;
        let hashed = |tag: u16| side << HISTORY_BITS | usize::from(tag) >> (16 - HISTORY_BITS);
        Indices {
            from_to: (side * self.squares + from.index()) * self.squares + to.index(),
            whole: hashed(tag.0),
            reply: hashed(tag.0 ^ place.previous.0.wrapping_mul(0x9e37)),
        }
    }
}
