//! What was found, as a message shows it.

/// Longer words are cut, in characters.
const LONGEST: usize = 32;

/// A word of the input in quotes, cut when long and with control characters escaped, so that a message stays a line
/// that a person can read and a terminal need not obey.
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
