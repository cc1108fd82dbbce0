//! The pipe to the client, and what the system says about it.

#[cfg(not(unix))]
pub(super) use silent::{Pipe, wait_until_closed};
#[cfg(unix)]
pub(super) use unix::{Pipe, wait_until_closed};

#[cfg(unix)]
mod unix {
    use std::fs::File;
    use std::io::{self, Write};
    use std::os::fd::{AsFd as _, OwnedFd};

    use nix::errno::Errno;
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

    /// The standard output, with the means to ask whether it would block.
    pub(in crate::io) struct Pipe(OwnedFd);

    impl Pipe {
        /// The pipe and its writer. The writer bypasses the buffer of [`io::Stdout`], because whole lines come here.
        pub(in crate::io) fn stdout() -> io::Result<(Self, impl Write + Send)> {
            let pipe = io::stdout().as_fd().try_clone_to_owned()?;
            let writer = File::from(pipe.try_clone()?);
            Ok((Self(pipe), writer))
        }

        /// Whether a piece can be written without blocking.
        pub(in crate::io) fn has_room(&self) -> bool {
            let mut polled = [PollFd::new(self.0.as_fd(), PollFlags::POLLOUT)];
            poll(&mut polled, PollTimeout::ZERO).is_ok_and(|ready| ready > 0)
        }
    }

    /// Waits until the reader of standard output closes it, possibly for ever.
    pub(in crate::io) fn wait_until_closed() {
        let stdout = io::stdout();
        // Errors and hang-ups are always reported.
        let mut polled = [PollFd::new(stdout.as_fd(), PollFlags::empty())];
        while matches!(poll(&mut polled, PollTimeout::NONE), Ok(0) | Err(Errno::EINTR)) {}
    }
}

/// The standard output on other systems, Windows among them. They say nothing about a pipe before a write.
///
/// The writer thread writes every line. The next line notices that nobody reads any more.
#[cfg(not(unix))]
mod silent {
    use std::io::{self, Write};

    /// The standard output.
    pub(in crate::io) struct Pipe;

    impl Pipe {
        /// The pipe, and what writes to it.
        pub(in crate::io) fn stdout() -> io::Result<(Self, impl Write + Send)> {
            Ok((Self, io::stdout()))
        }

        /// Whether a piece can be written without blocking: not known.
        pub(in crate::io) const fn has_room(&self) -> bool {
            false
        }
    }

    /// Waits for ever.
    pub(in crate::io) fn wait_until_closed() {
        loop {
            std::thread::park();
        }
    }
}
