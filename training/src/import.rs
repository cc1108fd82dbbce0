//! `leap-train import`: the positions of games that other programs have played, such as OpenBench's workers.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::fs::{self, File};
use std::io::{BufReader, Read, stdin};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use clap::value_parser;
use leap_core::notation::Notation;
use leap_core::{Game, GameResult, Side};
use leap_search::Playable;
use leapd::io::complain;
use sha2::{Digest, Sha256};

use crate::figures::Figures;
use crate::output;
use crate::pgn::{self, Text};
use crate::sample::{self, Played};

/// The path that stands for the standard input.
const STDIN: &str = "-";
/// The bytes of a hash in the name of a shard.
const NAMED_BYTES: usize = 8;
/// The number of refused games that are named one by one.
const NAMED_REFUSALS: u64 = 20;

/// The command line.
#[derive(clap::Args)]
pub struct Arguments {
    /// The game
    pub(crate) game: String,
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

pub(crate) fn import<R: Playable>(arguments: &Arguments) -> Result<()> {
    let Arguments { files, out, .. } = arguments;
    fs::create_dir_all(out).with_context(|| format!("cannot make {}", out.display()))?;
    let (mut shard, mut figures) = (Shard::new(arguments), Figures::default());
    let mut refused = Refused::default();
    for file in files {
        let shown = file.display();
        let unreadable = || format!("cannot read {shown}");
        let input: Box<dyn Read> = if file == Path::new(STDIN) {
            Box::new(stdin())
        } else {
            Box::new(File::open(file).with_context(unreadable)?)
        };
        let take = |text: Text| match replay::<R>(&text) {
            Ok(game) => {
                figures.count_game(&game);
                shard.add(&game)
            }
            Err(refusal) => {
                refused.count(&format!("{shown}:{}", text.line), &refusal);
                Ok(())
            }
        };
        pgn::read(BufReader::new(input), take).with_context(|| shown.to_string())?;
    }
    shard.write()?;
    println!("{figures} {refused}");
    ensure!(figures.games > 0, "expected games of {}, found none that can be used", R::ID);
    figures.fault().map_or(Ok(()), |fault| bail!("{fault}; do not learn from these games"))
}

/// Why a game is left out.
struct SetupError {
    /// What is wrong, in a word.
    kind: &'static str,
    /// What was expected and what was found.
    text: String,
}

fn refusal<T>(kind: &'static str, text: String) -> Result<T, SetupError> {
    Err(SetupError { kind, text })
}

/// Plays a game again by the rules, and keeps the positions that `generate` would keep.
fn replay<R: Playable>(text: &Text) -> Result<Played<R>, SetupError> {
    let game = rules::<R>(text.header("Variant"))?;
    let start = match text.header("FEN") {
        None => game.start(),
        Some(fen) => match game.parse_position(fen) {
            Ok(position) => position,
            Err(error) => return refusal("position", format!("FEN: {error}")),
        },
    };
    let result = result(text.header("Result"))?;
    let mut record = Game::new(game, start);
    let mut scored = Vec::new();
    for (made, number) in text.moves().into_iter().zip(1..) {
        let mv = match record.parse_move(&made.text) {
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
            scored.push((*record.current(), score));
        }
        record.push(mv);
    }
    if record.outcome().is_some_and(|outcome| outcome.result != result) {
        return refusal("result", "expected the result of the rules, found another".to_owned());
    }
    Ok(Played { rules: record.rules().clone(), result, scored })
}

/// The rules of a game: its id, then pairs of options and values, as `query game` reports them. Without this header the
/// options have their defaults.
fn rules<R: Playable>(variant: Option<&str>) -> Result<R, SetupError> {
    let mut words = variant.unwrap_or_default().split([' ', '=']).filter(|word| !word.is_empty());
    match words.next() {
        // OpenBench calls every game `standard`.
        None | Some("standard") => {}
        Some(named) if named.eq_ignore_ascii_case(R::ID) => {}
        Some(named) => {
            return refusal("game", format!("expected games of {}, found '{named}'", R::ID));
        }
    }
    let options = std::iter::from_fn(|| Some((words.next()?, words.next())));
    leap_engine::rules(options).or_else(|error| refusal("variant", error.text))
}

fn result(header: Option<&str>) -> Result<GameResult, SetupError> {
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

    fn add<R: Notation>(&mut self, game: &Played<R>) -> Result<()> {
        self.lines += &game.lines();
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

/// The games that were left out.
#[derive(Default)]
struct Refused {
    /// The number of each kind.
    kinds: BTreeMap<&'static str, u64>,
}

impl Refused {
    fn count(&mut self, place: &str, refusal: &SetupError) {
        *self.kinds.entry(refusal.kind).or_default() += 1;
        if self.kinds.values().sum::<u64>() <= NAMED_REFUSALS {
            complain(&format!("{place}: left out: {}", refusal.text));
        }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "refused {}", self.kinds.values().sum::<u64>())?;
        self.kinds.iter().try_for_each(|(kind, count)| write!(f, " {kind} {count}"))
    }
}
