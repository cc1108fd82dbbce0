//! What is released together has one version, and the protocol has its own (SPEC 18.1).

use std::fs;

use leap_protocol::payload::ProtocolInfo;

use crate::workspace::root;

const VERSION: &str = env!("CARGO_PKG_VERSION");

fn file(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

#[test]
fn crates_wheel_and_npm_package_have_one_version() {
    let dependencies = file("Cargo.toml");
    let members = dependencies.split_once("\nmembers = [").unwrap().1.split(']').next().unwrap();
    for member in members.split('"').skip(1).step_by(2) {
        let manifest = file(&format!("{member}/Cargo.toml"));
        assert!(manifest.contains("\nversion.workspace = true\n"), "{member}/Cargo.toml");
    }
    let own = dependencies.lines().filter(|line| line.starts_with("leap") && line.contains("path"));
    for line in own.filter(|line| line.contains("version")) {
        assert!(line.contains(&format!("version = \"{VERSION}\"")), "{line}");
    }
    // maturin takes the version of this crate, which is that of the workspace.
    let python = file("pyproject.toml");
    assert!(python.contains("\ndynamic = [\"version\"]\n"));
    assert!(python.contains("\nmanifest-path = \"packaging/Cargo.toml\"\n"));
    assert!(python.contains(&format!("\nnative = [\"leapd-native=={VERSION}\", ")));
    let native = file("adapters/python/native/pyproject.toml");
    assert!(native.contains("\ndynamic = [\"version\"]\n"));
    let npm: serde_json::Value =
        serde_json::from_str(&file("adapters/wasm/package/package.json")).unwrap();
    assert_eq!(npm["version"], VERSION);
}

#[test]
fn the_changelog_has_this_version_below_what_is_unreleased() {
    let changelog = file("CHANGELOG.md");
    let mut headings = changelog.lines().filter_map(|line| line.strip_prefix("## "));
    assert_eq!(headings.next(), Some("Unreleased"));
    let (version, date) = headings.next().unwrap().split_once(" - ").unwrap();
    assert_eq!(version, VERSION);
    let lengths: Vec<usize> = date.split('-').map(str::len).collect();
    let is_date = lengths == [4, 2, 2] && date.chars().all(|c| c == '-' || c.is_ascii_digit());
    assert!(is_date, "expected a date such as 2026-11-22, found {date}");
}

#[test]
fn the_specification_describes_the_version_that_the_engine_speaks() {
    let (spec, version) = (file("SPEC.md"), ProtocolInfo::VERSION);
    assert_eq!(spec.lines().next(), Some(&*format!("# The leap protocol {version}")));
    assert!(spec.contains(&format!("This document describes `leap {version}`.")), "SPEC 18.1");
}
