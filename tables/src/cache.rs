//! Unpacked blocks, shared by all files and threads.

use std::sync::{Mutex, PoisonError};

/// Which block of which file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    /// The number of the file, from 1.
    pub(crate) file: u32,
    pub(crate) block: u32,
}

impl Key {
    const NONE: Self = Self { file: 0, block: 0 };

    /// Neighbouring blocks of a file have neighbouring slots.
    const fn slot(self, slots: usize) -> usize {
        (self.file.wrapping_mul(0x9e37_79b9) >> 8).wrapping_add(self.block) as usize % slots
    }
}

/// A fixed number of slots. Each block has one slot that it can be in, and replaces the block there.
pub(crate) struct Cache<const SLOTS: usize> {
    slots: [Mutex<Slot>; SLOTS],
}

struct Slot {
    key: Key,
    codes: Vec<u8>,
}

impl<const SLOTS: usize> Cache<SLOTS> {
    pub(crate) const fn new() -> Self {
        const { assert!(SLOTS > 0) };
        let slots = [const { Mutex::new(Slot { key: Key::NONE, codes: Vec::new() }) }; SLOTS];
        Self { slots }
    }

    /// Gives the codes of a block to `read`. Where the block is not there, `fill` writes its codes first.
    ///
    /// A slot is locked meanwhile, so that threads which want the same block unpack it once.
    pub(crate) fn with<T, E>(
        &self,
        key: Key,
        fill: impl FnOnce(&mut Vec<u8>) -> Result<(), E>,
        read: impl FnOnce(&[u8]) -> T,
    ) -> Result<T, E> {
        let slot = &self.slots[key.slot(SLOTS)];
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if slot.key != key {
            slot.key = Key::NONE;
            fill(&mut slot.codes)?;
            slot.key = key;
        }
        Ok(read(&slot.codes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static SMALL: Cache<3> = Cache::new();

    fn get(file: u32, block: u32) -> Result<Vec<u8>, ()> {
        let fill = |codes: &mut Vec<u8>| {
            codes.clear();
            codes.extend([file as u8, block as u8]);
            if block == 99 { Err(()) } else { Ok(()) }
        };
        SMALL.with(Key { file, block }, fill, <[u8]>::to_vec)
    }

    #[test]
    fn threads_get_the_blocks_that_they_ask_for_when_these_replace_each_other() {
        std::thread::scope(|scope| {
            for thread in 0..4 {
                scope.spawn(move || {
                    for round in 0..10_000 {
                        let (file, block) = (1 + (round + thread) % 3, round * 7 % 11);
                        assert_eq!(get(file, block), Ok(vec![file as u8, block as u8]));
                    }
                });
            }
        });
    }

    #[test]
    fn a_block_that_could_not_be_unpacked_is_not_taken_for_one_that_was() {
        static CACHE: Cache<1> = Cache::new();
        let key = Key { file: 1, block: 0 };
        assert_eq!(CACHE.with(key, |_| Err("damaged"), <[u8]>::len), Err("damaged"));
        let fill = |codes: &mut Vec<u8>| {
            codes.resize(5, 0);
            Ok::<(), ()>(())
        };
        assert_eq!(CACHE.with(key, fill, <[u8]>::len), Ok(5));
    }
}
