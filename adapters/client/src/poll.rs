//! What the system says about a pipe before it is read or written.

#[cfg(not(unix))]
pub(super) use silent::{CAN_WAIT, has_room, wait_for_input};
#[cfg(unix)]
pub(super) use unix::{CAN_WAIT, has_room, wait_for_input};

/// The most bytes that are written together: a pipe with room takes as many without blocking. POSIX names the number
/// `PIPE_BUF`. It is at least 512, and 4096 on Linux and macOS.
pub(super) const PIECE_BYTES: usize = 4096;

#[cfg(unix)]
mod unix {
    use std::io;
    use std::os::fd::AsFd;
    use std::time::Instant;

    use nix::errno::Errno;
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

    /// Whether [`wait_for_input`] waits.
    pub(crate) const CAN_WAIT: bool = true;

    /// Whether [`PIECE_BYTES`](super::PIECE_BYTES) can be written without blocking.
    pub(crate) fn has_room(pipe: &impl AsFd) -> bool {
        let mut polled = [PollFd::new(pipe.as_fd(), PollFlags::POLLOUT)];
        poll(&mut polled, PollTimeout::ZERO).is_ok_and(|ready| ready > 0)
    }

    /// Waits until there is something to read, or the end of it; `false` at the deadline.
    ///
    /// # Errors
    /// The system cannot wait.
    pub(crate) fn wait_for_input(pipe: &impl AsFd, deadline: Instant) -> io::Result<bool> {
        let mut polled = [PollFd::new(pipe.as_fd(), PollFlags::POLLIN)];
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            // Rounded up: the system counts in milliseconds, and waking up too early would be for nothing.
            let ms = left.as_nanos().div_ceil(1_000_000).min(i32::MAX as u128) as i32;
            match poll(&mut polled, PollTimeout::try_from(ms).unwrap_or(PollTimeout::MAX)) {
                Ok(ready) => return Ok(ready > 0),
                Err(Errno::EINTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}

/// Other systems, Windows among them, say nothing: threads read and write.
#[cfg(not(unix))]
mod silent {
    use std::io;
    use std::time::Instant;

    pub(crate) const CAN_WAIT: bool = false;

    pub(crate) const fn has_room<T>(_: &T) -> bool {
        false
    }

    pub(crate) fn wait_for_input<T>(_: &T, _: Instant) -> io::Result<bool> {
        Ok(true)
    }
}
