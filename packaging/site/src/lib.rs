//! The website: one static site of the documents, pages that teach the games, the playable page and the documentation
//! of the crates.
//!
//! Nothing is copied by hand. The documents are those of the repository; an engine tells how its games are played.
//! mdBook makes pages of them, with a search. [`check`] finds the links that lead nowhere.

mod api;
pub mod check;
mod documents;
mod html;
mod learn;
mod links;
mod paths;
mod solved;
mod spec;
mod summary;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

use documents::Documents;
use learn::Lessons;

const BOOK: &str = include_str!("../book/book.toml");
const STYLE: &str = include_str!("../book/site.css");
const SERVICE: &str = include_str!("../book/service.js");

/// What a site is made of.
#[derive(Clone, Debug)]
pub struct Site {
    /// The root of the repository.
    pub root: PathBuf,
    /// The engine, which tells how the games are played.
    pub leapd: PathBuf,
    /// The documentation of the crates, as `cargo doc` leaves it.
    pub api: Option<PathBuf>,
    /// The address of the repository, for links to files that are no pages of the site.
    pub repository: Option<String>,
}

/// A page of the book, in Markdown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Page {
    /// Its path in the site, with the ending `.md`.
    pub(crate) path: String,
    pub(crate) title: String,
    pub(crate) text: String,
}

impl Site {
    /// Writes the site into a folder that has the playable page in its folder `play`.
    ///
    /// # Errors
    /// If the playable page or mdBook is missing, or a document cannot be read.
    pub fn write(&self, dir: &Path) -> Result<()> {
        let lessons = Lessons::ask(&self.root, &self.leapd, &played(dir)?)?;
        let documents = Documents::read(&self.root, self.repository.as_deref())?;
        let api = self.api.as_ref().map(|api| api::index(&self.root, api)).transpose()?;
        let build = tempfile::tempdir()?;
        let (source, book) = (build.path().join("src"), build.path().join("book"));
        for page in documents.pages().chain(lessons.pages()).chain(&api) {
            let text =
                if page.path == "index.md" { lessons.greet(&page.text) } else { page.text.clone() };
            write(&source.join(&page.path), &text)?;
        }
        write(&source.join("SUMMARY.md"), &summary::summary(&lessons, &documents, api.as_ref()))?;
        for file in documents.files() {
            copy(&self.root.join(file), &source.join(file))?;
        }
        write(&build.path().join("book.toml"), BOOK)?;
        write(&build.path().join("site.css"), STYLE)?;
        run_mdbook(build.path(), &book)?;
        copy(&book, dir)?;
        if let Some(api) = &self.api {
            copy(api, &dir.join("api"))?;
        }
        write(&dir.join("service.js"), SERVICE)
    }
}

/// The folder in which the playable page has the files of its version, as a path in the site.
fn played(dir: &Path) -> Result<String> {
    let play = dir.join("play");
    let folders = fs::read_dir(&play)
        .with_context(|| format!("expected the playable page in '{}'", play.display()))?;
    let mut names = folders.filter_map(|folder| folder.ok()?.file_name().into_string().ok());
    let version = names.find(|name| play.join(name).join("learn.js").is_file());
    let version = version.with_context(|| {
        format!("expected an exported page in '{}', found none", play.display())
    })?;
    Ok(format!("play/{version}"))
}

fn run_mdbook(book: &Path, dir: &Path) -> Result<()> {
    let mut command = Command::new("mdbook");
    command.arg("build").arg("--dest-dir").arg(dir).arg(book).env("MDBOOK_LOG", "warn");
    let status = command.status().context("expected mdbook, found none: cargo install mdbook")?;
    ensure!(status.success(), "mdbook ended with {status}");
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<()> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder).with_context(|| format!("cannot create '{}'", folder.display()))?;
    fs::write(path, text).with_context(|| format!("cannot write '{}'", path.display()))
}

/// Copies a file, or everything in a folder.
fn copy(from: &Path, to: &Path) -> Result<()> {
    if !from.is_dir() {
        fs::create_dir_all(to.parent().unwrap_or(to))?;
        fs::copy(from, to).with_context(|| format!("cannot copy '{}'", from.display()))?;
        return Ok(());
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        copy(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}
