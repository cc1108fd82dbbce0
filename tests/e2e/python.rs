//! The Python client works with this build of leapd.

use std::process::{Command, Stdio};

use leap_testing::skip;

use crate::programs::{LEAPD, ROOT};

#[test]
fn the_python_client_passes_its_tests() {
    let mut probe = Command::new("python3");
    probe.args(["-m", "pytest", "--version"]).stdout(Stdio::null()).stderr(Stdio::null());
    if !probe.status().is_ok_and(|status| status.success()) {
        skip("pytest", "python3 -m pip install pytest");
        return;
    }
    let status = Command::new("python3")
        .args(["-m", "pytest", "-q", "-p", "no:cacheprovider", "adapters/python"])
        .current_dir(ROOT)
        .env("LEAPD", LEAPD.as_str())
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .status()
        .expect("python3 has just run");
    assert!(status.success(), "pytest ended with {status}");
}
