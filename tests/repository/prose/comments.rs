//! The comments of a source file.

use std::path::Path;
use std::sync::LazyLock;

use regex::{Captures, Regex};

/// The marks that a line of a comment may start with, longer marks first.
type Marks = &'static [&'static str];

/// A tag of JSDoc and its type.
static TAG: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?m)^ *@\w+(?: \{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})?").unwrap()
});

/// The marks of a file's language, if its comments are read.
pub(crate) fn marks(path: &str) -> Option<Marks> {
    match Path::new(path).extension()?.to_str()? {
        "rs" | "js" | "mjs" | "ts" => Some(&["///", "//!", "//", "/**", "/*", "*"]),
        "py" | "toml" | "yml" => Some(&["#"]),
        _ => None,
    }
}

/// The comments that have lines of their own: the number of the first line, and the text without marks.
pub(crate) fn comments(source: &str, marks: Marks) -> Vec<(usize, String)> {
    let mut comments: Vec<(usize, String)> = Vec::new();
    let mut before = None;
    for (line, number) in source.lines().zip(1..) {
        let line = line.trim_start();
        let mark = marks.iter().copied().find(|mark| line.starts_with(mark));
        // Elsewhere a star is an operator, and `#!` names the interpreter.
        let mark = mark.filter(|mark| *mark != "*" || before.is_some_and(may_have_star));
        let mark = mark.filter(|_| !line.starts_with("#!"));
        if let Some(mark) = mark {
            if !before.is_some_and(|before| before == mark || mark == "*") {
                comments.push((number, String::new()));
            }
            let (_, text) = comments.last_mut().unwrap();
            text.push_str(line[mark.len()..].trim_end().trim_end_matches("*/"));
            text.push('\n');
        }
        before = mark.filter(|_| !line.ends_with("*/"));
    }
    comments
}

/// Whether the line after one with this mark goes on with a star.
fn may_have_star(before: &str) -> bool {
    before.contains('*')
}

/// A comment without tags and types, which are code. A tag ends the sentence before it. The lines stay.
pub(crate) fn without_tags(text: &str) -> String {
    let lines = |tag: &Captures<'_>| format!(".{}", "\n".repeat(tag[0].matches('\n').count()));
    TAG.replace_all(text, lines).into_owned()
}
