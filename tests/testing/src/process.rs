//! Child processes of tests.

use std::fs;
use std::net::TcpListener;
use std::process::Child;

/// A process that is killed when it is dropped.
pub struct Running(pub Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A port at which nothing listens at an address of this machine.
///
/// # Panics
/// If the machine has no such address.
#[must_use]
pub fn free_port(ip: &str) -> u16 {
    let listener = TcpListener::bind((ip, 0)).expect("an address of this machine");
    listener.local_addr().expect("an address").port()
}

/// The ids of the engines that a process has started and not reaped, on Linux.
///
/// # Panics
/// If there is no such process.
#[must_use]
pub fn engines_of(process: u32) -> Vec<String> {
    let tasks = fs::read_dir(format!("/proc/{process}/task")).expect("a process");
    let children = tasks.map(|task| {
        // A thread may end while the list is read.
        let children = task.map(|task| task.path().join("children"));
        children.and_then(fs::read_to_string).unwrap_or_default()
    });
    children.collect::<String>().split_whitespace().map(str::to_owned).collect()
}

/// The most memory that a process has used, in KiB; `None` where the system does not tell it.
#[must_use]
pub fn peak_memory_kib(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}
