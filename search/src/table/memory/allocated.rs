//! Memory from the allocator, where no system maps any.

use std::collections::TryReserveError;
use std::sync::atomic::AtomicU64;

/// Words of memory.
pub(in crate::table) struct Memory(Vec<AtomicU64>);

impl Memory {
    /// So many words.
    ///
    /// # Errors
    /// There is not so much.
    pub(in crate::table) fn zeroed(words: usize) -> Result<Self, TryReserveError> {
        let mut memory = Vec::new();
        memory.try_reserve_exact(words)?;
        memory.resize_with(words, AtomicU64::default);
        Ok(Self(memory))
    }

    pub(in crate::table) fn words(&self) -> &[AtomicU64] {
        &self.0
    }
}
