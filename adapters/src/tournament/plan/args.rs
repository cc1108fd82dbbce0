//! The command line of `leap match`, and the same as a TOML file.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::{Context as _, anyhow};
use serde::Deserialize;

use super::Shard;
use super::config::{OnFault, Restart, TournamentFormat};
use crate::files;
use crate::pairs::{Engines, Pair, table};

/// The longest file that says what is played.
pub(crate) const MAX_CONFIG_BYTES: u64 = 16 << 20;

/// Play a match between engines, with a referee that checks every move.
///
/// Without an engine, leapd plays itself.
#[derive(Clone, Debug, Default, PartialEq, clap::Args)]
#[command(
    after_help = "Exit status: 0 all games have been played or the test has come to a decision, \
    1 games are left to be played (--resume plays them), 2 could not run.\n\n\
    Example: leap match --game eximo --engine cmd=leapd name=a --engine player=greedy --each tc=10+0.1 \
    --games 100 --out DIR"
)]
pub struct MatchArgs {
    #[command(flatten)]
    #[allow(missing_docs, reason = "clap would print it")]
    pub plan: PlanArgs,
    /// Take all options from this TOML file; those of the command line come first.
    #[arg(long, value_name = "FILE", help_heading = "Run")]
    pub config: Option<PathBuf>,
    /// Play the plan in this JSON file, as it is in the bundle of a faulty game.
    #[arg(long, value_name = "FILE", help_heading = "Run", conflicts_with_all = ["config", "resume"])]
    pub plan_file: Option<PathBuf>,
    /// Where to keep events, records and what the engines write to standard error [default: a new directory].
    #[arg(long, value_name = "DIR", help_heading = "Run")]
    pub out: Option<PathBuf>,
    /// Go on with the match in the directory; where there is none, begin it if the other options say what is to be played.
    #[arg(long, help_heading = "Run", requires = "out")]
    pub resume: bool,
    /// Games at a time [default: 1].
    #[arg(long, value_name = "N", help_heading = "Run")]
    pub concurrency: Option<NonZeroUsize>,
    /// Keep each game's processes on one processor of their own.
    #[arg(long, help_heading = "Run")]
    pub affinity: bool,
    /// Play the I-th of N parts of the plan only, whole pairs of games.
    #[arg(long, value_name = "I/N", help_heading = "Run", value_parser = shard)]
    pub shard: Option<Shard>,
    #[command(flatten)]
    #[allow(missing_docs, reason = "clap would print it")]
    pub output: Output,
}

/// What is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::Args)]
pub struct Output {
    /// Show nothing but errors.
    #[arg(long, short, help_heading = "Output")]
    pub quiet: bool,
    /// Print the results as JSON in place of tables.
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}

/// What decides on the games. In a TOML file, the same names are keys: `games = 100`, `[[engine]]`, `[each]`,
/// `[option]`, `[sprt]`.
#[derive(Clone, Debug, Default, PartialEq, clap::Args, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct PlanArgs {
    #[command(flatten)]
    #[allow(missing_docs, reason = "clap would print it")]
    pub engine: Engines,
    /// What holds for every player that does not say otherwise; keys as for --engine.
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    #[serde(deserialize_with = "table")]
    pub each: Vec<Pair>,
    /// The game [default: that which the engines begin with].
    #[arg(long, value_name = "ID")]
    pub game: Option<String>,
    /// An option of the rules, set in the players and the referee. May be given several times.
    #[arg(long, value_name = "NAME=VALUE")]
    #[serde(deserialize_with = "table")]
    pub option: Vec<Pair>,
    /// Who checks moves and results: a program, or `none` to leave that to the players [default: leapd].
    #[arg(long, value_name = "ENGINE")]
    pub referee: Option<String>,
    /// Who plays whom [default: round-robin].
    #[arg(long, value_enum)]
    pub format: Option<TournamentFormat>,
    /// Games of each two opponents that meet; each opening is played twice with sides swapped [default: 2].
    #[arg(long, value_name = "N")]
    pub games: Option<NonZeroU64>,
    /// How often the schedule is played; rounds of a Swiss tournament [default: 1].
    #[arg(long, value_name = "N")]
    pub rounds: Option<NonZeroU64>,
    /// Where all that is random begins [default: 1].
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Openings: a position text, `moves ...` or both a line.
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// Take the openings in the order of the file.
    #[arg(long)]
    pub openings_in_order: bool,
    /// Make so many random moves at the beginning of each pair of games.
    #[arg(long, value_name = "N")]
    pub random_plies: Option<u32>,
    /// What a player may take beyond its time, in milliseconds [default: 50].
    #[arg(long, value_name = "MS")]
    pub margin: Option<u64>,
    /// How long a reply that needs no thinking may take, in milliseconds [default: 10000].
    #[arg(long, value_name = "MS")]
    pub patience: Option<NonZeroU64>,
    /// How long a search by depth or nodes alone may take, in milliseconds [default: 600000].
    #[arg(long, value_name = "MS")]
    pub stall: Option<NonZeroU64>,
    /// Let players think on their opponents' time.
    #[arg(long)]
    pub ponder: bool,
    /// End a game as a draw: plies=N count=N score=CP.
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    #[serde(deserialize_with = "table")]
    pub draw_adjudication: Vec<Pair>,
    /// End a game as won: count=N score=CP.
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    #[serde(deserialize_with = "table")]
    pub win_adjudication: Vec<Pair>,
    /// End a game as a draw after so many plies.
    #[arg(long, value_name = "N")]
    pub max_plies: Option<u64>,
    /// When to start players anew [default: crash].
    #[arg(long, value_enum)]
    pub restart: Option<Restart>,
    /// What becomes of a game that a player has spoilt [default: lose].
    #[arg(long, value_enum)]
    pub on_fault: Option<OnFault>,
    /// Stop when a test decides: elo0=X elo1=X alpha=P beta=P model=logistic|normalized.
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    #[serde(deserialize_with = "table")]
    pub sprt: Vec<Pair>,
}

impl PlanArgs {
    /// Reads a TOML file.
    pub(crate) fn read(path: &std::path::Path) -> anyhow::Result<Self> {
        let text = files::read_text(path, MAX_CONFIG_BYTES)
            .with_context(|| format!("cannot read {}", path.display()))?;
        // The error itself has many lines, one of which is that of the file, whatever its length.
        toml::from_str(&text).map_err(|error: toml::de::Error| {
            let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
            let line = before.matches('\n').count() + 1;
            let what = error.message().replace('\n', " ");
            anyhow!("in {}, line {line}: {what}", path.display())
        })
    }

    /// These, and those of a file where these say nothing.
    pub(crate) fn over(self, file: Self) -> Self {
        // What comes later counts.
        let both = |file: Vec<Pair>, own: Vec<Pair>| [file, own].concat();
        let either = |own: Vec<Pair>, file| if own.is_empty() { file } else { own };
        Self {
            engine: if self.engine.0.is_empty() { file.engine } else { self.engine },
            each: both(file.each, self.each),
            game: self.game.or(file.game),
            option: both(file.option, self.option),
            referee: self.referee.or(file.referee),
            format: self.format.or(file.format),
            games: self.games.or(file.games),
            rounds: self.rounds.or(file.rounds),
            seed: self.seed.or(file.seed),
            openings: self.openings.or(file.openings),
            openings_in_order: self.openings_in_order || file.openings_in_order,
            random_plies: self.random_plies.or(file.random_plies),
            margin: self.margin.or(file.margin),
            patience: self.patience.or(file.patience),
            stall: self.stall.or(file.stall),
            ponder: self.ponder || file.ponder,
            draw_adjudication: either(self.draw_adjudication, file.draw_adjudication),
            win_adjudication: either(self.win_adjudication, file.win_adjudication),
            max_plies: self.max_plies.or(file.max_plies),
            restart: self.restart.or(file.restart),
            on_fault: self.on_fault.or(file.on_fault),
            sprt: either(self.sprt, file.sprt),
        }
    }
}

fn shard(text: &str) -> Result<Shard, String> {
    let parts = text.split_once('/').map(|(i, n)| (u64::from_str(i), u64::from_str(n)));
    match parts {
        Some((Ok(index), Ok(count))) if (1..=count).contains(&index) => Ok(Shard { index, count }),
        _ => Err(format!("expected I/N with I from 1 to N, found '{text}'")),
    }
}
