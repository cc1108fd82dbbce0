//! SPEC.md as a page for each chapter, with an address for each clause.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::Page;
use crate::paths::{relative, slug};

/// The number of a clause where it begins.
static CLAUSE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^\*\*(\d+\.\d+)\*\*").unwrap());
/// What a sentence may cite.
static CITED: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\b\d+\.\d+\b").unwrap());
/// What a sentence outside of the standard cites: a clause or a chapter.
static CITED_ELSEWHERE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\bSPEC (\d+(?:\.\d+)?)\b").unwrap());

/// The pages of the standard.
#[derive(Debug)]
pub(crate) struct Spec {
    /// The introduction, then the chapters.
    pub(crate) pages: Vec<Page>,
    /// The page of each clause and each chapter, by number; of each heading, by identifier.
    clauses: BTreeMap<String, String>,
    headings: BTreeMap<String, String>,
}

impl Spec {
    /// Splits the text of SPEC.md.
    pub(crate) fn split(text: &str) -> Self {
        let mut spec =
            Self { pages: Vec::new(), clauses: BTreeMap::new(), headings: BTreeMap::new() };
        let title = text.lines().next().unwrap_or_default().trim_start_matches("# ").to_owned();
        spec.pages.push(Page { path: "spec/index.md".to_owned(), title, text: String::new() });
        let mut is_code = false;
        for line in text.lines() {
            is_code ^= line.starts_with("```");
            let line = if is_code { line.to_owned() } else { spec.take(line) };
            let page = spec.pages.last_mut().unwrap_or_else(|| unreachable!("there is the first"));
            page.text += &line;
            page.text.push('\n');
        }
        let index = spec.index();
        spec.pages[0].text += &index;
        spec
    }

    /// Takes a line that is no code. A heading of a chapter begins a page, and a clause gets an address.
    fn take(&mut self, line: &str) -> String {
        if let Some(title) = line.strip_prefix("## ") {
            let path = format!("spec/{}.md", slug(title));
            if let Some((number, _)) = title.split_once(". ") {
                self.clauses.insert(number.to_owned(), path.clone());
            }
            self.pages.push(Page { path, title: title.to_owned(), text: String::new() });
        }
        let path = self.pages.last().map(|page| page.path.clone()).unwrap_or_default();
        let is_heading = line.starts_with("##");
        if is_heading {
            self.headings.insert(slug(line.trim_start_matches('#')), path);
            // The heading of a chapter is that of its page.
            return line[1..].to_owned();
        }
        let anchor = |found: &Captures<'_>| {
            self.clauses.insert(found[1].to_owned(), path.clone());
            format!("<a class=\"clause\" id=\"{0}\" href=\"#{0}\">{0}</a>", &found[1])
        };
        CLAUSE.replace(line, anchor).into_owned()
    }

    /// A list of all clauses, so that each can be found by its number at the address of the standard.
    fn index(&self) -> String {
        let mut index = "\n## All clauses\n\n".to_owned();
        for page in &self.pages[1..] {
            let file = relative("spec/index.md", &page.path);
            // Writing to a string does not fail.
            let _ = write!(index, "- [{}]({file})", page.title);
            for found in CLAUSE_ANCHOR.captures_iter(&page.text) {
                let link = file.replace(".md", ".html");
                let _ = write!(index, " <a id=\"{0}\" href=\"{link}#{0}\">{0}</a>", &found[1]);
            }
            index.push('\n');
        }
        index
    }

    /// The link from a page to what SPEC.md has under this identifier, or to the standard if it has nothing there.
    pub(crate) fn link(&self, from: &str, fragment: &str) -> String {
        let page = self.headings.get(fragment).or_else(|| self.clauses.get(fragment));
        let path = relative(from, page.map_or("spec/index.md", String::as_str));
        if fragment.is_empty() { path } else { format!("{path}#{fragment}") }
    }

    /// Makes links of what a sentence cites: in the standard a number of a clause, elsewhere one after `SPEC`.
    pub(crate) fn cite(&self, from: &str, prose: &str) -> String {
        let link = |text: &str, number: &str| match self.clauses.get(number) {
            Some(page) if number.contains('.') => {
                format!("[{text}]({}#{number})", relative(from, page))
            }
            Some(page) => format!("[{text}]({})", relative(from, page)),
            None => text.to_owned(),
        };
        if from.starts_with("spec/") {
            CITED.replace_all(prose, |found: &Captures<'_>| link(&found[0], &found[0])).into_owned()
        } else {
            let cited = |found: &Captures<'_>| link(&found[0], &found[1]);
            CITED_ELSEWHERE.replace_all(prose, cited).into_owned()
        }
    }

    /// The chapter about a game of this name.
    pub(crate) fn chapter_of(&self, game: &str) -> Option<&Page> {
        let letters = |text: &str| text.chars().filter(|c| c.is_alphabetic()).collect::<String>();
        self.pages.iter().find(|page| letters(&page.title) == letters(game))
    }
}

/// A clause that has its address.
static CLAUSE_ANCHOR: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"<a class="clause" id="([^"]*)""#).unwrap());

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# The protocol 1.0\n\nIntro.\n\n## 1. Words, lines\n\n**1.1** A clause.\n\n\
                        ### More\n\n```ugi\n## 2. No heading\n**1.9** no clause\n```\n\n\
                        ## 2. Froglet \"S\"\n\n**2.1** As in 1.1, not 1.0.\n";

    #[test]
    fn a_chapter_is_a_page_and_a_clause_has_an_address() {
        let spec = Spec::split(TEXT);
        let paths: Vec<&str> = spec.pages.iter().map(|page| page.path.as_str()).collect();
        assert_eq!(paths, ["spec/index.md", "spec/1-words-lines.md", "spec/2-froglet-s.md"]);
        let first = &spec.pages[1].text;
        assert!(first.starts_with("# 1. Words, lines\n"), "{first}");
        assert!(first.contains("\n## More\n") && first.contains("\n## 2. No heading\n"), "{first}");
        assert!(first.contains("<a class=\"clause\" id=\"1.1\" href=\"#1.1\">1.1</a> A clause."));
        assert!(first.contains("**1.9** no clause"), "{first}");
        let index = &spec.pages[0].text;
        assert!(index.contains("<a id=\"2.1\" href=\"2-froglet-s.html#2.1\">2.1</a>"), "{index}");
    }

    #[test]
    fn citations_lead_to_the_page_of_their_clause() {
        let spec = Spec::split(TEXT);
        let inside = spec.cite("spec/2-froglet-s.md", "As in 1.1, not 1.0.");
        assert_eq!(inside, "As in [1.1](1-words-lines.md#1.1), not 1.0.");
        let outside = spec.cite("docs/a.md", "SPEC 1.1, 1.1, SPEC 2, SPEC 9");
        let expected = "[SPEC 1.1](../spec/1-words-lines.md#1.1), 1.1, [SPEC 2](../spec/2-froglet-s.md), SPEC 9";
        assert_eq!(outside, expected);
        assert_eq!(spec.link("index.md", "more"), "spec/1-words-lines.md#more");
        assert_eq!(spec.link("spec/index.md", ""), "index.md");
        assert_eq!(spec.chapter_of("Froglet “S”").unwrap().path, "spec/2-froglet-s.md");
    }
}
