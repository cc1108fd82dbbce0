//! `leap analyse`: played games, judged by an engine.
//!
//! - `games` reads the games.
//! - `engine` and `examine` find the value of every position, `work` with several engines at the same time.
//! - `store` keeps what was found, so that a run that was killed goes on.
//! - [`judgement`] says what the values mean. `review`, `records`, `json` and `page` write it down.

mod engine;
mod examine;
mod games;
mod json;
pub mod judgement;
mod page;
mod records;
mod review;
mod store;
mod work;
mod yardstick;

use std::collections::BTreeMap;
use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context as _, ensure};
use leap_base::files::{self, Existing};
use leap_base::pairs::Pair;
use leap_base::terminal;
use leap_client::{EngineCommand, engine_or_leapd};
use leap_match::{make_dir, watch_for_stop};
use leap_report::sheet;

use engine::{EngineSetup, Trouble};
use examine::{Effort, Examined, Limit};
use games::{Game, Games};
use json::Failed;
use page::Page;
use review::Review;
use store::{Conditions, JSON, PAGE, RECORDS, Store};
use work::{Engines, Progress};

/// The exit status if games are left, or could not be analysed.
const INCOMPLETE: u8 = 1;

/// Judge played games: winning chances after every move, mistakes, and what was better.
///
/// FILE has records or transcripts. Without an engine, leapd judges. The same command goes on with an analysis that was
/// stopped.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Exit status: 0 all games have been analysed, 1 some are left or could not be, 2 could not run.\n\n\
    Example: leap analyse games.ugr --out DIR --concurrency 4 -- leapd"
)]
pub struct AnalyseArgs {
    /// Files of games.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Nodes for each position [default: 10000, unless another limit is given].
    #[arg(long, value_name = "N", group = "limit")]
    pub nodes: Option<NonZeroU64>,
    /// Time for each position, in milliseconds.
    #[arg(long, value_name = "MS", group = "limit")]
    pub movetime: Option<NonZeroU64>,
    /// Depth of each search, in plies.
    #[arg(long, value_name = "N", group = "limit")]
    pub depth: Option<NonZeroU32>,
    /// How many times the limit both positions get where the chance changes across a move; 1 for no second look.
    #[arg(long, value_name = "N", default_value_t = SECOND_LOOK)]
    pub second_look: NonZeroU32,
    /// How strong the players are: a value of leapd's option Strength. Chances are those between such players, and 50 is
    /// the most that counts.
    #[arg(long, value_name = "N", default_value_t = yardstick::USUAL, allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(i32).range(-20..=100))]
    pub level: i32,
    /// An option of the engine. May be given several times.
    #[arg(long, value_name = "NAME=VALUE")]
    pub option: Vec<Pair>,
    /// An engine that is asked for the rules, quoted as in a shell [default: the engine that judges].
    #[arg(long, value_name = "COMMAND")]
    pub referee: Option<String>,
    /// The directory for what is found [default: a new directory].
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Games to analyse at the same time.
    #[arg(long, value_name = "N", default_value = "1")]
    pub concurrency: NonZeroUsize,
    /// The most games that the page shows move by move; all are in the other files.
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub shown: usize,
    /// How long a reply that needs no thinking may take, in milliseconds.
    #[arg(long, value_name = "MS", default_value = "10000")]
    pub patience: NonZeroU64,
    /// How long a search by depth or nodes may take, in milliseconds.
    #[arg(long, value_name = "MS", default_value = "600000")]
    pub stall: NonZeroU64,
    /// Show nothing but errors.
    #[arg(long, short)]
    pub quiet: bool,
    /// The engine and its arguments; leapd by default.
    #[arg(last = true, value_name = "ENGINE")]
    pub engine: Vec<String>,
}

/// Nodes for each position if no limit is given, and how many times as many a second look has. The page of `leap web` has
/// the same.
const NODES: u64 = 10_000;
const SECOND_LOOK: NonZeroU32 = NonZeroU32::new(10).unwrap();

impl AnalyseArgs {
    fn effort(&self) -> Effort {
        let limit = match (self.movetime, self.depth) {
            (Some(ms), _) => Limit::Movetime(ms.get()),
            (_, Some(plies)) => Limit::Depth(plies.get()),
            _ => Limit::Nodes(self.nodes.map_or(NODES, NonZeroU64::get)),
        };
        Effort { limit, second_look: self.second_look.get(), level: self.level }
    }

    fn engines(&self) -> anyhow::Result<Engines> {
        let setup = |command, options| EngineSetup {
            command,
            options,
            patience: Duration::from_millis(self.patience.get()),
            stall: Duration::from_millis(self.stall.get()),
        };
        let referee = self.referee.as_deref().map(EngineCommand::from_text);
        Ok(Engines {
            engine: setup(engine_or_leapd(&self.engine)?, self.option.clone()),
            referee: referee
                .transpose()
                .context("--referee")?
                .map(|command| setup(command, Vec::new())),
            effort: self.effort(),
        })
    }
}

/// Runs the command. The exit status is 0 if all games have been analysed, 1 if some are left or could not be.
///
/// # Errors
/// If nothing can be analysed: bad arguments, no games, no engine, a directory with something else; the exit status is
/// then 2.
pub fn run(args: AnalyseArgs) -> anyhow::Result<ExitCode> {
    if let Some(dir) = &args.out {
        store::is_open_to_us(dir)?;
    }
    let games = Games::read(&args.files)?;
    ensure!(!games.all.is_empty(), "expected games, found none");
    let engines = args.engines()?;
    let (engine, _) = work::start(&engines.engine, engines.referee.as_ref())?;
    let conditions = conditions(&games, &engines, engine.name());
    drop(engine);
    // Until here a signal ends everything immediately.
    let drain = watch_for_stop()?;
    let dir = make_dir(args.out.as_deref(), "analysis")?;
    let (store, examined) = Store::open(&dir, &conditions)?;
    let examined = examined.into_iter().map(|examined| (examined.game, examined)).collect();
    let mut analysis = Analysis { dir: &dir, store, examined, failed: Vec::new() };
    let say = |line: &str| {
        if !args.quiet {
            terminal::warn(line);
        }
    };
    say(&format!("leap: the analysis is in {}", dir.display()));
    let is_whole = analysis.go_on(&games, &engines, &args, &drain)?;
    analysis.write(&games, &conditions, args.shown)?;
    if !is_whole {
        say("leap: games are left, the same command with --out goes on with them");
    }
    let done = analysis.examined.len();
    let page = dir.join(PAGE);
    if !args.quiet {
        terminal::show(format_args!("{done} of {} games: {}\n", games.all.len(), page.display()))?;
    }
    let is_complete = done == games.all.len();
    Ok(if is_complete { ExitCode::SUCCESS } else { ExitCode::from(INCOMPLETE) })
}

fn conditions(games: &Games, engines: &Engines, engine: String) -> Conditions {
    let words = |EngineCommand { program, args, .. }: &EngineCommand| {
        [program.display().to_string()].into_iter().chain(args.iter().cloned()).collect()
    };
    let option = |Pair { key, value }: &Pair| format!("{key}={value}");
    Conditions {
        schema: Conditions::SCHEMA,
        games: games.all.len(),
        files: games.sha256.clone(),
        engine,
        command: words(&engines.engine.command),
        options: engines.engine.options.iter().map(option).collect(),
        referee: engines.referee.as_ref().map(|referee| words(&referee.command)),
        effort: engines.effort,
    }
}

/// An analysis as far as it has come.
struct Analysis<'a> {
    dir: &'a Path,
    store: Store,
    /// What has been examined, by the numbers of the games.
    examined: BTreeMap<usize, Examined>,
    failed: Vec<Failed>,
}

impl Analysis<'_> {
    /// Examines the games that are left; returns whether it came to the end of them.
    fn go_on(
        &mut self,
        games: &Games,
        engines: &Engines,
        args: &AnalyseArgs,
        drain: &crossbeam_channel::Receiver<()>,
    ) -> anyhow::Result<bool> {
        let is_left = |game: &&Game| !self.examined.contains_key(&game.number);
        let left: Vec<&Game> = games.all.iter().filter(is_left).collect();
        let (all, before) = (games.all.len() as u64, self.examined.len() as u64);
        let bar = terminal::Progress::new("games", Some(all), before, args.quiet);
        let concurrency = args.concurrency.get();
        let mut done = before;
        bar.at(done, "");
        let is_whole = work::run(&left, engines, concurrency, drain, |progress| {
            match progress {
                Progress::Done(_, Ok(examined)) => {
                    self.store.add(&examined)?;
                    self.examined.insert(examined.game, examined);
                }
                Progress::Done(game, Err(trouble)) => {
                    let failed = failed(game, &trouble);
                    bar.suspend(|| {
                        terminal::warn(format_args!("leap: {}: {}", failed.place, failed.why));
                    });
                    self.failed.push(failed);
                }
                Progress::Draining => {
                    bar.say("leap: the games in flight are finished; again to stop immediately");
                    return Ok(());
                }
            }
            done += 1;
            bar.at(done, "");
            Ok(())
        });
        bar.finish();
        is_whole
    }

    /// Writes everything that is made from what was found.
    fn write(
        &mut self,
        games: &Games,
        conditions: &Conditions,
        shown: usize,
    ) -> anyhow::Result<()> {
        self.failed.sort_by_key(|failed| failed.number);
        let review = |game| Some(Review::new(game, self.examined.get(&game.number)?, conditions));
        let reviews: Vec<Review<'_>> = games.all.iter().filter_map(review).collect();
        let path = self.dir.join(RECORDS);
        files::write(&path, Existing::Replace, |file| {
            records::write(file, &reviews, &conditions.engine)
        })
        .with_context(|| format!("cannot write {}", path.display()))?;
        let text = json::text(conditions, &reviews, &self.failed)?;
        store::renew(self.dir, JSON, &text, json::MARK)?;
        let page = Page { conditions, reviews: &reviews, failed: &self.failed, shown }.render();
        store::renew(self.dir, PAGE, &page, sheet::MARK)
    }
}

/// Why a game could not be analysed, and where.
fn failed(game: &Game, trouble: &Trouble) -> Failed {
    let (line, why) = match trouble {
        Trouble::Refused { line, text } => (*line, format!("not analysed: {text}")),
        Trouble::Failed(error) => (None, format!("not analysed: {error}")),
    };
    Failed { number: game.number, place: game.place(line), why }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_those_of_the_shared_cases() {
        let cases: serde_json::Value =
            serde_json::from_str(include_str!("../tests/judgements.json")).unwrap();
        assert_eq!(cases["limits"]["nodes"], NODES);
        assert_eq!(cases["limits"]["second_look"], SECOND_LOOK.get());
    }
}
