//! `leap-tables make`: its lines, and what it refuses.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::PROGRAM;

/// The lines of all slices up to ten men (docs/tables.md).
const COUNTS: &str = include_str!("../../../counts.csv");

fn make(game: &str, directory: &Path, more: &[&str]) -> Output {
    let mut command = Command::new(PROGRAM);
    command.args(["make", game, "--dir"]).arg(directory).args(more).output().unwrap()
}

#[test]
fn the_committed_counts_are_found_again_up_to_five_men() {
    for rule in ["optional", "mandatory"] {
        let directory = tempfile::tempdir().unwrap();
        let output = make("alquerque", directory.path(), &["--men", "5", "--capture", rule]);
        let told = String::from_utf8(output.stdout).unwrap();
        let lines: Vec<&str> = told.lines().collect();
        let committed: Vec<&str> =
            COUNTS.lines().filter(|line| line.starts_with(rule)).take(10).collect();
        assert_eq!(lines[0], COUNTS.lines().next().unwrap());
        // Pairs are finished together, the committed lines are in order of men.
        for line in &committed {
            assert!(lines.contains(line), "{line}\n{told}");
        }
        assert_eq!(lines.len(), 1 + committed.len());
    }
}

/// Makers in one directory make the same tables as one maker, each of them without an error.
#[test]
fn makers_side_by_side_take_turns() {
    let directory = tempfile::tempdir().unwrap();
    let makers: Vec<_> = ["4", "5", "5", "3"]
        .map(|men| {
            let mut command = Command::new(PROGRAM);
            command.args(["make", "alquerque", "--men", men, "--dir"]).arg(directory.path());
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        })
        .into();
    let mut told = Vec::new();
    for maker in makers {
        let output = maker.wait_with_output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{error}");
        let lines = String::from_utf8(output.stdout).unwrap();
        told.extend(lines.lines().skip(1).map(str::to_owned));
    }
    let is_small = |line: &&str| line.starts_with("optional");
    let mut committed: Vec<&str> = COUNTS.lines().filter(is_small).take(10).collect();
    committed.sort_unstable();
    told.sort_unstable();
    assert_eq!(told, committed, "each slice is made once");
}

#[test]
fn games_without_tables_and_impossible_numbers_of_men_are_mistakes() {
    let directory = tempfile::tempdir().unwrap();
    for (game, more, says) in [
        ("eximo", &["--men", "4"][..], "[possible values: alquerque]"),
        ("alquerque", &["--men", "25"][..], "25"),
        ("alquerque", &["--men", "4", "--capture", "never"][..], "expected optional or mandatory"),
    ] {
        let output = make(game, directory.path(), more);
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert_eq!(told.lines().count(), 1, "{told}");
        assert!(told.contains(says), "{told}");
    }
    assert_eq!(directory.path().read_dir().unwrap().count(), 0, "nothing is written");
}

#[test]
fn a_directory_that_cannot_be_written_is_an_error_in_one_line() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let output = make("alquerque", file.path(), &["--men", "3"]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert_eq!(told.lines().count(), 1, "{told}");
    assert!(told.contains("cannot use"), "{told}");
}
