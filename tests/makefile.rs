//! `make` builds what OpenBench's worker asks for. Here make only says what it would do.
#![cfg(unix)]
#![allow(clippy::print_stderr, reason = "skipped tests say so")]

use std::process::Command;

/// The lines that make would run in a folder of the project. `None` where make is not installed.
fn recipe(folder: &str, arguments: &[&str]) -> Option<Vec<String>> {
    let root = env!("CARGO_MANIFEST_DIR");
    let mut make = Command::new("make");
    make.arg("-n").args(arguments).current_dir(format!("{root}/{folder}"));
    for name in ["CARGO_TARGET_DIR", "EVALFILE", "EXE", "TUNE"] {
        make.env_remove(name);
    }
    let Ok(output) = make.output() else {
        eprintln!("skipped: make is not installed");
        return None;
    };
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "make {arguments:?}: {said}");
    let lines = String::from_utf8(output.stdout).unwrap();
    Some(lines.lines().map(str::to_owned).filter(|line| !line.starts_with("make")).collect())
}

#[test]
fn the_default_is_leap_under_the_name_of_the_match_runner() {
    let Some(lines) = recipe("", &["-j", "CXX=g++"]) else { return };
    let [build, copy] = &lines[..] else { panic!("{lines:?}") };
    assert!(build.contains("cargo build --release") && build.ends_with("--bin leap"), "{build}");
    assert_eq!(copy, "cp ./target/release/leap fastchess");
}

#[test]
fn an_engine_gets_the_name_that_it_is_asked_for() {
    let Some(lines) = recipe("", &["-j", "EXE=leapd-1A2B", "CXX=g++"]) else { return };
    let [build, copy] = &lines[..] else { panic!("{lines:?}") };
    assert!(build.trim_end().ends_with("-p leapd"), "no feature: {build}");
    assert_eq!(copy, "cp ./target/release/leapd leapd-1A2B");
}

#[test]
fn the_weights_of_a_file_are_built_in() {
    let Some(lines) = recipe("", &["EXE=leapd", "EVALFILE=/net/1A2B"]) else { return };
    assert!(lines[0].contains(" LEAPD_EVALFILE=/net/1A2B cargo build "), "{lines:?}");
}

#[test]
fn the_build_path_for_tuning_has_the_feature_and_leaves_the_engine_there() {
    let Some(lines) = recipe("packaging/tune", &["EXE=leapd-1A2B"]) else { return };
    let [build, copy] = &lines[..] else { panic!("{lines:?}") };
    assert!(build.contains("--manifest-path ../../Cargo.toml"), "{build}");
    assert!(build.ends_with("-p leapd --features tune"), "{build}");
    assert_eq!(copy, "cp ../../target/release/leapd leapd-1A2B");
}
