//! Games of a test that repeat another one. They say nothing new, so the result looks surer than it is.
//!
//! A run is one of many of a test, and openings come again in later runs. The games of earlier runs are in the files that
//! the worker keeps beside that of this run for a day.

use std::fs;
use std::path::Path;

use leap_base::files;
use leap_match::events::repeats::RepeatedGames;

/// The longest file of games that is read.
const MAX_BYTES: u64 = 1 << 26;

/// The games of the test that a file of games belongs to, which others may repeat. What cannot be read is left out.
pub(crate) fn of_test(file: Option<&Path>) -> RepeatedGames {
    let mut repeats = RepeatedGames::default();
    let entries = file.and_then(test_of).and_then(|test| {
        let folder = file?.parent().filter(|folder| !folder.as_os_str().is_empty());
        Some((test, fs::read_dir(folder.unwrap_or(Path::new("."))).ok()?))
    });
    let Some((test, entries)) = entries else { return repeats };
    for entry in entries.flatten().filter(|entry| test_of(&entry.path()).as_ref() == Some(&test)) {
        let text = files::read_text(&entry.path(), MAX_BYTES).unwrap_or_default();
        // Tags, an empty line, moves, an empty line.
        let parts: Vec<&str> = text.split("\n\n").collect();
        for game in parts.chunks_exact(2) {
            repeats.know(key(game[0], game[1]));
        }
    }
    repeats
}

/// Counts a game of this run, as its text.
pub(crate) fn count(repeats: &mut RepeatedGames, game: &str) {
    let (tags, moves) = game.split_once("\n\n").unwrap_or((game, ""));
    repeats.count_game(key(tags, moves));
}

/// The number of the test in a file name of the worker: test, result, time and runner, with points between them.
fn test_of(file: &Path) -> Option<String> {
    let parts: Vec<&str> = file.file_name()?.to_str()?.split('.').collect();
    let [test, _, _, _, "pgn"] = parts[..] else { return None };
    Some(test.to_owned())
}

/// Who plays which side, where the game begins, and its moves without comments and the result.
fn key<'a>(tags: &'a str, moves: &'a str) -> Vec<&'a str> {
    let is_start =
        |line: &&str| ["[White ", "[Black ", "[FEN "].iter().any(|tag| line.starts_with(tag));
    let bare = moves.split('{').map(|part| part.split_once('}').map_or(part, |(_, after)| after));
    let words = bare.flat_map(str::split_whitespace);
    let mut key: Vec<&str> = tags.lines().filter(is_start).chain(words).collect();
    // The result is the last word, and follows from the moves, or from a fault.
    key.pop();
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(white: &str, fen: &str, moves: &str, time: &str) -> String {
        format!(
            "[Event \"leap\"]\n[White \"{white}\"]\n[Black \"b\"]\n[FEN \"{fen}\"]\n[GameEndTime \"{time}\"]\n\n\
             1. {moves} {{+0.35/9 {time}s}} 1-0\n\n"
        )
    }

    #[test]
    fn a_game_repeats_another_one_with_the_same_sides_start_and_moves() {
        let mut repeats = of_test(None);
        for (white, fen, moves, time, expected) in [
            ("a", "8/8", "a1a2", "1", "0 of 1 games repeat"),
            ("b", "8/8", "a1a2", "1", "0 of 2 games repeat"),
            ("a", "7/7", "a1a2", "1", "0 of 3 games repeat"),
            ("a", "8/8", "a1a2 {x} b1b2", "1", "0 of 4 games repeat"),
            ("a", "8/8", "a1a2", "2", "1 of 5 games repeats"),
            ("b", "8/8", "a1a2", "2", "2 of 6 games repeat"),
        ] {
            count(&mut repeats, &game(white, fen, moves, time));
            assert_eq!(repeats.to_string(), format!("{expected} another game"));
        }
    }

    #[test]
    fn games_of_earlier_runs_of_the_test_count_and_those_of_other_tests_do_not() {
        let dir = tempfile::tempdir().unwrap();
        let two = [game("a", "8/8", "a1a2", "1"), game("b", "8/8", "a1a2", "1")].concat();
        fs::write(dir.path().join("12.3.100.0.pgn"), two).unwrap();
        fs::write(dir.path().join("1.3.100.0.pgn"), game("a", "9/9", "a1a2", "1")).unwrap();
        // Half a game, which a runner writes just now.
        fs::write(dir.path().join("12.4.100.0.pgn"), "[Event \"le").unwrap();
        let mut repeats = of_test(Some(&dir.path().join("12.3.200.0.pgn")));
        for fen in ["8/8", "9/9"] {
            count(&mut repeats, &game("a", fen, "a1a2", "5"));
        }
        assert_eq!(repeats.to_string(), "1 of 2 games repeats another game");
    }

    #[test]
    fn a_file_of_another_name_belongs_to_no_test() {
        let names = ["games.pgn", "1.pgn", "1.2.3.0.pgn.bz2", "", "1.2.3.4.5.pgn"];
        assert!(names.iter().all(|name| test_of(Path::new(name)).is_none()));
        assert_eq!(test_of(Path::new("PGNs/17.2.3.0.pgn")), Some("17".to_owned()));
    }
}
