//! `leap-train generate`: games of the engine against itself. Each file is a shard, with the positions of some games.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use clap::value_parser;
use leap_core::exact::{Exact, Tablebase};
use leap_core::{Game, GameResult, Position};
use leap_engine::options::Settings;
use leap_search::{
    Control, Limits, Playable, Request, STACK_BYTES, SearchResult, TranspositionTable, Value,
    search,
};
use leapd::candidates::{begun, random};
use leapd::io::Progress;
use leapd::usage::Mistake;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use crate::figures::Figures;
use crate::sample::{self, Played};
use crate::{evaluator, output};

/// The size of the table of each shard, in MiB. The games depend on it.
const TABLE_MIB: usize = 4;

/// The last iteration of a search may go on for this many times the nodes of a move.
const MOST_OVERRUN: u64 = 10;

/// The number of beginnings that are tried for a game.
const MOST_BEGINNINGS: u32 = 100;

/// The largest number of shards, and of games in a shard. The number of a game then fits 64 bits.
const MOST: u64 = 1_000_000_000;

/// The command line.
#[derive(clap::Args)]
pub struct Arguments {
    /// The game
    pub(crate) game: String,
    /// The folder of the shards, which is made if needed; shards in it are not made again
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// The number of the first shard; give other machines other numbers
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = value_parser!(u64).range(..=MOST))]
    first: u64,
    /// The number of shards
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = value_parser!(u64).range(1..=MOST))]
    shards: u64,
    /// The number of games in a shard
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = value_parser!(u64).range(1..=MOST))]
    games: u64,
    /// The nodes of each move: no iteration begins after so many, and none goes beyond ten times as many
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = value_parser!(u64).range(1..=MOST))]
    nodes: u64,
    /// How far a side may be ahead after the random moves, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 300)]
    ahead: u32,
    /// A file of weights to play with, in place of the engine's own
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// The fewest random moves that a game begins with
    #[arg(long, value_name = "N", default_value_t = 4)]
    least: u32,
    /// The most random moves that a game begins with
    #[arg(long, value_name = "N", default_value_t = 16)]
    most: u32,
    /// The seed of everything random
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The number of threads, which does not change the games [default: one for each processor]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    threads: usize,
}

pub(crate) fn generate<R: Playable>(arguments: &Arguments) -> Result<()> {
    let Arguments { out, first, shards, least, most, threads, .. } = arguments;
    ensure!(
        least <= most,
        Mistake::new(format!("expected --least to be at most --most, found {least} and {most}"))
    );
    let evaluator =
        arguments.weights.as_deref().map(evaluator::<R>).transpose()?.unwrap_or_default();
    let tables = Settings::default().tables_of(&R::default());
    let players = Players { arguments, evaluator, tables };
    fs::create_dir_all(out).with_context(|| format!("cannot make {}", out.display()))?;
    let progress = Progress::new(Some(*shards), "shards")?;
    let builder = rayon::ThreadPoolBuilder::new().num_threads(*threads).stack_size(STACK_BYTES);
    builder.build()?.install(|| {
        (*first..first + shards).into_par_iter().try_for_each(|number| {
            let name = format!("{}-{}-{number:05}.txt.gz", arguments.game, arguments.seed);
            let path = out.join(name);
            if !path.exists() {
                let (lines, figures) = shard(&players, number)?;
                progress.suspend(|| println!("shard {number} {figures}"));
                if let Some(fault) = figures.fault() {
                    bail!("shard {number}: {fault}; it is not kept");
                }
                output::write(&path, &sample::packed(&lines)?)?;
            }
            progress.inc(1);
            Ok(())
        })
    })
}

/// What all games have in common.
struct Players<'a, R: Playable> {
    arguments: &'a Arguments,
    evaluator: R::Evaluator,
    tables: Option<Arc<dyn Tablebase<R>>>,
}

/// The lines of a shard, and what they are like.
fn shard<R: Playable>(players: &Players<'_, R>, number: u64) -> Result<(String, Figures)> {
    let (mut lines, mut figures) = (String::new(), Figures::default());
    let table = TranspositionTable::new(TABLE_MIB)?;
    let games = players.arguments.games;
    for game in number * games..(number + 1) * games {
        if let Some(game) = players.play(game, &table)? {
            figures.count_game(&game);
            lines += &game.lines();
        }
    }
    Ok((lines, figures))
}

impl<R: Playable> Players<'_, R> {
    /// Plays a game. It ends where tables know who wins. `None` if no beginning is found at which both sides can win.
    fn play(&self, number: u64, table: &TranspositionTable) -> Result<Option<Played<R>>> {
        let mut random = random(self.arguments.seed, number);
        let begun = (0..MOST_BEGINNINGS).find_map(|_| self.begin(&mut random, table));
        let Some(mut record) = begun else { return Ok(None) };
        let mut scored = Vec::new();
        table.clear();
        let result = loop {
            if let Some(outcome) = record.outcome() {
                break outcome.result;
            }
            if let Some(exact) = self.probe(&record) {
                break exact.outcome.result(record.current().side());
            }
            let answer = self.search(&record, table);
            if let Some(winner) = answer.winner(record.current().side()) {
                break GameResult::Win(winner);
            }
            scored.extend(self::scored(&record, &answer));
            record.push(answer.best.context("the search found no move")?);
        };
        Ok(Some(Played { rules: record.rules().clone(), result, scored }))
    }

    /// A game after random moves. `None` if it is over, known, or a side is too far ahead.
    fn begin(&self, random: &mut ChaCha8Rng, table: &TranspositionTable) -> Option<Game<R>> {
        let Arguments { least, most, ahead, .. } = self.arguments;
        let record = begun(&R::default(), &(*least..=*most), random)?;
        if record.outcome().is_some() || self.probe(&record).is_some() {
            return None;
        }
        table.clear();
        let Value::Cp(score) = self.search(&record, table).score.value() else { return None };
        (score.unsigned_abs() <= *ahead).then_some(record)
    }

    fn search(&self, record: &Game<R>, table: &TranspositionTable) -> SearchResult<R::Move> {
        let nodes = self.arguments.nodes;
        let soft = Limits { soft_nodes: Some(nodes), ..Limits::nodes(MOST_OVERRUN * nodes) };
        table.new_search();
        let request = Request {
            game: record,
            evaluator: &self.evaluator,
            limits: &soft,
            table,
            tablebase: self.tables.as_deref(),
            control: &Control::new(),
        };
        search(request, &mut |_| {})
    }

    fn probe(&self, record: &Game<R>) -> Option<Exact> {
        self.tables.as_deref()?.probe(record.rules(), record.current())
    }
}

/// The position with its score, if the score is an evaluation and a search would evaluate the position.
fn scored<R: Playable>(
    record: &Game<R>,
    answer: &SearchResult<R::Move>,
) -> Option<(R::Position, i64)> {
    let Value::Cp(score) = answer.score.value() else { return None };
    let is_kept = !answer.score.is_decided() && sample::is_quiet(record, answer.best?);
    is_kept.then(|| (*record.current(), score.into()))
}
