//! `leap-train import`: the positions of games that other programs have played, such as OpenBench's workers.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufReader, Read, stdin};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::value_parser;
use leap_core::record::Record;
use leap_core::{GameResult, Position, Side};
use leap_engine::options::Settings;
use leap_games::{GameId, Row, for_each_game};
use leapd::io::complain;
use leapd::usage;
use sha2::{Digest, Sha256};

use crate::pgn::{self, Text};
use crate::{output, sample};

/// The path that stands for the standard input.
const STDIN: &str = "-";
/// The bytes of a hash in the name of a shard.
const NAMED_BYTES: usize = 8;
/// The number of refused games that are named one by one.
const NAMED_REFUSALS: u64 = 20;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The game
    #[arg(value_parser = usage::game())]
    game: GameId,
    /// Files of games as OpenBench's archives have them, unpacked; - is the standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The folder of the shards, which is made if needed
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// The number of games in a shard
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = value_parser!(u64).range(1..))]
    games: u64,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    macro_rules! import {
        ($($id:ident $rules:ident $title:literal;)*) => {
            match arguments.game {
                $(GameId::$rules => import::<leap_games::$id::$rules>(arguments),)*
            }
        };
    }
    for_each_game!(import)
}

fn import<G: Row>(arguments: &Arguments) -> Result<()> {
    let Arguments { files, out, .. } = arguments;
    fs::create_dir_all(out).with_context(|| format!("cannot make {}", out.display()))?;
    let (mut shard, mut figures) = (Shard::new(arguments), Figures::default());
    for file in files {
        let shown = file.display();
        let unreadable = || format!("cannot read {shown}");
        let input: Box<dyn Read> = if file == Path::new(STDIN) {
            Box::new(stdin())
        } else {
            Box::new(File::open(file).with_context(unreadable)?)
        };
        let take = |text: Text| match replay::<G>(&text) {
            Ok(game) => {
                figures.count(&game);
                shard.add(&game)
            }
            Err(refusal) => {
                figures.refuse(&format!("{shown}:{}", text.line), &refusal);
                Ok(())
            }
        };
        pgn::read(BufReader::new(input), take).with_context(|| shown.to_string())?;
    }
    shard.write()?;
    figures.print();
    ensure!(figures.games > 0, "expected games of {}, found none that can be used", G::ID);
    Ok(())
}

/// A game that was played again.
struct Played {
    result: GameResult,
    samples: Vec<Sampled>,
}

/// A position text, the side to move, and the score for this side.
type Sampled = (String, Side, i64);

/// Why a game is left out.
struct Refusal {
    /// What is wrong, in a word.
    kind: &'static str,
    /// What was expected and what was found.
    text: String,
}

fn refusal<T>(kind: &'static str, text: String) -> Result<T, Refusal> {
    Err(Refusal { kind, text })
}

/// Plays a game again by the rules, and keeps the positions that `generate` would keep.
fn replay<G: Row>(text: &Text) -> Result<Played, Refusal> {
    let game = rules::<G>(text.header("Variant"))?;
    let start = match text.header("FEN") {
        None => game.start(),
        Some(fen) => match game.parse_position(fen) {
            Ok(position) => position,
            Err(error) => return refusal("position", format!("FEN: {error}")),
        },
    };
    let result = result(text.header("Result"))?;
    let mut record = Record::new(game, start);
    let mut samples = Vec::new();
    for (made, number) in text.moves().into_iter().zip(1..) {
        let mv = match record.resolve(&made.text) {
            Ok(mv) => mv,
            Err(illegal) => {
                let (found, why) = (&made.text, illegal.reason.text());
                return refusal(
                    "move",
                    format!("move {number}: expected a legal move, found '{found}': {why}"),
                );
            }
        };
        if let Some(score) = made.score().filter(|_| sample::is_quiet(&record, mv)) {
            let position = record.current();
            samples.push((record.game().print_position(position), position.side(), score));
        }
        record.push(mv);
    }
    if record.outcome().is_some_and(|outcome| outcome.result != result) {
        return refusal("result", "expected the result of the rules, found another".to_owned());
    }
    Ok(Played { result, samples })
}

/// The rules of a game: its id, then pairs of options and values, as `query game` reports them. Without this header the
/// options have their defaults.
fn rules<G: Row>(variant: Option<&str>) -> Result<G, Refusal> {
    let mut words = variant.unwrap_or_default().split([' ', '=']).filter(|word| !word.is_empty());
    let mut settings = Settings::default();
    match words.next() {
        // OpenBench calls every game `standard`.
        None | Some("standard") => {}
        Some(named) if named.eq_ignore_ascii_case(G::ID.into()) => {}
        Some(named) => {
            return refusal("game", format!("expected games of {}, found '{named}'", G::ID));
        }
    }
    while let Some(name) = words.next() {
        if let Err(error) = settings.set(name, words.next()) {
            return refusal("variant", error.to_string());
        }
    }
    Ok(G::from(&settings.rules))
}

fn result(header: Option<&str>) -> Result<GameResult, Refusal> {
    match header.unwrap_or_default() {
        "1-0" => Ok(GameResult::Win(Side::One)),
        "0-1" => Ok(GameResult::Win(Side::Two)),
        "1/2-1/2" => Ok(GameResult::Draw),
        found => {
            refusal("result", format!("expected the result 1-0, 0-1 or 1/2-1/2, found '{found}'"))
        }
    }
}

/// The games of the next shard.
struct Shard<'a> {
    arguments: &'a Arguments,
    lines: String,
    games: u64,
}

impl<'a> Shard<'a> {
    const fn new(arguments: &'a Arguments) -> Self {
        Self { arguments, lines: String::new(), games: 0 }
    }

    fn add(&mut self, game: &Played) -> Result<()> {
        for (text, side, score) in &game.samples {
            self.lines += &sample::line(text, *score, sample::result_for(game.result, *side));
        }
        self.games += 1;
        if self.games >= self.arguments.games { self.write() } else { Ok(()) }
    }

    /// Writes the games under a name that tells their contents. Games that were imported before make the same file.
    fn write(&mut self) -> Result<()> {
        if !self.lines.is_empty() {
            let hash = Sha256::digest(&self.lines);
            let mut name = format!("{}-", self.arguments.game);
            for byte in &hash[..NAMED_BYTES] {
                write!(name, "{byte:02x}")?;
            }
            let path = self.arguments.out.join(name + ".txt.gz");
            output::write(&path, &sample::packed(&self.lines)?)?;
        }
        (self.lines, self.games) = (String::new(), 0);
        Ok(())
    }
}

/// What was imported.
#[derive(Default)]
struct Figures {
    games: u64,
    decided: u64,
    /// The numbers of refused games.
    refused: BTreeMap<&'static str, u64>,
    /// The hashes of the positions.
    seen: HashSet<u64>,
    correlation: Correlation,
}

impl Figures {
    fn count(&mut self, game: &Played) {
        self.games += 1;
        self.decided += u64::from(game.result != GameResult::Draw);
        for (text, side, score) in &game.samples {
            let mut hasher = DefaultHasher::new();
            text.hash(&mut hasher);
            self.seen.insert(hasher.finish());
            let result = sample::result_for(game.result, *side);
            self.correlation.add(*score as f64, result as f64);
        }
    }

    fn refuse(&mut self, place: &str, refusal: &Refusal) {
        *self.refused.entry(refusal.kind).or_default() += 1;
        if self.refused.values().sum::<u64>() <= NAMED_REFUSALS {
            complain(&format!("{place}: left out: {}", refusal.text));
        }
    }

    fn print(&self) {
        let refused: u64 = self.refused.values().sum();
        let kinds = self.refused.iter().map(|(kind, count)| format!(" {kind} {count}"));
        println!("games {} refused {refused}{}", self.games, kinds.collect::<String>());
        let positions = self.correlation.count as u64;
        println!("positions {positions} duplicates {}", positions - self.seen.len() as u64);
        println!(
            "decided {:.1} % of the games",
            100.0 * self.decided as f64 / self.games.max(1) as f64
        );
        println!("correlation of score and result {:.3}", self.correlation.value());
    }
}

/// Pearson's correlation, from sums.
#[derive(Default)]
struct Correlation {
    count: f64,
    /// The sums of both values, of their squares, and of their products.
    sums: [f64; 2],
    squares: [f64; 2],
    products: f64,
}

impl Correlation {
    fn add(&mut self, x: f64, y: f64) {
        self.count += 1.0;
        self.sums = [self.sums[0] + x, self.sums[1] + y];
        self.squares = [self.squares[0] + x * x, self.squares[1] + y * y];
        self.products += x * y;
    }

    /// From -1 to 1; 0 where a value never changes.
    fn value(&self) -> f64 {
        let variance = |i: usize| self.count * self.squares[i] - self.sums[i] * self.sums[i];
        let deviations = (variance(0) * variance(1)).sqrt();
        let covariance = self.count * self.products - self.sums[0] * self.sums[1];
        if deviations > 0.0 { covariance / deviations } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_rise_together_correlate_and_constant_ones_do_not() {
        let value = |pairs: &[(f64, f64)]| {
            let mut correlation = Correlation::default();
            pairs.iter().for_each(|(x, y)| correlation.add(*x, *y));
            correlation.value()
        };
        assert!((value(&[(10.0, -1.0), (20.0, 0.0), (30.0, 1.0)]) - 1.0).abs() < 1e-9);
        assert!(
            (value(&[(10.0, 1.0), (-10.0, -1.0), (0.0, 1.0), (0.0, -1.0)]) - 0.5f64.sqrt()).abs()
                < 1e-9
        );
        assert_eq!(value(&[(5.0, 1.0), (5.0, -1.0)]), 0.0);
        assert_eq!(value(&[]), 0.0);
    }
}
