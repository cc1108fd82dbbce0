//! Dependencies point one way: what each part of the engine may name of the others (ARCHITECTURE.md).

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use leapd::games::GameId;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A part of `src` (a file and the folder of its name), and the parts and own crates that it may use.
const LAYERS: [(&str, &[&str]); 15] = [
    ("clock", &[]),
    ("rules", &[]),
    ("eval", &["rules"]),
    ("games", &["rules", "eval"]),
    ("search", &["clock", "rules", "eval"]),
    ("players", &["rules", "eval", "search"]),
    ("options", &["games", "rules", "eval", "leap_protocol"]),
    ("engine", &["games", "rules", "eval", "search", "players", "options", "leap_protocol"]),
    ("session", &["clock", "games", "engine", "options", "search", "leap_protocol"]),
    ("io", &["clock", "engine", "search", "session", "leap_protocol"]),
    ("usage", &["games", "io"]),
    ("candidates", &["games", "rules", "search", "players"]),
    ("openings", &["games", "rules", "search", "usage", "candidates"]),
    ("problems", &["games", "rules", "eval", "search", "usage", "candidates"]),
    ("bench", &["games", "rules", "engine", "options", "search", "problems", "leap_protocol"]),
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

#[test]
fn parts_of_the_engine_use_only_what_is_below_them() {
    hold_layers("src", &LAYERS, &["crate::"]);
    for (part, _) in LAYERS.iter().filter(|(_, allowed)| !allowed.contains(&"leap_protocol")) {
        for (file, code) in sources(part) {
            assert!(!code.contains("leap_protocol"), "{} must not use it", file.display());
        }
    }
}

/// The crates of programs around engines. Their manifests hold them to their order.
const ADAPTERS: [&str; 9] =
    ["base", "client", "records", "game", "match", "report", "conformance", "ui", "leap"];

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
    let crates: Vec<_> = [".", "protocol"].map(str::to_owned).into_iter().chain(adapters).collect();
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
    assert!(protocol.lines().all(|line| !line.starts_with("leap")), "the protocol is beneath all");
    for name in ADAPTERS {
        let adapters = manifest(&format!("adapters/{name}/Cargo.toml"));
        assert!(!adapters.contains("leapd"), "adapters/{name} must not use leapd");
    }
    let records = manifest("adapters/records/Cargo.toml");
    let own = records.lines().filter(|line| line.starts_with("leap-"));
    assert_eq!(own.collect::<Vec<_>>(), ["leap-protocol.workspace = true"]);
}

/// What engines say reaches people through `terminal`, which escapes it. The exceptions pass bytes on as a proxy, or
/// ask whether there is a terminal or a reader.
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
    let folders = ["src", "protocol/src"].map(str::to_owned).into_iter().chain(adapters);
    let folders: Vec<_> = folders.map(|folder| format!("{ROOT}/{folder}")).collect();
    for file in folders.iter().flat_map(|folder| rust_files(Path::new(folder))) {
        let lines = fs::read_to_string(&file).unwrap().lines().count();
        assert!(lines <= 550, "{} has {lines} lines", file.display());
    }
}
