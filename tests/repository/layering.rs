//! Dependencies point one way: what each part of the engine may name of the others (ARCHITECTURE.md).

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use leap_games::IDS;

use crate::modules;
use crate::workspace::{self, root};

/// A part of `src` (a file and the folder of its name), and the parts that it may use.
const DAEMON: [(&str, &[&str]); 9] = [
    ("io", &[]),
    ("usage", &["io"]),
    ("candidates", &[]),
    ("openings", &["usage", "candidates"]),
    ("genfens", &["usage", "candidates"]),
    ("problems", &["usage", "candidates"]),
    ("bench", &["problems"]),
    ("tools", &["openings", "genfens", "problems", "bench"]),
    ("games", &["tools"]),
];

/// A part of `search/src`, and the parts that it may use. The search itself uses all but the players.
const SEARCH: [(&str, &[&str]); 3] =
    [("clock", &[]), ("eval", &[]), ("players", &["clock", "eval"])];

/// A part of `engine/src`, and the parts that it may use.
const ENGINE: [(&str, &[&str]); 8] = [
    ("options", &[]),
    ("game_engine", &["options"]),
    ("guide", &["options"]),
    ("answer", &["game_engine"]),
    ("jobs", &["options", "game_engine"]),
    ("game", &["options", "game_engine", "guide", "answer", "jobs"]),
    ("engines", &["options"]),
    ("session", &["options", "engines"]),
];

const GAMES: &[&str] = &IDS;

/// The Rust files of a folder, those in its folders too. There must be one.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
            let entry = entry.unwrap();
            let path = entry.path();
            // What is built may hold copies of sources, and links that lead in circles.
            if entry.file_type().unwrap().is_dir() && entry.file_name() != "target" {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    assert!(!files.is_empty(), "no Rust file in {}", folder.display());
    files.sort();
    files
}

#[cfg(unix)]
#[test]
fn what_is_built_and_links_are_no_sources() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path();
    let source = root.join("lib.rs");
    fs::create_dir(root.join("target")).unwrap();
    for file in [&source, &root.join("target/copy.rs")] {
        fs::write(file, "").unwrap();
    }
    std::os::unix::fs::symlink(root, root.join("circle")).unwrap();
    assert_eq!(rust_files(root), [source]);
}

/// The files of a part: the file of its name and the folder of its name, of which one must exist.
fn sources_in(folder: &str, part: &str) -> Vec<(PathBuf, String)> {
    let file = root().join(folder).join(format!("{part}.rs"));
    let inner = root().join(folder).join(part);
    let inside = if inner.is_dir() { rust_files(&inner) } else { Vec::new() };
    let files: Vec<PathBuf> =
        Some(file).filter(|file| file.is_file()).into_iter().chain(inside).collect();
    assert!(!files.is_empty(), "{folder}/{part}.rs and its folder are missing");
    sources_of(files)
}

/// Files, with the lines of each that are not comments. Unit tests may look further than their part.
fn sources_of(files: impl IntoIterator<Item = PathBuf>) -> Vec<(PathBuf, String)> {
    let is_test = |part: &std::ffi::OsStr| ["tests", "examples"].iter().any(|dir| part == *dir);
    let is_code = |file: &PathBuf| {
        let inside = file.strip_prefix(root()).unwrap();
        let is_crate_of_tests = inside.starts_with("tests");
        !file.ends_with("tests.rs")
            && !file.ends_with("build.rs")
            && (is_crate_of_tests || !inside.iter().any(is_test))
    };
    let code = |file: PathBuf| {
        let text = fs::read_to_string(&file).unwrap();
        let text = text.split("#[cfg(test)]").next().unwrap();
        let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let code = lines.collect::<Vec<_>>().join("\n");
        (file, code)
    };
    files.into_iter().filter(is_code).map(code).collect()
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
        for (file, code) in &sources_in(folder, part) {
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
fn no_modules_side_by_side_need_each_other() {
    for package in workspace::packages() {
        for source in &package.sources {
            let in_circle = modules::in_circle(&sources_of(rust_files(source)), source);
            let names = in_circle.join(", ");
            assert!(names.is_empty(), "{}: these need each other: {names}", package.name);
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

/// Code about one game belongs in the folder of that game. The program lists its games in one file.
#[test]
fn games_are_named_in_their_folders_alone() {
    for folder in ["core/src", "search/src", "engine/src", "protocol/src", "src"] {
        for (file, code) in sources_of(rust_files(&root().join(folder))) {
            if file == root().join("src/games.rs") {
                continue;
            }
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
    let allowed = [
        "terminal.rs",
        "terminal/progress.rs",
        "record/proxy.rs",
        "play/src/lib.rs",
        "results/display.rs",
    ];
    let packages = workspace::packages();
    let around = packages.iter().filter(|package| package.folder.starts_with("adapters"));
    let sources: Vec<_> = around.flat_map(|package| &package.sources).collect();
    assert!(sources.len() > 10, "{sources:?}");
    for file in sources.into_iter().flat_map(|folder| rust_files(folder)) {
        if allowed.iter().any(|allowed| file.ends_with(allowed)) {
            continue;
        }
        let code = fs::read_to_string(&file).unwrap();
        for forbidden in ["io::stdout", "io::stderr", "Stdio::inherit"] {
            assert!(!code.contains(forbidden), "{} must not use {forbidden}", file.display());
        }
    }
}

/// A dependency that no file of its crate names makes builds longer, and says something false.
#[test]
fn every_dependency_is_used() {
    for package in workspace::packages() {
        let files = rust_files(&root().join(&package.folder));
        let own = files.iter().filter(|file| nearest_manifest(file) == package.folder);
        let code: String = own.map(|file| fs::read_to_string(file).unwrap()).collect();
        let words: BTreeSet<&str> =
            code.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        for name in &package.dependencies {
            let is_used = words.contains(name.replace('-', "_").as_str());
            assert!(is_used, "{} does not use {name}", package.name);
        }
    }
}

/// Cargo runs no test of a library whose manifest says so, and compiles what a program of tests names.
#[test]
fn no_test_is_left_out() {
    for package in workspace::packages() {
        let sources = package.sources.iter().flat_map(|folder| rust_files(folder));
        for file in sources {
            let code = fs::read_to_string(&file).unwrap();
            for (kind, tests) in [("test", &["#[test]"][..]), ("doctest", &["//! ```", "/// ```"])]
            {
                let is_run = !package.left_out.contains(&kind);
                let is_none = tests.iter().all(|test| !code.contains(test));
                assert!(is_run || is_none, "{}: {kind} = false", file.display());
            }
        }
        let folder = root().join(&package.folder).join("tests");
        let Ok(main) = fs::read_to_string(folder.join("main.rs")) else { continue };
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap();
            let is_module = path.extension().is_some_and(|extension| extension == "rs");
            let is_named = name == "main" || main.contains(&format!("\nmod {name};"));
            assert!(is_named || !is_module, "{} is no module of main.rs", path.display());
        }
    }
}

/// The folder of the crate that a file belongs to, from the root of the repository.
fn nearest_manifest(file: &Path) -> &Path {
    let folder = file.ancestors().skip(1).find(|folder| folder.join("Cargo.toml").is_file());
    folder.unwrap().strip_prefix(root()).unwrap()
}

#[test]
fn files_stay_readable() {
    let packages = workspace::packages();
    let sources = packages.iter().flat_map(|package| &package.sources);
    for file in sources.flat_map(|folder| rust_files(folder)) {
        let lines = fs::read_to_string(&file).unwrap().lines().count();
        assert!(lines <= 550, "{} has {lines} lines", file.display());
    }
}
