//! What goes to an engine. An engine that does not read must not block us.

use std::io::Write as _;
use std::process::ChildStdin;
use std::time::Duration;

use crossbeam_channel::{SendTimeoutError, Sender, bounded};

use super::poll::{PIECE_BYTES, has_room};
use super::{ClientError, pipes, running};

/// Chunks that wait for the engine to read them.
const WRITE_AHEAD: usize = 64;
/// How long an engine may leave its input unread before it counts as dead.
const WRITE_PATIENCE: Duration = Duration::from_secs(10);

/// The input of an engine.
#[derive(Debug)]
pub(super) enum Input {
    /// The engine has read what was sent so far: what has room in the pipe is written immediately.
    Pipe(ChildStdin),
    /// The engine did not keep up once: a thread writes.
    Thread(Sender<Vec<u8>>),
    Closed,
}

impl Input {
    /// Sends bytes; they need not end in a line end.
    pub(super) fn send(&mut self, bytes: Vec<u8>) -> Result<(), ClientError> {
        let mut rest = bytes;
        if let Self::Pipe(pipe) = self {
            while !rest.is_empty() && has_room(pipe) {
                let piece = PIECE_BYTES.min(rest.len());
                // An engine that has ended may have written its last lines: the next command tells that it is gone.
                if pipe.write_all(&rest[..piece]).is_err() {
                    *self = Self::Closed;
                    return Ok(());
                }
                rest.drain(..piece);
            }
            if rest.is_empty() {
                return Ok(());
            }
            self.hand_over()?;
        }
        let Self::Thread(pieces) = self else { return Err(running::closed()) };
        pieces.send_timeout(rest, WRITE_PATIENCE).map_err(|error| match error {
            SendTimeoutError::Timeout(_) => ClientError::Timeout(WRITE_PATIENCE),
            SendTimeoutError::Disconnected(_) => running::closed(),
        })
    }

    /// Closes the input after everything that was sent.
    pub(super) fn close(&mut self) {
        *self = Self::Closed;
    }

    /// Leaves writing to a thread.
    fn hand_over(&mut self) -> Result<(), ClientError> {
        let (sender, pieces) = bounded(WRITE_AHEAD);
        if let Self::Pipe(pipe) = std::mem::replace(self, Self::Closed) {
            pipes::write_pieces("engine-writer", pipe, pieces).map_err(ClientError::Wait)?;
            *self = Self::Thread(sender);
        }
        Ok(())
    }
}
