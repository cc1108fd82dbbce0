//! The pipe to the client, and what the system says about it.

#[cfg(not(unix))]
pub(super) use silent::{Pipe, has_room, stdout, wait_until_closed};
#[cfg(unix)]
pub(super) use unix::{Pipe, has_room, stdout, wait_until_closed};

#[cfg(unix)]
mod unix {
    use std::fs::File;
    use std::io;
    use std::os::fd::AsFd as _;

    use nix::errno::Errno;
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

    /// The standard output. It bypasses the buffer of [`io::Stdout`], because whole lines come here.
    pub(in crate::io) type Pipe = File;

    pub(in crate::io) fn stdout() -> io::Result<Pipe> {
        Ok(File::from(io::stdout().as_fd().try_clone_to_owned()?))
    }

    /// Whether a piece can be written without blocking.
    pub(in crate::io) fn has_room(pipe: &Pipe) -> bool {
        let mut polled = [PollFd::new(pipe.as_fd(), PollFlags::POLLOUT)];
        poll(&mut polled, PollTimeout::ZERO).is_ok_and(|ready| ready > 0)
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
    use std::io;

    /// The standard output.
    pub(in crate::io) type Pipe = io::Stdout;

    pub(in crate::io) fn stdout() -> io::Result<Pipe> {
        Ok(io::stdout())
    }

    /// Whether a piece can be written without blocking: not known.
    pub(in crate::io) const fn has_room(_: &Pipe) -> bool {
        false
    }

    /// Waits for ever.
    pub(in crate::io) fn wait_until_closed() {
        loop {
            std::thread::park();
        }
    }
}
