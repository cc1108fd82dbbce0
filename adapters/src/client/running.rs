//! The engines that run, so that none of them outlives us.

use std::collections::BTreeSet;
use std::io;
use std::sync::{Mutex, PoisonError};

/// The process groups of all engines of this process.
static ENGINES: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn engines<R>(change: impl FnOnce(&mut BTreeSet<u32>) -> R) -> R {
    change(&mut ENGINES.lock().unwrap_or_else(PoisonError::into_inner))
}

pub(super) fn add(id: u32) {
    engines(|engines| engines.insert(id));
}

pub(super) fn remove(id: u32) {
    engines(|engines| engines.remove(&id));
}

/// From now on a signal that asks us to end (Ctrl-C, a closed terminal, SIGTERM) kills all engines first. Without this an
/// engine that hangs would stay behind: being in a group of its own, it does not get the signal. The exit status is 128
/// and the signal's number.
///
/// # Errors
/// The signals cannot be caught.
#[cfg(unix)]
pub fn kill_engines_on_signals() -> io::Result<()> {
    let (sender, signals) = crossbeam_channel::bounded(1);
    super::signals::watch(sender, |signal| signal)?;
    let kill = move || {
        let Ok(signal) = signals.recv() else { return };
        kill_engines_and_exit(128 + signal)
    };
    std::thread::Builder::new().name("interrupt".to_owned()).spawn(kill)?;
    Ok(())
}

/// Ends this process at once, and all engines with it.
#[cfg(unix)]
pub(crate) fn kill_engines_and_exit(status: i32) -> ! {
    use nix::sys::signal::{Signal, killpg};
    use nix::unistd::Pid;
    // The lock is kept, so that no further engine is started.
    engines(|engines| {
        for id in engines.iter().filter_map(|id| i32::try_from(*id).ok()) {
            let _ = killpg(Pid::from_raw(id), Signal::SIGKILL);
        }
        std::process::exit(status)
    })
}

/// As on Unix; here there is nothing to be done.
///
/// # Errors
/// None.
#[cfg(not(unix))]
pub fn kill_engines_on_signals() -> io::Result<()> {
    Ok(())
}
