//! Recognises files that have no games of ours, by their first bytes and words.

use std::sync::LazyLock;

use leap_protocol::shown;
use regex_lite::Regex;

use super::Unread;

/// Packed files, by the ending of their name.
const PACKED: [&str; 13] =
    ["7z", "Z", "bz2", "cab", "gz", "lz", "lz4", "rar", "tar", "xz", "zip", "zst", "cpio"];
/// The tags that only records of chess and similar games have.
const CHESS_TAGS: [&str; 3] = ["White", "Black", "ECO"];
/// The number of tags, and of words of moves, that are looked at.
const TAGS: usize = 100;
const WORDS: usize = 12;
/// The results of games in PGN.
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// A move of chess in the notation of PGN, perhaps with its number.
static SAN: LazyLock<Regex> = LazyLock::new(|| {
    let pieces = "[KQRBN][a-h]?[1-8]?x?[a-h][1-8]";
    let pawns = "(?:[a-h]x)?[a-h][1-8](?:=?[QRBN])?";
    let castles = "O-O(?:-O)?|0-0(?:-0)?";
    pattern(&format!(r"^(?:\d+\.+)?(?:{pieces}|{pawns}|{castles})[+#]?[!?]*$"))
});
static CHESS_FEN: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?:[pnbrqkPNBRQK1-8]+/){7}[pnbrqkPNBRQK1-8]+ [wb] (?:-|[KQkq]+) "));

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the pattern is a constant")
}

/// Recognises a file by its first bytes.
pub(super) fn of_bytes(bytes: &[u8]) -> Option<Unread> {
    let is_wide = |at: usize| {
        bytes.len() >= 8 && bytes[..8].iter().skip(at).step_by(2).all(|&byte| byte == 0)
    };
    let is_marked = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    if is_marked || is_wide(0) != is_wide(1) {
        return Some(Unread::Utf16);
    }
    let kind = infer::get(bytes)?;
    let ending = kind.extension().to_owned();
    Some(match kind.matcher_type() {
        infer::MatcherType::Image => Unread::Image { found: ending },
        _ if PACKED.contains(&kind.extension()) => Unread::Packed { found: ending },
        _ => Unread::Media { found: kind.mime_type().to_owned() },
    })
}

/// Recognises a text that does not begin like a record.
pub(super) fn of_text(text: &str) -> Option<Unread> {
    if CHESS_FEN.is_match(text.trim_start()) {
        return Some(Unread::ChessPosition);
    }
    if text.trim_start().starts_with("(;") {
        return Some(Unread::OtherGame { found: "SGF".to_owned() });
    }
    let mut moves = moves(text.lines());
    // A single word may look like a move by chance.
    let first_two = [moves.next(), moves.next()];
    let is_chess = first_two.iter().all(|word| word.is_some_and(|word| SAN.is_match(word)));
    is_chess.then_some(Unread::Chess)
}

/// The game of another program around this line, and the line on which it begins. `None` if the game may be ours.
pub(super) fn of_record(text: &str, line: usize) -> Option<(usize, Unread)> {
    let begin = begin_of_record(text, line);
    let lines = || text.lines().skip(begin - 1);
    let tags: Vec<(&str, &str)> =
        lines().take_while(|line| line.starts_with('[')).map(tag).take(TAGS).collect();
    let value = |name: &str| tags.iter().find(|tag| tag.0 == name).map(|tag| tag.1);
    if value("Game").is_some() {
        return None;
    }
    let found = match (value("Variant"), value("GameType")) {
        (Some(variant), _) => shown(variant),
        (None, Some(number)) => shown(&format!("GameType {number}")),
        (None, None) => {
            let mut moves = moves(lines().skip(tags.len())).peekable();
            let first = moves.peek().copied();
            let is_kin = CHESS_TAGS.iter().any(|name| value(name).is_some());
            match first {
                _ if moves.any(|word| SAN.is_match(word)) => return Some((begin, Unread::Chess)),
                None if is_kin => return Some((begin, Unread::Chess)),
                Some(first) if is_kin => shown(first),
                _ => return None,
            }
        }
    };
    Some((begin, Unread::OtherGame { found }))
}

/// The first line of the tags before this line.
fn begin_of_record(text: &str, line: usize) -> usize {
    let mut begin = 1;
    let mut was_tag = false;
    for (content, number) in text.lines().zip(1..=line) {
        let is_tag = content.starts_with('[');
        if is_tag && !was_tag {
            begin = number;
        }
        was_tag = is_tag;
    }
    begin
}

/// The name and the value of a tag. Either may be empty if the line is no tag.
fn tag(line: &str) -> (&str, &str) {
    let (name, value) = line[1..].split_once(' ').unwrap_or_default();
    (name, value.trim().trim_end_matches(']').trim_matches('"'))
}

/// The first moves of a text up to the next tags.
fn moves<'a>(lines: impl Iterator<Item = &'a str>) -> impl Iterator<Item = &'a str> {
    let lines = lines.take_while(|line| !line.starts_with('['));
    let is_move = |word: &&str| !word.ends_with('.') && !RESULTS.contains(word);
    lines.flat_map(str::split_whitespace).filter(is_move).take(WORDS)
}
