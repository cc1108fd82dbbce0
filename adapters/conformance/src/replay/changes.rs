//! What an update changes in a transcript, as people read it.

use leap_transcript::Transcript;
use similar::TextDiff;

/// The most lines of a difference that are shown.
const MOST_LINES: usize = 200;
/// The most characters of a line.
const WIDTH: usize = 200;
/// Unchanged lines around each change.
const AROUND: usize = 2;

/// The unified difference of two transcripts, of bounded length.
pub(super) fn diff(name: &str, before: &Transcript, after: &Transcript) -> String {
    let (before, after) = (before.to_string(), after.to_string());
    let diff = TextDiff::from_lines(&before, &after);
    let diff = diff.unified_diff().context_radius(AROUND).header(name, name).to_string();
    let mut lines = diff.lines();
    let mut text: String = lines.by_ref().take(MOST_LINES).map(shortened).collect();
    let more = lines.count();
    if more > 0 {
        text += &format!("({more} more lines)\n");
    }
    text
}

fn shortened(line: &str) -> String {
    let cut = line.char_indices().nth(WIDTH).map_or(line.len(), |(at, _)| at);
    let dots = if cut < line.len() { "..." } else { "" };
    format!("{}{dots}\n", &line[..cut])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn transcript(lines: &str) -> Transcript {
        Transcript::parse(format!("ugt 1\n{lines}").as_bytes()).unwrap()
    }

    #[test]
    fn a_difference_shows_both_lines_and_what_is_around() {
        let before = transcript("# a\n# b\n# c\n> isready\n< readyok\n");
        let after = transcript("# a\n# b\n# c\n> isready\n< error busy\n");
        let expected =
            "--- x.ugt\n+++ x.ugt\n@@ -4,3 +4,3 @@\n # c\n > isready\n-< readyok\n+< error busy\n";
        assert_eq!(diff("x.ugt", &before, &after), expected);
    }

    #[test]
    fn a_difference_is_bounded() {
        let many: String =
            (0..5000).map(|n| format!("< info depth {n}{}\n", "x".repeat(500))).collect();
        let text = diff("x.ugt", &transcript(""), &transcript(&many));
        assert_eq!(text.lines().count(), MOST_LINES + 1);
        assert!(text.lines().all(|line| line.len() <= WIDTH + 3));
        assert!(text.ends_with(" more lines)\n"), "{text}");
    }
}
