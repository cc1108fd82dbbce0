//! What the operating system reports about a process, where it does.

use std::time::Duration;

/// Clock ticks a second in `/proc`: fixed at 100 for programs on Linux, whatever the kernel uses inside.
const TICKS: u64 = 100;
/// Fields of `/proc/<pid>/stat` after the name in brackets: user and system time.
const TIMES: [usize; 2] = [11, 12];

/// Processor time that the process has used; `None` where there is no `/proc`.
pub(super) fn processor_time(process: u32) -> Option<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name may contain anything, including blanks and brackets.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let mut ticks = 0;
    for index in TIMES {
        ticks += fields.get(index)?.parse::<u64>().ok()?;
    }
    Some(Duration::from_millis(ticks * 1000 / TICKS))
}

/// The process's resident memory in KiB; `None` where there is no `/proc`.
pub(super) fn resident_kib(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
