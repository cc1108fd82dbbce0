//! The event stream of a match (SPEC 19): one JSON object a line, only ever appended to. Everything else, standings,
//! records, reports, what is left to be played, is derived from it.
//!
//! Readers ignore fields that they do not know; within a schema version no field is removed or changes its meaning.

use serde::{Deserialize, Serialize};

use super::plan::Shard;
use super::plan::config::Config;
pub use crate::records::{Outcome, Score};

pub(crate) mod order;
pub(crate) mod recorder;
pub mod store;

/// The version of the schema, in the `run` event.
pub const SCHEMA: u32 = 1;

/// One line of the stream. In JSON the field `event` has the variant's name in kebab case; the fields of the value follow
/// in the same object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// The first line of a stream.
    Run(Box<Run>),
    /// The match is taken up again. Games that had begun and not ended are as if they had never begun.
    Resume(Resume),
    /// A game begins. If the game has begun before, all that was told of it is void.
    Start(Start),
    /// A player has moved.
    Move(Move),
    /// Something was not as it must be.
    Fault(Fault),
    /// A game has ended.
    End(End),
    /// How the ratings stand. For those who watch; nothing is ever derived from it.
    Rating(Rating),
    /// The run is over for now.
    Stop(Stop),
}

impl Event {
    /// The game that the event tells of.
    #[must_use]
    pub fn game(&self) -> Option<u64> {
        match self {
            Self::Start(start) => Some(start.game),
            Self::Move(mv) => Some(mv.game),
            Self::Fault(fault) => Some(fault.game),
            Self::End(end) => Some(end.game),
            Self::Run(_) | Self::Resume(_) | Self::Rating(_) | Self::Stop(_) => None,
        }
    }
}

/// What is played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// [`SCHEMA`].
    pub schema: u32,
    /// Program and version that writes the stream.
    pub by: String,
    /// When the match began, in UTC as RFC 3339 has it.
    pub time: String,
    /// The hash of the plan: streams with the same hash tell of games of the same plan. 64 hexadecimal digits.
    pub plan: String,
    /// Games of the whole plan; `None` where that depends on results.
    pub games: Option<u64>,
    /// The part that is played here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// All that decides on the games.
    pub config: Config,
}

/// A match is taken up again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resume {
    /// When, as in [`Run::time`].
    pub time: String,
    /// Games that were in flight and are played again.
    pub dropped: Vec<u64>,
}

/// A game begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Start {
    /// The game's number in the plan, from 1. Games `2n-1` and `2n` are pair `n`: the same opening with sides swapped.
    pub game: u64,
    /// The pair, from 1.
    pub pair: u64,
    /// The round, from 1.
    pub round: u64,
    /// The engine that plays p1: an index in `config.engines`, from 0.
    pub p1: usize,
    /// The engine that plays p2.
    pub p2: usize,
    /// When, as in [`Run::time`].
    pub time: String,
    /// 1, or more where the game is played again after a fault.
    pub attempt: u32,
    /// The position text that the game begins with; `None` for the start position of the game.
    pub fen: Option<String>,
    /// The moves of the opening, made before the players come in.
    pub moves: Vec<String>,
}

/// A move of a player.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Move {
    /// The game.
    pub game: u64,
    /// The place of the move in the game, from 1, moves of the opening counted.
    pub ply: u64,
    /// 1 if p1 has moved, 2 if p2.
    pub side: u8,
    /// The move's text, as the player wrote it.
    #[serde(rename = "move")]
    pub mv: String,
    /// Time from `go` to `bestmove`, in microseconds.
    pub time_us: u64,
    /// What the clock shows after the move, increment included, in milliseconds; absent without a clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_ms: Option<i64>,
    /// The last score of the search, for the player who has moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    /// The last depth of the search, in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The last node count of the search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The position text after the move, where the referee gives one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
}

/// Something was not as it must be: a player's fault, or a disagreement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The game in which it was seen.
    pub game: u64,
    /// What it is.
    pub kind: Reason,
    /// The guilty side, 1 or 2; absent if neither or nobody knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<u8>,
    /// The engine, an index in `config.engines`; absent as `side`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<usize>,
    /// What was expected and what was found, in one line.
    pub text: String,
    /// The lines that show it in an engine of one's own: `position ...` and the question.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shown_by: Vec<String>,
    /// The longest delay by the operating system that was measured meanwhile, in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay_us: Option<u64>,
    /// The directory, below that of the stream, where what is needed to repeat it is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bundle: Option<String>,
}

/// A game has ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// The game.
    pub game: u64,
    /// Who has won.
    pub result: Outcome,
    /// Why.
    pub reason: Reason,
    /// Where the reason is `rules`: the word of the referee (SPEC 4.18).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// The side that spoilt the game, 1 or 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guilty: Option<u8>,
    /// Plies of the game, those of the opening included.
    pub plies: u64,
    /// How long the game took, in microseconds.
    pub time_us: u64,
    /// When, as in [`Run::time`].
    pub time: String,
}

/// Declares [`Reason`] with its words, so that both stay together.
macro_rules! reasons {
    ($($(#[$doc:meta])* $name:ident = $word:literal,)*) => {
        /// Why a game has ended, or what was wrong (SPEC 19.11). The list is closed within a schema version.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum Reason {
            $($(#[$doc])* #[serde(rename = $word)] $name,)*
        }

        impl Reason {
            /// All reasons, in the order of SPEC 19.11.
            pub const ALL: &[Reason] = &[$(Reason::$name),*];

            /// The word in the stream.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Reason::$name => $word,)* }
            }
        }
    };
}

reasons! {
    /// The rules have ended the game.
    Rules = "rules",
    /// Adjudicated: both players saw a draw.
    DrawAdjudication = "draw-adjudication",
    /// Adjudicated: both players saw one side win.
    WinAdjudication = "win-adjudication",
    /// Adjudicated a draw: the game was too long.
    MaxPlies = "max-plies",
    /// A move that is not legal.
    IllegalMove = "illegal-move",
    /// A player said that the game is over when it is not, or the other way round, or named another result.
    WrongClaim = "wrong-claim",
    /// A player took more time than it had.
    Time = "time",
    /// A player's process ended or closed its output.
    Crash = "crash",
    /// A player does not answer.
    Stall = "stall",
    /// A player wrote what is no text, or a line without end, or no move where one was due.
    Garbage = "garbage",
    /// A player wrote a `bestmove` that nobody had asked for.
    ExtraBestmove = "extra-bestmove",
    /// A player refused a command with an `error` line.
    Refused = "refused",
    /// Two engines disagree about the rules and none of them has the last word.
    Disagreement = "disagreement",
    /// The referee has failed.
    Referee = "referee",
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// How the ratings stand after some games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    /// Games that count so far.
    pub games: u64,
    /// The engine, an index in `config.engines`.
    pub engine: usize,
    /// Elo against its opponents.
    pub elo: f64,
    /// Half the width of the 95 % interval.
    pub error: f64,
    /// The log-likelihood ratio, where a test is run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub llr: Option<f64>,
}

/// The run is over for now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stop {
    /// When, as in [`Run::time`].
    pub time: String,
    /// Why.
    pub why: StopReason,
}

/// Why a run is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StopReason {
    /// All games of the plan, or of the shard, have been played.
    Complete,
    /// The test has come to a decision.
    Sprt,
    /// It was asked to stop, and has ended the games in flight.
    Drained,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_stream_names_its_event_first() {
        let event = Event::Move(Move {
            game: 3,
            ply: 1,
            side: 1,
            mv: "a1a2".to_owned(),
            time_us: 1500,
            score: Some(Score::Cp(-3)),
            ..Move::default()
        });
        let line = serde_json::to_string(&event).unwrap();
        let expected = r#"{"event":"move","game":3,"ply":1,"side":1,"move":"a1a2","time_us":1500,"score":{"cp":-3}}"#;
        assert_eq!(line, expected);
        assert_eq!(serde_json::from_str::<Event>(&line).unwrap(), event);
    }

    #[test]
    fn fields_of_later_versions_are_skipped() {
        let line =
            r#"{"event":"stop","time":"2026-01-01T00:00:00Z","why":"complete","mood":"good"}"#;
        assert!(matches!(serde_json::from_str(line), Ok(Event::Stop(_))));
    }

    #[test]
    fn every_reason_is_written_as_its_word() {
        for reason in Reason::ALL {
            assert_eq!(serde_json::to_string(reason).unwrap(), format!("\"{reason}\""));
        }
    }
}
