//! Memory from the allocator, for systems that map none.

use std::collections::TryReserveError;
use std::sync::atomic::AtomicU64;

/// Words of memory.
pub(in crate::table) struct Memory(Vec<AtomicU64>);

impl Memory {
    /// Allocates this many words.
    ///
    /// # Errors
    /// There is not that much memory.
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
