//! Games as text in the form of OpenBench's archives: headers, an empty line, moves with comments, an empty line.

use std::collections::BTreeMap;
use std::io::{BufRead, Read};

use anyhow::{Context, Result, ensure};

/// The largest size of a game, in bytes.
const MAX_BYTES: usize = 1 << 20;
/// The largest score that is one, in pawns. It fits the score of a sample.
const MAX_PAWNS: f64 = 1_000_000.0;

/// A game, as it is written.
#[derive(Debug, Default)]
pub(crate) struct Text {
    /// The line where the game begins.
    pub(crate) line: u64,
    headers: BTreeMap<String, String>,
    moves: String,
    bytes: usize,
}

/// A move, as it is written.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Made<'a> {
    /// The move in UGI. OpenBench knows no `@`, so it was written as `*`.
    pub(crate) text: String,
    /// What the engine said of the position before the move.
    comment: Option<&'a str>,
}

impl Text {
    /// The value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
    }

    /// The moves, without numbers and result.
    pub(crate) fn moves(&self) -> Vec<Made<'_>> {
        let mut moves: Vec<Made<'_>> = Vec::new();
        // Every other part is inside braces.
        for (outside, rest) in
            self.moves.split('}').map(|part| part.split_once('{').unwrap_or((part, "")))
        {
            let words = outside.split_whitespace().filter(|word| is_move(word));
            moves.extend(words.map(|word| Made { text: word.replace('*', "@"), comment: None }));
            if let Some(last) = moves.last_mut().filter(|last| last.comment.is_none()) {
                last.comment = Some(rest.trim()).filter(|comment| !comment.is_empty());
            }
        }
        moves
    }
}

/// Whether a word is neither the number of a move nor a result.
fn is_move(word: &str) -> bool {
    let is_number = word.trim_end_matches('.').bytes().all(|byte| byte.is_ascii_digit());
    !is_number && !["1-0", "0-1", "1/2-1/2", "*"].contains(&word)
}

impl Made<'_> {
    /// The score in centipawns for the side that moves. `None` for an announced win, and where there is no score.
    pub(crate) fn score(&self) -> Option<i64> {
        let (pawns, _depth) = self.comment?.split_once('/')?;
        let pawns = pawns.parse().ok().filter(|pawns: &f64| pawns.abs() <= MAX_PAWNS)?;
        Some((pawns * 100.0).round() as i64)
    }
}

/// Reads games one by one.
///
/// # Errors
/// The input cannot be read, a game is too long, or `each` fails.
pub(crate) fn read(
    mut input: impl BufRead,
    mut each: impl FnMut(Text) -> Result<()>,
) -> Result<()> {
    let mut game = Text::default();
    let mut line = String::new();
    for number in 1.. {
        line.clear();
        let room = (MAX_BYTES - game.bytes + 1) as u64;
        let read = input.by_ref().take(room).read_line(&mut line).context("cannot read on")?;
        game.bytes += read;
        ensure!(
            game.bytes <= MAX_BYTES,
            "line {number}: expected a game of at most {MAX_BYTES} bytes, found a longer one"
        );
        let text = line.trim();
        let is_header = text.starts_with('[');
        // Archives are joined without an empty line between them.
        if !game.moves.is_empty() && (is_header || text.is_empty()) {
            each(std::mem::take(&mut game))?;
        }
        if read == 0 {
            break;
        }
        if game.line == 0 && !text.is_empty() {
            game.line = number;
        }
        if is_header {
            game.headers.extend(header(text));
        } else if !text.is_empty() {
            game.moves.push_str(text);
            game.moves.push(' ');
        }
    }
    Ok(())
}

/// The name and the value of a header `[Name "value"]`.
fn header(text: &str) -> Option<(String, String)> {
    let (name, rest) = text.strip_prefix('[')?.split_once(' ')?;
    let value = rest.trim().strip_prefix('"')?.strip_suffix("\"]")?;
    Some((name.to_owned(), value.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(text: &str) -> Vec<Text> {
        let mut games = Vec::new();
        read(text.as_bytes(), |game| {
            games.push(game);
            Ok(())
        })
        .unwrap();
        games
    }

    #[test]
    fn moves_have_their_scores_and_numbers_and_results_are_none() {
        let text = "\n[Result \"1-0\"]\n\n1. d6d8*b1*c1 {+0.35/9} b7b6 {-0.10/8, line=b7b6} \
                    2. a2a3 {M5/3}\n... c7c6 {book} d2d3 {unknown} e7e6 f2f3 {inf/2} 1-0\n\n";
        let [game] = &games(text)[..] else { panic!("one game") };
        assert_eq!((game.line, game.header("Result"), game.header("FEN")), (2, Some("1-0"), None));
        let moves = game.moves();
        let texts: Vec<&str> = moves.iter().map(|made| &*made.text).collect();
        assert_eq!(texts, ["d6d8@b1@c1", "b7b6", "a2a3", "c7c6", "d2d3", "e7e6", "f2f3"]);
        let scores: Vec<_> = moves.iter().map(Made::score).collect();
        assert_eq!(scores, [Some(35), Some(-10), None, None, None, None, None]);
    }

    #[test]
    fn games_of_joined_archives_are_told_apart() {
        let one = "[Result \"1-0\"]\n\na2a3 {+0.00/1} 1-0\n";
        let games = games(&format!("{one}{one}\n{one}"));
        let lines: Vec<u64> = games.iter().map(|game| game.line).collect();
        assert_eq!(lines, [1, 4, 8]);
        assert!(games.iter().all(|game| game.moves().len() == 1));
    }

    #[test]
    fn a_game_without_an_end_does_not_fill_memory() {
        let endless = "a2a3 ".repeat(MAX_BYTES);
        let error = read(endless.as_bytes(), |_| Ok(())).unwrap_err();
        assert!(error.to_string().contains("line 1: expected a game of at most"), "{error}");
    }
}
