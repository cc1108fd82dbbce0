//! The processes that we have started, so that none of them outlives us.

use std::collections::BTreeSet;
use std::io;
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, MutexGuard, PoisonError};

#[cfg(unix)]
use process_wrap::std::ProcessGroup;
use process_wrap::std::{ChildWrapper, CommandWrap};

/// The process groups that we have started; `None` once they have been killed: from then on none is started.
static GROUPS: Mutex<Option<BTreeSet<u32>>> = Mutex::new(Some(BTreeSet::new()));

fn groups() -> MutexGuard<'static, Option<BTreeSet<u32>>> {
    GROUPS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A child process in its own process group. Dropping it kills the group and reaps the child.
#[derive(Debug)]
pub(crate) struct ChildGroup(Box<dyn ChildWrapper>);

impl ChildGroup {
    /// Starts a process in its own group: it can be killed with its children, and a Ctrl-C at the terminal reaches only
    /// us.
    pub(crate) fn start(mut command: CommandWrap) -> io::Result<Self> {
        // Holding the lock means that [`kill_engines`] waits until this group is registered.
        let mut groups = groups();
        let groups = groups.as_mut().ok_or_else(|| io::Error::other("this program is ending"))?;
        #[cfg(unix)]
        command.wrap(ProcessGroup::leader());
        let child = command.spawn()?;
        groups.insert(child.id());
        Ok(Self(child))
    }

    /// Kills the process and its children, if there are any left.
    pub(crate) fn kill(&mut self) {
        let mut groups = groups();
        let is_left = groups.as_mut().is_none_or(|groups| groups.remove(&self.0.id()));
        if is_left {
            // It is fine if the process has already exited.
            let _ = self.0.start_kill();
        }
        drop(groups);
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

/// Blocks if this process is about to exit: an engine that dies then was killed by us, which is not worth reporting.
pub(super) fn unless_exiting() {
    drop(groups());
}

/// Kills all engines and prevents new ones.
pub fn kill_engines() {
    kill_all(&mut groups());
}

fn kill_all(groups: &mut Option<BTreeSet<u32>>) {
    for id in groups.take().into_iter().flatten() {
        kill_group(id);
    }
}

#[cfg(unix)]
fn kill_group(id: u32) {
    use nix::sys::signal::{Signal, killpg};
    use nix::unistd::Pid;
    let Ok(id) = i32::try_from(id) else { return };
    let _ = killpg(Pid::from_raw(id), Signal::SIGKILL);
}

/// On other systems processes are killed when they are dropped.
#[cfg(not(unix))]
fn kill_group(_id: u32) {}

/// Exits at once, killing all engines first.
#[cfg(unix)]
pub(crate) fn kill_engines_and_exit(status: i32) -> ! {
    // The lock is held until the end, so that nobody reports a killed engine while we exit.
    let mut groups = groups();
    kill_all(&mut groups);
    std::process::exit(status)
}

/// Makes every termination signal (Ctrl-C, a closed terminal, SIGTERM) kill all engines first. Otherwise an engine that
/// hangs would stay behind: it has its own process group and does not get the signal. The exit status is 128 plus the
/// signal's number.
///
/// # Errors
/// If the signal handlers cannot be installed.
#[cfg(unix)]
pub fn kill_engines_on_signals() -> io::Result<()> {
    super::signals::handle(|signal| kill_engines_and_exit(128 + signal))
}

/// Does nothing on this system.
///
/// # Errors
/// None.
#[cfg(not(unix))]
pub fn kill_engines_on_signals() -> io::Result<()> {
    Ok(())
}
