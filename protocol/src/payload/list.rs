//! Bodies that are lists of words.

use std::fmt;
use std::str::FromStr;

use nom::Parser;
use nom::combinator::rest;
use nom::multi::many0;
use nom::sequence::{preceded, terminated};

use super::{PayloadError, parsed};
use crate::line::MAX_LINE_BYTES;
use crate::print::{Joined, pairs, spaced_all};
use crate::scan::{counted, end, keyword, owned, words};
use crate::visible::OneLine;

/// The answer to `query moves`, and to `query history`: `<count> <move>...`, or `<count>+ <move>...` when the list was
/// cut.
///
/// ```
/// use leap_protocol::payload::MoveList;
///
/// let list: MoveList = "2+ a1c3 d4e5".parse()?;
/// assert_eq!(list.moves, ["a1c3", "d4e5"]);
/// assert!(list.more);
/// # Ok::<(), leap_protocol::payload::PayloadError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MoveList {
    /// The moves listed, each a word: the legal moves, or the moves made since the start position. The count on the
    /// wire is their number.
    pub moves: Vec<String>,
    /// There are more legal moves than these, or more moves were made before them.
    pub more: bool,
}

/// The most bytes of the moves in an answer to `query moves` or `query history`. Each move counts with the blank before
/// it. A line has [`MAX_LINE_BYTES`], and `response` and the largest count take some of them.
pub const MAX_LISTED_BYTES: usize = MAX_LINE_BYTES - "response 18446744073709551615+".len();

parsed_as!(
    MoveList: counted(owned).map(|(moves, more)| MoveList { moves, more }),
    "a count of moves and as many moves"
);

impl fmt::Display for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.moves.len(), if self.more { "+" } else { "" })?;
        spaced_all(f, &self.moves)
    }
}

/// The answer to `query next` (squares, drops such as `@c3`, and `end`) and to `query games`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tokens(
    /// The words, in the engine's order. May be empty.
    pub Vec<String>,
);

impl Tokens {
    /// The token of `query next` that says the move may end here.
    pub const END: &str = "end";

    /// Whether the partly entered move is a move as it stands.
    #[must_use]
    pub fn may_end(&self) -> bool {
        self.0.iter().any(|token| token == Self::END)
    }
}

parsed_as!(Tokens: words.map(Tokens), "words");

impl fmt::Display for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<_> = self.0.iter().map(|word| OneLine(word)).collect();
        Joined(&words).fmt(f)
    }
}

/// The answer to `query protocol`: `leap <version> <extension>...`.
///
/// ```
/// use leap_protocol::payload::ProtocolInfo;
///
/// let info: ProtocolInfo = "leap 2.1 fen moves legal".parse()?;
/// assert!(info.supports("moves") && !info.supports("perft"));
/// assert!(ProtocolInfo::complete().supports("perft"));
/// # Ok::<(), leap_protocol::payload::PayloadError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProtocolInfo {
    /// The version of the protocol, a word such as `2.1`.
    pub version: String,
    /// The names of the extensions that the engine has, each a word.
    pub extensions: Vec<String>,
}

impl ProtocolInfo {
    /// The version that this crate knows (SPEC 18).
    pub const VERSION: &str = "2.1";

    /// The names of all extensions of that version (SPEC 4.6).
    pub const EXTENSIONS: [&str; 21] = [
        "fen", "moves", "legal", "status", "perft", "games", "game", "board", "next", "effects",
        "history", "move", "undo", "draw", "eval", "id", "rules", "turn", "problems", "value", "d",
    ];

    /// The answer of an engine that has all extensions.
    #[must_use]
    pub fn complete() -> Self {
        let extensions = Self::EXTENSIONS.map(str::to_owned).to_vec();
        Self { version: Self::VERSION.to_owned(), extensions }
    }

    /// The major version; `None` if there is none to read.
    #[must_use]
    pub fn major(&self) -> Option<u32> {
        self.version.split('.').next()?.parse().ok()
    }

    /// Whether the engine has this extension.
    #[must_use]
    pub fn supports(&self, extension: &str) -> bool {
        self.extensions.iter().any(|name| name == extension)
    }
}

parsed_as!(
    ProtocolInfo: preceded(keyword("leap"), (owned, words))
        .map(|(version, extensions)| ProtocolInfo { version, extensions }),
    "'leap <version> <extension>...'"
);

impl fmt::Display for ProtocolInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "leap {}", OneLine(&self.version))?;
        spaced_all(f, &self.extensions)
    }
}

/// The answer to `query game`: `<id> <option> <value>...`, the game in play and every rule option that applies to it,
/// with its current value (SPEC 4.21).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameInfo {
    /// The id of the game, a word.
    pub game: String,
    /// The options, in the engine's order.
    pub options: KeyValues,
}

impl FromStr for GameInfo {
    type Err = PayloadError;

    fn from_str(body: &str) -> Result<Self, Self::Err> {
        let (game, options) = parsed((owned, rest), body, "a game's id")?;
        Ok(Self { game, options: options.parse()? })
    }
}

impl fmt::Display for GameInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        OneLine(&self.game).fmt(f)?;
        pairs(f, &self.options.0)
    }
}

/// Pairs of words, such as the rule options in [`GameInfo`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyValues(
    /// The pairs, in the engine's order.
    pub Vec<(String, String)>,
);

impl KeyValues {
    /// The value of the first pair with this key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.iter().find(|(k, _)| k == key).map(|(_, value)| value.as_str())
    }
}

parsed_as!(
    KeyValues: terminated(many0((owned, owned)), end).map(KeyValues),
    "pairs of a key and a value"
);

impl fmt::Display for KeyValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = self.0.iter().flat_map(|(key, value)| [OneLine(key), OneLine(value)]);
        Joined(&words.collect::<Vec<_>>()).fmt(f)
    }
}
