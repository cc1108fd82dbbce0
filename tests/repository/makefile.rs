//! What the Makefile and the scripts around cargo run: `make` for OpenBench's worker, `packaging/cargo-for` for other
//! machines, `.ci/run`. Here nothing is built: make only says what it would do, and stubs take the place of programs.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
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

/// A program of this system.
fn program(name: &str) -> PathBuf {
    let paths = ["/usr/bin", "/bin"].map(|folder| Path::new(folder).join(name));
    paths.into_iter().find(|path| path.exists()).unwrap()
}

/// A script, with no other programs than those of a folder and a few that each script needs.
fn bash(script: &Path, arguments: &[&str], programs: &Path) -> Command {
    for name in ["bash", "dirname", "id", "mkdir"] {
        let link = programs.join(name);
        if !link.exists() {
            symlink(program(name), link).unwrap();
        }
    }
    let mut command = Command::new("/bin/bash");
    command.arg(script).args(arguments).env("PATH", programs).env("DEBIAN_USR", programs);
    command
}

/// Runs a script of the project with no other programs than those of a folder.
fn run(script: &str, arguments: &[&str], programs: &Path) -> Output {
    bash(&root().join(script), arguments, programs).output().unwrap()
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

/// A folder with the scripts of `.ci`, where cargo builds nothing and says that one test took long.
struct Ci(tempfile::TempDir);

impl Ci {
    fn new() -> Self {
        let place = tempfile::tempdir().unwrap();
        fs::create_dir_all(place.path().join(".ci")).unwrap();
        for entry in fs::read_dir(root().join(".ci")).unwrap() {
            let from = entry.unwrap();
            fs::copy(from.path(), place.path().join(".ci").join(from.file_name())).unwrap();
        }
        let ci = Self(place);
        let programs = ci.programs();
        fs::create_dir_all(&programs).unwrap();
        for name in ["awk", "cat", "diff", "grep", "nice", "rm", "sed", "sort", "tail", "tee"] {
            symlink(program(name), programs.join(name)).unwrap();
        }
        stub(&programs, "cargo", TESTS);
        stub(&programs, "rustc", "echo x86_64-unknown-linux-gnu");
        for name in ["git", "make", "openssl"] {
            stub(&programs, name, "exit 0");
        }
        stub(&programs, "python3", "exit 1");
        stub(&ci.0.path().join("target/debug"), "leapd", "echo nodes 1");
        fs::create_dir_all(ci.0.path().join("tests")).unwrap();
        fs::write(ci.0.path().join("tests/bench.txt"), "nodes 1\n").unwrap();
        ci
    }

    fn programs(&self) -> PathBuf {
        self.0.path().join("bin")
    }

    /// Runs stages on a machine where nothing can be installed.
    fn run(&self, required: &str, stages: &[&str]) -> Output {
        let mut command = bash(&self.0.path().join(".ci/run"), stages, &self.programs());
        command.env("LEAP_REQUIRE", required).output().unwrap()
    }
}

/// What cargo prints when it runs tests.
const TESTS: &str = r#"[ "$1" = test ] || exit 0
echo '     Running tests/a.rs (target/debug/deps/a-0123456789abcdef)'
echo 'test quick ... ok <0.100s>'
echo 'test slow ... ok <12.340s>'
echo 'SKIPPED: no network'"#;

#[test]
fn everything_that_was_skipped_is_named_at_the_end() {
    let output = Ci::new().run("", &["quick"]);
    let text = said(&output);
    assert!(output.status.success(), "{text}");
    let (_, end) = text.split_once("\nall passed\n").unwrap();
    let named: Vec<&str> = end.lines().filter_map(|line| line.strip_prefix("skipped: ")).collect();
    for suite in ["mypy adapters/python/src (no mypy)", "run --silent check (no", "cargo deny"] {
        assert!(named.iter().any(|line| line.contains(suite)), "{suite}: {end}");
    }
    let other: Vec<&str> = end.lines().filter_map(|line| line.strip_prefix("not run: ")).collect();
    assert_eq!(
        other,
        ["test", "programs", "packages", "windows", "exhaustive", "fuzz", "advisories"]
    );
    assert_eq!(named.len() + other.len(), end.lines().count(), "{end}");
}

#[test]
fn what_a_stage_needs_and_cannot_get_is_a_failure_that_names_it() {
    for (required, stage, expected) in [
        (
            "all",
            "programs",
            "expected chromedriver, as LEAP_REQUIRE says, found none: apt-get install chromium",
        ),
        ("caddy,chromedriver", "programs", "expected chromedriver,"),
        (
            "all",
            "quick",
            "expected mypy, as LEAP_REQUIRE says, found none: python3 -m pip install mypy",
        ),
        (
            "cargo-deny",
            "quick",
            "expected cargo-deny, as LEAP_REQUIRE says, found none: cargo install",
        ),
    ] {
        let output = Ci::new().run(required, &[stage]);
        let text = said(&output);
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(text.contains(&format!("\n{expected}")), "{text}");
        assert!(text.contains(&format!("{stage} failed after ")), "{text}");
        assert!(!text.contains("all passed"), "{text}");
    }
}

#[test]
fn a_stage_tells_its_seconds_its_slowest_tests_and_what_they_skipped() {
    let output = Ci::new().run("all", &["test"]);
    let text = said(&output);
    assert!(output.status.success(), "{text}");
    let (_, slowest) = text.split_once("\nthe slowest tests of test\n").unwrap();
    let mut lines = slowest.lines().map(str::trim_start);
    assert_eq!(lines.next(), Some("12.3 s  a  slow"));
    let (_, end) = text.split_once("\ntest took ").unwrap();
    let table: Vec<&str> =
        end.lines().skip(2).map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(table[..3], ["stage", "test", "all"], "{end}");
    assert!(end.contains("\nskipped: tests: no network\n"), "{end}");
}

#[test]
fn a_test_program_that_hangs_is_ended_and_named_unless_it_is_left_out() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("deps");
    stub(&folder, "hangs-0f", "exec sleep 600");
    let timed = |left_out| {
        let mut timed = Command::new(root().join(".ci/timed"));
        timed.envs([("LEAP_TEST_LIMIT", "1"), ("LEAP_LEAVE_OUT", left_out)]);
        timed.arg(folder.join("hangs-0f")).output().unwrap()
    };
    let output = timed("hang repository");
    assert_eq!(output.status.code(), Some(124));
    assert_eq!(said(&output), "expected the end of hangs-0f within 1 s: it was killed\n");
    assert!(timed("hangs repository").status.success());
}

#[test]
fn other_node_counts_and_failed_builds_are_failures() {
    let ci = Ci::new();
    fs::write(ci.0.path().join("tests/bench.txt"), "nodes 2\n").unwrap();
    assert!(!ci.run("", &["test"]).status.success());

    let ci = Ci::new();
    stub(&ci.programs(), "cargo", "[ $1 != clippy ]");
    assert!(!ci.run("", &["quick"]).status.success());

    let ci = Ci::new();
    stub(&ci.programs(), "wasm-opt", "exit 0");
    stub(&ci.0.path().join("packaging"), "cargo-for", "exit 0");
    stub(&ci.0.path().join("adapters/wasm"), "build", "exit 1");
    let output = ci.run("", &["programs"]);
    let text = said(&output);
    assert!(!output.status.success() && !text.contains("skipped: adapters/wasm/build"), "{text}");
}

#[test]
fn unknown_stages_are_refused_before_anything_runs() {
    let output = Ci::new().run("all", &["quick", "tests"]);
    assert_eq!(output.status.code(), Some(2));
    let stages = "quick test programs packages windows exhaustive fuzz advisories";
    assert_eq!(said(&output), format!("expected stages out of {stages}, found 'tests'\n"));
}
