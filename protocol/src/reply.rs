//! What an engine answers (SPEC 4 to 6).

mod parse;

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use derive_more::From;

use crate::command::Dialect;
use crate::error::{CommandError, ErrorReply};
use crate::info::Info;
use crate::option::OptionDecl;
use crate::print::{pair, tagged};
use crate::visible::OneLine;

/// The word in the place of a move with which an engine resigns (SPEC 5.11a).
pub const RESIGN: &str = "resign";

/// One line from the engine to the client.
///
/// ```
/// use leap_protocol::Reply;
///
/// let Reply::BestMove { mv, ponder, .. } = Reply::parse("bestmove a1c3 ponder d4e5") else {
///     unreachable!("a bestmove line");
/// };
/// assert_eq!((mv.as_deref(), ponder.as_deref()), (Some("a1c3"), Some("d4e5")));
///
/// assert_eq!(Reply::Draw { accept: true }.to_string(), "draw accept");
/// assert_eq!(Reply::parse("hello"), Reply::Other("hello".to_owned()));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, From)]
pub enum Reply {
    /// `id name <text>` or `id author <text>`.
    Id {
        /// Which of the two.
        key: IdKey,
        /// The rest of the line.
        value: String,
    },
    /// `option name ...`: a setting, declared.
    Option(OptionDecl),
    /// `ugiok` or `uciok`: the greeting is complete.
    HelloOk(Dialect),
    /// `readyok`.
    ReadyOk,
    /// `bestmove <move> [ponder <move>] [id <id>]`: what the search chose.
    BestMove {
        /// The move, or [`RESIGN`]; `None` (printed `none`) if the game is over.
        mv: Option<String>,
        /// The expected reply, a word. Only for a client that asked for pondering.
        ponder: Option<String>,
        /// The word that the `go` command gave.
        id: Option<String>,
    },
    /// `info ...`: progress of the search.
    #[from]
    Info(Info),
    /// `response <text>`: the answer to a question. The text is a [`payload`](crate::payload) of the type that belongs
    /// to the question.
    Response(String),
    /// `info perft <move> <count>`: the count below one root move.
    PerftMove {
        /// The root move, a word.
        mv: String,
        /// Move sequences that begin with it.
        count: u64,
    },
    /// `perft <depth> nodes <count> time <ms> nps <rate> [stopped true]`: the whole count.
    PerftTotal {
        /// Plies.
        depth: u32,
        /// Move sequences of that length.
        nodes: u64,
        /// Time taken, in milliseconds.
        time: u64,
        /// Move sequences counted a second.
        nps: u64,
        /// The count was stopped before its end and means nothing (SPEC 3.20).
        stopped: bool,
    },
    /// `draw accept` or `draw decline`.
    Draw {
        /// Whether the offer is accepted.
        accept: bool,
    },
    /// `error ...`.
    #[from(CommandError, ErrorReply)]
    Error(ErrorReply),
    /// `board <text>`: one line of the board's description, kept as the text after `board`.
    Board(String),
    /// `boardok`: the description is complete.
    BoardOk,
    /// `rules <text>`: one line of the rules for people, kept as the text after `rules`.
    Rules(String),
    /// `rulesok`: the rules are complete.
    RulesOk,
    /// `problems <line>`: one problem, kept as the text after `problems`.
    Problems(String),
    /// `problemsok`: there are no more problems.
    ProblemsOk,
    /// Any other line, exactly as it came.
    Other(String),
}

/// What an `id` line tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::Display, strum::EnumString)]
#[strum(serialize_all = "lowercase")]
pub enum IdKey {
    /// `name`: the engine's name and version.
    Name,
    /// `author`: who wrote it.
    Author,
}

impl Reply {
    /// Parses one line. Never fails: a line that is not understood is [`Reply::Other`]. Takes time linear in the length
    /// of the line.
    #[must_use]
    pub fn parse(line: &str) -> Self {
        parse::reply(line).unwrap_or_else(|| Self::Other(line.to_owned()))
    }

    /// Like [`Reply::parse`], but a `bestmove` with words that SPEC 5 does not have is [`Reply::Other`].
    ///
    /// ```
    /// # use leap_protocol::Reply;
    /// assert!(matches!(Reply::parse("bestmove a1c3 eval 3"), Reply::BestMove { .. }));
    /// assert!(matches!(Reply::parse_strict("bestmove a1c3 eval 3"), Reply::Other(_)));
    /// ```
    #[must_use]
    pub fn parse_strict(line: &str) -> Self {
        match Self::parse(line) {
            reply @ Self::BestMove { .. } if !is_spelled(&reply, line) => {
                Self::Other(line.to_owned())
            }
            reply => reply,
        }
    }
}

/// Whether the line has the words of the reply and no others. `(none)` is another way to write `none`.
fn is_spelled(reply: &Reply, line: &str) -> bool {
    let printed = reply.to_string();
    let words = line.split_whitespace().map(|word| if word == "(none)" { "none" } else { word });
    words.eq(printed.split_whitespace())
}

impl FromStr for Reply {
    type Err = Infallible;

    fn from_str(line: &str) -> Result<Self, Self::Err> {
        Ok(Self::parse(line))
    }
}

/// Prints the line, without a line ending.
impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id { key, value } => tagged(f, &format!("id {key}"), value),
            Self::Option(option) => option.fmt(f),
            Self::HelloOk(dialect) => write!(f, "{dialect}ok"),
            Self::ReadyOk => f.write_str("readyok"),
            Self::BestMove { mv, ponder, id } => {
                write!(f, "bestmove {}", OneLine(mv.as_deref().unwrap_or(parse::NO_MOVE)))?;
                pair(f, "ponder", ponder.as_deref().map(OneLine))?;
                pair(f, "id", id.as_deref().map(OneLine))
            }
            Self::Info(info) => info.fmt(f),
            Self::Response(text) => tagged(f, "response", text),
            Self::PerftMove { mv, count } => write!(f, "info perft {} {count}", OneLine(mv)),
            Self::PerftTotal { depth, nodes, time, nps, stopped } => {
                write!(f, "perft {depth} nodes {nodes} time {time} nps {nps}")?;
                f.write_str(if *stopped { " stopped true" } else { "" })
            }
            Self::Draw { accept } => write!(f, "draw {}", parse::draw_word(*accept)),
            Self::Error(error) => error.fmt(f),
            Self::Board(text) => tagged(f, "board", text),
            Self::BoardOk => f.write_str("boardok"),
            Self::Rules(text) => tagged(f, "rules", text),
            Self::RulesOk => f.write_str("rulesok"),
            Self::Problems(text) => tagged(f, "problems", text),
            Self::ProblemsOk => f.write_str("problemsok"),
            Self::Other(line) => OneLine(line).fmt(f),
        }
    }
}
