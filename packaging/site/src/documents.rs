//! The documents of the repository as pages: their links lead to each other, to the standard, or to the repository.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use pulldown_cmark::{Event, Tag};

use crate::Page;
use crate::links::{Link, parse, rewrite};
use crate::paths::{folder, relative, resolve};
use crate::spec::Spec;

const STANDARD: &str = "SPEC.md";
/// The endings of the names of images.
const IMAGES: [&str; 3] = [".png", ".svg", ".jpg"];

/// The documents of a repository.
#[derive(Debug)]
pub(crate) struct Documents {
    /// By path in the repository. The pages of the standard are not among them.
    pages: BTreeMap<String, Page>,
    files: BTreeSet<String>,
    pub(crate) spec: Spec,
}

impl Documents {
    /// Reads the documents at the root and in `docs`, and all that they lead to. `repository` is its address.
    pub(crate) fn read(root: &Path, repository: Option<&str>) -> Result<Self> {
        let sources = gather(root)?;
        let text = fs::read_to_string(root.join(STANDARD)).context("cannot read SPEC.md")?;
        let mut documents =
            Self { pages: BTreeMap::new(), files: BTreeSet::new(), spec: Spec::split(&text) };
        for (path, text) in &sources {
            let images = links(text).filter_map(|link| resolve(folder(path), &link));
            documents
                .files
                .extend(images.filter(|link| is_image(link) && root.join(link).is_file()));
            let title = title(text).with_context(|| format!("expected a title in {path}"))?;
            let page = Page { path: target(path), title, text: text.clone() };
            documents.pages.insert(path.clone(), page);
        }
        documents.connect(repository);
        Ok(documents)
    }

    /// Lets all links lead to pages.
    fn connect(&mut self, repository: Option<&str>) {
        let changed = |source: &str, page: &Page| {
            let link = |to: &str| self.lead(source, &page.path, to, repository);
            rewrite(&page.text, link, |prose| self.spec.cite(&page.path, prose))
        };
        let pages = self.pages.iter().map(|(source, page)| changed(source, page));
        let pages: Vec<String> = pages.collect();
        let spec: Vec<String> =
            self.spec.pages.iter().map(|page| changed(STANDARD, page)).collect();
        for (page, text) in self.pages.values_mut().zip(pages) {
            page.text = text;
        }
        for (page, text) in self.spec.pages.iter_mut().zip(spec) {
            page.text = text;
        }
    }

    /// Where a link leads, in a document whose page has this path.
    fn lead(&self, source: &str, page: &str, link: &str, repository: Option<&str>) -> Link {
        if link.contains("://") || link.starts_with("mailto:") {
            return Link::Same;
        }
        let (file, fragment) = link.split_once('#').unwrap_or((link, ""));
        if source == STANDARD && !link.contains(".md") {
            // The splitting of the standard has already made links to pages.
            let is_clause = fragment.starts_with(|first: char| first.is_ascii_digit());
            return if is_clause { Link::Same } else { Link::To(self.spec.link(page, fragment)) };
        }
        if file.is_empty() || source == STANDARD {
            return Link::Same;
        }
        let path = resolve(folder(source), file);
        let to = |target: &str| {
            let hash = if fragment.is_empty() { "" } else { "#" };
            Link::To(relative(page, target) + hash + fragment)
        };
        match path.as_deref() {
            Some(STANDARD) => Link::To(self.spec.link(page, fragment)),
            Some(path) if self.pages.contains_key(path) => to(&target(path)),
            Some(path) if self.pages.contains_key(&format!("{path}/README.md")) => {
                to(&format!("{path}/index.md"))
            }
            Some(path) if self.files.contains(path) => to(path),
            path => repository.map_or(Link::Text, |repository| {
                let rest = file.trim_start_matches("../");
                Link::To(path.map_or_else(
                    || format!("{repository}/{rest}"),
                    |path| format!("{repository}/blob/HEAD/{path}"),
                ))
            }),
        }
    }

    /// All pages, in order of their paths.
    pub(crate) fn pages(&self) -> impl Iterator<Item = &Page> {
        self.pages.values().chain(&self.spec.pages)
    }

    /// The pages whose paths in the repository satisfy a condition.
    pub(crate) fn of(&self, is_wanted: impl Fn(&str) -> bool) -> impl Iterator<Item = &Page> {
        self.pages.iter().filter(move |(path, _)| is_wanted(path)).map(|(_, page)| page)
    }

    /// The files that the pages show.
    pub(crate) fn files(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(String::as_str)
    }
}

/// The texts of all documents but the standard, by path.
fn gather(root: &Path) -> Result<BTreeMap<String, String>> {
    let mut found = BTreeMap::new();
    let mut waiting = Vec::new();
    for place in ["", "docs"] {
        waiting.extend(documents_in(root, place, place == "docs")?);
    }
    while let Some(path) = waiting.pop() {
        if path == STANDARD || found.contains_key(&path) {
            continue;
        }
        let text = fs::read_to_string(root.join(&path));
        let text = text.with_context(|| format!("cannot read '{path}'"))?;
        for link in links(&text) {
            let file = link.split('#').next().unwrap_or_default();
            let leads = resolve(folder(&path), file).unwrap_or_default();
            let index = format!("{leads}/README.md");
            let is_there = |path: &String| path.ends_with(".md") && root.join(path).is_file();
            waiting.extend([leads, index].into_iter().filter(is_there));
        }
        found.insert(path, text);
    }
    Ok(found)
}

/// The documents in a folder, also in those within it if it is searched deeply.
fn documents_in(root: &Path, place: &str, is_deep: bool) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(root.join(place))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = resolve(place, &name).unwrap_or_default();
        if entry.path().is_dir() && is_deep {
            found.extend(documents_in(root, &path, true)?);
        } else if name.ends_with(".md") {
            found.push(path);
        }
    }
    Ok(found)
}

/// The targets of the links and images of a text.
fn links(text: &str) -> impl Iterator<Item = String> {
    parse(text).filter_map(|(event, _)| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
            Some(dest_url.into_string())
        }
        _ => None,
    })
}

fn is_image(path: &str) -> bool {
    IMAGES.iter().any(|ending| path.ends_with(ending))
}

/// The path of the page of a document.
fn target(path: &str) -> String {
    match path.strip_suffix("README.md") {
        Some(folder) => format!("{folder}index.md"),
        None => path.to_owned(),
    }
}

/// The first heading, without marks.
fn title(text: &str) -> Option<String> {
    let heading = text.lines().find_map(|line| line.strip_prefix("# "))?;
    Some(heading.replace('`', ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repository() -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in [
            (
                "README.md",
                "# Top\n[a](docs/a.md#x) [c](code) [l](LICENSE) [r](../../releases) SPEC 1.1\n",
            ),
            (
                "SPEC.md",
                "# S\n\n## 1. One\n\n**1.1** See [below](#two) and 2.1.\n\n## 2. Two\n\n### Two\n\n**2.1** Yes.\n",
            ),
            ("docs/a.md", "# A\n![p](p.png) [s](../SPEC.md#two) [t](../README.md)\n"),
            ("docs/p.png", ""),
            ("docs/in/b.md", "# B\n"),
            ("code/README.md", "# `Code`\n"),
            ("code/left.md", "# Left\n"),
        ] {
            crate::write(&root.path().join(path), text).unwrap();
        }
        root
    }

    fn texts(repository: Option<&str>, root: &Path) -> BTreeMap<String, String> {
        let documents = Documents::read(root, repository).unwrap();
        documents.pages().map(|page| (page.path.clone(), page.text.clone())).collect()
    }

    #[test]
    fn documents_and_what_they_lead_to_are_pages() {
        let root = repository();
        let documents = Documents::read(root.path(), None).unwrap();
        let paths: Vec<&str> = documents.pages().map(|page| page.path.as_str()).collect();
        let own = ["index.md", "code/index.md", "docs/a.md", "docs/in/b.md"];
        let spec = ["spec/index.md", "spec/1-one.md", "spec/2-two.md"];
        assert_eq!(paths, [&own[..], &spec[..]].concat());
        assert_eq!(documents.files().collect::<Vec<_>>(), ["docs/p.png"]);
        assert_eq!(documents.of(|path| path.starts_with("code")).next().unwrap().title, "Code");
    }

    #[test]
    fn links_lead_to_pages_and_to_the_repository() {
        let root = repository();
        let texts = texts(Some("https://x/y"), root.path());
        let releases = "https://x/y/releases";
        let license = "https://x/y/blob/HEAD/LICENSE";
        let top = format!(
            "# Top\n[a](docs/a.md#x) [c](code/index.md) [l]({license}) [r]({releases}) [SPEC 1.1](spec/1-one.md#1.1)\n"
        );
        assert_eq!(texts["index.md"], top);
        assert_eq!(
            texts["docs/a.md"],
            "# A\n![p](p.png) [s](../spec/2-two.md#two) [t](../index.md)\n"
        );
        let clause = "See [below](2-two.md#two) and [2.1](2-two.md#2.1).";
        assert!(texts["spec/1-one.md"].contains(clause), "{}", texts["spec/1-one.md"]);
    }

    #[test]
    fn without_a_repository_a_link_to_a_file_is_its_text() {
        let root = repository();
        let top = &texts(None, root.path())["index.md"];
        assert!(top.contains(" l r "), "{top}");
    }
}
