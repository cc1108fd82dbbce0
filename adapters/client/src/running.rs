//! The processes that we have started, so that none of them outlives us.

use std::io;
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, MutexGuard, PoisonError};

use process_wrap::std::{ChildWrapper, CommandWrap};

use super::ClientError;
use super::groups::Groups;

/// The processes that we have started. After [`kill_engines`] it is `None`, and no process is started any more.
static GROUPS: Mutex<Option<Groups>> = Mutex::new(Some(Groups::new()));

fn groups() -> MutexGuard<'static, Option<Groups>> {
    GROUPS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A child process with its own children. Dropping it kills them all and reaps the child.
#[derive(Debug)]
pub struct ChildGroup(Box<dyn ChildWrapper>);

impl ChildGroup {
    /// Starts a process.
    pub fn start(command: CommandWrap) -> io::Result<Self> {
        // Holding the lock means that [`kill_engines`] waits until this process is registered.
        let mut groups = groups();
        let groups = groups.as_mut().ok_or_else(|| io::Error::other("this program is ending"))?;
        groups.start(command).map(Self)
    }

    /// Kills the process and its children, if there are any left.
    pub fn kill(&mut self) {
        if let Some(groups) = groups().as_mut() {
            groups.kill(self.0.id());
        }
        let _ = self.0.wait();
    }
}

impl Deref for ChildGroup {
    type Target = dyn ChildWrapper;

    fn deref(&self) -> &Self::Target {
        self.0.as_ref()
    }
}

impl DerefMut for ChildGroup {
    fn deref_mut(&mut self) -> &mut Self::Target {
        self.0.as_mut()
    }
}

impl Drop for ChildGroup {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Keeps engines in our own process group from now on, so that whoever kills our group kills them too.
///
/// For programs that stand between an engine and the program that has started them. An engine that starts processes of
/// its own must end them itself.
pub fn share_process_group() {
    if let Some(groups) = groups().as_mut() {
        groups.share();
    }
}

/// Blocks if this process is about to exit: an engine that dies then was killed by us, which is not worth reporting.
pub(super) fn unless_exiting() {
    drop(groups());
}

/// The error of an engine that has ended.
pub(super) fn closed() -> ClientError {
    unless_exiting();
    ClientError::Closed
}

/// Kills all engines and prevents new ones.
pub fn kill_engines() {
    drop(groups().take());
}

/// Kills all engines and exits immediately.
pub fn kill_engines_and_exit(status: i32) -> ! {
    // The lock is held until the end, so that nobody reports a killed engine while we exit.
    let mut groups = groups();
    drop(groups.take());
    std::process::exit(status)
}

/// Makes every termination signal (Ctrl-C, a closed terminal, SIGTERM) kill all engines first. Otherwise an engine that
/// hangs would stay behind: it has its own process group and does not get the signal. The exit status is 128 plus the
/// signal's number.
///
/// # Errors
/// If the signal handlers cannot be installed.
pub fn kill_engines_on_signals() -> io::Result<()> {
    super::signals::handle(|signal| kill_engines_and_exit(128 + signal))
}
