//! Says where the weights of each game are.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// A file of weights to build in, in place of those of the game that it names.
const EVALFILE: &str = "LEAPD_EVALFILE";

fn main() {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("set by cargo"));
    let given = given_weights();
    let mut is_used = false;
    for entry in fs::read_dir(&root).expect("a package has a folder").flatten() {
        let own = entry.path().join("weights");
        if own.is_file() {
            let game = entry.file_name();
            let other = given.as_ref().filter(|(named, _)| OsStr::new(named) == game);
            is_used |= other.is_some();
            build_in(&game.to_string_lossy(), other.map_or(&own, |(_, path)| path));
        }
    }
    if let Some((game, path)) = given.filter(|_| !is_used) {
        panic!(
            "{EVALFILE}: expected weights of a game that learns them, found '{game}' in {}",
            path.display()
        );
    }
}

/// Tells the crate the path of a game's weights.
fn build_in(game: &str, path: &Path) {
    println!("cargo::rerun-if-changed={}", path.display());
    println!("cargo::rustc-env=LEAPD_WEIGHTS_{game}={}", path.display());
}

/// The file that the environment names, with the game in its second line. `None` if it names no file.
fn given_weights() -> Option<(String, PathBuf)> {
    println!("cargo::rerun-if-env-changed={EVALFILE}");
    let path = PathBuf::from(env::var_os(EVALFILE).filter(|path| !path.is_empty())?);
    let bytes = fs::read(&path)
        .unwrap_or_else(|error| panic!("{EVALFILE}: cannot read {}: {error}", path.display()));
    let line = bytes.split(|byte| *byte == b'\n').nth(1).unwrap_or_default();
    let Some(game) = line.strip_prefix(b"game ") else {
        panic!(
            "{EVALFILE}: expected 'game ...' in line 2, found another line in {}",
            path.display()
        );
    };
    Some((String::from_utf8_lossy(game).into_owned(), path))
}
