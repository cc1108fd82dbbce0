//! Command line arguments shared by all programs that show a game.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::ValueEnum as _;
use leap_base::pairs::Pair;
use leap_client::{EngineCommand, engine_or_leapd};
use leap_protocol::Go;
use leap_protocol::payload::{GameResult, Side, Status};

use super::save::takes_records;

/// Time for a move if no limit is given, in milliseconds.
const MOVETIME: u64 = 1_000;

/// The game, the engine, and its limits.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct GameArgs {
    #[command(flatten)]
    #[allow(missing_docs, reason = "clap would print it")]
    pub limits: LimitArgs,
    /// How well the engine plays: its option Strength [default: full, the engine's own].
    #[arg(long, value_enum, value_name = "LEVEL")]
    pub level: Option<Level>,
    /// The game [default: the engine's own].
    #[arg(long, value_name = "ID")]
    pub game: Option<String>,
    /// An option of the engine. May be given several times.
    #[arg(long, value_name = "NAME=VALUE")]
    pub option: Vec<Pair>,
    /// The position to start from instead of the start position.
    #[arg(long, value_name = "POSITION")]
    pub fen: Option<String>,
    /// The engine and its arguments; leapd by default.
    #[arg(value_name = "ENGINE", trailing_var_arg = true, allow_hyphen_values = true)]
    pub engine: Vec<String>,
}

impl GameArgs {
    /// How to start the engine.
    pub(super) fn command(&self) -> anyhow::Result<EngineCommand> {
        engine_or_leapd(&self.engine).context("no engine")
    }
}

/// The side that a person plays, and where games are saved.
#[derive(Clone, Debug, clap::Args)]
pub struct PersonArgs {
    /// The side that people play; the engine plays the other.
    #[arg(long, value_enum, value_name = "SIDE", default_value_t = People::P1)]
    pub side: People,
    /// File to which finished and abandoned games are appended, as records.
    #[arg(long, value_name = "FILE", default_value = "leap-games.ugr")]
    pub record: PathBuf,
}

impl PersonArgs {
    /// Checks that games can be saved, before one is played.
    ///
    /// # Errors
    /// If the file holds something else than records.
    pub fn check(&self) -> anyhow::Result<()> {
        takes_records(&self.record).context("--record")
    }
}

/// The sides that people play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum People {
    /// The side that moves first.
    P1,
    /// The side that moves second.
    P2,
    /// Both sides: two people.
    Both,
    /// Neither side: the engine plays itself.
    None,
}

impl People {
    /// The side left for a person if the engine plays this one.
    pub fn against(engine: Side) -> Self {
        match engine {
            Side::P1 => Self::P2,
            Side::P2 => Self::P1,
        }
    }

    /// Whether a person plays this side.
    pub fn is(self, player: Side) -> bool {
        match self {
            Self::P1 => player == Side::P1,
            Self::P2 => player == Side::P2,
            Self::Both => true,
            Self::None => false,
        }
    }

    /// The player shown at the bottom.
    pub fn bottom(self) -> Side {
        if self == Self::P2 { Side::P2 } else { Side::P1 }
    }
}

/// The levels that the page offers (docs/strength.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Level {
    /// Strength -20: overlooks most captures, and even a winning move.
    FirstEvening,
    /// Strength -10: overlooks nine moves in ten.
    Beginner,
    /// Strength 0: overlooks eight moves in ten.
    Learner,
    /// Strength 25: overlooks six moves in ten.
    Casual,
    /// Strength 50: overlooks four moves in ten.
    Club,
    /// Strength 75: overlooks two moves in ten.
    Strong,
    /// Strength 100.
    Full,
}

impl Level {
    /// The value of the option `Strength` (SPEC 8.13).
    #[must_use]
    pub fn strength(self) -> i64 {
        match self {
            Self::FirstEvening => -20,
            Self::Beginner => -10,
            Self::Learner => 0,
            Self::Casual => 25,
            Self::Club => 50,
            Self::Strong => 75,
            Self::Full => 100,
        }
    }

    /// A value of the option `Strength` for people: the level, or the number where no level has this strength.
    pub(super) fn describe(strength: i64) -> String {
        let level = Self::value_variants().iter().find(|level| level.strength() == strength);
        match level.and_then(Self::to_possible_value) {
            Some(level) => format!("level: {}", level.get_name()),
            None => format!("strength: {strength}"),
        }
    }
}

/// How long the engine may think.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub struct LimitArgs {
    /// Time for each move of the engine, in milliseconds [default: 1000, unless another limit is given].
    #[arg(long, value_name = "MS")]
    pub movetime: Option<u64>,
    /// Depth of each search, in plies.
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,
    /// Nodes of each search.
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
}

impl LimitArgs {
    /// The `go` command for these limits.
    pub fn go(self) -> Go {
        let Self { movetime, depth, nodes } = self;
        let is_bounded = movetime.is_some() || depth.is_some() || nodes.is_some();
        let movetime = if is_bounded { movetime } else { Some(MOVETIME) };
        Go { movetime, depth, nodes, ..Go::default() }
    }
}

/// A placeholder for the status before the engine has been asked.
pub(super) const BEFORE_THE_GAME: Status = Status {
    over: false,
    result: GameResult::None,
    reason: String::new(),
    turn: Side::P1,
    ply: 0,
    quiet: 0,
    repetitions: 0,
    tallies: Vec::new(),
    other: Vec::new(),
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strength_is_told_as_the_level_that_has_it() {
        for (strength, told) in
            [(-20, "level: first-evening"), (100, "level: full"), (40, "strength: 40")]
        {
            assert_eq!(Level::describe(strength), told);
        }
    }

    #[test]
    fn without_a_limit_a_move_takes_a_second() {
        assert_eq!(LimitArgs::default().go().movetime, Some(1_000));
        let level = LimitArgs { depth: Some(3), ..LimitArgs::default() };
        assert_eq!((level.go().movetime, level.go().depth), (None, Some(3)));
    }
}
