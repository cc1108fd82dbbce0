//! The `leap` command as its users run it. A single program: it is linked once, and tests that wait run in parallel.

mod analyse;
mod bridge;
mod check;
mod compare;
#[cfg(unix)]
mod files;
#[cfg(target_os = "linux")]
mod gogui;
mod hostile;
#[cfg(target_os = "linux")]
mod liars;
mod mistakes;
#[cfg(target_os = "linux")]
mod openbench;
mod record;
mod replay;
mod report;
#[cfg(target_os = "linux")]
mod signals;
mod sprt;
mod stub;
mod support;
mod tournament;
mod tournament_spec;
#[cfg(target_os = "linux")]
mod web;
