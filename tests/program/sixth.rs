//! A sixth game: a folder, its module and a line of the registry are all that it takes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a workspace of the program alone is made of.
const PARTS: [&str; 11] = [
    "core",
    "search",
    "games",
    "engine",
    "protocol",
    "src",
    "tables",
    "tests/toys",
    "Cargo.lock",
    "README.md",
    "SPEC.md",
];

/// The manifest of a workspace of these parts alone, without the tests of the program.
fn manifest(root: &Path) -> String {
    let whole = fs::read_to_string(root.join("Cargo.toml")).unwrap();
    let (before, rest) = whole.split_once("members = [").unwrap();
    let (_, shared) = rest.split_once("resolver = ").unwrap();
    let (package, tests) = shared.split_once("[dev-dependencies]").unwrap();
    let (_, profiles) = tests.split_once("[lints]").unwrap();
    let members = r#"members = [".", "core", "engine", "games", "protocol", "search", "tables", "tests/toys"]"#;
    format!("{before}{members}\nresolver = {package}[lints]{profiles}")
}

fn copy(from: &Path, to: &Path) -> usize {
    if from.is_dir() {
        fs::create_dir_all(to).unwrap();
        let entries = fs::read_dir(from).unwrap().map(|entry| entry.unwrap());
        return entries.map(|entry| copy(&entry.path(), &to.join(entry.file_name()))).sum();
    }
    fs::create_dir_all(to.parent().unwrap()).unwrap();
    fs::copy(from, to).unwrap();
    1
}

/// Runs cargo in the workspace, and returns what it printed.
fn cargo(place: &Path, words: &str) -> String {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let mut command = Command::new(env!("CARGO"));
    command
        .current_dir(place)
        .args(words.split(' '))
        .env("CARGO_TARGET_DIR", scratch.join("sixth"));
    // What the libraries of others compile to is the same there. An older cargo builds them again.
    command.env("CARGO_BUILD_BUILD_DIR", scratch.parent().unwrap());
    // `.ci/timed` sets it. Build scripts look at it, so they would all run again.
    command.env_remove("RUSTC_BOOTSTRAP");
    let output = command.output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo {words}: {told}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn a_folder_and_a_row_of_the_registry_add_a_game() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let place = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let place = place.path();
    for part in PARTS {
        copy(&root.join(part), &place.join(part));
    }
    fs::write(place.join("Cargo.toml"), manifest(&root)).unwrap();

    // All that a game is: new files in a folder of its own, and in one file its module, its name and its row.
    let added = copy(&root.join("tests/sixth/advance"), &place.join("games/advance"));
    let registry = place.join("games/lib.rs");
    let mut lines = fs::read_to_string(&registry).unwrap();
    for (last, added) in [
        ("pub mod tactica;\n", "pub mod advance;\n"),
        ("use tactica::Tactica;\n", "use advance::Advance;\n"),
        (
            "            tactica Tactica \"Táctica “S”\";\n",
            "            advance Advance \"Advance\";\n",
        ),
    ] {
        assert_eq!(lines.matches(last).count(), 1, "{last}");
        lines = lines.replace(last, &format!("{last}{added}"));
    }
    fs::write(&registry, lines).unwrap();
    assert_eq!(added, 9, "ARCHITECTURE.md says how many files a game takes");

    let laws = cargo(place, "test --offline -p leap-games --test laws advance::");
    assert!(laws.contains("test advance::texts_round_trip ... ok"), "{laws}");
    let perft = cargo(place, "run --quiet --offline -p leapd -- perft advance 2");
    assert!(
        perft.ends_with("nodes 16 time 0 nps 16000\n") || perft.contains(" nodes 16 "),
        "{perft}"
    );
    let bench = cargo(place, "run --quiet --offline -p leapd -- bench");
    assert!(bench.contains("advance"), "{bench}");
    let help = cargo(place, "run --quiet --offline -p leapd -- --help");
    assert!(help.contains("Táctica “S” and Advance"), "{help}");
}
