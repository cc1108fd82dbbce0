//! `leap-train generate`: games of the engine against itself. Each file is a shard, with the positions of some games.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use clap::value_parser;
use leap_core::exact::Tablebase;
use leap_core::record::Record;
use leap_core::{GameResult, Position, Side};
use leap_engine::options::Settings;
use leap_games::for_each_game;
use leap_games::{GameId, Row};
use leap_search::{Answer, Control, Limits, Request, STACK_BYTES, Table, Value, search};
use leapd::candidates::{begun, random};
use leapd::io::Progress;
use leapd::usage::{self, Mistake, positive};
use rayon::prelude::*;

use crate::{evaluator, output, sample};

/// The size of the table of each shard, in MiB. The games depend on it.
const TABLE_MIB: usize = 4;

/// The largest number of shards, and of games in a shard. The number of a game then fits 64 bits.
const MOST: u64 = 1_000_000_000;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The game
    #[arg(value_parser = usage::game())]
    game: GameId,
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
    /// The number of nodes of each move
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = positive::<u64>())]
    nodes: u64,
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

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    macro_rules! generate {
        ($($id:ident $rules:ident $title:literal;)*) => {
            match arguments.game {
                $(GameId::$rules => generate::<leap_games::$id::$rules>(arguments),)*
            }
        };
    }
    for_each_game!(generate)
}

fn generate<G: Row>(arguments: &Arguments) -> Result<()> {
    let Arguments { out, first, shards, least, most, threads, .. } = arguments;
    ensure!(
        least <= most,
        Mistake::new(format!("expected --least to be at most --most, found {least} and {most}"))
    );
    let evaluator =
        arguments.weights.as_deref().map(evaluator::<G>).transpose()?.unwrap_or_default();
    let tables = Settings::default().tables_of(&G::default());
    let players = Players { arguments, evaluator, tables };
    fs::create_dir_all(out).with_context(|| format!("cannot make {}", out.display()))?;
    let progress = Progress::new(Some(*shards), "shards")?;
    let builder = rayon::ThreadPoolBuilder::new().num_threads(*threads).stack_size(STACK_BYTES);
    builder.build()?.install(|| {
        (*first..first + shards).into_par_iter().try_for_each(|number| {
            let name = format!("{}-{}-{number:05}.txt.gz", arguments.game, arguments.seed);
            let path = out.join(name);
            if !path.exists() {
                output::write(&path, &shard(&players, number)?)?;
            }
            progress.inc(1);
            Ok(())
        })
    })
}

/// What all games have in common.
struct Players<'a, G: Row> {
    arguments: &'a Arguments,
    evaluator: G::Evaluator,
    tables: Option<Arc<dyn Tablebase<G>>>,
}

/// The contents of a shard.
fn shard<G: Row>(players: &Players<'_, G>, number: u64) -> Result<Vec<u8>> {
    let mut lines = String::new();
    let table = Table::new(TABLE_MIB)?;
    let games = players.arguments.games;
    for game in number * games..(number + 1) * games {
        lines += &play(players, game, &table)?;
    }
    sample::packed(&lines)
}

/// The samples of a game, as lines. A game ends where tables know who wins.
fn play<G: Row>(players: &Players<'_, G>, number: u64, table: &Table) -> Result<String> {
    let Players { arguments, evaluator, tables } = players;
    let tables = tables.as_deref();
    let mut random = random(arguments.seed, number);
    let plies = arguments.least..=arguments.most;
    let Some(mut record) = begun(&G::default(), &plies, &mut random) else {
        return Ok(String::new());
    };
    let limits = Limits::nodes(arguments.nodes);
    let mut samples = Vec::new();
    table.clear();
    let result = loop {
        if let Some(outcome) = record.outcome() {
            break outcome.result;
        }
        let exact = tables.and_then(|tables| tables.probe(record.game(), record.current()));
        if let Some(exact) = exact {
            break exact.outcome.result(record.current().side());
        }
        table.new_search();
        let answer = search(
            Request {
                record: &record,
                evaluator,
                limits: &limits,
                table,
                tables,
                control: &Control::new(),
            },
            &mut |_| {},
        );
        if let Some(winner) = answer.winner(record.current().side()) {
            break GameResult::Win(winner);
        }
        samples.extend(sampled(&record, &answer));
        record.push(answer.best.context("the search found no move")?);
    };
    let lines = samples
        .iter()
        .map(|(text, side, score)| sample::line(text, *score, sample::result_for(result, *side)));
    Ok(lines.collect())
}

/// The position as a sample, if its score is an evaluation and a search would evaluate it.
fn sampled<G: Row>(record: &Record<G>, answer: &Answer<G::Move>) -> Option<(String, Side, i64)> {
    let (game, position) = (record.game(), record.current());
    let Value::Cp(score) = answer.score.value() else { return None };
    if answer.score.is_decided() {
        return None;
    }
    let is_quiet = sample::is_quiet(record, answer.best?);
    is_quiet.then(|| (game.print_position(position), position.side(), score.into()))
}
