//! What printing shares: texts kept to one line, words quoted in messages, suggestions.

use std::fmt;

/// A text printed on one line: line feeds and carriage returns become spaces, so that no value can inject a second
/// line.
pub(crate) struct OneLine<'a>(pub(crate) &'a str);

impl fmt::Display for OneLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, part) in self.0.split(['\n', '\r']).enumerate() {
            if index > 0 {
                f.write_str(" ")?;
            }
            f.write_str(part)?;
        }
        Ok(())
    }
}

/// Prints ` text` if there is one, and nothing otherwise: no line ends in a blank.
pub(crate) fn spaced(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    if text.is_empty() { Ok(()) } else { write!(f, " {}", OneLine(text)) }
}

/// Prints ` word` for each word.
pub(crate) fn spaced_all(f: &mut fmt::Formatter<'_>, words: &[String]) -> fmt::Result {
    words.iter().try_for_each(|word| spaced(f, word))
}

/// Prints ` key value` if there is a value.
pub(crate) fn pair<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    key: &str,
    value: Option<T>,
) -> fmt::Result {
    value.map_or(Ok(()), |value| write!(f, " {key} {value}"))
}

/// Prints ` key value` for each pair.
pub(crate) fn pairs(f: &mut fmt::Formatter<'_>, pairs: &[(String, String)]) -> fmt::Result {
    pairs.iter().try_for_each(|(key, value)| {
        spaced(f, key)?;
        spaced(f, value)
    })
}

/// Items joined by single spaces.
pub(crate) struct Joined<'a, T>(pub(crate) &'a [T]);

impl<T: fmt::Display> fmt::Display for Joined<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, item) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str(" ")?;
            }
            item.fmt(f)?;
        }
        Ok(())
    }
}

/// Longer words are cut in messages, in characters.
const QUOTED_CHARS: usize = 32;

/// A word of the input as a message shows it: in quotes, cut when long, control characters escaped.
pub(crate) fn quoted(word: &str) -> String {
    let mut quoted = String::from("'");
    for c in word.chars().take(QUOTED_CHARS) {
        match c {
            '\'' | '"' | '\\' => quoted.push(c),
            _ => quoted.extend(c.escape_debug()),
        }
    }
    if word.chars().nth(QUOTED_CHARS).is_some() {
        quoted.push_str("...");
    }
    quoted.push('\'');
    quoted
}

/// ` (did you mean 'x'?)` if a candidate is near, else nothing.
pub(crate) fn suggestion(word: &str, candidates: &[&'static str]) -> String {
    closest(word, candidates)
        .map(|candidate| format!(" (did you mean '{candidate}'?)"))
        .unwrap_or_default()
}

/// The candidate nearest to `word`, letter case aside: at most one edit away, two if both are longer than four letters.
fn closest(word: &str, candidates: &[&'static str]) -> Option<&'static str> {
    // The edit distance takes quadratic time, and no candidate is nearly as long.
    if word.len() > QUOTED_CHARS {
        return None;
    }
    let word = word.to_lowercase();
    candidates
        .iter()
        .map(|candidate| (strsim::osa_distance(&word, candidate), *candidate))
        .filter(|(distance, candidate)| {
            *distance <= if candidate.len().min(word.len()) > 4 { 2 } else { 1 }
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}
