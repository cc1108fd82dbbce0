//! Untrusted text, made safe to show.

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
