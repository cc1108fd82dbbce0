//! What a client sends: one command a line (SPEC 3 to 5).

mod argument;
mod go;
mod parse;
mod query;

use std::fmt;
use std::str::FromStr;

pub use go::{Go, MAX_ID_CHARS};
pub use query::{MAX_MOVES_LIMIT, Query};

use crate::error::CommandError;
use crate::option::EMPTY;
use crate::print::spaced_all;
use crate::visible::OneLine;

/// One line from the client to the engine.
///
/// ```
/// use leap_protocol::{Command, Query};
///
/// let command: Command = "query moves limit 3".parse()?;
/// assert_eq!(command, Command::Query(Query::Moves { limit: Some(3) }));
/// assert_eq!(command.to_string(), "query moves limit 3");
/// # Ok::<(), leap_protocol::CommandError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// `ugi` or `uci`: asks for the engine's name and options; picks the dialect.
    Hello(Dialect),
    /// `isready`: answered with `readyok` immediately, even during a search.
    IsReady,
    /// `uginewgame` or `ucinewgame`: the next position is of another game.
    NewGame(Dialect),
    /// `setoption name <name> [value <value>]`.
    SetOption {
        /// One or more words joined by single spaces, none of them `value`. Option names compare without regard to
        /// letter case; this is the name as written.
        name: String,
        /// The rest of the line, inner blanks kept; `None` without the word `value`. An empty one is printed as
        /// `<empty>`.
        value: Option<String>,
    },
    /// `position startpos [moves ...]` or `position fen <text> [moves ...]`.
    Position {
        /// Where the game began.
        start: Start,
        /// The moves made since, each a word.
        moves: Vec<String>,
    },
    /// `go ...`: starts a search.
    Go(Go),
    /// `stop`: ends the search, which then answers.
    Stop,
    /// `ponderhit`: the expected move was made, the ponder search becomes an ordinary one.
    PonderHit,
    /// `quit`: ends the process.
    Quit,
    /// `query ...`: asks about the rules or the game.
    Query(Query),
    /// `move <move>...` or `moves <move>...`: makes moves from the current position; at least one, each a word.
    Move(Vec<String>),
    /// `undo [n]`: takes back n moves, at least 1; 1 where n is left out.
    Undo(u32),
    /// `perft <depth>`: counts the move sequences of that many plies.
    Perft(u32),
    /// `draw offer`: proposes a draw by agreement.
    DrawOffer,
    /// `eval`: asks for the static evaluation in parts.
    Eval,
    /// `d`: asks for a picture of the position, for a person.
    Diagram,
    /// `debug on` or `debug off`.
    Debug(bool),
}

/// Which protocol a client greeted with (SPEC 2.11). Prints as the greeting.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, strum::Display)]
#[strum(serialize_all = "lowercase")]
pub enum Dialect {
    /// Universal Game Interface: `ugi`, `ugiok`, `uginewgame`.
    #[default]
    Ugi,
    /// Universal Chess Interface: `uci`, `uciok`, `ucinewgame`.
    Uci,
}

impl Dialect {
    /// The words for the clocks of player 1 and player 2 and for their increments (SPEC 2.13).
    #[must_use]
    pub const fn clock_words(self) -> [&'static str; 4] {
        match self {
            Self::Ugi => ["p1time", "p2time", "p1inc", "p2inc"],
            Self::Uci => ["wtime", "btime", "winc", "binc"],
        }
    }
}

/// The position that a game began from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Start {
    /// The game's own start.
    StartPos,
    /// A position text: one or more words joined by single spaces, none of them `moves`. The engine decides whether it
    /// is a position.
    Fen(String),
}

/// Like [`Command::parse`], but a blank line is an error.
impl FromStr for Command {
    type Err = CommandError;

    fn from_str(line: &str) -> Result<Self, Self::Err> {
        Self::parse(line)?.ok_or_else(|| CommandError {
            code: crate::ErrorCode::MissingArgument,
            column: Some(1),
            text: "expected a command, found an empty line".to_owned(),
        })
    }
}

/// Prints the line, without a line ending.
impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hello(dialect) => dialect.fmt(f),
            Self::IsReady => f.write_str("isready"),
            Self::NewGame(dialect) => write!(f, "{dialect}newgame"),
            Self::SetOption { name, value } => {
                write!(f, "setoption name {}", OneLine(name))?;
                match value.as_deref() {
                    None => Ok(()),
                    // A value may not be missing (SPEC 3.7).
                    Some(value) if value.trim().is_empty() => write!(f, " value {EMPTY}"),
                    Some(value) => write!(f, " value {}", OneLine(value)),
                }
            }
            Self::Position { start, moves } => {
                write!(f, "position {start}")?;
                if !moves.is_empty() {
                    f.write_str(" moves")?;
                }
                spaced_all(f, moves)
            }
            Self::Go(go) => go.fmt(f),
            Self::Stop => f.write_str("stop"),
            Self::PonderHit => f.write_str("ponderhit"),
            Self::Quit => f.write_str("quit"),
            Self::Query(query) => query.fmt(f),
            Self::Move(moves) => {
                f.write_str("move")?;
                spaced_all(f, moves)
            }
            Self::Undo(1) => f.write_str("undo"),
            Self::Undo(count) => write!(f, "undo {count}"),
            Self::Perft(depth) => write!(f, "perft {depth}"),
            Self::DrawOffer => f.write_str("draw offer"),
            Self::Eval => f.write_str("eval"),
            Self::Diagram => f.write_str("d"),
            Self::Debug(on) => write!(f, "debug {}", if *on { "on" } else { "off" }),
        }
    }
}

/// Prints `startpos` or `fen <text>`.
impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::StartPos => f.write_str("startpos"),
            Self::Fen(text) => write!(f, "fen {}", OneLine(text)),
        }
    }
}
