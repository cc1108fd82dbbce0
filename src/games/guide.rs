//! What people are told about the games, as data: a folder for each language, named by its tag, which holds a file for
//! each game, named by its id, and `common.txt` for what all games share.
//!
//! The lines of a file are those of the answer to `query rules` (SPEC 4.35), without the word `rules` and without what
//! the engine knows by itself: languages, title, the effects of moves. A line that begins with a blank continues the
//! one before it; empty lines mean nothing.

use include_dir::{Dir, include_dir};

use super::GameId;

static TEXTS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/src/games/guide");

/// The language of people who have not chosen one.
pub const DEFAULT: &str = "en";

/// The tags of all languages, in alphabetical order.
///
/// ```
/// assert!(leapd::games::guide::languages().any(|tag| tag == "en"));
/// ```
pub fn languages() -> impl Iterator<Item = &'static str> {
    TEXTS.dirs().filter_map(|folder| folder.path().to_str())
}

/// The language that is nearest to a tag: the language itself, else the one that its first part names (`es` for
/// `es-AR`), else [`DEFAULT`]. The case of letters does not count.
///
/// ```
/// use leapd::games::guide::nearest;
///
/// assert_eq!((nearest("ES"), nearest("es-AR"), nearest("tlh")), ("es", "es", "en"));
/// ```
#[must_use]
pub fn nearest(tag: &str) -> &'static str {
    let first = tag.split('-').next().unwrap_or_default();
    let known = |tag: &str| languages().find(|language| language.eq_ignore_ascii_case(tag));
    known(tag).or_else(|| known(first)).unwrap_or(DEFAULT)
}

/// The lines about a game alone in one of the [`languages`].
#[must_use]
pub fn lines(game: GameId, language: &str) -> Vec<String> {
    read(language, game.into())
}

/// The lines for all games in one of the [`languages`].
#[must_use]
pub fn common_lines(language: &str) -> Vec<String> {
    read(language, "common")
}

fn read(language: &str, name: &str) -> Vec<String> {
    let file = TEXTS.get_file(format!("{language}/{name}.txt"));
    let text = file.and_then(|file| file.contents_utf8()).unwrap_or_default();
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        match lines.last_mut().filter(|_| line.starts_with(' ')) {
            Some(last) => last.extend([" ", line.trim()]),
            None => lines.push(line.to_owned()),
        }
    }
    lines
}
