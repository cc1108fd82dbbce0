//! The table of contents.

use std::fmt::Write as _;

use crate::Page;
use crate::documents::Documents;
use crate::learn::Lessons;

/// The documents at the root that are for people who change the program, in reading order.
const CONTRIBUTORS: [&str; 3] = ["CONTRIBUTING.md", "ARCHITECTURE.md", "CHANGELOG.md"];

/// The guide to read first.
const TUTORIAL: &str = "docs/tutorial.md";

/// The table of contents, as mdBook reads it.
pub(crate) fn summary(lessons: &Lessons, documents: &Documents, api: Option<&Page>) -> String {
    let in_folder = |path: &str, name: &str| path.starts_with(name) && !path.ends_with("README.md");
    let guides =
        |path: &str| in_folder(path, "docs/") && path.matches('/').count() == 1 && path != TUTORIAL;
    let is_index = |path: &str| path.starts_with("docs/") && path.ends_with("README.md");
    let mut text = "# Summary\n\n".to_owned();
    for page in documents.of(|path| path == "README.md") {
        chapter(&mut text, 0, page);
    }
    for (part, pages) in lessons.parts() {
        begin(&mut text, part);
        pages.iter().for_each(|page| chapter(&mut text, 0, page));
    }
    begin(&mut text, "Guides");
    documents.of(|path| path == TUTORIAL).for_each(|page| chapter(&mut text, 0, page));
    documents.of(guides).for_each(|page| chapter(&mut text, 0, page));
    for page in documents.of(|path| in_folder(path, "docs/games/")) {
        chapter(&mut text, 0, page);
    }
    begin(&mut text, "The standard");
    documents.spec.pages.iter().for_each(|page| chapter(&mut text, 0, page));
    begin(&mut text, "For contributors");
    for name in CONTRIBUTORS {
        documents.of(|path| path == name).for_each(|page| chapter(&mut text, 0, page));
    }
    for page in documents.of(is_index) {
        chapter(&mut text, 0, page);
        let folder = page.path.trim_end_matches("index.md");
        let within = documents.of(|path| in_folder(path, folder) && folder != "docs/games/");
        within.for_each(|page| chapter(&mut text, 1, page));
    }
    let is_rest = |path: &str| {
        !path.starts_with("docs/") && path != "README.md" && !CONTRIBUTORS.contains(&path)
    };
    documents.of(is_rest).for_each(|page| chapter(&mut text, 0, page));
    api.into_iter().for_each(|page| chapter(&mut text, 0, page));
    text
}

fn begin(text: &mut String, part: &str) {
    // Writing to a string does not fail.
    let _ = write!(text, "\n# {part}\n\n");
}

fn chapter(text: &mut String, depth: usize, Page { path, title, .. }: &Page) {
    let _ = writeln!(text, "{}- [{title}]({path})", "  ".repeat(depth));
}
