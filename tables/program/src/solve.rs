//! `leap-tables solve`: the value of a position by proof search on exact tables, the check of its certificate, and its moves.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use indicatif::ProgressBar;
use leap_core::Game;
use leap_core::exact::{Tablebase, probe_moves};
use leap_core::notation::Notation as _;
use leap_core::{Position as _, Rules as _};
use leap_engine::files;
use leap_games::alquerque::{Alquerque, AlquerqueMove, AlquerquePosition};
use leap_solve::{Event, Solver};
use leap_tables::certificate::{self, Checked, Head, Knowledge};
use leap_tables::{CaptureRule, EndgameTablebase, Library, MOST, Men, Wdl};
use leapd::io::Progress;
use leapd::usage::Mistake;

use crate::{opened, rule, unpack};

/// How often unfinished work is written to disk.
const SAVE_EVERY: Duration = Duration::from_secs(120);
/// Tables of so many men are unpacked into memory: 0.6 GB.
const UNPACKED: u32 = 10;
/// All men: tables are asked as far as they reach.
const UNLIMITED: u32 = 2 * MOST;

/// The first line that is printed: the columns.
const HEAD: &str =
    "question,answer,seconds,visited,stored,solved,left_for_yes,left_for_no,visited_per_second\n";

/// What is to be solved, checked or shown
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Args {
    /// Whether captures may be left alone: the option AlquerqueCapture
    #[arg(long, value_name = "RULE", default_value_t = CaptureRule::Optional, value_parser = rule)]
    capture: CaptureRule,
    /// The position [default: the start position]
    #[arg(long, value_name = "POSITION")]
    fen: Option<String>,
    /// Where the tables are
    #[arg(long, value_name = "DIR", default_value = "tables")]
    tables: PathBuf,
    /// Where unfinished work and the certificate go; work that was interrupted goes on from there
    #[arg(long, value_name = "DIR", default_value = "solved")]
    dir: PathBuf,
    /// The memory of the search in GB, tables aside: a GB holds 50 million positions
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=64))]
    memory: u8,
    /// Checks a certificate instead, without a search
    #[arg(long, value_name = "FILE", conflicts_with_all = ["capture", "fen", "dir", "memory"])]
    check: Option<PathBuf>,
    /// Prints the value of --fen and the moves that reach it, from a certificate that is checked first
    #[arg(long, value_name = "FILE", conflicts_with_all = ["capture", "dir", "memory", "check"])]
    show: Option<PathBuf>,
    /// Moves from the position, for --show
    #[arg(long, value_name = "MOVE", num_args = 1.., requires = "show")]
    moves: Vec<String>,
}

/// Solves a position and prints a line for each answer and the value, or checks or shows a certificate.
///
/// # Errors
/// Tables are missing or damaged, a file cannot be used, the memory is too small, or a certificate proves nothing.
pub(crate) fn run(
    wanted: &Args,
    print: &mut (dyn FnMut(String) -> Result<()> + Send),
) -> Result<()> {
    let line = match (&wanted.check, &wanted.show) {
        (Some(file), _) => check(file, &wanted.tables)?,
        (_, Some(file)) => show(file, wanted)?,
        _ => solve(wanted, print)?,
    };
    print(line)
}

/// Finds the value of a position. Calls `print` with a line for each answer, and for each time that work is written.
/// Returns the last line.
fn solve(wanted: &Args, print: &mut (dyn FnMut(String) -> Result<()> + Send)) -> Result<String> {
    let rules = certificate::rules(wanted.capture);
    let position = parsed(&rules, wanted)?.unwrap_or_else(|| rules.start());
    let position = Men::of(&position).position_of(position.side());
    let tables = opened(wanted.capture, &wanted.tables)?;
    unpack(&tables, UNPACKED)?;
    let solver = Solver {
        tables: &tables,
        position,
        directory: wanted.dir.clone(),
        memory: usize::from(wanted.memory) << 30,
        save_every: SAVE_EVERY,
    };
    let progress = Progress::new(None, "positions")?;
    let printed = Mutex::new((print, HEAD, Ok(())));
    let solved = solver.solve(&|event| {
        let (Event::Searching(found) | Event::Saved(found) | Event::Answered(found, _)) = event;
        let (yes, no) = found.left;
        let word = found.question;
        progress.set_position(found.visited);
        progress
            .set_message(format!(", {word}: {} solved, {yes} for yes, {no} for no", found.solved));
        let answer = match event {
            Event::Searching(_) => return,
            Event::Saved(_) => "open",
            Event::Answered(_, true) => "yes",
            Event::Answered(_, false) => "no",
        };
        let seconds = found.elapsed.as_secs_f64();
        let line = format!(
            "{word},{answer},{seconds:.0},{},{},{},{yes},{no},{:.0}",
            found.visited,
            found.stored,
            found.solved,
            found.visited_now as f64 / seconds
        );
        let mut printed = printed.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let (print, head, result) = &mut *printed;
        if result.is_ok() {
            let lines = std::mem::take(head).to_owned() + &line;
            *result = progress.suspend(|| print(lines));
        }
    })?;
    printed.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner).2?;
    let position = rules.print_position(&position);
    let (file, value) = (solved.certificate.display(), words(solved.value));
    Ok(format!("{position}: the side to move {value}; {} positions in {file}", solved.positions))
}

/// Checks a certificate. Returns a line that says what it proves.
fn check(file: &Path, tables: &Path) -> Result<String> {
    let progress = Progress::new(Some(0), "positions")?;
    let (mut reader, head) = certificate(file)?;
    let tables = opened(head.capture, tables)?;
    unpack(&tables, UNPACKED)?;
    let known = known(file, &mut reader, head, &tables, &progress)?;
    let Checked { head, value, positions } = known.checked();
    let (value, men, capture) = (words(*value), head.men, head.capture);
    Ok(format!(
        "{}: with {capture} capture the side to move {value}; {positions} positions and tables to {men} men prove it",
        head.position_text()
    ))
}

/// Tells the value of a position and the moves that reach it, as a certificate or the tables have them. The position is
/// that of the certificate or another one, and moves lead on from it. The certificate is checked first.
fn show(file: &Path, wanted: &Args) -> Result<String> {
    let progress = Progress::new(Some(0), "positions")?;
    let (mut reader, head) = certificate(file)?;
    let rules = certificate::rules(head.capture);
    let position = parsed(&rules, wanted)?.unwrap_or(head.position);
    let game = reached(&rules, position, &wanted.moves)?;
    let library = library(&wanted.tables)?;
    let tables = library.tables().find(|tables| tables.capture() == head.capture);
    let tables = tables.context("there are no tables of this rule")?;
    unpack(tables, UNPACKED)?;
    let known = known(file, &mut reader, head, tables, &progress)?;
    let position = game.current();
    let text = rules.print_position(position);
    if let Some(outcome) = game.outcome() {
        let value = words(Wdl::of(outcome.result, position.side()));
        return Ok(format!("{text}: the game is over: the side to move {value}"));
    }
    let men = Men::of(position);
    let (value, moves, source) = if let Some(value) = known.outcome(men) {
        (value, known.moves(men), "the certificate")
    } else if let Some((value, moves)) =
        library.of(&rules, UNLIMITED).and_then(|of| best(&game, &*of))
    {
        (value, moves, "the tables")
    } else {
        return Ok(format!("{text}: not known to the certificate or the tables"));
    };
    let moves: Vec<String> = moves.iter().map(|mv| rules.print_move(position, *mv)).collect();
    let by = match (value, &moves[..]) {
        (Wdl::Loss, _) | (_, []) => "whatever it plays".to_owned(),
        _ => format!("by {}", moves.join(" or ")),
    };
    Ok(format!("{text}: the side to move {} {by} ({source})", words(value)))
}

/// The outcome of a position and its best moves, if tables know all.
fn best(
    game: &Game<Alquerque>,
    tables: &dyn Tablebase<Alquerque>,
) -> Option<(Wdl, Vec<AlquerqueMove>)> {
    let moves = game.legal_moves();
    let known = probe_moves(game, tables, &moves)?;
    let best = known.iter().max_by_key(|known| known.order())?;
    let moves = moves.iter().zip(&known).filter(|(_, known)| known.order() == best.order());
    Some((best.exact.outcome, moves.map(|(mv, _)| *mv).collect()))
}

/// The position of `--fen`.
fn parsed(rules: &Alquerque, wanted: &Args) -> Result<Option<AlquerquePosition>> {
    let position = wanted.fen.as_deref().map(|text| rules.parse_position(text)).transpose();
    Ok(position.map_err(|error| Mistake::new(format!("position, {error}")))?)
}

/// The game from a position on, after these moves.
fn reached(
    rules: &Alquerque,
    position: AlquerquePosition,
    moves: &[String],
) -> Result<Game<Alquerque>> {
    let mut game = Game::new(rules.clone(), position);
    for text in moves {
        let mv = game.parse_move(text).map_err(|illegal| {
            let reason = illegal.reason.text();
            Mistake::new(format!("expected a legal move, found '{text}': {reason}"))
        })?;
        game.push(mv);
    }
    Ok(game)
}

/// A certificate whose head was read.
fn certificate(file: &Path) -> Result<(BufReader<File>, Head)> {
    let name = file.display();
    let opened = files::open(file).with_context(|| format!("cannot read {name}"))?;
    let mut reader = BufReader::with_capacity(1 << 20, opened);
    let head = certificate::read_head(&mut reader).with_context(|| format!("{name}"))?;
    Ok((reader, head))
}

/// What a certificate proves, if it has no fault.
fn known(
    file: &Path,
    reader: &mut BufReader<File>,
    head: Head,
    tables: &EndgameTablebase,
    progress: &ProgressBar,
) -> Result<Knowledge> {
    let known = Knowledge::read(reader, head, tables, &mut |done, all| {
        progress.set_length(all);
        progress.set_position(done);
    });
    known.with_context(|| format!("{}", file.display()))
}

/// The tables of the program, and those of the directory if it is there.
fn library(directory: &Path) -> Result<Library> {
    if !directory.is_dir() {
        return Ok(Library::default());
    }
    let (library, _, refused) = Library::open(directory);
    match refused.into_iter().next() {
        Some((name, error)) => bail!("{name} {error}"),
        None => Ok(library),
    }
}

/// What an outcome means for the side to move.
const fn words(outcome: Wdl) -> &'static str {
    match outcome {
        Wdl::Loss => "loses",
        Wdl::Draw => "draws",
        Wdl::Win => "wins",
    }
}
