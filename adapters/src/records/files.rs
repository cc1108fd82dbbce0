//! The games of a file: of records (SPEC 19.13), or of the session in a transcript (SPEC 16).

use leap_protocol::Transcript;
use leap_protocol::transcript::TranscriptError;
use thiserror::Error;

use super::followed::Session;
use super::stored::StoredGame;
use super::{Record, RecordError};
use crate::terminal::shown;

/// Why a file has no games.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum StoredError {
    #[error("expected a text in UTF-8, found something else")]
    NotUtf8,
    #[error("expected a game record or a transcript, found an empty file")]
    Empty,
    #[error("expected a transcript with a game, found none")]
    NoGame,
    #[error(
        "expected a game record, which begins with [Game \"...\"], or a transcript, which begins with ugt 1, found '{found}'"
    )]
    Neither { line: usize, found: String },
    #[error("expected a game with the tag Game, found one without")]
    Nameless { line: usize },
    #[error("{}", .0.text)]
    Record(#[from] RecordError),
    #[error("column {}: {}", .0.column, .0.text)]
    Transcript(TranscriptError),
}

impl StoredError {
    /// The line of the fault, from 1, unless it is the file as a whole. It is not part of the message.
    pub(crate) fn line(&self) -> Option<usize> {
        match self {
            Self::NotUtf8 | Self::Empty | Self::NoGame => None,
            Self::Neither { line, .. } | Self::Nameless { line } => Some(*line),
            Self::Record(error) => Some(error.line),
            Self::Transcript(error) => Some(error.line),
        }
    }
}

/// The games of a file, at least one, one at a time. Stop at the first error.
///
/// # Errors
/// If the file is neither of the two.
pub(crate) fn read_games<'a>(
    bytes: &'a [u8],
) -> Result<Box<dyn Iterator<Item = Result<StoredGame, StoredError>> + 'a>, StoredError> {
    let text = std::str::from_utf8(bytes).map_err(|_| StoredError::NotUtf8)?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.starts_with("ugt ") {
        let transcript = Transcript::parse(text.as_bytes()).map_err(StoredError::Transcript)?;
        let games = Session::games(&transcript);
        return match games.is_empty() {
            true => Err(StoredError::NoGame),
            false => Ok(Box::new(games.into_iter().map(Ok))),
        };
    }
    let mut lines = text.lines().zip(1..);
    let (first, line) =
        lines.find(|(line, _)| !line.trim().is_empty()).ok_or(StoredError::Empty)?;
    if !first.starts_with('[') {
        let found = shown(first);
        return Err(StoredError::Neither { line, found });
    }
    let games = Record::parse_each(text).map(|record| {
        let (line, record) = record?;
        StoredGame::of_record(line, &record).ok_or(StoredError::Nameless { line })
    });
    Ok(Box::new(games))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(text: impl AsRef<[u8]>) -> Result<Vec<StoredGame>, String> {
        let games = read_games(text.as_ref()).and_then(Iterator::collect);
        games.map_err(|error| {
            let place = error.line().map_or_else(String::new, |line| format!("line {line}: "));
            format!("{place}{error}")
        })
    }

    #[test]
    fn a_record_is_a_game_with_its_rules_and_all_that_is_said_about_it() {
        let text = "[Game \"eximo\"]\n[Fen \"8/8 1\"]\n[Option \"A=b=c\"]\n\n1. a1a2 {cp 3} 2. b1b2 p1win\n\n\
                    [Game \"sapos\"]\n\n*\n";
        let [first, second] = &games(text).unwrap()[..] else { unreachable!("two games") };
        assert_eq!((first.line, first.id.as_deref(), first.ply), (1, Some("eximo"), 2));
        assert_eq!(first.start.as_deref(), Some("8/8 1"));
        assert_eq!(first.options, [("A".to_owned(), "b=c".to_owned())]);
        let details = first.record.as_ref().unwrap();
        assert_eq!(
            (&details.comments[..], details.result),
            (&["{cp 3}".to_owned(), String::new()][..], "p1win")
        );
        assert_eq!((second.line, second.moves.len(), &second.start), (7, 0, &None));
    }

    #[test]
    fn what_has_no_games_is_refused_with_what_was_expected() {
        for (text, error) in [
            (&b" \n\n"[..], "expected a game record or a transcript, found an empty file"),
            (b"\xff", "expected a text in UTF-8, found something else"),
            (b"\n1. a1a2 *", "line 2: expected a game record, which begins with [Game"),
            (
                b"[Site \"here\"]\n\n*\n",
                "line 1: expected a game with the tag Game, found one without",
            ),
            (b"[Game \"a\"]\n\n1. a1a2\n", "line 3: expected a result"),
            (b"ugt 2\n", "line 1: column 1: expected"),
            (b"ugt 1\n> isready\n< readyok\n", "expected a transcript with a game, found none"),
            (b"ugt 1\nhello\n", "line 2: column 1: expected"),
        ] {
            let found = games(text).unwrap_err();
            assert!(found.starts_with(error), "{found}");
        }
    }
}
