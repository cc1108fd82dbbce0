//! Pages and comments keep to the rules of plain English in `prose/rules.toml`.

mod comments;
mod markdown;
mod rules;
mod tests;

use std::fs;
use std::process::Command;

use comments::{comments, marks, without_tags};
use rules::{Fault, Rules};

use crate::workspace::root;

fn rules() -> Rules {
    Rules::parse(include_str!("prose/rules.toml"))
}

fn faults_of_source(rules: &Rules, path: &str, source: &str) -> Vec<Fault> {
    let comments = marks(path).map_or_else(Vec::new, |marks| comments(source, marks));
    let faults = comments
        .iter()
        .flat_map(|(line, text)| rules.faults_of_comment(*line, &without_tags(text)));
    faults.collect()
}

/// The paths of the repository's files; none where the files are no repository, as in an archive of them.
fn tracked() -> Vec<String> {
    if !root().join(".git").exists() {
        leap_testing::skip("git", "only a clone can list the files of the repository");
        return Vec::new();
    }
    let output = Command::new("git").args(["ls-files", "-z"]).current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let paths = String::from_utf8(output.stdout).unwrap();
    let paths = paths.split_terminator('\0').map(str::to_owned);
    paths.filter(|path| root().join(path).is_file()).collect()
}

/// Reads all files, and fails with the faults that are found in any.
fn hold(faults: impl Fn(&Rules, &str, &str) -> Vec<Fault>, is_meant: impl Fn(&str) -> bool) {
    let rules = rules();
    let mut told = String::new();
    for path in tracked().iter().filter(|path| is_meant(path)) {
        let text = fs::read_to_string(root().join(path)).unwrap();
        for fault in faults(&rules, path, &text) {
            told += &format!("{path}:{fault}\n");
        }
    }
    assert!(
        told.is_empty(),
        "tests/repository/prose/rules.toml is broken in {} places:\n{told}",
        told.lines().count()
    );
}

#[test]
fn every_page_is_plain() {
    hold(|rules, _, text| rules.faults_of_page(text), |path| path.ends_with(".md"));
}

#[test]
fn every_comment_is_plain() {
    hold(faults_of_source, |path| marks(path).is_some());
}
