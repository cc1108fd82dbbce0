//! What the Makefile and the scripts around cargo run: `make` for OpenBench's worker, `packaging/cargo-for` for other
//! machines, `.ci/run`. Here nothing is built: make only says what it would do, and stubs take the place of programs.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::{Command, Output};

use crate::workspace::root;

/// The lines that make would run in a folder of the project. `None` where make is not installed.
fn recipe(folder: &str, arguments: &[&str]) -> Option<Vec<String>> {
    let mut make = Command::new("make");
    make.arg("-n").args(arguments).current_dir(root().join(folder));
    for name in ["CARGO_TARGET_DIR", "EVALFILE", "EXE", "TUNE"] {
        make.env_remove(name);
    }
    let Ok(output) = make.output() else {
        leap_testing::skip("make", "Debian: apt-get install make");
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

/// A script that prints its name and arguments, or does what `body` says.
fn stub(folder: &Path, name: &str, body: &str) {
    fs::create_dir_all(folder).unwrap();
    let path = folder.join(name);
    fs::write(&path, format!("#!/bin/bash\n{body}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Runs a script of the project with no other programs than those of a folder.
fn run(script: &str, arguments: &[&str], programs: &Path) -> Output {
    for name in ["bash", "dirname", "id", "mkdir"] {
        let from = ["/usr/bin", "/bin"].map(|folder| Path::new(folder).join(name));
        let from = from.iter().find(|path| path.exists()).unwrap();
        symlink(from, programs.join(name)).unwrap();
    }
    let mut command = Command::new("/bin/bash");
    command.arg(root().join(script)).args(arguments);
    command.env("PATH", programs).env("DEBIAN_USR", programs).output().unwrap()
}

#[test]
fn the_standard_library_is_built_by_an_option_of_cargo_not_of_the_compiler() {
    for command in
        [&["build", "--package", "a"][..], &["rustc", "--package", "a", "--", "-C", "x=1"]]
    {
        let programs = tempfile::tempdir().unwrap();
        let programs = programs.path();
        stub(programs, "rustc", "echo /no/such/sysroot");
        stub(&programs.join("bin"), "cargo", "echo \"$@\"");
        fs::create_dir_all(programs.join("lib/rustlib/src/rust/library")).unwrap();
        let target = "wasm32-unknown-unknown";
        let output = run("packaging/cargo-for", &[&[target], command].concat(), programs);
        let expected = format!(
            "{} -Z build-std=std,panic_abort --target {target} --target-dir target {}\n",
            command[0],
            command[1..].join(" ")
        );
        assert_eq!(said(&output), expected);
    }
}

#[test]
fn without_a_compiler_for_a_machine_the_packages_are_named() {
    for command in [&["x86_64-pc-windows-gnu"][..], &["x86_64-pc-windows-gnu", "build"]] {
        let programs = tempfile::tempdir().unwrap();
        stub(programs.path(), "rustc", "echo /no/such/sysroot");
        let output = run("packaging/cargo-for", command, programs.path());
        assert_eq!(output.status.code(), Some(1));
        assert!(said(&output).contains("apt-get install rustc-web"), "{}", said(&output));
    }
}

#[test]
fn everything_that_was_skipped_is_named_at_the_end() {
    let programs = tempfile::tempdir().unwrap();
    // cargo does everything, and nothing can be installed.
    stub(programs.path(), "cargo", "exit 0");
    stub(programs.path(), "python3", "exit 1");
    let output = run(".ci/run", &["quick"], programs.path());
    assert!(output.status.success(), "{}", said(&output));
    let text = said(&output);
    let (_, end) = text.split_once("\nall quick checks passed\n").unwrap();
    let named: Vec<&str> = end.lines().filter_map(|line| line.strip_prefix("skipped: ")).collect();
    assert_eq!(named.len(), end.lines().count(), "{end}");
    for suite in ["types of the Python client", "unit tests of the pages", "cargo-deny"] {
        assert!(named.iter().any(|line| line.contains(suite)), "{suite}: {end}");
    }
}

#[test]
fn a_suite_is_skipped_in_one_way_and_a_failed_build_is_no_skip() {
    let script = fs::read_to_string(root().join(".ci/run")).unwrap();
    assert_eq!(script.matches("skipped: ").count(), 2, "skip and passed print it, nothing else");
    assert!(!script.contains("skipped below"));
    for build in ["adapters/wasm/build", "packaging/windows/build"] {
        let line = script.lines().find(|line| line.contains(build)).unwrap();
        assert!(line.trim_start().starts_with(&format!("step {build}")), "{line}");
    }
}
