//! Games as text for people (SPEC 19.13): tags, moves with comments, result, in the manner of PGN.

mod answer;
mod fault;
mod files;
mod followed;
mod foreign;
mod parse;
mod stored;

use std::fmt;

use leap_protocol::payload::{GameResult, Player};
use serde::{Deserialize, Serialize};

pub use answer::{MAX_BYTES, Refusal, Unread, answer};
pub use fault::{RecordError, RecordFault};
pub use files::{StoredError, read_games};
pub use foreign::Foreign;
pub use stored::{Details, StoredGame};

/// Columns of a line of moves.
const WIDTH: usize = 100;

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
    /// Tags in the order of the text. A name consists of letters and digits; a value is any text on one line.
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

    /// The rule options that were set, each with its value.
    pub fn options(&self) -> impl Iterator<Item = (&str, &str)> {
        let options = self.tags.iter().filter(|(name, _)| name == "Option");
        options.map(|(_, option)| option.split_once('=').unwrap_or((option, "")))
    }
}

/// A move with its comment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ply {
    /// The move's text.
    pub mv: String,
    /// The player's evaluation of the move, from its own side.
    pub score: Option<Score>,
    /// Depth of the search, in plies.
    pub depth: Option<u32>,
    /// Nodes of the search.
    pub nodes: Option<u64>,
    /// Time for the move, in microseconds; `None` for a move of the opening.
    pub time_us: Option<u64>,
}

impl Ply {
    /// A move without a comment.
    pub fn of_opening(mv: &str) -> Self {
        Self { mv: mv.to_owned(), ..Self::default() }
    }

    fn comment(&self) -> Option<String> {
        let words = [
            self.score.map(|score| match score {
                Score::Cp(cp) => format!("cp {cp}"),
                Score::Mate(n) => format!("mate {n}"),
            }),
            self.depth.map(|depth| format!("depth {depth}")),
            self.nodes.map(|nodes| format!("nodes {nodes}")),
            self.time_us.map(|us| format!("us {us}")),
        ];
        let words: Vec<String> = words.into_iter().flatten().collect();
        (!words.is_empty()).then(|| format!("{{{}}}", words.join(" ")))
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
    pub fn win(side: Player) -> Self {
        match side {
            Player::P1 => Self::P1Win,
            Player::P2 => Self::P2Win,
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

/// Prints the record, followed by a blank line.
impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.tags {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(f, "[{name} \"{value}\"]")?;
        }
        writeln!(f)?;
        let mut column = 0;
        let moves = self.plies.iter().enumerate().map(|(index, ply)| {
            let comment = ply.comment().map_or(String::new(), |comment| format!(" {comment}"));
            format!("{}. {}{comment}", index + 1, ply.mv)
        });
        for word in moves.chain([self.result.as_str().to_owned()]) {
            if column > 0 && column + 1 + word.len() > WIDTH {
                writeln!(f)?;
                column = 0;
            }
            if column > 0 {
                f.write_str(" ")?;
                column += 1;
            }
            f.write_str(&word)?;
            column += word.len();
        }
        writeln!(f, "\n")
    }
}
