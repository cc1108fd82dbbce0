//! The processes that we have started, so that none of them outlives us.

use std::collections::BTreeSet;
use std::io;
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, MutexGuard, PoisonError};

#[cfg(unix)]
use process_wrap::std::ProcessGroup;
use process_wrap::std::{ChildWrapper, CommandWrap};

/// The process groups that we have started; `None` once they have been killed: then no other is started.
static GROUPS: Mutex<Option<BTreeSet<u32>>> = Mutex::new(Some(BTreeSet::new()));

fn groups() -> MutexGuard<'static, Option<BTreeSet<u32>>> {
    GROUPS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A process with its children. Dropping it kills them all and reaps it.
#[derive(Debug)]
pub(crate) struct ChildGroup(Box<dyn ChildWrapper>);

impl ChildGroup {
    /// Starts a process in a group of its own: it is killed with its children, and a Ctrl-C at the terminal reaches us alone.
    pub(crate) fn start(mut command: CommandWrap) -> io::Result<Self> {
        // Who kills all groups waits until this one is among them.
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
            // A process that has ended cannot be killed: that is what was wanted.
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

/// Returns if this process is not about to exit. What has become of an engine then is our doing, and not to be told.
pub(super) fn unless_exiting() {
    drop(groups());
}

/// Kills all engines; no other is started.
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

/// Elsewhere a process is killed as it is dropped.
#[cfg(not(unix))]
fn kill_group(_id: u32) {}

/// Ends this process at once, and all engines with it.
#[cfg(unix)]
pub(crate) fn kill_engines_and_exit(status: i32) -> ! {
    // The lock is kept: nobody finds engines dead and tells of it while we exit.
    let mut groups = groups();
    kill_all(&mut groups);
    std::process::exit(status)
}

/// From now on a signal that asks us to end (Ctrl-C, a closed terminal, SIGTERM) kills all engines first. Without this an
/// engine that hangs would stay behind: being in a group of its own, it does not get the signal. The exit status is 128
/// and the signal's number.
///
/// # Errors
/// The signals cannot be caught.
#[cfg(unix)]
pub fn kill_engines_on_signals() -> io::Result<()> {
    super::signals::handle(|signal| kill_engines_and_exit(128 + signal))
}

/// As on Unix; here there is nothing to be done.
///
/// # Errors
/// None.
#[cfg(not(unix))]
pub fn kill_engines_on_signals() -> io::Result<()> {
    Ok(())
}
