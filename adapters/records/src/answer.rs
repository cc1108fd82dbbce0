//! The answer of server and browser to a page that opens a file: its games, or why it is not opened.

use std::io::{self, Write};

use super::{Refusal, Unread, read_games};

/// The longest file that is read, in bytes.
pub const MAX_BYTES: usize = 4 << 20;
/// The longest game, in moves.
const MAX_MOVES: usize = 10_000;
/// The longest answer, in bytes. Only transcripts can reach it, since each of their games repeats all options.
const MAX_ANSWER: usize = 64 << 20;

impl Unread {
    /// The reason to refuse a file of more than [`MAX_BYTES`].
    #[must_use]
    pub fn large_file() -> Self {
        Self::LargeFile { max: MAX_BYTES >> 20 }
    }
}

/// The games of a file as JSON: `{"games":[...]}`, with a [`StoredGame`](super::StoredGame) each.
///
/// ```
/// let games = leap_records::answer(b"[Game \"sapos\"]\n\n1. d2d4@c4 *\n").expect("a record");
/// assert!(games.starts_with(br#"{"games":[{"line":1,"id":"sapos","#));
/// let refusal = leap_records::answer(b"hello").expect_err("no record");
/// assert!(refusal.to_json().starts_with(br#"{"line":1,"text":"expected a game record, "#));
/// ```
///
/// # Errors
/// [`Refusal`] for the first fault, or if the file or one of its games is too long.
pub fn answer(bytes: &[u8]) -> Result<Vec<u8>, Refusal> {
    if bytes.len() > MAX_BYTES {
        return Err(Refusal::new(None, Unread::large_file()));
    }
    let mut json = Bounded(b"{\"games\":[".to_vec());
    // Each game is written when it is read, so that not all games are in memory.
    for (game, index) in read_games(bytes)?.zip(0..) {
        let game = game?;
        if game.moves.len() > MAX_MOVES {
            let why = Unread::LongGame { max: MAX_MOVES };
            return Err(Refusal::new(Some(game.line), why));
        }
        if index > 0 {
            json.0.push(b',');
        }
        serde_json::to_writer(&mut json, &game).map_err(|_| {
            Refusal::new(Some(game.line), Unread::LargeGames { max: MAX_ANSWER >> 20 })
        })?;
    }
    json.0.extend_from_slice(b"]}");
    Ok(json.0)
}

/// An answer that does not grow beyond [`MAX_ANSWER`].
struct Bounded(Vec<u8>);

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > MAX_ANSWER {
            return Err(io::ErrorKind::OutOfMemory.into());
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(bytes: &[u8]) -> (Option<usize>, String) {
        let refusal = answer(bytes).unwrap_err();
        (refusal.line, refusal.text)
    }

    #[test]
    fn games_are_json_one_after_the_other() {
        let json = answer(b"[Game \"a\"]\n\n1. b {cp 3} *\n[Game \"c\"]\n\n*\n").unwrap();
        let first = r#"{"line":1,"id":"a","start":null,"moves":["b"],"ply":1,"startLine":null,"moveLines":[3],"options":[],"record":{"tags":[["Game","a"]],"plies":[{"move":"b","score":{"cp":3}}],"result":"*"}}"#;
        let second = r#"{"line":4,"id":"c","start":null,"moves":[],"ply":0,"startLine":null,"moveLines":[],"options":[],"record":{"tags":[["Game","c"]],"plies":[],"result":"*"}}"#;
        assert_eq!(String::from_utf8(json).unwrap(), format!("{{\"games\":[{first},{second}]}}"));
    }

    #[test]
    fn numbers_that_javascript_cannot_hold_become_its_largest() {
        let text = format!("[Game \"a\"]\n\n1. b {{nodes {} us 7}} *\n", u64::MAX);
        let json = String::from_utf8(answer(text.as_bytes()).unwrap()).unwrap();
        assert!(json.contains(r#""nodes":9007199254740991,"timeUs":7"#), "{json}");
    }

    #[test]
    fn files_and_games_have_a_longest_size() {
        let most = vec![b' '; MAX_BYTES];
        assert!(refused(&most).1.ends_with("found an empty file"));
        let more = [&most[..], b" "].concat();
        assert_eq!(
            refused(&more),
            (None, "expected a file of at most 4 MiB, found a larger one".to_owned())
        );
        let game = |moves| format!("\n[Game \"a\"]\n\n{}*\n", "b ".repeat(moves));
        assert!(answer(game(MAX_MOVES).as_bytes()).is_ok());
        let (line, text) = refused(game(MAX_MOVES + 1).as_bytes());
        assert_eq!(
            (line, &*text),
            (Some(2), "expected a game of at most 10000 moves, found a longer one")
        );
    }

    /// Every game of a session has all options, so the answer could be as long as the square of the file.
    #[test]
    #[ignore = "slow: run by .ci/run"]
    fn the_options_of_many_games_fill_no_memory() {
        let mut session = "ugt 1\n".to_owned();
        for n in 0..50_000 {
            session += &format!("> setoption name a{n} value b\n");
        }
        session += &"> position startpos moves b\n> uginewgame\n".repeat(50_000);
        assert!(session.len() < MAX_BYTES);
        let (line, text) = refused(session.as_bytes());
        assert!(line.is_some_and(|line| line > 50_000), "{line:?}");
        assert_eq!(text, "expected games of at most 64 MiB with all their options, found more");
    }
}
