//! Files that commands write. An output replaces only an older file of the same kind.

use std::fs::{self, File};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use leapd::usage::Mistake;
use same_file::is_same_file;
use tempfile::Builder;

/// A kind of file.
pub(crate) struct Kind {
    /// The name of the kind, for people.
    pub(crate) name: &'static str,
    /// The text that each file of the kind begins with.
    pub(crate) begins: &'static str,
}

/// Checks before work begins that a file may be written. It must not be an input or replace a file of another kind.
///
/// # Errors
/// A [`Mistake`] that names the option.
pub(crate) fn check(option: &str, path: &Path, kind: &Kind, inputs: &[PathBuf]) -> Result<()> {
    let shown = path.display();
    let is_input = inputs.iter().any(|input| is_same_file(input, path).unwrap_or(false));
    ensure!(
        !is_input,
        Mistake::new(format!(
            "expected a file of its own for {option}, found {shown}, which is also an input"
        ))
    );
    let folder = folder(path);
    ensure!(
        folder.is_dir(),
        Mistake::new(format!(
            "expected a folder for {option} {shown}, found none at {}",
            folder.display()
        ))
    );
    let found = match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        found => found.with_context(|| format!("cannot look at {shown}"))?,
    };
    let is_free = !found.is_dir() && (!found.is_file() || found.len() == 0 || begins(path, kind)?);
    ensure!(
        is_free,
        Mistake::new(format!(
            "expected {} or no file yet for {option}, found {shown}, which is something else",
            kind.name
        ))
    );
    Ok(())
}

fn begins(path: &Path, kind: &Kind) -> Result<bool> {
    let mut start = Vec::new();
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    file.take(kind.begins.len() as u64).read_to_end(&mut start)?;
    Ok(start == kind.begins.as_bytes())
}

/// Writes a file whole or not at all. Devices and pipes are written to directly.
///
/// # Errors
/// The file cannot be written.
pub(crate) fn write(path: &Path, contents: &[u8]) -> Result<()> {
    let unwritable = || format!("cannot write {}", path.display());
    if path.exists() && !path.is_file() {
        return fs::write(path, contents).with_context(unwritable);
    }
    // A link stays, and the file that it names is replaced.
    let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let mut builder = Builder::new();
    #[cfg(unix)]
    builder.permissions(<fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o666));
    let mut draft = builder.tempfile_in(folder(&target)).with_context(unwritable)?;
    draft.write_all(contents).with_context(unwritable)?;
    draft.persist(&target).with_context(unwritable)?;
    Ok(())
}

/// The folder that a file is in.
fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
