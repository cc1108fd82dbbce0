//! The page that leads to the documentation of the crates.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use crate::Page;

/// A table of the libraries of the workspace that are published. The documentation of the crates is in the folder `api`,
/// with that of the Python client, if it was written, in `python`.
pub(crate) fn index(root: &Path, api: &Path) -> Result<Page> {
    let arguments = ["metadata", "--format-version=1", "--no-deps", "--locked"];
    let output = Command::new("cargo").args(arguments).current_dir(root).output();
    let output = output.context("cannot run cargo")?;
    ensure!(output.status.success(), "cargo metadata ended with {}", output.status);
    let metadata: Value = serde_json::from_slice(&output.stdout)?;
    let mut text = "# API documentation\n\nThe libraries of this repository.\n\n| crate | what it is |\n|---|---|\n".to_owned();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let Some(library) = library(package).filter(|_| package["publish"].is_null()) else {
            continue;
        };
        let name = package["name"].as_str().unwrap_or_default();
        let description = package["description"].as_str().unwrap_or_default();
        // Writing to a string does not fail.
        let _ = writeln!(text, "| [{name}]({library}/index.html) | {description} |");
    }
    if api.join("python").is_dir() {
        text += "\nThe Python client: [leapclient](python/index.html).\n";
    }
    Ok(Page { path: "api/index.md".to_owned(), title: "API documentation".to_owned(), text })
}

/// The name of a package's library in paths, if it has one.
fn library(package: &Value) -> Option<&str> {
    let mut targets = package["targets"].as_array()?.iter();
    let is_library = |target: &&Value| {
        target["kind"].as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == "lib"))
    };
    targets.find(is_library)?["name"].as_str()
}
