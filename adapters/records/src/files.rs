//! The games of a file: of records (SPEC 19.13), or of the session in a transcript (SPEC 16).

use leap_protocol::shown;
use leap_transcript::{Transcript, TranscriptError};

use super::followed::Session;
use super::stored::StoredGame;
use super::{Record, Refusal, Unread, foreign};

/// Reads the games of a file, one at a time. There is at least one. Stop at the first error.
///
/// # Errors
/// If the file is neither a record nor a transcript with a game.
pub fn read_games<'a>(
    bytes: &'a [u8],
) -> Result<Box<dyn Iterator<Item = Result<StoredGame, Refusal>> + 'a>, Refusal> {
    let whole = |why| Refusal::new(None, why);
    if let Some(what) = foreign::of_bytes(bytes) {
        return Err(whole(what));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| not_utf8(bytes, error.valid_up_to()))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.starts_with("ugt ") {
        let entries = Transcript::parse_each(text).map_err(of_transcript)?;
        let mut games =
            Session::games(entries.map(|entry| entry.map_err(of_transcript))).peekable();
        return match games.peek() {
            None => Err(whole(Unread::NoGame)),
            Some(_) => Ok(Box::new(games)),
        };
    }
    let mut lines = text.lines().zip(1..);
    let first = lines.find(|(line, _)| !line.trim().is_empty());
    let (first, line) = first.ok_or_else(|| whole(Unread::Empty))?;
    if !first.starts_with('[') {
        let neither = || Refusal::new(Some(line), Unread::Neither { found: shown(first) });
        return Err(foreign::of_text(text).map_or_else(neither, whole));
    }
    let games = Record::parse_each(text).map(move |record| {
        let (places, record) =
            record.map_err(|error| in_records(text, error.line, error.into()))?;
        let line = places.begin;
        let nameless = || in_records(text, line, Refusal::new(Some(line), Unread::Nameless));
        StoredGame::of_record(places, record).ok_or_else(nameless)
    });
    Ok(Box::new(games))
}

fn of_transcript(TranscriptError { line, column, text }: TranscriptError) -> Refusal {
    Refusal::new(Some(line), Unread::Transcript { column, fault: text })
}

/// Refuses a file that is not UTF-8 from this byte on.
fn not_utf8(bytes: &[u8], valid_up_to: usize) -> Refusal {
    let line = 1 + bytes[..valid_up_to].iter().filter(|&&byte| byte == b'\n').count();
    Refusal::new(Some(line), Unread::NotUtf8 { byte: format!("0x{:02X}", bytes[valid_up_to]) })
}

/// The refusal for a fault on a line of records. A game of another program is named as such.
fn in_records(text: &str, line: usize, fault: Refusal) -> Refusal {
    foreign::of_record(text, line).map_or(fault, |(line, what)| Refusal::new(Some(line), what))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Outcome, Score};

    fn games(text: impl AsRef<[u8]>) -> Result<Vec<StoredGame>, String> {
        let games = read_games(text.as_ref()).and_then(Iterator::collect);
        games.map_err(|error| {
            let place = error.line.map_or_else(String::new, |line| format!("line {line}: "));
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
        assert_eq!((details.plies[0].score, details.result), (Some(Score::Cp(3)), Outcome::P1Win));
        assert_eq!((second.line, second.moves.len(), &second.start), (7, 0, &None));
        assert_eq!((first.start_line, &first.move_lines[..]), (Some(2), &[5, 5][..]));
        assert_eq!((second.start_line, second.move_lines.len()), (None, 0));
    }

    #[test]
    fn what_has_no_games_is_refused_with_what_was_expected() {
        for (text, error) in [
            (&b" \n\n"[..], "expected a game record or a transcript, found an empty file"),
            (b"ok\n\xff", "line 2: expected a text in UTF-8, found the byte 0xFF"),
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

    #[test]
    fn games_of_other_programs_are_named_as_such() {
        let chess =
            "[Event \"Casual\"]\n[White \"Ann\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n";
        let ours = "[Game \"eximo\"]\n\n1. c3c4 *\n\n";
        for row in [
            "CHESS => line 1: expected a record of this program, found one of chess, which it does not play",
            "OURSCHESS => line 5: expected a record of this program, found one of chess",
            "[Site \"x\"]\n1.e4 c5 *\n => line 1: expected a record of this program, found one of chess",
            "[Black \"x\"]\n\n1/2-1/2\n => line 1: expected a record of this program, found one of chess",
            "1. e4 e5 2. Bb5+ O-O-O?! 1/2-1/2 => expected a record of this program, found one of chess",
            "[Variant \"Atomic\"]\n\n1. e4 *\n => line 1: OTHER (Atomic)",
            "[White \"x\"]\n[GameType \"20\"]\n\n1. 32-28 *\n => line 1: OTHER (GameType 20)",
            "[White \"x\"]\n\n1. 32-28 19-23 *\n => line 1: OTHER (32-28)",
            "(;GM[1]FF[4]SZ[19];B[pd]) => OTHER (SGF)",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 => expected a record of this program, \
             found a position of chess",
            // Tags of chess do not make a game of ours foreign.
            "[Game \"eximo\"]\n[White \"Ann\"]\n\n1. c3c4\n => line 4: expected a result",
            "[Game \"eximo\"]\n\n1. e4 e5\n => line 3: expected a result",
        ] {
            let other = "expected a record of this program, found one of another game";
            let row = row.replace("OURS", ours).replace("CHESS", chess).replace("OTHER", other);
            let (text, error) = row.split_once(" => ").unwrap();
            let found = games(text).unwrap_err();
            assert!(found.starts_with(error), "{text}: {found}");
        }
    }

    #[test]
    fn files_of_other_kinds_are_named() {
        for (bytes, error) in [
            (&b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"[..], "expected a text, found an image (png)"),
            (b"\xff\xd8\xff\xe0\0\x10JFIF", "expected a text, found an image (jpg)"),
            (
                b"\x1f\x8b\x08\0\0\0\0\0\0\x03",
                "expected a text, found a packed file (gz), which has to be unpacked first",
            ),
            (b"PK\x03\x04\x14\0\0\0\x08\0", "expected a text, found a packed file (zip)"),
            (b"%PDF-1.7\n", "expected a text, found a file of the type application/pdf"),
            (
                b"<!DOCTYPE html><html></html>",
                "expected a text, found a file of the type text/html",
            ),
            (b"\xff\xfe[\0G\0", "expected a text in UTF-8, found one in UTF-16"),
            (b"\xfe\xff\0[\0G", "expected a text in UTF-8, found one in UTF-16"),
            (b"[\0G\0a\0m\0e\0 \0", "expected a text in UTF-8, found one in UTF-16"),
        ] {
            let found = games(bytes).unwrap_err();
            assert!(found.starts_with(error), "{found}");
        }
    }
}
