//! Dependencies point one way: what each part of the engine may name of the others (ARCHITECTURE.md).

use std::fs;
use std::path::{Path, PathBuf};

use leapd::games::GameId;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A part of `src` (a file and the folder of its name), and the parts and own crates that it may use.
const LAYERS: [(&str, &[&str]); 10] = [
    ("rules", &[]),
    ("eval", &["rules"]),
    ("games", &["rules", "eval"]),
    ("search", &["rules", "eval"]),
    ("players", &["rules", "eval", "search"]),
    ("options", &["games", "rules", "leap_protocol"]),
    ("engine", &["games", "rules", "eval", "search", "players", "options", "leap_protocol"]),
    ("session", &["games", "engine", "options", "search", "leap_protocol"]),
    ("io", &["engine", "search", "session", "leap_protocol"]),
    ("bench", &["games", "engine", "options", "search", "leap_protocol"]),
];

const GAMES: &[&str] = GameId::NAMES;

fn rust_files(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_owned()];
    }
    let Ok(entries) = fs::read_dir(path) else { return Vec::new() };
    let mut files: Vec<PathBuf> =
        entries.flat_map(|entry| rust_files(&entry.unwrap().path())).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "rs"));
    files
}

/// The files of a part, with the lines of each that are not comments. Unit tests may look further than their part.
fn sources(part: &str) -> Vec<(PathBuf, String)> {
    sources_in("src", part)
}

fn sources_in(folder: &str, part: &str) -> Vec<(PathBuf, String)> {
    let files = [format!("{ROOT}/{folder}/{part}.rs"), format!("{ROOT}/{folder}/{part}")];
    let files = files.iter().flat_map(|path| rust_files(Path::new(path)));
    let files =
        files.filter(|file| !file.ends_with("tests.rs") && !file.iter().any(|dir| dir == "tests"));
    let code = |file: &PathBuf| {
        let text = fs::read_to_string(file).unwrap();
        let text = text.split("#[cfg(test)]").next().unwrap();
        let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        lines.collect::<Vec<_>>().join("\n")
    };
    files.map(|file| (file.clone(), code(&file))).collect()
}

#[test]
fn parts_of_the_engine_use_only_what_is_below_them() {
    for (part, allowed) in LAYERS {
        let files = sources(part);
        assert!(!files.is_empty(), "src/{part}.rs is missing");
        let others = LAYERS.iter().map(|(other, _)| *other).filter(|other| *other != part);
        for forbidden in others.chain(["leap_protocol"]).filter(|name| !allowed.contains(name)) {
            let uses = if forbidden == "leap_protocol" {
                forbidden.to_owned()
            } else {
                format!("crate::{forbidden}")
            };
            for (file, code) in &files {
                assert!(!code.contains(&uses), "{} must not use {uses}", file.display());
            }
        }
    }
}

/// A part of `adapters/src/tournament`, and the parts that it may use.
const MATCH: [(&str, &[&str]); 4] = [
    ("plan", &[]),
    ("events", &["plan"]),
    ("results", &["plan", "events"]),
    ("run", &["plan", "events", "results"]),
];

#[test]
fn parts_of_a_match_use_only_what_is_below_them() {
    for (part, allowed) in MATCH {
        let files = sources_in("adapters/src/tournament", part);
        assert!(files.len() > 1, "tournament/{part}.rs or its folder is missing");
        let others = MATCH.iter().map(|(other, _)| *other).filter(|other| *other != part);
        for forbidden in others.filter(|name| !allowed.contains(name)) {
            for (file, code) in &files {
                for uses in [format!("tournament::{forbidden}"), format!("super::{forbidden}")] {
                    assert!(!code.contains(&uses), "{} must not use {uses}", file.display());
                }
            }
        }
    }
}

#[test]
fn no_game_knows_another() {
    for layer in ["rules", "eval", "games"] {
        for game in GAMES {
            for (file, code) in sources(&format!("{layer}/{game}")) {
                for other in GAMES.iter().filter(|other| *other != game) {
                    let named = code.contains(&format!("::{other}"));
                    assert!(!named, "{} must not use {other}", file.display());
                }
            }
        }
    }
}

#[test]
fn the_crates_depend_on_each_other_as_documented() {
    let manifest = |path: &str| fs::read_to_string(format!("{ROOT}/{path}")).unwrap();
    let protocol = manifest("protocol/Cargo.toml");
    assert!(!protocol.contains("leapd") && !protocol.contains("leap-adapters"));
    let adapters = manifest("adapters/Cargo.toml");
    assert!(!adapters.contains("leapd"));
}

/// What engines say reaches people through `terminal`, which escapes it. The others: bytes that a proxy passes on, a question
/// whether there is a terminal, and whether somebody reads.
#[test]
fn programs_around_engines_print_through_one_place() {
    let allowed = ["terminal.rs", "record/proxy.rs", "play.rs", "tournament/results/show.rs"];
    for file in rust_files(Path::new(&format!("{ROOT}/adapters/src"))) {
        if allowed.iter().any(|allowed| file.ends_with(allowed)) {
            continue;
        }
        let code = fs::read_to_string(&file).unwrap();
        for forbidden in ["io::stdout", "io::stderr", "Stdio::inherit"] {
            assert!(!code.contains(forbidden), "{} must not use {forbidden}", file.display());
        }
    }
}

#[test]
fn files_stay_readable() {
    let folders = ["src", "protocol/src", "adapters/src"].map(|folder| format!("{ROOT}/{folder}"));
    for file in folders.iter().flat_map(|folder| rust_files(Path::new(folder))) {
        let lines = fs::read_to_string(&file).unwrap().lines().count();
        assert!(lines <= 550, "{} has {lines} lines", file.display());
    }
}
