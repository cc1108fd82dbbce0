//! `leapd solve`: the value of a position by proof search on exact tables, the check of its certificate, and its moves.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use indicatif::ProgressBar;

use crate::tables::{ensure_tables, rule};
use crate::usage::Mistake;
use leap_core::Game;
use leap_core::Position as _;
use leap_core::exact::{Tablebase, known_moves};
use leap_core::notation::Notation as _;
use leap_engine::files;
use leap_games::GameId;
use leap_solve::{Event, Head, Knowledge, Move, Position, Rules, Wanted as ToSolve};
use leap_tables::{Capture, EndgameTablebase, Library, MOST, Men, Wdl};

/// How often unfinished work is written to disk.
const SAVE_EVERY: Duration = Duration::from_secs(120);
/// Tables of so many men are unpacked into memory: 0.6 GB.
const UNPACKED: u32 = 10;
/// All men: tables are asked as far as they reach.
const UNLIMITED: u32 = 2 * MOST;

/// The first line of the printed table: its columns.
pub const HEAD: &str =
    "question,answer,seconds,visited,stored,solved,left_for_yes,left_for_no,visited_per_second";

/// What is to be solved, checked or shown
#[derive(Clone, Debug, clap::Args)]
pub struct Wanted {
    /// Whether captures may be left alone: the option AlquerqueCapture
    #[arg(long, value_name = "RULE", default_value_t = Capture::Optional, value_parser = rule)]
    pub capture: Capture,
    /// The position [default: the start position]
    #[arg(long, value_name = "POSITION")]
    pub fen: Option<String>,
    /// Where the tables are
    #[arg(long, value_name = "DIR", default_value = "tables")]
    pub tables: PathBuf,
    /// Where unfinished work and the certificate go; work that was interrupted goes on from there
    #[arg(long, value_name = "DIR", default_value = "solved")]
    pub dir: PathBuf,
    /// The memory of the search in GB, tables aside: a GB holds 50 million positions
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=64))]
    pub memory: u8,
    /// Checks a certificate instead, without a search
    #[arg(long, value_name = "FILE", conflicts_with_all = ["capture", "fen", "dir", "memory"])]
    pub check: Option<PathBuf>,
    /// Prints the value of --fen and the moves that reach it, from a certificate that is checked first
    #[arg(long, value_name = "FILE", conflicts_with_all = ["capture", "dir", "memory", "check"])]
    pub show: Option<PathBuf>,
    /// Moves from the position, for --show
    #[arg(long, value_name = "MOVE", num_args = 1.., requires = "show")]
    pub moves: Vec<String>,
}

/// Finds the value of a position. Calls `print` with a line for each answer, and for each time that work is written.
/// Returns the last line.
///
/// # Errors
/// The game has no tables, they are damaged, a file cannot be used, or the memory is too small.
pub fn solve(
    game: GameId,
    wanted: &Wanted,
    progress: &ProgressBar,
    print: &mut (dyn FnMut(String) -> Result<()> + Send),
) -> Result<String> {
    ensure_tables(game)?;
    let position = match &wanted.fen {
        Some(text) => text.parse().map_err(|error| Mistake::new(format!("position, {error}")))?,
        None => Position::start(),
    };
    let tables = opened(wanted.capture, &wanted.tables)?;
    let to_solve = ToSolve {
        tables: &tables,
        position,
        directory: wanted.dir.clone(),
        memory: usize::from(wanted.memory) << 30,
        save_every: SAVE_EVERY,
    };
    let printed = Mutex::new((print, Ok(())));
    let solved = leap_solve::solve(&to_solve, &|event| {
        let (Event::Searching(found) | Event::Saved(found) | Event::Answered(found, _)) = event;
        let (yes, no) = found.left;
        let word = found.question.word();
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
        if printed.1.is_ok() {
            printed.1 = (printed.0)(line);
        }
    })?;
    printed.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner).1?;
    let (file, value) = (solved.certificate.display(), words(solved.value));
    Ok(format!("{position}: the side to move {value}; {} positions in {file}", solved.positions))
}

/// Checks a certificate. Returns a line that says what it proves.
///
/// # Errors
/// The certificate proves nothing, or tables are missing.
pub fn check(file: &Path, tables: &Path, progress: &ProgressBar) -> Result<String> {
    let (mut reader, head) = certificate(file)?;
    let tables = opened(head.capture, tables)?;
    let checked = leap_solve::check(&mut reader, head, &tables, &mut |done, all| {
        progress.set_length(all);
        progress.set_position(done);
    });
    let checked = checked.with_context(|| format!("{}", file.display()))?;
    let (value, men) = (words(checked.value), checked.head.men);
    let capture = checked.head.capture;
    Ok(format!(
        "{}: with {capture} capture the side to move {value}; {} positions and tables to {men} men prove it",
        checked.head.position, checked.positions
    ))
}

/// Tells the value of a position and the moves that reach it, as a certificate or the tables have them. The position is
/// that of the certificate or another one, and moves lead on from it. The certificate is checked first.
///
/// # Errors
/// The certificate proves nothing, tables are missing, or the position or a move is none.
pub fn show(file: &Path, wanted: &Wanted, progress: &ProgressBar) -> Result<String> {
    let (mut reader, head) = certificate(file)?;
    let rules = leap_solve::rules(head.capture);
    let game = reached(&rules, wanted, &head.position.to_string())?;
    let library = library(&wanted.tables)?;
    let tables = library.tables().find(|tables| tables.capture() == head.capture);
    let tables = tables.context("there are no tables of this rule")?;
    unpack(tables)?;
    let known = Knowledge::read(&mut reader, head, tables, &mut |done, all| {
        progress.set_length(all);
        progress.set_position(done);
    });
    let known = known.with_context(|| format!("{}", file.display()))?;
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
fn best(game: &Game<Rules>, tables: &dyn Tablebase<Rules>) -> Option<(Wdl, Vec<Move>)> {
    let moves = game.legal_moves();
    let known = known_moves(game, tables, &moves)?;
    let best = known.iter().max_by_key(|known| known.order())?;
    let moves = moves.iter().zip(&known).filter(|(_, known)| known.order() == best.order());
    Some((best.exact.outcome, moves.map(|(mv, _)| *mv).collect()))
}

/// The game from the wanted position on, or from that of the certificate.
fn reached(rules: &Rules, wanted: &Wanted, own: &str) -> Result<Game<Rules>> {
    let position = rules.parse_position(wanted.fen.as_deref().unwrap_or(own));
    let position = position.map_err(|error| Mistake::new(format!("position, {error}")))?;
    let mut game = Game::new(rules.clone(), position);
    for text in &wanted.moves {
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
    let head = leap_solve::head(&mut reader).with_context(|| format!("{name}"))?;
    Ok((reader, head))
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

/// Unpacks small tables into memory.
fn unpack(tables: &EndgameTablebase) -> Result<()> {
    tables.unpack(UNPACKED).map_err(|(name, error)| anyhow::anyhow!("{name} {error}"))
}

/// The tables in a directory, the small ones unpacked into memory.
fn opened(capture: Capture, directory: &Path) -> Result<EndgameTablebase> {
    let mut tables = EndgameTablebase::new(capture);
    if let Some((name, error)) = tables.open(directory).into_iter().next() {
        bail!("{name} {error}");
    }
    ensure!(tables.men() > 0, "{} has no tables of {capture} capture", directory.display());
    unpack(&tables)?;
    Ok(tables)
}

/// What an outcome means for the side to move.
const fn words(outcome: Wdl) -> &'static str {
    match outcome {
        Wdl::Loss => "loses",
        Wdl::Draw => "draws",
        Wdl::Win => "wins",
    }
}
