//! Drafts: what a file will contain, written beside it under another name until it is complete.
//!
//! A program that is killed leaves its draft behind. The next one that writes in the same directory removes it. A draft
//! is locked while it is written, so a draft that can be locked belongs to nobody.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

use super::alone::{is_linked, open_alone};

const PREFIX: &str = ".leap-";
const SUFFIX: &str = ".draft";

/// Creates a draft in a directory, and removes abandoned ones there. The draft is locked while the second value lives. A
/// private draft can be read by the user alone.
pub(super) fn begin(
    directory: &Path,
    is_private: bool,
) -> io::Result<(NamedTempFile, Option<Hold>)> {
    sweep(directory);
    loop {
        let draft = builder(is_private).tempfile_in(directory)?;
        // If the file system has no locks, no other program can take the draft for an abandoned one.
        let hold = hold(draft.as_file()).ok();
        // Another program may have removed it before it was locked.
        if is_linked(draft.as_file())? {
            return Ok((draft, hold));
        }
    }
}

/// Makes drafts with the permissions that the umask allows, or private ones.
fn builder(is_private: bool) -> Builder<'static, 'static> {
    let mut draft = Builder::new();
    draft.prefix(PREFIX).suffix(SUFFIX);
    #[cfg(unix)]
    {
        let mode = if is_private { 0o600 } else { 0o666 };
        draft.permissions(<fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(mode));
    }
    #[cfg(not(unix))]
    let _ = is_private;
    draft
}

/// Removes the drafts of programs that were killed. What cannot be removed stays, which harms nothing.
fn sweep(directory: &Path) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    for entry in entries.flatten() {
        let is_draft = is_draft(&entry.file_name());
        if !is_draft || !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        if let Ok(locked) = open_alone(File::options().write(true), &entry.path()) {
            // Windows removes no file that is open.
            #[cfg(windows)]
            drop(locked);
            let _ = fs::remove_file(entry.path());
            #[cfg(unix)]
            drop(locked);
        }
    }
}

fn is_draft(name: &OsStr) -> bool {
    let name = name.to_str().unwrap_or_default();
    name.strip_prefix(PREFIX).is_some_and(|name| name.ends_with(SUFFIX))
}

#[cfg(unix)]
pub(super) type Hold = super::alone::Locked;

/// Locks the draft. Waits if another program is about to remove it.
#[cfg(unix)]
fn hold(draft: &File) -> io::Result<Hold> {
    use nix::fcntl::{Flock, FlockArg};
    let locked = Flock::lock(draft.try_clone()?, FlockArg::LockExclusive);
    locked.map_err(|(_, error)| error.into())
}

/// On Windows an open draft is locked as it is.
#[cfg(windows)]
pub(super) type Hold = ();

#[cfg(windows)]
fn hold(_draft: &File) -> io::Result<Hold> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::tests::names;
    use super::*;

    #[test]
    fn drafts_that_were_left_go_and_everything_else_stays() {
        let place = tempfile::tempdir().unwrap();
        let (own, _hold) = begin(place.path(), false).unwrap();
        for name in [".leap-left.draft", ".leap-config", "notes.draft"] {
            fs::write(place.path().join(name), "text").unwrap();
        }
        fs::create_dir(place.path().join(".leap-folder.draft")).unwrap();
        let (other, _hold) = begin(place.path(), false).unwrap();
        let mut expected: Vec<String> =
            [".leap-config", "notes.draft", ".leap-folder.draft"].map(str::to_owned).to_vec();
        for draft in [&own, &other] {
            expected.push(draft.path().file_name().unwrap().to_str().unwrap().to_owned());
        }
        expected.sort_unstable();
        assert_eq!(names(place.path()), expected);
    }
}
