//! Binding a worker's processes to one processor.

/// Binds this thread, and the processes that it starts from now on, to one of the available processors.
#[cfg(target_os = "linux")]
pub(crate) fn bind(worker: usize) {
    use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
    use nix::unistd::Pid;
    let this = Pid::from_raw(0);
    let bind = || {
        let allowed = sched_getaffinity(this)?;
        let ids: Vec<usize> =
            (0..CpuSet::count()).filter(|id| allowed.is_set(*id).unwrap_or(false)).collect();
        let mut one = CpuSet::new();
        one.set(ids[worker % ids.len().max(1)])?;
        sched_setaffinity(this, &one)
    };
    if let Err(error) = bind() {
        log::warn!("cannot keep a worker on one processor: {error}");
    }
}

/// Not supported on this system.
#[cfg(not(target_os = "linux"))]
pub(crate) fn bind(_table: usize) {
    log::warn!("--affinity: this system cannot keep a worker on one processor");
}
