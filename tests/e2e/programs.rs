//! The program `leap` and its child processes, for tests that use it from outside.

use std::env;
use std::fs;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;

use leap_testing::skip;
pub(crate) use leap_testing::{PATIENCE, Running, engines_of, free_port, wait_until};

pub(crate) static LEAP: LazyLock<String> = LazyLock::new(|| built("leap"));
pub(crate) static LEAPD: LazyLock<String> = LazyLock::new(|| built("leapd"));
/// A command of the shell: leapd, except that it resigns in place of each move.
pub(crate) static RESIGNING: LazyLock<String> =
    LazyLock::new(|| format!("'{}' | sed -u 's/^bestmove .*/bestmove resign/'", *LEAPD));
/// The repository.
pub(crate) const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// A program of the same build, in the folder above that of the tests.
fn built(name: &str) -> String {
    let tests = env::current_exe().unwrap();
    let folder = tests.ancestors().nth(2).unwrap();
    let program = folder.join(name).with_extension(env::consts::EXE_EXTENSION);
    let path = program.to_str().unwrap().to_owned();
    assert!(program.is_file(), "expected {path}, found nothing: run 'cargo build' first");
    path
}

/// Whether a program is there that ends well with this option. A message says so if not: the test is skipped.
pub(crate) fn has(program: &str, option: &str, hint: &str) -> bool {
    let mut command = Command::new(program);
    let ran = command.arg(option).stdout(Stdio::null()).stderr(Stdio::null()).status();
    let is_there = ran.is_ok_and(|status| status.success());
    if !is_there {
        skip(program, hint);
    }
    is_there
}

/// A shell that does something when this is dropped, and also when the tests are killed or interrupted: then its input
/// ends. It is in a process group of its own, which no Ctrl-C reaches.
pub(crate) struct Kept(pub(crate) Child);

impl Kept {
    /// Starts a program that is killed then, with all that it has started.
    pub(crate) fn start(command: &[&str]) -> Kept {
        Kept::run(r#""$@" & cat; kill -KILL 0"#, command)
    }

    /// A script that runs then.
    pub(crate) fn until(script: &str) -> Kept {
        Kept::run(&format!("cat; {script}"), &[])
    }

    fn run(script: &str, words: &[&str]) -> Kept {
        let mut shell = Command::new("sh");
        shell.args(["-c", script, "sh"]).args(words).process_group(0);
        let shell = shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        Kept(shell.spawn().unwrap())
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        // This closes its input.
        let _ = self.0.wait();
    }
}

/// Kills the engines that a process has started, as if they had crashed.
pub(crate) fn kill_engines_of(process: u32) {
    for engine in engines_of(process) {
        // A minimal system has no program for this, but its shell can.
        let mut kill = Command::new("sh");
        assert!(kill.args(["-c", "kill -KILL $0", &engine]).status().unwrap().success());
    }
}

/// Tables of exact values of Alquerque, with optional captures and so few men.
pub(crate) fn tables(men: u32) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut tables = Command::new(built("leap-tables"));
    tables.args(["make", "alquerque", "--men", &men.to_string(), "--dir"]).arg(folder.path());
    let done = tables.output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    folder
}

/// The directory for screenshots, where `LEAP_SCREENSHOTS` asks for them: taking them is a good part of many tests.
pub(crate) fn screenshots() -> Option<PathBuf> {
    env::var_os("LEAP_SCREENSHOTS")?;
    let folder = Path::new(ROOT).join("target/screenshots");
    fs::create_dir_all(&folder).unwrap();
    Some(folder)
}
