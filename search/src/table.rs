//! The transposition table, shared by all threads without locks.
//!
//! An entry is two words. The second word is also stored xor-ed onto the key. An entry torn by two threads therefore
//! matches no key.
//!
//! R. Hyatt, T. Mann, "A lock-less transposition table implementation", 2002.

mod memory;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};

use memory::Memory;

use leap_core::Key;

/// Which side of the true value a score is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The true value is at most the score.
    Upper = 1,
    /// The true value is at least the score.
    Lower = 2,
    /// The true value is the score.
    Exact = 3,
}

/// There is not enough memory for the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no memory for a hash table of {mib} MiB")]
pub struct TranspositionTableError {
    /// The size that was asked for.
    pub mib: usize,
}

/// A 16-bit hash of a move, which identifies the move in its position. 0 means no move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct MoveHash(pub(super) u16);

impl MoveHash {
    pub(super) const NONE: Self = Self(0);

    pub(super) fn of(mv: &impl Hash) -> Self {
        let mut hasher = MoveHasher(0);
        mv.hash(&mut hasher);
        // The high bits are the well mixed ones.
        Self(((hasher.0 >> 48) as u16).max(1))
    }

    /// A hash of the move as a reply to another one.
    pub(super) const fn after(self, previous: Self) -> Self {
        Self(self.0 ^ previous.0.wrapping_mul(0x9e37))
    }
}

/// Multiplies and rotates each word in, up to eight bytes of a number. Unlike the standard library's hasher, it gives the
/// same on every run, and on all platforms that are little-endian.
struct MoveHasher(u64);

impl Hasher for MoveHasher {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        for bytes in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            let mixed = self.0.rotate_left(29) ^ u64::from_le_bytes(word);
            self.0 = mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// What the table knows about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The best move.
    pub(super) best_move: MoveHash,
    /// The score, as [`super::Score::to_table`] gave it.
    pub(super) score: i16,
    /// The static evaluation, relative in the same way as `score`.
    pub(super) evaluation: i16,
    /// The depth of the search, in plies.
    pub(super) depth: u8,
    /// Whether the score holds at any depth, because its lines lead to the end of the game.
    pub(super) is_solved: bool,
    /// How the score bounds the true value. `None` if only the move is known.
    pub(super) bound: Option<Bound>,
}

impl Entry {
    /// From the lowest bit: best_move 16, score 16, evaluation 16, depth 7, solved 1, bound 2, generation 6.
    fn pack(self, generation: u8) -> u64 {
        u64::from(self.best_move.0)
            | u64::from(self.score as u16) << 16
            | u64::from(self.evaluation as u16) << 32
            | u64::from(self.depth) << 48
            | u64::from(self.is_solved) << 55
            | self.bound.map_or(0, |bound| bound as u64) << 56
            | u64::from(generation) << 58
    }

    fn unpack(data: u64) -> Self {
        Self {
            best_move: MoveHash(data as u16),
            score: (data >> 16) as i16,
            evaluation: (data >> 32) as i16,
            depth: depth_of(data),
            is_solved: data >> 55 & 1 != 0,
            bound: match data >> 56 & 3 {
                0 => None,
                1 => Some(Bound::Upper),
                2 => Some(Bound::Lower),
                _ => Some(Bound::Exact),
            },
        }
    }
}

/// The largest depth that an entry can hold.
const MAX_DEPTH: u8 = 127;

const fn depth_of(data: u64) -> u8 {
    (data >> 48) as u8 & MAX_DEPTH
}

const fn generation_of(data: u64) -> u8 {
    (data >> 58) as u8
}

/// The number of generations, after which they count from 0 again.
const GENERATIONS: u8 = 64;

/// The words of an entry: the key xor the data, then the data. The data is a packed entry, or 0.
type Slot = [AtomicU64; 2];

const SLOTS: usize = 4;
const BUCKET_WORDS: usize = 2 * SLOTS;
const LINE_BYTES: usize = 64;

/// The slots of one index, as words. They fill one cache line.
type Bucket = [AtomicU64; BUCKET_WORDS];

const _: () = assert!(size_of::<Bucket>() == LINE_BYTES);

const WORDS_PER_MIB: usize = (1 << 20) / size_of::<AtomicU64>();

/// The transposition table.
pub struct TranspositionTable {
    memory: Memory,
    generation: AtomicU8,
    /// Whether anything was stored since the table was empty.
    is_used: AtomicBool,
}

impl fmt::Debug for TranspositionTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Table({} MiB)", self.mib())
    }
}

impl TranspositionTable {
    /// A table of this many mebibytes, at least one. The system commits the memory as the table fills.
    ///
    /// # Errors
    /// There is no memory for the table.
    pub fn new(mib: usize) -> Result<Self, TranspositionTableError> {
        let error = TranspositionTableError { mib };
        let words = mib.max(1).checked_mul(WORDS_PER_MIB).ok_or(error)?;
        let memory = Memory::zeroed(words).map_err(|_| error)?;
        Ok(Self { memory, generation: AtomicU8::new(0), is_used: AtomicBool::new(false) })
    }

    /// The size in mebibytes.
    #[must_use]
    pub fn mib(&self) -> usize {
        self.memory.words().len() / WORDS_PER_MIB
    }

    /// Clears the table. Memory that was never used stays with the system.
    pub fn clear(&self) {
        if self.is_used.swap(false, Ordering::Relaxed) {
            self.memory.clear();
        }
        self.generation.store(0, Ordering::Relaxed);
    }

    /// Starts a new generation. The entries stored so far age.
    pub fn new_search(&self) {
        let generation = (self.generation() + 1) % GENERATIONS;
        self.generation.store(generation, Ordering::Relaxed);
    }

    /// How much of the table the current search has filled, in permille. Measured on a sample.
    #[must_use]
    pub fn hashfull(&self) -> u32 {
        let generation = self.generation();
        let sample = &self.buckets()[..250];
        let used = |slot: &&Slot| {
            let data = slot[1].load(Ordering::Relaxed);
            data != 0 && generation_of(data) == generation
        };
        let count = sample.iter().flat_map(slots).filter(used).count();
        (count * 1000 / (sample.len() * SLOTS)) as u32
    }

    /// The entry of a position, if there is one.
    pub(super) fn probe(&self, key: Key) -> Option<Entry> {
        slots(self.bucket(key)).iter().find_map(|[check, data]| {
            let data = data.load(Ordering::Relaxed);
            let is_hit = data != 0 && check.load(Ordering::Relaxed) ^ data == key;
            is_hit.then(|| Entry::unpack(data))
        })
    }

    /// Stores an entry. It replaces the entry of the same position, otherwise the least valuable entry of the bucket.
    pub(super) fn store(&self, key: Key, mut entry: Entry) {
        let generation = self.generation();
        if !self.is_used.load(Ordering::Relaxed) {
            self.is_used.store(true, Ordering::Relaxed);
        }
        let slots = slots(self.bucket(key));
        let mut victim = &slots[0];
        let mut least = i32::MAX;
        for slot in slots {
            let data = slot[1].load(Ordering::Relaxed);
            if data != 0 && slot[0].load(Ordering::Relaxed) ^ data == key {
                if entry.best_move == MoveHash::NONE {
                    entry.best_move = Entry::unpack(data).best_move;
                }
                victim = slot;
                break;
            }
            let worth = worth(data, generation);
            if worth < least {
                (victim, least) = (slot, worth);
            }
        }
        let data = entry.pack(generation);
        victim[0].store(key ^ data, Ordering::Relaxed);
        victim[1].store(data, Ordering::Relaxed);
    }

    fn generation(&self) -> u8 {
        self.generation.load(Ordering::Relaxed)
    }

    /// The bucket of a key, by the key's high bits.
    ///
    /// D. Lemire, "Fast random integer generation in an interval", 2019.
    fn bucket(&self, key: Key) -> &Bucket {
        let buckets = self.buckets();
        let index = (u128::from(key) * buckets.len() as u128) >> 64;
        &buckets[index as usize]
    }

    fn buckets(&self) -> &[Bucket] {
        self.memory.words().as_chunks().0
    }
}

fn slots(bucket: &Bucket) -> &[Slot] {
    bucket.as_chunks().0
}

/// The replacement value of an entry: its depth minus a deduction for its age.
fn worth(data: u64, generation: u8) -> i32 {
    const PLIES_PER_GENERATION: i32 = 8;
    if data == 0 {
        return i32::MIN;
    }
    let age = (GENERATIONS + generation - generation_of(data)) % GENERATIONS;
    i32::from(depth_of(data)) - PLIES_PER_GENERATION * i32::from(age)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: u8) -> Entry {
        let best_move = MoveHash::of(&(3_u32, 4_u64));
        Entry {
            best_move,
            score: -321,
            evaluation: 123,
            depth,
            is_solved: depth % 2 == 1,
            bound: Some(Bound::Lower),
        }
    }

    #[test]
    fn an_entry_comes_back_whole() {
        let table = TranspositionTable::new(1).unwrap();
        for bound in [None, Some(Bound::Upper), Some(Bound::Lower), Some(Bound::Exact)] {
            let entry = Entry { bound, score: i16::MIN, evaluation: -1, ..entry(MAX_DEPTH) };
            table.store(0xdead_beef, entry);
            assert_eq!(table.probe(0xdead_beef), Some(entry));
        }
        assert_eq!(table.probe(0xdead_bee0), None);
        table.clear();
        assert_eq!(table.probe(0xdead_beef), None);
    }

    #[test]
    fn a_full_bucket_loses_the_shallowest_and_then_the_oldest() {
        let table = TranspositionTable::new(1).unwrap();
        for key in 0..4 {
            table.store(key, entry(10 + key as u8));
        }
        table.store(4, entry(5));
        assert_eq!(table.probe(0), None);
        table.new_search();
        for key in 5..8 {
            table.store(key, entry(1));
        }
        assert_eq!(table.probe(4), None);
        assert_eq!(
            table.probe(3),
            Some(entry(13)),
            "the deepest of the old ones is the last to go"
        );
    }

    #[test]
    fn a_move_is_kept_when_a_search_finds_none_better() {
        let table = TranspositionTable::new(1).unwrap();
        table.store(7, entry(3));
        table.store(7, Entry { best_move: MoveHash::NONE, ..entry(4) });
        assert_eq!(table.probe(7), Some(entry(4)));
    }

    #[test]
    fn hashfull_counts_what_the_current_search_stored() {
        let table = TranspositionTable::new(1).unwrap();
        assert_eq!(table.hashfull(), 0);
        for key in 0..4 {
            table.store(key, entry(1));
        }
        assert_eq!(table.hashfull(), 4);
        table.new_search();
        assert_eq!(table.hashfull(), 0);
    }

    #[test]
    fn a_size_beyond_memory_is_an_error() {
        for mib in [1 << 42, usize::MAX] {
            assert_eq!(TranspositionTable::new(mib).unwrap_err(), TranspositionTableError { mib });
        }
    }
}
