//! The rules, and which of them a text breaks.

use std::collections::BTreeMap;
use std::fmt::{self, Display};

use regex::{Regex, RegexBuilder};
use serde::Deserialize;

use super::markdown::{Page, Passage};

/// The rules as `rules.toml` has them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    columns: usize,
    sentence: usize,
    abbreviations: Vec<String>,
    words: BTreeMap<String, String>,
}

/// The rules, ready to be applied.
pub(crate) struct Rules {
    columns: usize,
    sentence: usize,
    abbreviations: Vec<String>,
    /// The end of a sentence, with the white space after it.
    end: Regex,
    words: Vec<(Regex, String)>,
}

/// A broken rule, and the line that breaks it.
pub(crate) struct Fault {
    line: usize,
    told: String,
}

impl Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.line, self.told)
    }
}

impl Rules {
    /// The rules of this table.
    pub(crate) fn parse(text: &str) -> Self {
        let Table { columns, sentence, abbreviations, words } = toml::from_str(text).unwrap();
        let words = words.into_iter().map(|(pattern, advice)| (whole_words(&pattern), advice));
        let end = Regex::new(r#"[.!?]["'”’)\]]*\s+"#).unwrap();
        Self { columns, sentence, abbreviations, end, words: words.collect() }
    }

    /// What is wrong with a page, in the order of its lines.
    pub(crate) fn faults_of_page(&self, text: &str) -> Vec<Fault> {
        let page = Page::parse(text);
        let long = text.lines().zip(1..).filter_map(|(line, number)| {
            let columns = line.chars().count();
            let is_long = columns > self.columns && !page.is_exempt(number);
            let told = || format!("{columns} columns, expected at most {}", self.columns);
            is_long.then(|| Fault { line: number, told: told() })
        });
        let mut faults: Vec<Fault> = long.collect();
        faults.extend(page.passages.iter().flat_map(|passage| self.faults(passage)));
        faults.sort_by_key(|fault| fault.line);
        faults
    }

    /// What is wrong with a comment that starts at this line. Its lines may be long.
    pub(crate) fn faults_of_comment(&self, start: usize, text: &str) -> Vec<Fault> {
        let page = Page::parse(text);
        let faults = page.passages.iter().flat_map(|passage| self.faults(passage));
        faults.map(|fault| Fault { line: fault.line + start - 1, ..fault }).collect()
    }

    fn faults(&self, passage: &Passage) -> Vec<Fault> {
        let mut faults = Vec::new();
        for (start, sentence) in self.sentences(&passage.text) {
            let words = sentence.split_whitespace();
            let words = words.filter(|word| word.contains(char::is_alphanumeric)).count();
            if words > self.sentence {
                let opening: String = sentence.chars().take(60).collect();
                let told = format!("{words} words, expected at most {}: {opening}", self.sentence);
                faults.push(Fault { line: passage.line_at(start), told });
            }
        }
        for (pattern, advice) in &self.words {
            faults.extend(pattern.find_iter(&passage.text).map(|found| Fault {
                line: passage.line_at(found.start()),
                told: format!("'{}': {advice}", found.as_str()),
            }));
        }
        faults
    }

    /// The sentences of a text, and where each starts.
    fn sentences<'a>(&self, text: &'a str) -> Vec<(usize, &'a str)> {
        let is_end = |end: &usize| !self.ends_in_abbreviation(text[..*end].trim_end());
        let ends = self.end.find_iter(text).map(|found| found.end()).filter(is_end);
        let mut start = 0;
        let sentence = |end| {
            let start = std::mem::replace(&mut start, end);
            (start, &text[start..end])
        };
        ends.chain([text.len()]).map(sentence).collect()
    }

    fn ends_in_abbreviation(&self, text: &str) -> bool {
        let last = text.rsplit([' ', '(']).next().unwrap_or_default();
        last.strip_suffix('.').is_some_and(|last| self.abbreviations.iter().any(|one| one == last))
    }
}

/// Finds a pattern between the borders of words; in any case, if it has no capitals.
fn whole_words(pattern: &str) -> Regex {
    let has_capitals = pattern.contains(char::is_uppercase);
    let pattern = format!(r"\b(?:{pattern})\b");
    RegexBuilder::new(&pattern).case_insensitive(!has_capitals).build().unwrap()
}
