//! The memory that all files may take together: files that arrive, and answers that are being sent.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// The bytes that all files may take together, besides the free bytes of each.
const IN_ALL: usize = 96 << 20;
/// The free bytes of each file: a file of a usual size never waits for others.
const FREE: usize = 256 << 10;
/// How long to wait for memory.
const ROOM_WITHIN: Duration = Duration::from_secs(5);
/// How much of an answer is handed out at a time.
const PIECE: usize = 64 << 10;

/// The memory of all files.
#[derive(Debug)]
pub(super) struct Memory(Arc<Semaphore>);

impl Memory {
    pub(super) fn new() -> Self {
        Self(Arc::new(Semaphore::new(IN_ALL)))
    }

    /// A new share, which holds no memory yet.
    pub(super) fn share(&self) -> Share {
        Share { memory: Arc::clone(&self.0), bytes: 0, held: None }
    }
}

/// The share of the memory that one file takes, until the share is dropped.
#[derive(Debug)]
pub(super) struct Share {
    memory: Arc<Semaphore>,
    bytes: usize,
    held: Option<OwnedSemaphorePermit>,
}

impl Share {
    /// Grows the share to this many bytes; `None` if there is no room for them in time.
    pub(super) async fn grow_to(&mut self, bytes: usize) -> Option<()> {
        let counted = |bytes: usize| bytes.saturating_sub(FREE).min(IN_ALL);
        let more = counted(bytes).saturating_sub(counted(self.bytes));
        self.bytes = bytes;
        if more > 0 {
            let memory = Arc::clone(&self.memory);
            let more = memory.acquire_many_owned(u32::try_from(more).ok()?);
            let more = timeout(ROOM_WITHIN, more).await.ok()?.ok()?;
            match &mut self.held {
                Some(held) => held.merge(more),
                held => *held = Some(more),
            }
        }
        Some(())
    }
}

/// An answer. It holds its share until it has been handed out.
#[derive(Debug)]
pub(super) struct Answer {
    rest: Bytes,
    _share: Share,
}

impl Answer {
    pub(super) fn new(bytes: Vec<u8>, share: Share) -> Self {
        Self { rest: bytes.into(), _share: share }
    }
}

impl HttpBody for Answer {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let bytes = self.rest.len().min(PIECE);
        let piece = self.rest.split_to(bytes);
        Poll::Ready((bytes > 0).then(|| Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.rest.len() as u64)
    }
}
