//! Words of the input, as a message shows them.

/// The most characters that a message shows of one word.
const LONGEST: usize = 32;

/// A word of the input in quotes. Long words are cut, and control characters are escaped.
///
/// The message stays one readable line, and a terminal finds nothing in it to obey.
#[must_use]
pub fn quoted(word: &str) -> String {
    let mut text = String::from("'");
    for c in word.chars().take(LONGEST) {
        if c.is_control() { text.extend(c.escape_debug()) } else { text.push(c) }
    }
    if word.chars().nth(LONGEST).is_some() {
        text.push_str("...");
    }
    text + "'"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped_and_long_words_cut() {
        assert_eq!(quoted("it's"), "'it's'");
        assert_eq!(quoted("a\u{1b}[2J\t"), r"'a\u{1b}[2J\t'");
        assert_eq!(quoted(&"x".repeat(33)), format!("'{}...'", "x".repeat(32)));
    }
}
