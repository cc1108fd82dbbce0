//! Runs the `leap` command on the mock engine of `examples/mock`.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

/// The `leap` command with these arguments.
pub fn leap(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_leap")).args(args).output().unwrap()
}

/// The mock, built if a run of one test alone has not done so.
pub fn mock() -> &'static str {
    static MOCK: LazyLock<String> = LazyLock::new(|| {
        let bin = Path::new(env!("CARGO_BIN_EXE_leap")).parent().unwrap();
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--quiet", "--example", "mock", "--manifest-path"]);
        build.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
        build.arg("--target-dir").arg(bin.parent().unwrap());
        if bin.ends_with("release") {
            build.arg("--release");
        }
        assert!(build.status().unwrap().success());
        let path: PathBuf =
            bin.join("examples").join(format!("mock{}", std::env::consts::EXE_SUFFIX));
        path.to_str().unwrap().to_owned()
    });
    &MOCK
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
