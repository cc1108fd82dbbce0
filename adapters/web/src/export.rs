//! `leap web --export`: the page with the engine in it, as files for any server.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use data_encoding::HEXLOWER;
use leap_base::files;
use sha2::{Digest, Sha256};

use leap_page::{style, text};

use super::assets::{FirstBoard, assets, html, script};
use super::guard::site_of;
use super::server::POLICY;

/// The files of the npm package that the page loads: the engine for browsers, and the reader of files.
const ENGINE: [&str; 10] = [
    "index.js",
    "threads.js",
    "worker.js",
    "engine.js",
    "asyncify.js",
    "leapd.wasm",
    "leapd-asyncify.wasm",
    "games.js",
    "reader.js",
    "reader.wasm",
];
/// The largest size of such a file, in bytes.
const MAX_BYTES: u64 = 16 << 20;
/// The modules that replace the server: where each stands, and its source.
const REPLACED: [(&str, &str); 2] = [
    ("engine/connection.js", "exported/connection.js"),
    ("files/reading.js", "exported/reading.js"),
];
/// The module of the boards for pages that teach the games, and the styles of these pages.
const LEARN: &str = "exported/learn.js";
const LEARN_STYLES: [&str; 3] = ["board/board.css", "board/looks.css", "exported/learn.css"];
const MANIFEST: &str = "exported/manifest.webmanifest";
const SERVICE: &str = "exported/service.js";
/// The first line of a service worker, around the version.
const NAMES_VERSION: (&str, &str) = ("const VERSION = \"", "\";");

/// A mark that only an exported page has: the manifest of its version.
const PAGE_MARK: &str = "/manifest.webmanifest\">";

/// A file of a version: its path in the folder of the version, and its content.
type File = (String, Vec<u8>);

/// The folder in which `adapters/wasm/build` leaves the engine, seen from a program of the same build.
pub(super) fn built() -> Option<PathBuf> {
    let program = std::env::current_exe().ok()?;
    Some(program.ancestors().nth(2)?.join("wasm"))
}

/// Writes the site to a folder; `engine` is the folder of the engine. The page may use the engines of servers at
/// `homes` too.
///
/// The files of a version are in a folder named after the version, so that no page mixes the files of two. The page is
/// written after these files, and the service worker last.
///
/// # Errors
///
/// If a file of the engine is missing, or one of the site belongs to something else or cannot be written.
pub(super) fn export(site: &Path, engine: &Path, homes: &[String]) -> anyhow::Result<()> {
    let mut files = page(homes);
    files.extend(read_engine(engine, site)?);
    let version = version_of(&files);
    let before = files::read_text(&site.join("service.js"), MAX_BYTES).unwrap_or_default();
    is_ours(site, &before)?;
    for (path, content) in &files {
        write(&site.join(&version).join(path), content)?;
    }
    write(&site.join("index.html"), index(&files, &version, homes).as_bytes())?;
    write(&site.join("service.js"), service(&files, &version).as_bytes())?;
    // Pages of the previous version may still be open.
    match named_version(&before) {
        before if before == version => Ok(()),
        before => remove_versions_but(site, &[&version, before]),
    }
}

/// Fails if the site has a page or a service worker, and no export has written them.
fn is_ours(site: &Path, service: &str) -> anyhow::Result<()> {
    // The page is written before the service worker: a killed export may have left the page alone.
    let page = files::read_text(&site.join("index.html"), MAX_BYTES).unwrap_or_default();
    let is_ours = !named_version(service).is_empty() || page.contains(PAGE_MARK);
    let found = ["index.html", "service.js"].map(|name| site.join(name));
    match found.iter().find(|path| path.exists()).filter(|_| !is_ours) {
        Some(path) => bail!(
            "expected a new folder or one of an earlier export, found '{}', which belongs to something else",
            path.display()
        ),
        None => Ok(()),
    }
}

fn write(path: &Path, content: &[u8]) -> anyhow::Result<()> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder).with_context(|| format!("cannot create '{}'", folder.display()))?;
    files::replace(path, content).with_context(|| format!("cannot write '{}'", path.display()))
}

/// The files of the page except the page itself, and those of the pages that teach the games.
fn page(homes: &[String]) -> Vec<File> {
    let homes = format!("export const homes = {};\n", serde_json::json!(homes));
    let replaced = REPLACED.map(|(path, source)| (path, text(source).to_owned()));
    let made = [&replaced[..], &[("engine/homes.js", homes)]].concat();
    let own = assets(&made, FirstBoard::Leapd).into_iter().filter(|asset| !asset.path.is_empty());
    let own = own.map(|asset| (asset.path.to_owned(), asset.body.to_vec()));
    let others = [
        ("manifest.webmanifest", text(MANIFEST).to_owned()),
        ("learn.js", script(LEARN, &made)),
        ("learn.css", style(&LEARN_STYLES)),
    ];
    own.chain(others.map(|(path, content)| (path.to_owned(), content.into()))).collect()
}

fn read_engine(engine: &Path, site: &Path) -> anyhow::Result<Vec<File>> {
    let read = |name| {
        let content = files::read(&engine.join(name), MAX_BYTES).with_context(|| {
            format!(
                "expected the engine for browsers in '{}', found no {name}: in a source tree, \
                 adapters/wasm/export '{}' builds it and writes the page",
                engine.display(),
                site.display()
            )
        })?;
        Ok((format!("leapd/{name}"), content))
    };
    ENGINE.into_iter().map(read).collect()
}

/// A hash of everything in the site, as 16 hexadecimal digits.
fn version_of(files: &[File]) -> String {
    let mut hash = Sha256::new();
    for (path, content) in files {
        hash.update(path);
        hash.update(content);
    }
    hash.update(html(FirstBoard::Leapd));
    hash.update(text(SERVICE));
    HEXLOWER.encode(&hash.finalize()[..8])
}

/// The page itself. It carries what the server would say in headers, and names the files of its version.
fn index(files: &[File], version: &str, homes: &[String]) -> String {
    // A page cannot forbid framing: only a header can.
    let policy = POLICY.replace("; frame-ancestors 'none'", "; manifest-src 'self'");
    let policy =
        policy.replace("connect-src 'self'", &format!("connect-src 'self'{}", sources(homes)));
    let charset = "<meta charset=\"utf-8\">\n";
    let head = format!(
        "{charset}<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <link rel=\"manifest\" href=\"manifest.webmanifest\">\n"
    );
    let page = html(FirstBoard::Leapd).replacen(charset, &head, 1);
    files.iter().fold(page, |page, (path, _)| {
        ["href", "src"].iter().fold(page, |page, link| {
            page.replace(&format!("{link}=\"{path}\""), &format!("{link}=\"{version}/{path}\""))
        })
    })
}

/// What a policy calls these servers: each by its site alone, for requests and for WebSockets.
fn sources(homes: &[String]) -> String {
    let sites: BTreeSet<String> = homes.iter().filter_map(|home| site_of(home)).collect();
    sites.iter().map(|site| format!(" {site} {}", site.replacen("http", "ws", 1))).collect()
}

/// The service worker, which knows the version and its files.
fn service(files: &[File], version: &str) -> String {
    let paths: Vec<String> = files.iter().map(|(path, _)| format!("{version}/{path}")).collect();
    let (before, after) = NAMES_VERSION;
    let paths = serde_json::json!(paths);
    let service = text(SERVICE);
    format!("{before}{version}{after}\nconst FILES = {paths};\n\n{service}")
}

/// The version that a service worker names; empty if it names none.
fn named_version(service: &str) -> &str {
    let (before, after) = NAMES_VERSION;
    let first = service.lines().next().unwrap_or_default();
    first.strip_prefix(before).and_then(|rest| rest.strip_suffix(after)).unwrap_or_default()
}

/// Removes the folders of other versions from a site.
fn remove_versions_but(site: &Path, kept: &[&str]) -> anyhow::Result<()> {
    let is_version = |name: &str| name.len() == 16 && name.bytes().all(|b| b.is_ascii_hexdigit());
    for folder in fs::read_dir(site)? {
        let folder = folder?;
        let name = folder.file_name().to_string_lossy().into_owned();
        // Only folders that an export has written are removed.
        let is_ours = is_version(&name) && folder.path().join("leapd/worker.js").is_file();
        if is_ours && !kept.contains(&&*name) {
            fs::remove_dir_all(folder.path())
                .with_context(|| format!("cannot remove '{}'", folder.path().display()))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An engine whose files contain this text.
    fn engine(says: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for name in ENGINE {
            fs::write(folder.path().join(name), says).unwrap();
        }
        folder
    }

    fn exported(says: &str) -> (tempfile::TempDir, String) {
        let site = tempfile::tempdir().unwrap();
        export(site.path(), engine(says).path(), &[]).unwrap();
        let service = fs::read_to_string(site.path().join("service.js")).unwrap();
        (site, service)
    }

    fn version(site: &Path) -> String {
        named_version(&fs::read_to_string(site.join("service.js")).unwrap()).to_owned()
    }

    fn count(folder: &Path) -> usize {
        fs::read_dir(folder).unwrap().count()
    }

    #[test]
    fn the_service_worker_keeps_every_file_of_its_version() {
        let (site, service) = exported("1");
        let list = service.lines().find_map(|line| line.strip_prefix("const FILES = ")).unwrap();
        let files: Vec<String> = serde_json::from_str(list.trim_end_matches(';')).unwrap();
        let folder = site.path().join(version(site.path()));
        assert!(files.iter().any(|file| file.ends_with("/page.js")), "{files:?}");
        for file in &files {
            assert!(site.path().join(file).is_file(), "{file}");
        }
        fn kept(folder: &Path) -> usize {
            let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
            paths.map(|path| if path.is_dir() { kept(&path) } else { 1 }).sum()
        }
        assert_eq!(kept(&folder), files.len());
        // Besides the folder, there are the page and the service worker.
        assert_eq!(count(site.path()), 3);
    }

    #[test]
    fn the_page_names_files_of_its_version_alone() {
        let (site, _) = exported("1");
        let folder = format!("{}/", version(site.path()));
        let page = fs::read_to_string(site.path().join("index.html")).unwrap();
        let links = page.split("href=\"").chain(page.split("src=\"")).skip(1);
        let links: Vec<&str> = links.filter_map(|rest| rest.split('"').next()).collect();
        assert_eq!(links.iter().filter(|link| link.contains("/page.")).count(), 2, "{links:?}");
        for link in links.into_iter().filter(|link| !link.contains('<')) {
            assert!(link.starts_with(&folder) && site.path().join(link).is_file(), "{link}");
        }
    }

    #[test]
    fn the_page_may_connect_to_the_servers_that_were_named_and_to_no_others() {
        let policy = |homes: &[&str]| {
            let site = tempfile::tempdir().unwrap();
            let homes: Vec<String> = homes.iter().map(|&home| home.to_owned()).collect();
            export(site.path(), engine("1").path(), &homes).unwrap();
            let page = fs::read_to_string(site.path().join("index.html")).unwrap();
            let (_, rest) = page.split_once("connect-src ").unwrap();
            let file = site.path().join(version(site.path())).join("page.js");
            let script = fs::read_to_string(file).unwrap();
            let (_, homes) = script.split_once("\nconst homes = ").unwrap();
            (rest.split(';').next().unwrap().to_owned(), homes.lines().next().unwrap().to_owned())
        };
        assert_eq!(policy(&[]), ("'self'".to_owned(), "[];".to_owned()));
        let (sources, homes) = policy(&["https://a.example/leap/", "http://127.0.0.1:8472/"]);
        assert_eq!(
            sources,
            "'self' http://127.0.0.1:8472 ws://127.0.0.1:8472 https://a.example wss://a.example"
        );
        assert!(homes.contains("\"https://a.example/leap/\",\"http://127.0.0.1:8472/\""));
    }

    #[test]
    fn only_files_of_an_earlier_export_are_replaced() {
        let (site, _) = exported("1");
        fs::write(site.path().join("own.txt"), "own").unwrap();
        fs::remove_file(site.path().join("service.js")).unwrap();
        export(site.path(), engine("2").path(), &[]).unwrap();
        let worker = site.path().join(version(site.path())).join("leapd/worker.js");
        assert_eq!(fs::read(worker).unwrap(), b"2");
        assert_eq!(fs::read(site.path().join("own.txt")).unwrap(), b"own");
        for name in ["index.html", "service.js"] {
            let foreign = tempfile::tempdir().unwrap();
            fs::write(foreign.path().join(name), "theirs").unwrap();
            let error = export(foreign.path(), engine("1").path(), &[]).unwrap_err().to_string();
            assert!(error.contains(name), "{error}");
            assert_eq!(fs::read(foreign.path().join(name)).unwrap(), b"theirs");
            assert_eq!(count(foreign.path()), 1, "nothing else is written");
        }
    }

    #[test]
    fn another_engine_is_another_version() {
        let version = |says| version(exported(says).0.path());
        assert_eq!(version("1"), version("1"));
        assert_ne!(version("1"), version("2"));
    }

    #[test]
    fn an_export_keeps_the_version_before_and_removes_older_ones() {
        let site = tempfile::tempdir().unwrap();
        // Folders of other origin stay, whatever their names are.
        fs::create_dir(site.path().join("0123456789abcdef")).unwrap();
        let is_there = |version: &String| site.path().join(version).is_dir();
        let mut versions = Vec::new();
        for (says, are_there) in [
            ("1", &[true][..]),
            ("2", &[true, true]),
            ("2", &[true, true, true]),
            ("3", &[false, true, true, true]),
        ] {
            export(site.path(), engine(says).path(), &[]).unwrap();
            versions.push(version(site.path()));
            assert_eq!(versions.iter().map(is_there).collect::<Vec<_>>(), are_there, "{says}");
        }
        assert!(is_there(&"0123456789abcdef".to_owned()));
    }

    #[test]
    fn without_an_engine_nothing_is_written_and_it_is_said_how_to_make_one() {
        let (site, engine) = (tempfile::tempdir().unwrap(), engine("1"));
        fs::remove_file(engine.path().join("leapd.wasm")).unwrap();
        let error = export(site.path(), engine.path(), &[]).unwrap_err().to_string();
        assert!(
            error.contains("found no leapd.wasm: in a source tree, adapters/wasm/export '"),
            "{error}"
        );
        assert!(error.contains(site.path().to_str().unwrap()), "{error}");
        assert_eq!(count(site.path()), 0);
    }
}
