//! The crates of the workspace, as cargo knows them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The root of the repository.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap()
}

/// A crate of the workspace.
pub(crate) struct Package {
    pub(crate) name: String,
    /// The crates of the workspace that it needs, except for its tests.
    pub(crate) needs: BTreeSet<String>,
    /// Everything that its manifest asks for, by the name that code uses.
    pub(crate) dependencies: Vec<String>,
    /// The folder of its manifest, from the root of the repository.
    pub(crate) folder: PathBuf,
    /// The folders of its library and of its program. A crate of tests alone has none.
    pub(crate) sources: BTreeSet<PathBuf>,
    /// What its manifest has cargo leave out of its library: `test`, the unit tests, or `doctest`, the examples.
    pub(crate) left_out: Vec<&'static str>,
}

/// All crates of the workspace.
pub(crate) fn packages() -> Vec<Package> {
    let arguments = ["metadata", "--format-version=1", "--no-deps", "--offline"];
    let output = Command::new(env!("CARGO")).args(arguments).current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    metadata["packages"].as_array().unwrap().iter().map(package).collect()
}

fn package(metadata: &Value) -> Package {
    let array = |key: &str| metadata[key].as_array().unwrap().iter();
    // Only crates of the workspace have a path; a normal dependency has no kind.
    let needed =
        array("dependencies").filter(|one| !one["path"].is_null() && one["kind"].is_null());
    // The feature `workspace` has dependencies for the sake of their features (packaging/Cargo.toml).
    let unified: Vec<String> =
        metadata["features"]["workspace"].as_array().into_iter().flatten().map(text).collect();
    let is_unified = |name: &String| unified.contains(&format!("dep:{name}"));
    let manifest = PathBuf::from(text(&metadata["manifest_path"]));
    let folder = manifest.parent().unwrap();
    let sources = array("targets").filter(|target| is_shipped(target)).map(|target| {
        let file = PathBuf::from(text(&target["src_path"]));
        file.parent().unwrap().to_owned()
    });
    let library = array("targets").find(|target| text(&target["kind"][0]) == "lib");
    let is_left_out = |key: &&str| library.is_some_and(|library| library[key] == false);
    Package {
        name: text(&metadata["name"]),
        dependencies: array("dependencies")
            .map(local_name)
            .filter(|name| !is_unified(name))
            .collect(),
        needs: needed.map(|one| text(&one["name"])).collect(),
        folder: folder.strip_prefix(root()).unwrap().to_owned(),
        // `src/bin` lies in `src`, which is read whole.
        sources: sources.filter(|folder| !folder.ends_with("bin")).collect(),
        left_out: ["test", "doctest"].into_iter().filter(is_left_out).collect(),
    }
}

/// The name of a dependency in the code, which the manifest may have chosen.
fn local_name(dependency: &Value) -> String {
    text(dependency["rename"].as_str().map_or(&dependency["name"], |_| &dependency["rename"]))
}

/// Whether a target is a library or a program, and no part of the tests.
fn is_shipped(target: &Value) -> bool {
    // The engine that tests drive is an example.
    ["lib", "cdylib", "bin"].contains(&text(&target["kind"][0]).as_str())
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}
