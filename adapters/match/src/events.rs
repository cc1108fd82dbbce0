//! The event stream of a match (SPEC 19): one JSON object per line, append-only. Everything else (standings, records,
//! reports, what is left to be played) is derived from it.
//!
//! Readers ignore unknown fields; within a schema version no field is removed or changes its meaning.

use serde::{Deserialize, Serialize};

use super::plan::Match;
use super::plan::config::Config;
pub use leap_records::{Outcome, Score};

pub mod games;
pub mod recorder;
pub mod repeats;
pub mod store;
pub(crate) mod validator;

/// The version of the schema, in the `run` event.
pub const SCHEMA: u32 = 1;

/// One line of the stream. In JSON the field `event` has the variant's name in kebab case; the fields of the value
/// follow in the same object.
///
/// ```
/// use leap_match::events::{Event, Stop, StopReason};
///
/// let line = r#"{"event":"stop","time":"2026-01-31T12:00:00Z","why":"complete"}"#;
/// let Event::Stop(Stop { why, .. }) = serde_json::from_str(line)? else { panic!() };
/// assert_eq!(why, StopReason::Complete);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// The first line of a stream.
    Run(Box<Run>),
    /// The match is resumed. Games that had started and not ended are as if they had never started.
    Resume(Resume),
    /// A game starts. If it has started before, its earlier events are void.
    Start(Start),
    /// A player has moved.
    Move(Move),
    /// Something went wrong.
    Fault(Fault),
    /// A game has ended.
    End(End),
    /// The current ratings, for people who follow the match; nothing is derived from them.
    Rating(Rating),
    /// The run is over.
    Stop(Stop),
}

impl Event {
    /// The game of the event.
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

/// The first event: what is played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The name and version of the program that writes the stream.
    pub by: String,
    /// When the match started, in UTC in the format of RFC 3339.
    pub time: String,
    /// The hash of the plan: streams with the same hash contain games of the same plan. 64 hexadecimal digits.
    pub plan: String,
    /// Games of the whole plan; `None` if it depends on results.
    pub games: Option<u64>,
    /// Everything that affects the games.
    pub config: Config,
}

/// A match is resumed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resume {
    /// The time, as in [`Run::time`].
    pub time: String,
    /// Games that were in flight and will be replayed.
    pub dropped: Vec<u64>,
    /// The match has become longer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grown: Option<Grown>,
}

/// What takes the place of values in [`Run`] when a match becomes longer. Its games so far keep their numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grown {
    /// The hash of the longer plan, as [`Run::plan`].
    pub plan: String,
    /// Games of each pairing, as [`Config::games`].
    pub games: u64,
    /// Rounds, as [`Config::rounds`].
    pub rounds: u64,
    /// Games of the whole plan, as [`Run::games`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<u64>,
}

impl Run {
    /// The first event of a match that begins now.
    pub(crate) fn of(found: &Match) -> Self {
        Self {
            schema: SCHEMA,
            by: concat!("leap ", env!("CARGO_PKG_VERSION")).to_owned(),
            time: store::now(),
            plan: found.hash.clone(),
            games: found.plan.total(),
            config: found.config.clone(),
        }
    }

    /// Makes the match longer.
    pub(crate) fn grow(&mut self, grown: &Grown) {
        self.plan.clone_from(&grown.plan);
        self.games = grown.total;
        (self.config.games, self.config.rounds) = (grown.games, grown.rounds);
    }
}

/// A game starts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
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
    /// The time, as in [`Run::time`].
    pub time: String,
    /// 1, or more if the game is replayed after a fault.
    pub attempt: u32,
    /// The position text at the start; `None` for the start position of the game.
    pub fen: Option<String>,
    /// The moves of the opening, which the players do not choose.
    pub moves: Vec<String>,
    /// What the times of `config` were multiplied by on the machine that played the game; absent if they were not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<f64>,
}

/// A move of a player.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Move {
    /// The game.
    pub game: u64,
    /// The number of the move in the game, from 1, counting the moves of the opening.
    pub ply: u64,
    /// The side that moved, 1 or 2.
    pub side: u8,
    /// The move's text as written by the player.
    #[serde(rename = "move")]
    pub mv: String,
    /// Time from `go` to `bestmove`, in microseconds.
    pub time_us: u64,
    /// The clock after the move, increment included, in milliseconds; absent without a clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_ms: Option<i64>,
    /// The last score of the search, from the player's view.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    /// The last depth of the search, in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The deepest line that the search has looked at, in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seldepth: Option<u32>,
    /// The last node count of the search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// What the player says about its move: the rest of its last `info string pgncomment` line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// The position text after the move, if the referee reports it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
}

/// Something went wrong: a player's fault, or a disagreement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The game in which it happened.
    pub game: u64,
    /// The kind of fault.
    pub kind: Reason,
    /// The guilty side, 1 or 2; absent if neither is guilty or it is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<u8>,
    /// The engine, an index in `config.engines`; absent if `side` is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<usize>,
    /// What was expected and what was found, in one line.
    pub text: String,
    /// Lines that reproduce it in another engine: `position ...` and the question.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shown_by: Vec<String>,
    /// The longest delay by the operating system measured meanwhile, in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay_us: Option<u64>,
    /// The directory, relative to the stream's, with everything needed to reproduce it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bundle: Option<String>,
}

/// A game has ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// The game.
    pub game: u64,
    /// The result.
    pub result: Outcome,
    /// The reason.
    pub reason: Reason,
    /// If the reason is `rules`: the referee's word (SPEC 4.18), or [`RESIGNATION`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// The side whose fault ended the game, 1 or 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guilty: Option<u8>,
    /// The game has not begun: an engine could not be started or set up.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unstarted: bool,
    /// Plies of the game, those of the opening included.
    pub plies: u64,
    /// How long the game took, in microseconds.
    pub time_us: u64,
    /// The time, as in [`Run::time`].
    pub time: String,
}

/// The rule by which a game ends that a player has given up (SPEC 19.9).
pub const RESIGNATION: &str = "resignation";

impl End {
    /// Why the game ended, with the rule: `rules no-moves`, `resignation`, `crash`.
    #[must_use]
    pub fn why(&self) -> String {
        match self.rule.as_deref() {
            Some(RESIGNATION) => RESIGNATION.to_owned(),
            Some(rule) => format!("{} {rule}", self.reason),
            None => self.reason.to_string(),
        }
    }
}

/// Why a game ended, or what went wrong (SPEC 19.11). The list is closed within a schema version.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Reason {
    /// The game ended by the rules.
    Rules,
    /// Adjudicated: both players reported a draw score.
    DrawAdjudication,
    /// Adjudicated: both players reported a win of the same side.
    WinAdjudication,
    /// Adjudicated as a draw: the game was too long.
    MaxPlies,
    /// A player made an illegal move.
    IllegalMove,
    /// A player claimed that the game was over when it was not, or the reverse, or reported a different result.
    WrongClaim,
    /// A player exceeded its time.
    Time,
    /// A player's process exited or closed its output.
    Crash,
    /// A player did not answer.
    Stall,
    /// A player wrote invalid text, an endless line, or no move where one was due.
    Garbage,
    /// A player wrote a `bestmove` that was not asked for.
    ExtraBestmove,
    /// A player refused a command with an `error` line.
    Refused,
    /// Two engines disagree about the rules, and neither is authoritative.
    Disagreement,
    /// The referee has failed.
    Referee,
}

impl Reason {
    /// All reasons, in the order of SPEC 19.11.
    pub const ALL: &[Self] = <Self as strum::VariantArray>::VARIANTS;

    /// The word used in the stream.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The ratings after some games.
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
    /// The log-likelihood ratio, if there is a sequential test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub llr: Option<f64>,
}

/// The run is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stop {
    /// The time, as in [`Run::time`].
    pub time: String,
    /// The reason.
    pub why: StopReason,
}

/// Why a run is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StopReason {
    /// All games of the plan have been played.
    Complete,
    /// The test has reached a decision.
    Sprt,
    /// The run was asked to stop, and has finished the games in flight.
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
