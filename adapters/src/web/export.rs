//! `leap web --export`: the page with the engine in it, as files for any server.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use sha2::{Digest, Sha256};

use super::assets::assets;
use super::server::POLICY;
use crate::files;

/// What the page loads of the engine for browsers, an npm package.
const ENGINE: [&str; 6] =
    ["index.js", "worker.js", "engine.js", "asyncify.js", "leapd.wasm", "leapd-asyncify.wasm"];
/// Its folder in the site.
const ENGINE_FOLDER: &str = "leapd";
/// The largest file of it, in bytes.
const MAX_BYTES: u64 = 16 << 20;

/// What a phone needs to install the page.
const MANIFEST: &str = "manifest.webmanifest";

/// A file of the site: its path and its content.
type File = (String, Vec<u8>);

/// The folder in which `adapters/wasm/build` leaves the engine, seen from a program of the same build.
pub(super) fn built() -> Option<PathBuf> {
    let program = std::env::current_exe().ok()?;
    Some(program.ancestors().nth(2)?.join("wasm"))
}

/// Writes the site to a folder; `engine` is the folder of the engine.
///
/// # Errors
/// If a file of the engine is missing, or one of the site cannot be written.
pub(super) fn export(site: &Path, engine: &Path) -> anyhow::Result<()> {
    let mut files = page();
    for name in ENGINE {
        let path = engine.join(name);
        let content = files::read(&path, MAX_BYTES).with_context(|| {
            format!(
                "expected the engine for browsers in '{}', which adapters/wasm/build makes and \
                 --wasm names: {name}",
                engine.display()
            )
        })?;
        files.push((format!("{ENGINE_FOLDER}/{name}"), content));
    }
    files.push(("service.js".to_owned(), service(&files).into_bytes()));
    is_ours(site, &files)?;
    fs::create_dir_all(site.join(ENGINE_FOLDER))
        .with_context(|| format!("cannot create '{}'", site.display()))?;
    for (path, content) in files {
        let path = site.join(path);
        files::replace(&path, content)
            .with_context(|| format!("cannot write '{}'", path.display()))?;
    }
    Ok(())
}

/// How the manifest of every site begins.
const MANIFEST_MARK: &str = "{\n  \"name\": \"leap";

/// Whether the files of a site may be replaced: there are none of these names, or an earlier export has written them.
fn is_ours(site: &Path, content: &[File]) -> anyhow::Result<()> {
    let mark = MANIFEST_MARK.as_bytes();
    let manifest = files::beginning(&site.join(MANIFEST), mark.len()).unwrap_or_default();
    let found = content.iter().map(|(path, _)| site.join(path)).find(|path| path.exists());
    match found.filter(|_| manifest != mark) {
        Some(path) => bail!(
            "expected a new folder or one of an earlier export, found '{}', which belongs to something else",
            path.display()
        ),
        None => Ok(()),
    }
}

/// The files of the page, with those that take the place of the server.
fn page() -> Vec<File> {
    let mut files: Vec<File> = assets()
        .map(|asset| match asset.path {
            "/" => ("index.html".to_owned(), index(asset.body)),
            "/connection.js" => {
                ("connection.js".to_owned(), include_str!("page/exported/connection.js").into())
            }
            path => (path.trim_start_matches('/').to_owned(), asset.body.into()),
        })
        .collect();
    let manifest = include_str!("page/exported/manifest.webmanifest");
    files.push((MANIFEST.to_owned(), manifest.into()));
    files
}

/// The page itself, which brings along what the server would say in headers.
fn index(page: &str) -> Vec<u8> {
    // Frames cannot be forbidden here.
    let policy = POLICY.replace("; frame-ancestors 'none'", "; manifest-src 'self'");
    let charset = "<meta charset=\"utf-8\">\n";
    let head = format!(
        "{charset}<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <link rel=\"manifest\" href=\"manifest.webmanifest\">\n"
    );
    page.replacen(charset, &head, 1).into_bytes()
}

/// The service worker, which knows the files and a hash of them all.
fn service(files: &[File]) -> String {
    let mut hash = Sha256::new();
    for (path, content) in files {
        hash.update(path);
        hash.update(content);
    }
    let version = hash.finalize()[..8].iter().fold(String::new(), |mut text, byte| {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    });
    let paths: Vec<&str> = files.iter().map(|(path, _)| &**path).collect();
    format!(
        "const VERSION = \"{version}\";\nconst FILES = {};\n\n{}",
        serde_json::json!(paths),
        include_str!("page/exported/service.js")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An engine whose files say what they are told.
    fn engine(says: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for name in ENGINE {
            fs::write(folder.path().join(name), says).unwrap();
        }
        folder
    }

    fn exported(says: &str) -> (tempfile::TempDir, String) {
        let site = tempfile::tempdir().unwrap();
        export(site.path(), engine(says).path()).unwrap();
        let service = fs::read_to_string(site.path().join("service.js")).unwrap();
        (site, service)
    }

    #[test]
    fn the_service_worker_keeps_every_file_of_the_site() {
        let (site, service) = exported("1");
        let list = service.lines().find_map(|line| line.strip_prefix("const FILES = ")).unwrap();
        let files: Vec<String> = serde_json::from_str(list.trim_end_matches(';')).unwrap();
        assert!(files.contains(&"index.html".to_owned()) && files.len() > 40, "{files:?}");
        for file in &files {
            assert!(site.path().join(file).is_file(), "{file}");
        }
        let count = |folder: PathBuf| fs::read_dir(folder).unwrap().count();
        let on_disk = count(site.path().to_owned()) + count(site.path().join(ENGINE_FOLDER));
        assert_eq!(on_disk, files.len() + ["service.js", ENGINE_FOLDER].len());
    }

    #[test]
    fn only_files_of_an_earlier_export_are_replaced() {
        let (site, _) = exported("1");
        fs::write(site.path().join("own.txt"), "own").unwrap();
        export(site.path(), engine("2").path()).unwrap();
        assert_eq!(fs::read(site.path().join("leapd/worker.js")).unwrap(), b"2");
        assert_eq!(fs::read(site.path().join("own.txt")).unwrap(), b"own");
        for name in ["index.html", "leapd/engine.js", "service.js", MANIFEST] {
            let foreign = tempfile::tempdir().unwrap();
            let path = foreign.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "theirs").unwrap();
            let error = export(foreign.path(), engine("1").path()).unwrap_err().to_string();
            assert!(error.contains(name), "{error}");
            assert_eq!(fs::read(&path).unwrap(), b"theirs");
            assert!(!foreign.path().join("style.css").exists(), "nothing else is written");
        }
    }

    #[test]
    fn another_engine_is_another_version() {
        let version = |says| exported(says).1.lines().next().unwrap().to_owned();
        assert_eq!(version("1"), version("1"));
        assert_ne!(version("1"), version("2"));
    }

    #[test]
    fn without_an_engine_nothing_is_written_and_it_is_said_how_to_make_one() {
        let (site, engine) = (tempfile::tempdir().unwrap(), engine("1"));
        fs::remove_file(engine.path().join("leapd.wasm")).unwrap();
        let error = export(site.path(), engine.path()).unwrap_err().to_string();
        assert!(error.contains("adapters/wasm/build") && error.contains("leapd.wasm"), "{error}");
        assert_eq!(fs::read_dir(site.path()).unwrap().count(), 0);
    }
}
