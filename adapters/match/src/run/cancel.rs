//! Cancelling games that nobody needs any more.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use thiserror::Error;

/// The request to cancel the games in flight. Players are heard before each move.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cancel(Arc<AtomicBool>);

/// The game was cancelled: it has no result.
#[derive(Clone, Copy, Debug, Error)]
#[error("the game was cancelled")]
pub(crate) struct Cancelled;

impl Cancel {
    pub(crate) fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// # Errors
    /// [`Cancelled`] once the request was made.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        if self.0.load(Ordering::Relaxed) { Err(Cancelled.into()) } else { Ok(()) }
    }
}
