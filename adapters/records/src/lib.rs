//! Games as text for people (SPEC 19.13): tags, moves with comments, result, in the manner of PGN.
//!
//! [`Record`] is one such game, read and printed. [`read_games`] takes any file that a person may open: records,
//! or transcripts of sessions. It knows no rules, so it checks the form of moves and not whether they are legal.

mod answer;
mod fault;
mod files;
mod followed;
mod foreign;
mod parse;
mod print;
mod refusal;
mod stored;
mod tree;

use leap_protocol::payload::{GameResult, Side};
use serde::{Deserialize, Serialize, Serializer};

pub use answer::{MAX_BYTES, answer};
pub use fault::{RecordError, RecordFault};
pub use files::read_games;
pub use refusal::{Refusal, Unread};
pub use stored::{Details, StoredGame};

/// The newest format of records that this crate reads and writes (SPEC 19.16).
pub const FORMAT: u32 = 2;

/// A game.
///
/// ```
/// use leap_records::{Outcome, Record};
///
/// let text = "[Game \"sapos\"]\n\n1. d2d4@c4 2. d7d5@e5 draw\n\n";
/// let records = Record::parse_all(text)?;
/// assert_eq!(records[0].tag("Game"), Some("sapos"));
/// assert_eq!(records[0].plies[1].mv, "d7d5@e5");
/// assert_eq!(records[0].result, Outcome::Draw);
/// assert_eq!(records[0].to_string(), text);
/// # Ok::<(), anyhow::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Tags in the order of the text. A name consists of letters and digits; a value is any text on one line. The tag
    /// `Format` is not among them.
    pub tags: Vec<(String, String)>,
    /// All moves of the game, starting with the opening.
    pub plies: Vec<Ply>,
    /// The result.
    pub result: Outcome,
}

/// The lines of a file, from 1, on which the parts of a record stand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// The first line of the record.
    pub begin: usize,
    /// The line of each tag.
    pub tags: Vec<usize>,
    /// The line of each move.
    pub moves: Vec<usize>,
}

impl Record {
    /// The value of the first tag with this name.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    /// The format that the record is written in (SPEC 19.16): the oldest that can hold it.
    #[must_use]
    pub fn format(&self) -> u32 {
        let is_plain =
            |ply: &Ply| ply.glyphs.is_empty() && ply.text.is_empty() && ply.variations.is_empty();
        if self.plies.iter().all(is_plain) { 1 } else { FORMAT }
    }

    /// The rule options that were set, each with its value.
    pub fn options(&self) -> impl Iterator<Item = (&str, &str)> {
        let options = self.tags.iter().filter(|(name, _)| name == "Option");
        options.map(|(_, option)| option.split_once('=').unwrap_or((option, "")))
    }
}

/// A move with its comment. Serializes to what the page of `leap web` reads: `move`, and the parts that are there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Ply {
    /// The move's text.
    #[serde(rename = "move")]
    pub mv: String,
    /// The player's evaluation of the move, from its own side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    /// Depth of the search, in plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Nodes of the search.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "safe_in_javascript")]
    pub nodes: Option<u64>,
    /// Time for the move, in microseconds; `None` for a move of the opening.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "safe_in_javascript")]
    pub time_us: Option<u64>,
    /// Numeric annotation glyphs, those of PGN: 1 a good move, 2 a mistake, 3 a brilliant move, 4 a blunder.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub glyphs: Vec<u8>,
    /// What somebody wrote about the move: words joined by single spaces. A `}` is written as `)`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// Other lines that begin in place of this move. None of them is empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<Vec<Self>>,
}

/// Numbers in JavaScript are exact up to this one (`Number.MAX_SAFE_INTEGER`). Larger ones become it.
const MAX_SAFE: u64 = (1 << 53) - 1;

fn safe_in_javascript<S: Serializer>(
    number: &Option<u64>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    number.map(|number| number.min(MAX_SAFE)).serialize(serializer)
}

impl Ply {
    /// A move without a comment.
    pub fn of_opening(mv: &str) -> Self {
        Self { mv: mv.to_owned(), ..Self::default() }
    }
}

/// The result of a game. In the events of a match `p1win`, `p2win`, `draw` and `void` (SPEC 19.9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// p1 has won.
    P1Win,
    /// p2 has won.
    P2Win,
    /// A draw.
    Draw,
    /// None: the game is unfinished, or does not count.
    Void,
}

impl Outcome {
    /// All outcomes.
    pub(crate) const ALL: [Self; 4] = [Self::P1Win, Self::P2Win, Self::Draw, Self::Void];

    /// A win for one side.
    #[must_use]
    pub fn win(side: Side) -> Self {
        match side {
            Side::P1 => Self::P1Win,
            Side::P2 => Self::P2Win,
        }
    }

    /// The outcome of a game that is over; `None` while it goes on.
    #[must_use]
    pub fn of(result: GameResult) -> Option<Self> {
        match result {
            GameResult::P1Win => Some(Self::P1Win),
            GameResult::P2Win => Some(Self::P2Win),
            GameResult::Draw => Some(Self::Draw),
            GameResult::None => None,
        }
    }

    /// Half points of p1 and p2; `None` if the game does not count.
    #[must_use]
    pub fn half_points(self) -> Option<[u32; 2]> {
        match self {
            Self::P1Win => Some([2, 0]),
            Self::P2Win => Some([0, 2]),
            Self::Draw => Some([1, 1]),
            Self::Void => None,
        }
    }

    /// The word used in records (SPEC 19.15).
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::P1Win => "p1win",
            Self::P2Win => "p2win",
            Self::Draw => "draw",
            Self::Void => "*",
        }
    }
}

/// The value of a position for one side (SPEC 5.19, 5.20). In JSON `{"cp":31}` or `{"mate":-2}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Score {
    /// Centipawns.
    Cp(i32),
    /// Won (positive) or lost (negative) in this many moves.
    Mate(i32),
}
