//! `leap compare`: plays two engines through the same positions until their moves, effects, status or results differ.
//!
//! The first difference is reduced to the shortest line of play that shows it, and printed as commands to paste.

mod divide;
mod engine;
mod reduce;
mod view;
mod walk;

use std::fmt;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use leap_base::terminal;
use leap_client::{PositionCommand, one_of};

use engine::ComparedEngine;

/// Compare two engines in the same positions and find the first difference.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Exit status: 0 no difference, 1 a difference, 2 could not run.\n\n\
    An engine with arguments is one quoted argument: 'leapd --option Hash=1'.")]
pub struct CompareArgs {
    /// The first engine; while the engines agree, its answers are used.
    #[arg(value_name = "ENGINE_A")]
    pub a: String,
    /// The second engine.
    #[arg(value_name = "ENGINE_B")]
    pub b: String,
    /// Compare these games only; by default all games that both engines play.
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    pub game: Vec<String>,
    /// Random games to play in each game.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub games: u64,
    /// Plies after which a random game is abandoned.
    #[arg(long, value_name = "N", default_value_t = 400)]
    pub max_plies: usize,
    /// Seed of the random games.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// An option to set in both engines.
    #[arg(long, value_name = "NAME=VALUE", value_parser = name_and_value)]
    pub option: Vec<(String, String)>,
    /// Compare the positions of this file and those one ply later, instead of random games. A line is a position text,
    /// or JSON with `fen` and optionally `game`.
    #[arg(long, value_name = "FILE")]
    pub positions: Option<PathBuf>,
    /// Compare perft counts move by move to this depth, at the start positions or those of `--positions`.
    #[arg(long, value_name = "N")]
    pub perft: Option<u32>,
    /// Time for each reply, in milliseconds; a perft has a hundred times as long.
    #[arg(long, value_name = "MS", default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
    pub timeout: u64,
    /// Pass the engines' standard errors through to ours.
    #[arg(long)]
    pub show_stderr: bool,
}

fn name_and_value(text: &str) -> Result<(String, String), String> {
    let parts = text.split_once('=').filter(|(name, _)| !name.is_empty());
    parts
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .ok_or_else(|| format!("expected NAME=VALUE, found '{text}'"))
}

/// A line of play: where it begins and the moves made from there.
#[derive(Clone, Debug, PartialEq, Eq)]
struct LineOfPlay {
    /// The game's id; `None` where the engines have no option for it.
    game: Option<String>,
    /// The position that it begins from; `None` for the start position.
    fen: Option<String>,
    moves: Vec<String>,
}

impl LineOfPlay {
    fn command(&self) -> String {
        PositionCommand::new(self.fen.as_deref(), &self.moves).to_string()
    }

    fn with(&self, mv: &str) -> Self {
        let mut line = self.clone();
        line.moves.push(mv.to_owned());
        line
    }
}

/// A difference between the answers of two engines.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Difference {
    line: LineOfPlay,
    /// The command that shows it at the end of the line of play.
    question: String,
    a: String,
    b: String,
}

/// The outcome of a comparison: a difference, or `None` if there is none.
type Found = anyhow::Result<Option<Box<Difference>>>;

/// Both engines, and how much has been compared.
struct EnginePair {
    a: ComparedEngine,
    b: ComparedEngine,
    positions: u64,
}

/// A difference has been found.
const DIFFERENT: u8 = 1;

/// Runs the command. The status is 0 if no difference was found, 1 if one was.
///
/// # Errors
/// If an engine cannot be started or greeted, or the engines have nothing to compare; the exit status is then 2.
pub fn run(args: CompareArgs) -> anyhow::Result<ExitCode> {
    let patience = Duration::from_millis(args.timeout);
    let start = |name: &'static str, command: &str| {
        ComparedEngine::start(name, command, args.show_stderr, patience, &args.option)
            .with_context(|| format!("engine {name} ({command})"))
    };
    let mut pair = EnginePair { a: start("A", &args.a)?, b: start("B", &args.b)?, positions: 0 };
    let found = match &args.positions {
        Some(path) => walk::positions(&mut pair, path, &args)?,
        None => walk::games(&mut pair, &args)?,
    };
    let Some(difference) = found else {
        terminal::show(format_args!("no difference in {} positions\n", pair.positions))?;
        return Ok(ExitCode::SUCCESS);
    };
    let shortest = reduce::shortest(&mut pair, *difference);
    terminal::show(Shown { difference: &shortest, args: &args, pair: &pair })?;
    Ok(ExitCode::from(DIFFERENT))
}

/// The games to compare: those on the command line, or those that both engines play.
fn games(pair: &EnginePair, args: &CompareArgs) -> anyhow::Result<Vec<Option<String>>> {
    let (a, b) = (pair.a.games(), pair.b.games());
    let both: Vec<String> = a.iter().filter(|game| b.contains(game)).cloned().collect();
    if both.is_empty() && !(a.is_empty() && b.is_empty()) {
        bail!("there is no game that both engines announce");
    }
    if !args.game.is_empty() {
        ensure!(!both.is_empty(), "--game: expected engines that list their games, found none");
        let chosen = args.game.iter().map(|game| Ok(Some(one_of(&both, game)?)));
        return chosen.collect::<anyhow::Result<_>>().context("--game");
    }
    let games: Vec<_> = both.into_iter().map(Some).collect();
    Ok(if games.is_empty() { vec![None] } else { games })
}

/// Prints the difference for people.
struct Shown<'a> {
    difference: &'a Difference,
    args: &'a CompareArgs,
    pair: &'a EnginePair,
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { line, question, a, b } = self.difference;
        writeln!(f, "difference after {} positions; paste to see it:\n", self.pair.positions)?;
        for (name, value) in &self.args.option {
            writeln!(f, "setoption name {name} value {value}")?;
        }
        if let Some(game) = &line.game {
            writeln!(f, "setoption name {} value {game}", self.pair.a.game_option())?;
        }
        writeln!(f, "{}\n{question}\n", line.command())?;
        writeln!(f, "A ({}): {a}", self.args.a)?;
        writeln!(f, "B ({}): {b}", self.args.b)
    }
}
