//! Move lists of the nodes on the path, and move ordering.

use std::cmp::Reverse;
use std::hash::Hash;

use super::MAX_PLY;
use super::table::MoveHash;
use crate::{Searchable, Tuning};
use leap_core::{BySide, Side};

/// The moves of all nodes on one worker's path. The moves of a node begin at its base. No node allocates memory.
#[derive(Debug)]
pub(super) struct MoveStack<M> {
    moves: Vec<M>,
    ranks: Vec<Rank>,
}

/// The place of a move in the order of its node.
#[derive(Clone, Copy, Debug)]
struct Rank {
    /// One number, since orders are compared very often. Larger is earlier: higher score, then earlier generation.
    order: i64,
    hash: MoveHash,
}

impl Rank {
    /// `index` is that of the move on the stack.
    const fn new(score: i32, index: u32, hash: MoveHash) -> Self {
        Self { order: (score as i64) << 32 | !index as i64, hash }
    }

    const fn score(self) -> i32 {
        (self.order >> 32) as i32
    }

    const fn index(self) -> usize {
        !self.order as u32 as usize
    }
}

/// The moves of one node, and how many of them are picked.
#[derive(Debug)]
pub(super) struct Picker {
    base: usize,
    picked: usize,
    /// The number of ranked moves: those already picked, and those to pick from.
    ranked: usize,
    /// The number of moves picked since the last ranking.
    singly: usize,
    /// Whether all moves of the node are on the stack.
    pub(super) is_whole: bool,
}

impl Picker {
    const fn new(base: usize) -> Self {
        Self { base, picked: 0, ranked: 0, singly: 0, is_whole: false }
    }
}

/// A move picked from the stack.
#[derive(Clone, Copy, Debug)]
pub(super) struct Picked<M> {
    pub(super) mv: M,
    pub(super) hash: MoveHash,
    pub(super) score: i32,
}

/// The number of moves that are picked one by one before the rest is sorted. An early cutoff makes this cheaper than
/// sorting.
const PICKED_SINGLY: usize = 6;

impl<M: Copy + Eq + Hash> MoveStack<M> {
    pub(super) const fn new() -> Self {
        Self { moves: Vec::new(), ranks: Vec::new() }
    }

    /// Generates moves on top of the stack. `generate` returns whether they are all moves of the node.
    ///
    /// The moves must be ranked before they are picked, except for the table's move.
    pub(super) fn generate(&mut self, generate: impl FnOnce(&mut Vec<M>) -> bool) -> Picker {
        let mut picker = Picker::new(self.moves.len());
        picker.is_whole = generate(&mut self.moves);
        self.push_ranks(|_| 0);
        picker
    }

    /// Generates moves on top of the stack and ranks them by `score`. They get no hashes.
    pub(super) fn generate_ranked(
        &mut self,
        generate: impl FnOnce(&mut Vec<M>),
        score: impl Fn(M) -> i32,
    ) -> Picker {
        let mut picker = Picker::new(self.moves.len());
        generate(&mut self.moves);
        self.push_ranks(score);
        picker.ranked = self.len(&picker);
        picker
    }

    /// Adds a rank for each move on top of the stack that has none.
    #[inline]
    fn push_ranks(&mut self, score: impl Fn(M) -> i32) {
        let first = self.ranks.len();
        let ranks = self.moves[first..]
            .iter()
            .zip(first as u32..)
            .map(|(mv, index)| Rank::new(score(*mv), index, MoveHash::NONE));
        self.ranks.extend(ranks);
    }

    /// The number of moves of the node on top of the stack.
    pub(super) fn len(&self, picker: &Picker) -> usize {
        self.moves.len() - picker.base
    }

    /// Picks the table's move, which has this hash, before the other moves are ranked.
    pub(super) fn pick_hash(&mut self, picker: &mut Picker, hash: MoveHash) -> Option<Picked<M>> {
        if picker.ranked > 0 || hash == MoveHash::NONE {
            return None;
        }
        let index = self.moves[picker.base..].iter().position(|mv| MoveHash::of(mv) == hash)?;
        let ranks = &mut self.ranks[picker.base..];
        ranks[index].hash = hash;
        ranks.swap(0, index);
        (picker.picked, picker.ranked) = (1, 1);
        Some(self.picked(self.ranks[picker.base]))
    }

    /// Ranks those unranked moves that must come before the rest.
    pub(super) fn rank_first(
        &mut self,
        picker: &mut Picker,
        is_first: impl Fn(M) -> bool,
        score: impl Fn(M, MoveHash) -> i32,
    ) {
        let others = &mut self.ranks[picker.base + picker.ranked..];
        let mut count = 0;
        for at in 0..others.len() {
            if is_first(self.moves[others[at].index()]) {
                others.swap(count, at);
                count += 1;
            }
        }
        self.rank_next(picker, count, score);
    }

    /// Ranks all other moves.
    pub(super) fn rank(&mut self, picker: &mut Picker, score: impl Fn(M, MoveHash) -> i32) {
        self.rank_next(picker, self.len(picker) - picker.ranked, score);
    }

    fn rank_next(&mut self, picker: &mut Picker, count: usize, score: impl Fn(M, MoveHash) -> i32) {
        for rank in &mut self.ranks[picker.base + picker.ranked..][..count] {
            let mv = self.moves[rank.index()];
            let hash = MoveHash::of(&mv);
            *rank = Rank::new(score(mv, hash), rank.index() as u32, hash);
        }
        picker.ranked += count;
        picker.singly = 0;
    }

    /// Whether all moves of the node on top of the stack are ranked.
    pub(super) fn are_ranked(&self, picker: &Picker) -> bool {
        picker.ranked == self.len(picker)
    }

    /// Picks the best ranked move that is left, of the node on top of the stack.
    #[inline]
    pub(super) fn pick(&mut self, picker: &mut Picker) -> Option<Picked<M>> {
        if picker.picked < picker.ranked { self.pick_best(picker) } else { None }
    }

    fn pick_best(&mut self, picker: &mut Picker) -> Option<Picked<M>> {
        let rest = &mut self.ranks[picker.base + picker.picked..picker.base + picker.ranked];
        if picker.singly < PICKED_SINGLY {
            // `max_by_key` over the indices took 1 % more instructions a node in Connect Four, and 1.5 % in Othello.
            let mut best = (0, rest.first()?.order);
            for (index, rank) in rest.iter().enumerate() {
                if rank.order > best.1 {
                    best = (index, rank.order);
                }
            }
            rest.swap(0, best.0);
        } else if picker.singly == PICKED_SINGLY {
            rest.sort_unstable_by_key(|rank| Reverse(rank.order));
        }
        let rank = *rest.first()?;
        picker.picked += 1;
        picker.singly += 1;
        Some(self.picked(rank))
    }

    fn picked(&self, rank: Rank) -> Picked<M> {
        Picked { mv: self.moves[rank.index()], hash: rank.hash, score: rank.score() }
    }

    /// The moves that were picked before the last one, with their hashes. A best move that was deferred is left out.
    pub(super) fn tried(
        &self,
        picker: &Picker,
        best: M,
    ) -> impl Iterator<Item = (M, MoveHash)> + '_ {
        let end = picker.base + picker.picked.saturating_sub(1);
        let ranks = self.ranks[picker.base..end].iter();
        let tried = ranks.map(|rank| (self.moves[rank.index()], rank.hash));
        tried.filter(move |(mv, _)| *mv != best)
    }

    /// Takes the moves of the top node off the stack.
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
    /// For each ply, the last two moves that caused a cutoff there. Their hashes are compared first, which is faster.
    killers: Vec<[Option<(M, MoveHash)>; 2]>,
    /// The histories of moves between an origin and a destination, of each side.
    squares: BySide<Vec<i16>>,
    /// The histories of whole moves with their drops and captures, of each side.
    moves: BySide<Box<Hashed>>,
    /// The histories of whole moves as replies to the move before, of each side.
    replies: BySide<Box<Hashed>>,
}

/// The node where a move is made.
#[derive(Clone, Copy, Debug)]
pub(super) struct HistoryContext {
    pub(super) side: Side,
    pub(super) ply: usize,
    /// The move that led to the node.
    pub(super) previous: MoveHash,
}

/// Histories by the hash of a move.
type Hashed = [i16; 1 << HISTORY_BITS];

/// The largest absolute value of a history.
const MAX_HISTORY: i32 = 16_384;
/// The number of bits in the index of a whole move, and in the index of a reply.
const HISTORY_BITS: u32 = 14;

impl<M: Copy + Eq + Hash> MoveOrdering<M> {
    pub(super) fn new<R: Searchable<Move = M>>() -> Self {
        let squares = R::GEOMETRY.squares();
        let hashed = |_| Box::new([0; 1 << HISTORY_BITS]);
        Self {
            killers: vec![[None; 2]; MAX_PLY + 1],
            squares: BySide::from_fn(|_| vec![0; squares * squares]),
            moves: BySide::from_fn(hashed),
            replies: BySide::from_fn(hashed),
        }
    }

    /// The ordering scores of a node's moves, from their gain, the killers and their histories.
    pub(super) fn ranks<'a, R: Searchable<Move = M>>(
        &'a self,
        rules: &'a R,
        tuning: Tuning<R>,
        position: &'a R::Position,
        context: HistoryContext,
    ) -> impl Fn(M, MoveHash) -> i32 + 'a {
        let killers = self.killers[context.ply];
        let history = self.histories::<R>(context);
        move |mv, hash| {
            let gain = rules.gain(position, mv).saturating_mul(tuning.gain_weight);
            let killer = match killers {
                [Some((first, its)), _] if its == hash && first == mv => tuning.killers[0],
                [_, Some((second, its))] if its == hash && second == mv => tuning.killers[1],
                _ => 0,
            };
            gain.saturating_add(killer + history(mv, hash))
        }
    }

    /// The killers at a ply.
    pub(super) fn killers(&self, ply: usize) -> [Option<M>; 2] {
        self.killers[ply].map(|killer| killer.map(|(mv, _)| mv))
    }

    /// The sum of the histories of each move of a node, within ±3 times [`MAX_HISTORY`].
    ///
    /// All moves of a node are ranked by it, so what the node decides is looked up once.
    pub(super) fn histories<R: Searchable<Move = M>>(
        &self,
        context: HistoryContext,
    ) -> impl Fn(M, MoveHash) -> i32 + '_ {
        let squares = self.squares[context.side].as_slice();
        let moves: &Hashed = &self.moves[context.side];
        let replies: &Hashed = &self.replies[context.side];
        move |mv, hash| {
            let history = [
                squares[between::<R>(mv)],
                moves[index(hash)],
                replies[index(hash.after(context.previous))],
            ];
            history.map(i32::from).iter().sum()
        }
    }

    /// Updates killers and histories. `best` caused a cutoff, and the moves in `tried` did not. `bonus` changes the histories.
    pub(super) fn cutoff<R: Searchable<Move = M>>(
        &mut self,
        (best, hash): (M, MoveHash),
        tried: impl Iterator<Item = (M, MoveHash)>,
        bonus: i32,
        context: HistoryContext,
    ) {
        let killers = &mut self.killers[context.ply];
        if killers[0] != Some((best, hash)) {
            *killers = [Some((best, hash)), killers[0]];
        }
        for (mv, hash) in tried {
            self.adjust::<R>(mv, hash, -bonus, context);
        }
        self.adjust::<R>(best, hash, bonus, context);
    }

    /// Adds a bonus to histories, with history gravity: the nearer a history is to ±[`MAX_HISTORY`], the less it grows.
    fn adjust<R: Searchable<Move = M>>(
        &mut self,
        mv: M,
        hash: MoveHash,
        bonus: i32,
        HistoryContext { side, previous, .. }: HistoryContext,
    ) {
        let histories = [
            &mut self.squares[side][between::<R>(mv)],
            &mut self.moves[side][index(hash)],
            &mut self.replies[side][index(hash.after(previous))],
        ];
        for history in histories {
            let old = i32::from(*history);
            *history = (old + bonus - old * bonus.abs() / MAX_HISTORY) as i16;
        }
    }
}

/// The index of a move between its origin and its destination.
fn between<R: Searchable>(mv: R::Move) -> usize {
    let (from, to) = R::from_to(mv);
    from.index() * R::GEOMETRY.squares() + to.index()
}

/// The index of a whole move. The high bits of the hash are the well mixed ones.
const fn index(MoveHash(hash): MoveHash) -> usize {
    (hash >> (u16::BITS - HISTORY_BITS)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stack with the moves of one node.
    fn stack_of(moves: std::ops::Range<u8>) -> (MoveStack<u8>, Picker) {
        let mut stack = MoveStack::new();
        let picker = stack.generate(|generated| {
            generated.extend(moves);
            true
        });
        (stack, picker)
    }

    /// Picks all ranked moves that are left, in order.
    fn picked(stack: &mut MoveStack<u8>, picker: &mut Picker) -> Vec<u8> {
        std::iter::from_fn(|| stack.pick(picker)).map(|picked| picked.mv).collect()
    }

    #[test]
    fn the_tables_move_comes_first_then_higher_scores_then_earlier_moves() {
        let (mut stack, mut picker) = stack_of(0..12);
        let first = stack.pick_hash(&mut picker, MoveHash::of(&7_u8)).unwrap();
        assert_eq!((first.mv, first.hash), (7, MoveHash::of(&7_u8)));
        assert!(stack.pick_hash(&mut picker, first.hash).is_none(), "only once");
        assert!(stack.pick(&mut picker).is_none() && !stack.are_ranked(&picker));
        stack.rank(&mut picker, |mv, _| i32::from(mv % 3) - 1);
        assert_eq!(picked(&mut stack, &mut picker), [2, 5, 8, 11, 1, 4, 10, 0, 3, 6, 9]);
        let tried: Vec<u8> = stack.tried(&picker, 9).map(|(mv, _)| mv).collect();
        assert_eq!(tried, [7, 2, 5, 8, 11, 1, 4, 10, 0, 3, 6], "all but the last");
    }

    #[test]
    fn moves_ranked_first_come_before_all_others() {
        let (mut stack, mut picker) = stack_of(0..20);
        let score = |mv: u8, hash| {
            assert_eq!(hash, MoveHash::of(&mv));
            i32::from(mv)
        };
        assert_eq!(stack.pick_hash(&mut picker, MoveHash::of(&4_u8)).unwrap().mv, 4);
        stack.rank_first(&mut picker, |mv| mv % 2 == 0, score);
        assert_eq!(picked(&mut stack, &mut picker), [18, 16, 14, 12, 10, 8, 6, 2, 0]);
        assert!(!stack.are_ranked(&picker));
        stack.rank(&mut picker, score);
        assert_eq!(picked(&mut stack, &mut picker), [19, 17, 15, 13, 11, 9, 7, 5, 3, 1]);
        assert!(stack.are_ranked(&picker));
    }

    #[test]
    fn a_best_move_that_was_deferred_is_not_among_those_that_failed() {
        let (mut stack, mut picker) = stack_of(0..4);
        stack.rank(&mut picker, |mv, _| -i32::from(mv));
        assert_eq!(picked(&mut stack, &mut picker), [0, 1, 2, 3]);
        let tried = |best| stack.tried(&picker, best).map(|(mv, _)| mv).collect::<Vec<u8>>();
        assert_eq!(tried(3), [0, 1, 2]);
        assert_eq!(tried(1), [0, 2]);
    }

    #[test]
    fn the_moves_of_a_node_lie_on_those_of_its_parent() {
        let (mut stack, mut parent) = stack_of(1..3);
        let mut child = stack.generate_ranked(|moves| moves.extend([8, 9]), i32::from);
        assert_eq!((stack.len(&child), stack.pick(&mut child).unwrap().mv), (2, 9));
        stack.release(&child);
        stack.rank(&mut parent, |mv, _| -i32::from(mv));
        assert_eq!((stack.len(&parent), stack.pick(&mut parent).unwrap().mv), (2, 1));
    }
}
