//! `leap openbench`: the match runner of OpenBench's workers, for any game (docs/openbench.md).
//!
//! The worker starts a runner with the command line of fastchess, reads its output line by line, and takes the games
//! from a file. Facts about the worker: <https://github.com/AndyGrant/OpenBench>, `Client/worker.py` and
//! `Client/pgn_util.py` at commit 9906bad.

mod book;
mod command_line;
mod finished;
mod games;
mod players;
mod repeats;
mod settings;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use anyhow::{Context as _, ensure};
use leap_base::{files, terminal};
use leap_match::embedding::{self, EmbeddedMatch};
use leap_match::events::Event;
use leap_match::events::recorder::{OpenGames, Played};
use leap_match::events::repeats::RepeatedGames;
use leap_match::plan::config::Config;
use tempfile::TempDir;

use command_line::Asked;

/// The beginning of the name under which the worker starts this program.
const NAME: &str = "fastchess";
/// The folder for the events of matches, in the folder that the worker runs in.
const MATCHES: &str = "leap-matches";
/// The file in that folder for what ended a run: the worker tells the server nothing of it.
const ERRORS: &str = "errors.txt";
/// The longest such file. A worker tries again every minute.
const MOST_ERRORS: u64 = 1 << 16;
/// How long the traces of a match that has ended badly are kept.
const KEPT: Duration = Duration::from_secs(7 * 24 * 3600);
/// How the worker asks for the version.
const VERSION: [&str; 4] = ["--version", "version", "-v", "-version"];

/// Play the games of a workload of OpenBench.
///
/// WORDS are those of fastchess, as a worker of OpenBench writes them. A copy of leap whose name begins with
/// "fastchess" takes them without `openbench --`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Exit status: 0 all games have been played, 2 could not run.\n\n\
    Example: leap openbench -- -rounds 2 -engine cmd=leapd option.Game=sapos nodes=500 name=a \
    -engine cmd=leapd option.Game=sapos nodes=900 name=b")]
pub struct OpenBenchArgs {
    /// The command line of fastchess.
    #[arg(last = true, required = true, value_name = "WORDS")]
    pub words: Vec<String>,
}

/// Whether a program with this name acts as `leap openbench`.
#[must_use]
pub fn is_named(program: &Path) -> bool {
    program.file_stem().and_then(|stem| stem.to_str()).is_some_and(|stem| stem.starts_with(NAME))
}

/// Runs the command.
///
/// # Errors
/// If the match cannot be played: another command line, an engine that does not start, a file that cannot be read or
/// written.
pub fn run(args: &OpenBenchArgs) -> anyhow::Result<ExitCode> {
    if let [word] = args.words.as_slice()
        && VERSION.contains(&word.as_str())
    {
        terminal::show(concat!("leap ", env!("CARGO_PKG_VERSION"), "\n"))?;
        return Ok(ExitCode::SUCCESS);
    }
    let played = play(&args.words);
    if let Err(error) = &played {
        note_error(&args.words, error);
    }
    played.map(|()| ExitCode::SUCCESS)
}

/// Plays the games that a command line asks for.
fn play(words: &[String]) -> anyhow::Result<()> {
    let asked = command_line::parse(words)?;
    takes_games(&asked)?;
    let settings = settings::read(Path::new("."))?;
    let config = configuration(&asked, &settings)?;
    let openings = match asked.openings() {
        Some(openings) => book::read(&openings, asked.seed, asked.rounds)?,
        None => Vec::new(),
    };
    let traces = traces(asked.games_file.as_deref())?;
    let repeats = repeats::of_test(asked.games_file.as_deref());
    let told = Arc::new(Mutex::new(Told { finished: 0, repeats }));
    let listener = Listener {
        config: config.clone(),
        file: asked.games_file.clone(),
        open: OpenGames::default(),
        told: Arc::clone(&told),
    };
    let dir = traces.path().to_owned();
    let played =
        listener.hear(EmbeddedMatch { config, openings, dir, concurrency: asked.concurrency });
    if has_faults(traces.path()) {
        terminal::warn(format_args!("leap: what went wrong is in {}", traces.keep().display()));
    }
    let told = lock(&told);
    if told.repeats.count() > 0 {
        terminal::warn(format_args!(
            "leap: {} of the test: more openings, or a limit of time, make games differ",
            told.repeats
        ));
    }
    played?;
    ensure!(told.finished > 0, "none of the games could be finished");
    Ok(())
}

/// Writes down what ended a run, after the name of its file of games. What cannot be written is left out: the error
/// itself is told anyway.
fn note_error(words: &[String], error: &anyhow::Error) {
    let mut after = words.iter().skip_while(|word| *word != "-pgnout");
    let Some(file) = after.find_map(|word| word.strip_prefix("file=")) else { return };
    let stem = Path::new(file).file_stem().unwrap_or_default().to_string_lossy();
    let line = format!("{stem}: {error:#}").replace(['\r', '\n'], " ") + "\n";
    let path = Path::new(MATCHES).join(ERRORS);
    let is_full = fs::metadata(&path).is_ok_and(|found| found.len() > MOST_ERRORS);
    let _ = fs::create_dir_all(MATCHES).and_then(|()| match is_full {
        true => files::replace(&path, line),
        false => files::append(&path, line.as_bytes()),
    });
}

/// Games are appended to a new file or one of ours: never to the openings, or to anything else.
fn takes_games(asked: &Asked) -> anyhow::Result<()> {
    let Some(file) = &asked.games_file else { return Ok(()) };
    let cannot = || format!("cannot write {}", file.display());
    if let Some(openings) = asked.openings() {
        let is_read = files::are_one(file, &openings.file);
        ensure!(!is_read, "{}: expected a file of its own, found that of the openings", cannot());
    }
    files::is_renewable(file, games::MARK).with_context(cannot)
}

/// The match that is asked for, with engines that have been started once.
fn configuration(asked: &Asked, settings: &settings::Settings) -> anyhow::Result<Config> {
    let patience = settings.patience.unwrap_or(Config::default().patience_ms);
    let patience = Duration::from_millis(patience);
    let look = |index: usize| {
        let engine = &asked.engines[index];
        let found = players::look_at(&players::program(engine), patience)
            .with_context(|| engine.engine.name.clone())?;
        for name in players::left_out(engine, &found) {
            terminal::warn(format_args!(
                "leap: {} has no option {name}: left out",
                engine.engine.name
            ));
        }
        anyhow::Ok(found)
    };
    players::config(asked, &[look(0)?, look(1)?], settings)
}

fn lock(told: &Mutex<Told>) -> MutexGuard<'_, Told> {
    told.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What hears the events of a match.
struct Listener {
    config: Config,
    file: Option<PathBuf>,
    open: OpenGames,
    told: Arc<Mutex<Told>>,
}

/// The games that the worker was told of.
struct Told {
    /// Games that count.
    finished: u64,
    repeats: RepeatedGames,
}

impl Listener {
    /// Plays a match and tells of its games.
    fn hear(mut self, embedded: EmbeddedMatch) -> anyhow::Result<()> {
        embedding::play(embedded, move |event: &Event| match self.open.note(event.clone()) {
            Some(game) => self.tell(&game),
            None => Ok(()),
        })
        .map(drop)
    }

    /// Writes a game to the file, then its line to the worker: of a game with a line, the worker wants to find the text.
    fn tell(&self, game: &Played) -> anyhow::Result<()> {
        if let Some(text) = games::text(&self.config, game) {
            if let Some(file) = &self.file {
                files::append(file, text.as_bytes())
                    .with_context(|| format!("cannot write {}", file.display()))?;
            }
            let mut told = lock(&self.told);
            told.finished += 1;
            repeats::count(&mut told.repeats, &text);
        }
        let name = |index: usize| self.config.engines[index].name.as_str();
        let line = finished::line(&game.end, [name(game.start.p1), name(game.start.p2)]);
        let is_heard =
            terminal::write_data(&(line + "\n")).context("cannot write to the worker")?;
        ensure!(is_heard, "the worker has gone: nobody reads");
        Ok(())
    }
}

/// A new folder for the events of a match, removed at its end unless something went wrong. Older ones are removed too.
fn traces(games_file: Option<&Path>) -> anyhow::Result<TempDir> {
    fs::create_dir_all(MATCHES).with_context(|| format!("cannot create {MATCHES}"))?;
    remove_old(Path::new(MATCHES));
    let stem = games_file.and_then(Path::file_stem).map(|stem| stem.to_string_lossy().into_owned());
    let stem = stem.unwrap_or_else(|| "match".to_owned());
    tempfile::Builder::new()
        .prefix(&format!("{stem}-"))
        .tempdir_in(MATCHES)
        .with_context(|| format!("cannot create a folder in {MATCHES}"))
}

/// Removes what earlier matches left. What cannot be removed is left alone: it does no harm.
fn remove_old(matches: &Path) {
    let Ok(entries) = fs::read_dir(matches) else { return };
    for entry in entries.flatten() {
        let changed = entry.metadata().and_then(|found| found.modified());
        let age = changed.ok().and_then(|changed| SystemTime::now().duration_since(changed).ok());
        if age.is_some_and(|age| age > KEPT) {
            let _ = match entry.path().is_dir() {
                true => fs::remove_dir_all(entry.path()),
                false => fs::remove_file(entry.path()),
            };
        }
    }
}

fn has_faults(dir: &Path) -> bool {
    dir.join("faults").is_dir()
}
