//! Results as a file for programs, or on standard output in its place.

use std::path::Path;

use anyhow::Context;
use leap_base::files;
use leap_base::terminal;

/// Whether the path stands for standard output.
pub(crate) fn is_stdout(path: &Path) -> bool {
    path == Path::new("-")
}

/// Fails if [`write()`] could not write this file: nobody should wait for results that go nowhere. `mark` is how every
/// such file begins.
pub(crate) fn may_write(path: &Path, mark: &str) -> anyhow::Result<()> {
    if is_stdout(path) {
        return Ok(());
    }
    files::is_renewable(path, mark.as_bytes()).with_context(|| cannot_write(path))
}

/// Writes results to a file of an earlier run, a new one, or standard output.
pub(crate) fn write(path: &Path, text: &str, mark: &str) -> anyhow::Result<()> {
    if is_stdout(path) {
        return Ok(terminal::write_data(text).map(drop)?);
    }
    files::renew(path, text.as_bytes(), mark.as_bytes()).with_context(|| cannot_write(path))
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}
