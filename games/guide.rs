//! The rules for people, as data: a file for each language, named by its tag.
//!
//! Each game has such files in its folder. The folder `guide/` has those for all games.
//!
//! The lines of a file are the answer to `query rules` (SPEC 4.35), without the word `rules`. They also leave out what
//! the engine knows by itself: languages, title, the effects of moves, and the moves that do a task. A line that begins with a blank continues
//! the line before it. Empty lines mean nothing.

use include_dir::{Dir, include_dir};

use crate::GameId;

static COMMON: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/guide");

/// The language of people who have not chosen one.
pub const DEFAULT: &str = "en";

/// The tags of all languages, in alphabetical order.
///
/// ```
/// assert!(leap_games::guide::languages().any(|tag| tag == "en"));
/// ```
pub fn languages() -> impl Iterator<Item = &'static str> {
    COMMON.files().filter_map(|file| file.path().file_stem()?.to_str())
}

/// The language that is nearest to a tag. The case of letters does not matter.
///
/// It is the language itself, or the language of the tag's first part (`es` for `es-AR`), or [`DEFAULT`].
///
/// ```
/// use leap_games::guide::nearest;
///
/// assert_eq!((nearest("ES"), nearest("es-AR"), nearest("tlh")), ("es", "es", "en"));
/// ```
#[must_use]
pub fn nearest(tag: &str) -> &'static str {
    let first = tag.split('-').next().unwrap_or_default();
    let known = |tag: &str| languages().find(|language| language.eq_ignore_ascii_case(tag));
    known(tag).or_else(|| known(first)).unwrap_or(DEFAULT)
}

/// The lines about a single game in one of the [`languages`].
#[must_use]
pub fn lines(game: GameId, language: &str) -> Vec<String> {
    read(&game.guide(), language)
}

/// The lines for all games in one of the [`languages`].
#[must_use]
pub fn common_lines(language: &str) -> Vec<String> {
    read(&COMMON, language)
}

fn read(texts: &Dir<'_>, language: &str) -> Vec<String> {
    let file = texts.get_file(format!("{language}.txt"));
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
