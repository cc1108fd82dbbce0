//! Untrusted text, made safe to print and to show, and quoted in messages.

use std::fmt;

/// Characters of a quoted text that are shown.
const SHOWN: usize = 200;

/// Prints a text with everything escaped that a terminal would interpret instead of showing.
///
/// Control characters (C0, DEL, C1) are escaped, and so are line endings. Bidirectional controls are escaped because
/// they can make a text look like another one. Escapes are those of Rust, such as `\u{1b}`.
///
/// ```
/// use leap_protocol::Visible;
///
/// assert_eq!(Visible("\u{1b}[2Jdone\r").to_string(), "\\u{1b}[2Jdone\\r");
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Visible<'a>(pub &'a str);

impl fmt::Display for Visible<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0;
        while let Some((at, c)) = rest.char_indices().find(|(_, c)| is_obeyed(*c)) {
            let (before, after) = rest.split_at(at);
            write!(f, "{before}{}", c.escape_debug())?;
            rest = after.strip_prefix(c).unwrap_or_default();
        }
        f.write_str(rest)
    }
}

/// The start of a text, for a quotation within a message: control characters become `?`, and a long text is cut.
///
/// ```
/// assert_eq!(leap_protocol::shown("\u{1b}[2J"), "?[2J");
/// ```
#[must_use]
pub fn shown(text: &str) -> String {
    let clean = text.chars().map(|c| if c.is_control() { '?' } else { c });
    let mut shown: String = clean.clone().take(SHOWN).collect();
    if clean.count() > SHOWN {
        shown.push_str("...");
    }
    shown
}

/// A text printed on one line: line feeds and carriage returns become spaces, so that no value can inject a second
/// line.
///
/// ```
/// use leap_protocol::OneLine;
///
/// assert_eq!(OneLine("a1c3\nquit").to_string(), "a1c3 quit");
/// ```
#[derive(Debug, Clone, Copy)]
pub struct OneLine<'a>(pub &'a str);

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

/// Longer words are cut in messages, in characters.
const QUOTED_CHARS: usize = 32;
/// Longer names are compared with no other, in characters.
const LONGEST_NAME: usize = 100;

/// A word of the input as a message shows it: in quotes, cut when long, control characters escaped.
///
/// ```
/// assert_eq!(leap_protocol::quoted("a\u{1b}[2J"), "'a\\u{1b}[2J'");
/// ```
#[must_use]
pub fn quoted(word: &str) -> String {
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
///
/// ```
/// use leap_protocol::suggestion;
///
/// assert_eq!(suggestion("bord", ["board", "moves"]), " (did you mean 'board'?)");
/// assert_eq!(suggestion("history", ["board", "moves"]), "");
/// ```
#[must_use]
pub fn suggestion<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    let hint = |candidate| format!(" (did you mean '{candidate}'?)");
    nearest(word, candidates).map(hint).unwrap_or_default()
}

/// The candidate that was probably meant, letter case aside: about a third of the letters may be wrong, at most three.
#[must_use]
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let (word, length) = (word.to_lowercase(), word.chars().count());
    let most = |candidate: &str| 3.min((length.min(candidate.chars().count()) + 1) / 3);
    candidates
        .into_iter()
        // The edit distance takes quadratic time.
        .filter(|candidate| length.max(candidate.len()) <= LONGEST_NAME)
        .map(|candidate| (strsim::osa_distance(&word, &candidate.to_lowercase()), candidate))
        .filter(|(distance, candidate)| *distance <= most(candidate))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Control characters, and those with the property `Bidi_Control` of Unicode.
pub(crate) fn is_obeyed(c: char) -> bool {
    let directs = matches!(
        c,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    c.is_control() || directs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped_and_the_rest_is_kept() {
        for c in ('\0'..=char::MAX).filter(|c| is_obeyed(*c)) {
            let shown = Visible(&format!("ä{c}b")).to_string();
            assert!(shown.starts_with("ä\\") && shown.ends_with('b'), "{shown}");
            assert!(!shown.contains(is_obeyed), "{shown}");
        }
        let harmless = "Táctica \"S\" 'x' \\ 日本 👍🏽 עברית";
        assert_eq!(Visible(harmless).to_string(), harmless);
    }
}
