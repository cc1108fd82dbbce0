//! Dependencies point one way: what each part of the engine may name of the others (ARCHITECTURE.md).

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use leap_games::GameId;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A part of `src` (a file and the folder of its name), and the parts that it may use.
const DAEMON: [(&str, &[&str]); 9] = [
    ("io", &[]),
    ("usage", &["io"]),
    ("candidates", &[]),
    ("openings", &["usage", "candidates"]),
    ("genfens", &["usage", "candidates"]),
    ("problems", &["usage", "candidates"]),
    ("bench", &["problems"]),
    ("tables", &["usage"]),
    ("solve", &["usage", "tables"]),
];

/// A part of `search/src`, and the parts that it may use. The search itself uses all but the players.
const SEARCH: [(&str, &[&str]); 3] =
    [("clock", &[]), ("eval", &[]), ("players", &["clock", "eval"])];

/// A part of `engine/src`, and the parts that it may use.
const ENGINE: [(&str, &[&str]); 6] = [
    ("options", &[]),
    ("answer", &["options"]),
    ("guide", &["answer", "options"]),
    ("jobs", &["options"]),
    ("typed", &["answer", "guide", "jobs", "options"]),
    ("session", &["options"]),
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

/// The files of a part.
fn sources_in(folder: &str, part: &str) -> Vec<(PathBuf, String)> {
    let files = [format!("{ROOT}/{folder}/{part}.rs"), format!("{ROOT}/{folder}/{part}")];
    sources_of(files.iter().flat_map(|path| rust_files(Path::new(path))))
}

/// Files, with the lines of each that are not comments. Unit tests may look further than their part.
fn sources_of(files: impl IntoIterator<Item = PathBuf>) -> Vec<(PathBuf, String)> {
    let files = files
        .into_iter()
        .filter(|file| !file.ends_with("tests.rs") && !file.iter().any(|dir| dir == "tests"));
    let code = |file: &PathBuf| {
        let text = fs::read_to_string(file).unwrap();
        let text = text.split("#[cfg(test)]").next().unwrap();
        let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        lines.collect::<Vec<_>>().join("\n")
    };
    files.map(|file| (file.clone(), code(&file))).collect()
}

/// The names that follow a path such as `crate::`, those in braces too.
fn named<'a>(code: &'a str, path: &str) -> BTreeSet<&'a str> {
    let after = |rest: &'a str| {
        let statement = rest.split(';').next().unwrap_or_default();
        let group = statement.strip_prefix('{').map(|group| group.split([',', '{', '}']));
        group.map_or_else(|| vec![statement], Iterator::collect)
    };
    let is_end = |c: char| !c.is_alphanumeric() && c != '_';
    let name = |path: &'a str| path.trim().split(is_end).next().unwrap_or_default();
    code.split(path).skip(1).flat_map(after).map(name).collect()
}

/// Holds each part of a folder to the parts that it may name after one of the paths.
fn hold_layers(folder: &str, layers: &[(&str, &[&str])], paths: &[&str]) {
    for (part, allowed) in layers {
        let files = sources_in(folder, part);
        assert!(!files.is_empty(), "{folder}/{part}.rs and its folder are missing");
        for (file, code) in &files {
            let named: BTreeSet<&str> = paths.iter().flat_map(|path| named(code, path)).collect();
            for (other, _) in layers.iter().filter(|(other, _)| other != part) {
                let is_allowed = allowed.contains(other) || !named.contains(other);
                assert!(is_allowed, "{} must not use {other}", file.display());
            }
        }
    }
}

/// Cargo knows which crate may use which. Within a crate only this test knows.
#[test]
fn parts_of_the_engine_use_only_what_is_below_them() {
    hold_layers("src", &DAEMON, &["crate::"]);
    hold_layers("search/src", &SEARCH, &["crate::"]);
    hold_layers("engine/src", &ENGINE, &["crate::", "super::"]);
}

/// The crates of programs around engines. Their manifests hold them to their order.
const ADAPTERS: [&str; 10] = [
    "base",
    "client",
    "records",
    "game",
    "match",
    "report",
    "analyse",
    "conformance",
    "ui",
    "leap",
];

/// A part of `adapters/match/src`, and the parts that it may use.
const MATCH: [(&str, &[&str]); 4] = [
    ("plan", &[]),
    ("events", &["plan"]),
    ("results", &["plan", "events"]),
    ("run", &["plan", "events", "results"]),
];

#[test]
fn parts_of_a_match_use_only_what_is_below_them() {
    hold_layers("adapters/match/src", &MATCH, &["crate::", "super::"]);
}

#[test]
fn no_two_files_of_a_folder_need_each_other() {
    let stem = |file: &Path| file.file_stem().unwrap().to_str().unwrap().to_owned();
    let adapters = ADAPTERS.iter().map(|name| format!("adapters/{name}"));
    let engine = [".", "protocol", "core", "search", "engine"].map(str::to_owned);
    let crates: Vec<_> = engine.into_iter().chain(adapters).collect();
    let files: Vec<_> = crates.iter().flat_map(|folder| sources_in(folder, "src")).collect();
    let names = |code: &str, file: &Path| named(code, "super::").contains(stem(file).as_str());
    for (a, code_a) in &files {
        for (b, code_b) in files.iter().filter(|(b, _)| a < b && a.parent() == b.parent()) {
            let both = names(code_a, b) && names(code_b, a);
            assert!(!both, "{} and {} need each other", a.display(), b.display());
        }
    }
}

#[test]
fn no_game_knows_another() {
    for game in GAMES {
        for (file, code) in sources_in("games", game) {
            for other in GAMES.iter().filter(|other| *other != game) {
                let named = code.contains(&format!("::{other}"));
                assert!(!named, "{} must not use {other}", file.display());
            }
        }
    }
}

/// Code about one game belongs in the folder of that game.
#[test]
fn games_are_named_in_their_folders_alone() {
    for folder in ["core/src", "search/src", "engine/src", "protocol/src", "src"] {
        for (file, code) in sources_of(rust_files(Path::new(&format!("{ROOT}/{folder}")))) {
            let code = code.to_lowercase();
            for game in GAMES {
                assert!(!code.contains(game), "{} must not name {game}", file.display());
            }
        }
    }
}

/// The words of engines reach people through `terminal`, which escapes control characters.
///
/// The exceptions pass bytes on as a proxy, or ask whether there is a terminal or a reader.
#[test]
fn programs_around_engines_print_through_one_place() {
    let allowed =
        ["terminal.rs", "terminal/progress.rs", "record/proxy.rs", "play.rs", "results/display.rs"];
    let folders = ADAPTERS.map(|name| format!("{ROOT}/adapters/{name}/src"));
    for file in folders.iter().flat_map(|folder| rust_files(Path::new(folder))) {
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
    let adapters = ADAPTERS.map(|name| format!("adapters/{name}/src"));
    let engine = ["src", "core", "search", "games", "engine", "protocol/src"].map(str::to_owned);
    let folders: Vec<_> =
        engine.into_iter().chain(adapters).map(|folder| format!("{ROOT}/{folder}")).collect();
    for file in folders.iter().flat_map(|folder| rust_files(Path::new(folder))) {
        let lines = fs::read_to_string(&file).unwrap().lines().count();
        assert!(lines <= 550, "{} has {lines} lines", file.display());
    }
}
