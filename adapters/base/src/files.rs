//! File access: atomic replacement, appending without torn ends, and bounded reading.

mod alone;
mod drafts;
mod input;

use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, Read, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};

pub use alone::{Locked, is_linked, open_alone};
pub use input::{absolute, beginning, is_regular, open, read, read_text, text};

/// What to do with a file that already exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// Replace it, keeping its permissions and, where allowed, its owner.
    Replace,
    /// Keep it and fail with [`io::ErrorKind::AlreadyExists`].
    Refuse,
}

/// Symbolic links that are followed in a row, as many as on Linux.
const MOST_LINKS: u32 = 40;

/// Writes a file completely or not at all, and returns it opened at its end.
///
/// The output of `fill` goes to a temporary file in the same directory, which replaces the file once it is completely
/// on disk. Until then, and after any error, the file is unchanged. A symbolic link is kept and its target replaced. A
/// device or a pipe is written to directly.
///
/// # Errors
/// Those of `fill`, and any error of writing the directory or the file.
pub fn write<E: From<io::Error>>(
    path: &Path,
    existing: Existing,
    fill: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<File, E> {
    write_for(Readers::Usual, path, existing, fill)
}

/// Who can read a file that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Readers {
    /// Those of the file that it replaces; for a new file those that the umask allows.
    Usual,
    /// The user alone.
    User,
}

fn write_for<E: From<io::Error>>(
    readers: Readers,
    path: &Path,
    existing: Existing,
    fill: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<File, E> {
    let target = target(path);
    let found = fs::metadata(&target).ok();
    match &found {
        Some(found) if !found.is_file() => {
            let mut file = File::options().write(true).open(&target)?;
            buffered(&mut file, fill)?;
            return Ok(file);
        }
        Some(_) if existing == Existing::Refuse => {
            return Err(io::Error::from(io::ErrorKind::AlreadyExists).into());
        }
        // A file without write permission must not be replaced either.
        Some(_) => drop(File::options().write(true).open(&target)?),
        None => {}
    }
    let directory = directory_of(&target);
    let (mut draft, _hold) = drafts::begin(directory, readers == Readers::User)?;
    buffered(draft.as_file_mut(), fill)?;
    if let Some(found) = found.filter(|_| readers == Readers::Usual) {
        take_after(draft.as_file(), &found)?;
    }
    draft.as_file().sync_all()?;
    let done = match existing {
        Existing::Replace => draft.persist(&target),
        Existing::Refuse => draft.persist_noclobber(&target),
    };
    let file = done.map_err(|error| error.error)?;
    // Makes the new name survive a power loss; where directories cannot be synced, the old file may come back.
    let _ = File::open(directory).and_then(|directory| directory.sync_all());
    Ok(file)
}

/// Replaces a file with this content, or creates it, like [`write()`].
///
/// # Errors
/// If the directory or the file cannot be written.
pub fn replace(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    write(path, Existing::Replace, |file| file.write_all(content.as_ref())).map(drop)
}

/// Like [`replace`], for a file that only the user can read.
///
/// # Errors
/// If the directory or the file cannot be written.
pub fn replace_private(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    let fill = |file: &mut dyn Write| file.write_all(content.as_ref());
    write_for(Readers::User, path, Existing::Replace, fill).map(drop)
}

/// Whether two paths lead to one existing file.
pub fn are_one(path: &Path, other: &Path) -> bool {
    let [path, other] = [path, other].map(|path| fs::canonicalize(path).ok());
    path.is_some() && path == other
}

/// Replaces a file that an earlier run has written, or creates it. `mark` is how every such file begins: a file that
/// begins otherwise belongs to somebody else and stays. Devices and pipes are written to.
///
/// # Errors
/// [`io::ErrorKind::AlreadyExists`] if the file is not one of ours; any error of writing it.
pub fn renew(path: &Path, content: &[u8], mark: &[u8]) -> io::Result<()> {
    is_renewable(path, mark)?;
    replace(path, content)
}

/// Whether [`renew`] would write this file.
///
/// # Errors
/// As [`renew`].
pub fn is_renewable(path: &Path, mark: &[u8]) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        Ok(found) if !found.is_file() => return Ok(()),
        Ok(_) => {}
        Err(_) => return fs::metadata(directory_of(&target(path))).map(drop),
    }
    let begin = beginning(path, mark.len())?;
    if begin.is_empty() || begin == mark {
        return Ok(());
    }
    let text = "expected no file or one that this command has written, found another one";
    Err(io::Error::new(io::ErrorKind::AlreadyExists, text))
}

/// Appends to a file, or creates it. If that fails midway, the part that was appended is removed again.
///
/// # Errors
/// If the file cannot be written.
pub fn append(path: &Path, content: &[u8]) -> io::Result<()> {
    add(&mut File::options().append(true).create(true).open(path)?, content)
}

/// Like [`append`], for a file that is open for appending.
///
/// # Errors
/// If the file cannot be written.
pub fn add(file: &mut File, content: &[u8]) -> io::Result<()> {
    let before = file.metadata()?.len();
    let done = file.write_all(content);
    if done.is_err() {
        // A device cannot be truncated, but it does not keep half a text either.
        let _ = file.set_len(before);
    }
    done
}

/// The length of a file up to its last line end, in bytes: what follows was not written to its end.
///
/// # Errors
/// If the file cannot be read.
pub fn whole_lines(file: &mut File) -> io::Result<u64> {
    const PIECE: u64 = 1 << 16;
    let mut end = file.metadata()?.len();
    let mut piece = Vec::new();
    while end > 0 {
        let begin = end.saturating_sub(PIECE);
        file.seek(SeekFrom::Start(begin))?;
        piece.clear();
        Read::by_ref(file).take(end - begin).read_to_end(&mut piece)?;
        if let Some(at) = piece.iter().rposition(|byte| *byte == b'\n') {
            return Ok(begin + at as u64 + 1);
        }
        end = begin;
    }
    Ok(0)
}

/// The file that a path finally refers to, whether it exists or not.
fn target(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&path) {
            Ok(link) => path = path.parent().map_or(link.clone(), |parent| parent.join(link)),
            Err(_) => break,
        }
    }
    path
}

fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

fn buffered<E: From<io::Error>>(
    file: &mut File,
    fill: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E> {
    let mut buffer = BufWriter::new(file);
    fill(&mut buffer)?;
    Ok(buffer.flush()?)
}

/// Copies the permissions of another file and, where allowed, its owner.
fn take_after(file: &File, other: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt as _, fchown};
        let _ = fchown(file, Some(other.uid()), Some(other.gid()));
    }
    file.set_permissions(other.permissions())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names in a directory, in order.
    pub(super) fn names(directory: &Path) -> Vec<String> {
        let entries = fs::read_dir(directory).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort_unstable();
        names
    }

    fn full() -> io::Error {
        io::Error::from(io::ErrorKind::StorageFull)
    }

    #[test]
    fn a_file_that_cannot_be_written_whole_stays_as_it_was() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("a");
        fs::write(&path, "old").unwrap();
        for existing in [Existing::Replace, Existing::Refuse] {
            for name in ["a", "b"] {
                let done = write(&place.path().join(name), existing, |file| {
                    file.write_all(b"half of the new")?;
                    Err(full())
                });
                assert!(done.is_err());
            }
        }
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names(place.path()), ["a"], "nothing is left behind");
    }

    #[test]
    fn only_a_file_of_our_own_is_renewed() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("a");
        for (before, is_ours) in [("", true), ("mark: old", true), ("mar", false), ("x", false)] {
            fs::write(&path, before).unwrap();
            assert_eq!(renew(&path, b"mark: new", b"mark: ").is_ok(), is_ours, "{before}");
            let after = if is_ours { "mark: new" } else { before };
            assert_eq!(fs::read_to_string(&path).unwrap(), after);
        }
        renew(&place.path().join("b"), b"mark: new", b"mark: ").unwrap();
        assert!(is_renewable(place.path(), b"mark: ").is_err(), "a directory is no file");
        assert!(is_renewable(&place.path().join("no/b"), b"mark: ").is_err());
    }

    #[test]
    fn a_file_that_is_to_stay_stays() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("a");
        let put =
            |text: &str| write(&path, Existing::Refuse, |file| file.write_all(text.as_bytes()));
        put("first").unwrap();
        assert_eq!(put("second").unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).unwrap(), b"first");
        replace(&path, "third").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"third");
    }

    #[test]
    fn writing_may_go_on_behind_what_was_written() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("a");
        let mut file = write(&path, Existing::Refuse, |file| file.write_all(b"begun, ")).unwrap();
        file.write_all(b"ended").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"begun, ended");
    }

    #[cfg(unix)]
    #[test]
    fn permissions_stay_and_new_files_have_the_usual_ones() {
        use std::os::unix::fs::PermissionsExt as _;
        let place = tempfile::tempdir().unwrap();
        let mode = |name: &str| {
            fs::metadata(place.path().join(name)).unwrap().permissions().mode() & 0o7777
        };
        fs::write(place.path().join("usual"), "").unwrap();
        replace(&place.path().join("new"), "").unwrap();
        assert_eq!(mode("new"), mode("usual"));
        fs::set_permissions(place.path().join("new"), fs::Permissions::from_mode(0o640)).unwrap();
        replace(&place.path().join("new"), "newer").unwrap();
        assert_eq!(mode("new"), 0o640);
    }

    #[cfg(unix)]
    #[test]
    fn a_private_file_can_be_read_by_the_user_alone_whatever_it_replaces() {
        use std::os::unix::fs::PermissionsExt as _;
        let place = tempfile::tempdir().unwrap();
        fs::write(place.path().join("old"), "").unwrap();
        for name in ["old", "new"] {
            let path = place.path().join(name);
            replace_private(&path, "text").unwrap();
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, 0o600);
            assert_eq!(fs::read_to_string(&path).unwrap(), "text");
        }
        assert!(replace_private(&place.path().join("no/file"), "").is_err());
        assert_eq!(names(place.path()), ["new", "old"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_links_and_devices_stay_devices() {
        use std::os::unix::fs::{FileTypeExt as _, symlink};
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        fs::create_dir(path("far")).unwrap();
        symlink("far/target", path("link")).unwrap();
        symlink("link", path("link of link")).unwrap();
        for text in ["new", "newer"] {
            replace(&path("link of link"), text).unwrap();
            assert_eq!(fs::read_to_string(path("far/target")).unwrap(), text);
            assert_eq!(fs::read_link(path("link")).unwrap(), Path::new("far/target"));
        }
        symlink("/dev/null", path("sink")).unwrap();
        replace(&path("sink"), "lost").unwrap();
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
        assert!(replace(place.path(), "").is_err(), "a directory is no file");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_device_is_an_error() {
        assert_eq!(replace(Path::new("/dev/full"), "x").unwrap_err().kind(), full().kind());
        assert_eq!(append(Path::new("/dev/full"), b"x").unwrap_err().kind(), full().kind());
    }
}
