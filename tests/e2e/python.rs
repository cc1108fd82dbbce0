//! The Python client works with this build of leapd.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use leap_testing::{at_once, skip};

use crate::programs::{LEAPD, ROOT};

/// The tests often wait, so their files are shared among processes.
const PROCESSES: usize = 2;

/// The files with tests, in shares of about equal number.
fn shares() -> [Vec<PathBuf>; PROCESSES] {
    let entries = std::fs::read_dir(format!("{ROOT}/adapters/python/tests")).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let is_test = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy();
        name.starts_with("test_") && name.ends_with(".py")
    };
    let mut files: Vec<PathBuf> = paths.filter(is_test).collect();
    files.sort();
    std::array::from_fn(|share| files.iter().skip(share).step_by(PROCESSES).cloned().collect())
}

#[test]
fn the_python_client_passes_its_tests() {
    let mut probe = Command::new("python3");
    probe.args(["-m", "pytest", "--version"]).stdout(Stdio::null()).stderr(Stdio::null());
    if !probe.status().is_ok_and(|status| status.success()) {
        skip("pytest", "python3 -m pip install pytest");
        return;
    }
    at_once(&shares(), |files| {
        let status = Command::new("python3")
            .args(["-m", "pytest", "-q", "-p", "no:cacheprovider"])
            .args(files)
            .current_dir(ROOT)
            .env("LEAPD", LEAPD.as_str())
            .env("PYTHONPYCACHEPREFIX", format!("{ROOT}/target/pycache"))
            .env_remove("PYTHONDONTWRITEBYTECODE")
            .status()
            .expect("python3 has just run");
        assert!(status.success(), "pytest ended with {status}");
    });
}
