//! The arguments of `leap match`, from the command line and from a TOML file.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, anyhow};
use leap_base::pairs::{Engines, Pair, table};
use leap_base::{files, terminal};
use serde::Deserialize;

use super::config::{OnFault, Restart, TournamentFormat};

/// The longest TOML file that is accepted.
pub(crate) const MAX_CONFIG_BYTES: u64 = 16 << 20;

/// Play a match between engines, with a referee that checks every move.
///
/// Without an engine, leapd plays itself.
#[derive(Clone, Debug, Default, PartialEq, clap::Args)]
#[command(
    after_help = "Exit status: 0 all games have been played or the test has come to a decision, \
    1 games are left to be played (--resume plays them), 2 could not run.\n\n\
    Examples:\n\
    \x20 leap match --game GAME --engine cmd=leapd name=a --engine player=greedy --each tc=10+0.1 --games 100\n\
    \x20 leap match --game GAME --engine cmd=./new --engine cmd=./old --each tc=5+0.05 --random-plies 6 \
    --games 10000 --sprt elo0=0 elo1=10"
)]
pub struct MatchArgs {
    #[command(flatten)]
    #[allow(missing_docs, reason = "clap would print it")]
    pub plan: PlanArgs,
    /// Read options from this TOML file; those on the command line take precedence.
    #[arg(long, value_name = "FILE", help_heading = "Run")]
    pub config: Option<PathBuf>,
    /// Play the plan in this JSON file, such as the one in the bundle of a faulty game.
    #[arg(long, value_name = "FILE", help_heading = "Run", conflicts_with_all = ["config", "resume"])]
    pub plan_file: Option<PathBuf>,
    /// Play nothing: say how many games the test of --sprt takes on average, or a 95 % interval of --elo.
    #[arg(long, help_heading = "Expect")]
    pub expect: bool,
    /// The true difference [default with --sprt: both hypotheses, and halfway between them].
    #[arg(
        long,
        value_name = "ELO",
        help_heading = "Expect",
        requires = "expect",
        allow_negative_numbers = true
    )]
    pub elo: Option<f64>,
    /// The share of drawn games, from 0 to 1; it does not matter to normalized Elo [default: 0].
    #[arg(long, value_name = "SHARE", help_heading = "Expect", requires = "expect")]
    pub draws: Option<f64>,
    /// The directory for events, records and the engines' standard error [default: a new directory].
    #[arg(long, value_name = "DIR", help_heading = "Run")]
    pub out: Option<PathBuf>,
    /// Resume the match in the directory; if there is none, start it if the other options define one.
    /// More --games or --rounds than before make the match longer.
    #[arg(long, help_heading = "Run")]
    pub resume: bool,
    #[command(flatten)]
    #[allow(missing_docs, reason = "clap would print it")]
    pub lease: LeaseArgs,
    /// Show a line for each game that ends, in place of those with a fault alone.
    #[arg(long, help_heading = "Output", conflicts_with = "quiet")]
    pub show_games: bool,
    #[command(flatten)]
    #[allow(missing_docs, reason = "clap would print it")]
    pub output: Output,
}

/// How several runners share a match.
#[derive(Clone, Debug, Default, PartialEq, clap::Args)]
pub struct LeaseArgs {
    /// Share the match with other runners in this directory, which all of them can write to.
    #[arg(
        long = "lease",
        value_name = "DIR",
        help_heading = "Run",
        conflicts_with_all = ["out", "resume"]
    )]
    pub dir: Option<PathBuf>,
    /// Pairs of games that a runner claims together [default: 4].
    #[arg(long, value_name = "N", help_heading = "Run", requires = "dir")]
    pub batch: Option<NonZeroU64>,
    /// After how many seconds without a sign of life the batches of a runner are played by others [default: 60].
    #[arg(
        long = "lease-timeout",
        value_name = "SECONDS",
        help_heading = "Run",
        requires = "dir",
        value_parser = clap::value_parser!(u64).range(5..)
    )]
    pub timeout_s: Option<u64>,
}

impl Output {
    /// Writes a line to standard error, unless nothing but errors is shown.
    pub(crate) fn say(self, line: &str) {
        if !self.quiet {
            terminal::warn(line);
        }
    }
}

impl LeaseArgs {
    /// After how long a silent runner is lost.
    pub(crate) fn timeout(&self) -> Duration {
        Duration::from_secs(self.timeout_s.unwrap_or(60))
    }
}

/// What is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::Args)]
pub struct Output {
    /// Show nothing but errors.
    #[arg(long, short, help_heading = "Output")]
    pub quiet: bool,
    /// Print the results as JSON instead of tables.
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}

/// What affects the games, and how many are played at a time. In a TOML file the same names are keys: `games = 100`, `[[engine]]`, `[each]`, `[option]`,
/// `[sprt]`.
#[derive(Clone, Debug, Default, PartialEq, clap::Args, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct PlanArgs {
    #[command(flatten)]
    #[allow(missing_docs, reason = "clap would print it")]
    pub engine: Engines,
    /// Defaults for every player; keys as for --engine.
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    #[serde(deserialize_with = "table")]
    pub each: Vec<Pair>,
    /// The game [default: the engines' own].
    #[arg(long, value_name = "ID")]
    pub game: Option<String>,
    /// An option of the rules, set in the players and the referee. May be given several times.
    #[arg(long, value_name = "NAME=VALUE")]
    #[serde(deserialize_with = "table")]
    pub option: Vec<Pair>,
    /// The engine that checks moves and results, a program with its arguments, or `none` to rely on the players
    /// [default: leapd].
    #[arg(long, value_name = "COMMAND")]
    pub referee: Option<String>,
    /// How opponents are paired [default: round-robin].
    #[arg(long, value_enum)]
    pub format: Option<TournamentFormat>,
    /// Games of each pairing; each opening is played twice with sides swapped [default: 2].
    #[arg(long, value_name = "N")]
    pub games: Option<NonZeroU64>,
    /// How often the schedule is played; the number of rounds of a Swiss tournament [default: 1].
    #[arg(long, value_name = "N")]
    pub rounds: Option<NonZeroU64>,
    /// The seed of everything random [default: 1].
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// A file of openings: on each line a position text, `moves ...` or both.
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// Use the openings in the order of the file.
    #[arg(long)]
    pub openings_in_order: bool,
    /// Make this many random moves at the start of each pair of games.
    #[arg(long, value_name = "N")]
    pub random_plies: Option<u32>,
    /// How much a player may exceed its time, in milliseconds [default: 50].
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
    /// Adjudicate a draw: plies=N count=N score=CP.
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    #[serde(deserialize_with = "table")]
    pub draw_adjudication: Vec<Pair>,
    /// Adjudicate a win: count=N score=CP.
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    #[serde(deserialize_with = "table")]
    pub win_adjudication: Vec<Pair>,
    /// Adjudicate a draw after this many plies.
    #[arg(long, value_name = "N")]
    pub max_plies: Option<u64>,
    /// When to restart players [default: crash].
    #[arg(long, value_enum)]
    pub restart: Option<Restart>,
    /// What happens to a game with a fault [default: lose].
    #[arg(long, value_enum)]
    pub on_fault: Option<OnFault>,
    /// Stop when a test reaches a decision: elo0=X elo1=X alpha=P beta=P model=logistic|normalized.
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    #[serde(deserialize_with = "table")]
    pub sprt: Vec<Pair>,
    /// Games to play at the same time [default: 1].
    #[arg(long, value_name = "N", help_heading = "Run")]
    pub concurrency: Option<NonZeroUsize>,
    /// Bind the processes of each game to one processor.
    #[arg(long, help_heading = "Run")]
    pub affinity: bool,
    /// Multiply all times by N over this machine's speed: the nodes per second of the first engine.
    #[arg(long, value_name = "N", help_heading = "Run")]
    pub scale_nps: Option<NonZeroU64>,
}

impl MatchArgs {
    /// These arguments, completed by those of the file of `--config`.
    pub(crate) fn with_file(mut self) -> anyhow::Result<Self> {
        let Some(path) = &self.config else { return Ok(self) };
        self.plan = self.plan.over(PlanArgs::read(path)?);
        Ok(self)
    }

    /// Whether the arguments define a match. What is said of the run does not.
    pub(crate) fn says_what(&self) -> bool {
        let PlanArgs { concurrency, affinity, scale_nps, .. } = self.plan;
        let of_run = PlanArgs { concurrency, affinity, scale_nps, ..PlanArgs::default() };
        self.plan != of_run || self.config.is_some()
    }
}

impl PlanArgs {
    /// Reads a TOML file.
    pub(crate) fn read(path: &std::path::Path) -> anyhow::Result<Self> {
        let text = files::read_text(path, MAX_CONFIG_BYTES)
            .with_context(|| format!("cannot read {}", path.display()))?;
        // The full error has many lines, one of which quotes the file, however long its line is.
        toml::from_str(&text).map_err(|error: toml::de::Error| {
            let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
            let line = before.matches('\n').count() + 1;
            let what = error.message().replace('\n', " ");
            anyhow!("in {}, line {line}: {what}", path.display())
        })
    }

    /// These arguments, completed by those of a file.
    fn over(mut self, file: Self) -> Self {
        macro_rules! complete {
            ($($option:ident)*; $($flag:ident)*) => {
                $(self.$option = self.$option.or(file.$option);)*
                $(self.$flag |= file.$flag;)*
            };
        }
        complete!(
            game referee format games rounds seed openings random_plies margin patience stall max_plies restart on_fault
            concurrency scale_nps; openings_in_order ponder affinity
        );
        // Later options override earlier ones.
        self.each.splice(0..0, file.each);
        self.option.splice(0..0, file.option);
        let either = |own: &mut Vec<Pair>, file| {
            if own.is_empty() {
                *own = file;
            }
        };
        either(&mut self.draw_adjudication, file.draw_adjudication);
        either(&mut self.win_adjudication, file.win_adjudication);
        either(&mut self.sprt, file.sprt);
        if self.engine.0.is_empty() {
            self.engine = file.engine;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_completes_what_the_command_line_says_of_the_run() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("match.toml");
        std::fs::write(&path, "concurrency = 3\naffinity = true\nscale-nps = 9\ngames = 4\n")
            .unwrap();
        for (own, concurrency) in [(None, 3), (NonZeroUsize::new(2), 2)] {
            let plan = PlanArgs { concurrency: own, ..PlanArgs::default() };
            let args = MatchArgs { plan, ..MatchArgs::default() };
            assert!(!args.says_what());
            let args = MatchArgs { config: Some(path.clone()), ..args }.with_file().unwrap();
            let PlanArgs { concurrency: found, affinity, scale_nps, games, .. } = args.plan;
            assert_eq!((found, games), (NonZeroUsize::new(concurrency), NonZeroU64::new(4)));
            assert_eq!((affinity, scale_nps), (true, NonZeroU64::new(9)));
        }
    }
}
