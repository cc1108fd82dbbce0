//! `leap-tables verify`: its lines, and what it refuses.

use std::path::Path;
use std::process::{Command, Output};

use crate::PROGRAM;

fn run(words: &[&str], directory: &Path) -> Output {
    let mut command = Command::new(PROGRAM);
    command.args(words).arg(directory).output().unwrap()
}

#[test]
fn each_slice_of_right_tables_has_a_line_and_fewer_tables_are_an_error() {
    let directory = tempfile::tempdir().unwrap();
    let made = run(&["make", "alquerque", "--men", "4", "--dir"], directory.path());
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));

    let output = run(&["verify", "--men", "3", "--random", "1"], directory.path());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let told = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines.len(), 4, "{told}");
    assert!(lines[0].starts_with("optional 1-1: "), "{told}");
    assert!(lines[3].ends_with(" positions and 100000 random ones are right"), "{told}");

    let output = run(&["verify", "--men", "5"], directory.path());
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("expected tables to 5 men, found those to 4"), "{told}");
}
