//! Abandoning games that nobody needs any more.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use thiserror::Error;

/// The wish to abandon the games in flight. Players are heard before each move.
#[derive(Clone, Debug, Default)]
pub(crate) struct Halt(Arc<AtomicBool>);

/// The game was abandoned: it has no result.
#[derive(Clone, Copy, Debug, Error)]
#[error("the game was abandoned")]
pub(crate) struct Abandoned;

impl Halt {
    pub(crate) fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// # Errors
    /// [`Abandoned`] once the wish was raised.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        if self.0.load(Ordering::Relaxed) { Err(Abandoned.into()) } else { Ok(()) }
    }
}
