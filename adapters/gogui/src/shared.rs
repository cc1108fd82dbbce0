//! Rule options shared by the processes of one command.
//!
//! GoGui runs the same command twice, as the player and as the authority on the rules. People set options in the player
//! alone, so the player leaves its options in a file for the other process. Both find the same file, since they have
//! the same parent, folder and arguments.

use std::fs;
use std::path::PathBuf;

use leap_base::files;
use leap_base::terminal;

/// The most bytes that are read from the file.
const LONGEST: u64 = 1 << 16;

/// The file of options, and the content that is already known.
#[derive(Debug)]
pub(super) struct SharedOptions {
    path: Option<PathBuf>,
    /// The known content. A modification time would not tell two changes within one tick of the file clock apart.
    seen: String,
    is_mine: bool,
}

impl SharedOptions {
    pub(super) fn find() -> Self {
        Self { path: place::path(), seen: String::new(), is_mine: false }
    }

    /// Leaves the options for the other processes. Without a folder for the file, no other process gets them.
    pub(super) fn publish(&mut self, options: &[(String, String)]) {
        let Some(path) = &self.path else {
            terminal::warn(
                "leap gogui: options are set in this process alone: there is no place to share them",
            );
            return;
        };
        let text: String =
            options.iter().map(|(name, value)| format!("{name}={value}\n")).collect();
        match files::replace(path, text.as_bytes()) {
            Ok(()) => self.is_mine = true,
            Err(error) => log::warn!("cannot write {}: {error}", path.display()),
        }
        self.seen = text;
    }

    /// The options that others have left since the last call.
    pub(super) fn news(&mut self) -> Vec<(String, String)> {
        let text = self.path.as_ref().and_then(|path| files::read_text(path, LONGEST).ok());
        let Some(text) = text.filter(|text| *text != self.seen) else { return Vec::new() };
        let pairs = text.lines().filter_map(|line| line.split_once('='));
        let news = pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        self.seen = text;
        news
    }
}

impl Drop for SharedOptions {
    fn drop(&mut self) {
        if let Some(path) = self.path.as_ref().filter(|_| self.is_mine) {
            let _ = fs::remove_file(path);
        }
    }
}

#[cfg(unix)]
mod place {
    use std::collections::hash_map::DefaultHasher;
    use std::env;
    use std::fs;
    use std::hash::{Hash as _, Hasher as _};
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::{Path, PathBuf};

    /// The file for processes like this one, in a folder that nobody else can write to.
    pub(super) fn path() -> Option<PathBuf> {
        let runtime = env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
        let mut folders = runtime.into_iter().chain([env::temp_dir()]).chain(env::home_dir());
        let folder = folders.find(|folder| is_private(folder))?;
        let mut command = DefaultHasher::new();
        env::args_os().collect::<Vec<_>>().hash(&mut command);
        env::current_dir().ok().hash(&mut command);
        let parent = std::os::unix::process::parent_id();
        Some(folder.join(format!(".leap-gogui-{parent}-{:016x}", command.finish())))
    }

    /// Whether only the owner can write to a folder.
    pub(super) fn is_private(folder: &Path) -> bool {
        fs::metadata(folder)
            .is_ok_and(|found| found.is_dir() && found.permissions().mode() & 0o022 == 0)
    }
}

/// Windows has no such file: the standard library does not tell the parent process there.
#[cfg(windows)]
mod place {
    use std::path::PathBuf;

    pub(super) const fn path() -> Option<PathBuf> {
        None
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::place::{is_private, path};
    use super::*;

    #[test]
    fn only_a_folder_where_nobody_else_can_write_is_used() {
        let folder = tempfile::tempdir().unwrap();
        assert!(is_private(folder.path()));
        assert!(!is_private(&folder.path().join("missing")));
        assert!(path().is_none_or(|path| is_private(path.parent().unwrap())));
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o1777)).unwrap();
        assert!(!is_private(folder.path()));
    }

    #[test]
    fn what_one_process_leaves_another_finds_once() {
        let folder = tempfile::tempdir().unwrap();
        let shared = |is_mine| SharedOptions {
            path: Some(folder.path().join("options")),
            seen: String::new(),
            is_mine,
        };
        let (mut player, mut ruler) = (shared(false), shared(false));
        assert_eq!(ruler.news(), []);
        let options = [("Depth".to_owned(), "two words".to_owned())];
        player.publish(&options);
        assert_eq!(player.news(), []);
        assert_eq!(ruler.news(), options);
        assert_eq!(ruler.news(), []);
        // All values come within one tick of the file clock.
        for value in ["1", "2", "3"] {
            let options = [("Depth".to_owned(), value.to_owned())];
            player.publish(&options);
            assert_eq!(ruler.news(), options);
        }
        drop(ruler);
        assert!(folder.path().join("options").exists());
        drop(player);
        assert!(!folder.path().join("options").exists());
    }
}
