//! `leapd "genfens N seed S book FILE GAME-AND-OPTIONS" quit`: quick openings, as OpenBench asks for them.
//!
//! An opening is a position after random moves, with a search of a few nodes against lopsided ones. OpenBench waits
//! seconds for each opening, so no games are played out as in [`crate::openings`].

use std::ops::RangeInclusive;
use std::path::Path;

use anyhow::{Context, Result, anyhow, ensure};
use rand_chacha::rand_core::Rng;

use crate::candidates::{begun, begun_at, is_balanced, random};
use crate::usage::{self, Mistake};
use leap_engine::options::Scope;
use leap_engine::{Engines, files};
use leap_search::Playable;

/// The form of a request.
const FORM: &str =
    "genfens N seed S book FILE|None game=GAME [plies=A..B] [margin=CP] [nodes=N] [OPTION=VALUE]";
/// The largest book that is read, in bytes.
const MAX_BOOK_BYTES: u64 = 64 << 20;
/// How many candidates in a row may fail before the program gives up.
const PATIENCE: u32 = 5_000;
/// What follows a position text, so that OpenBench counts six fields.
const FILLER: &str = "- - - 0 1";

/// What openings are wanted.
pub struct Genfens {
    count: usize,
    seed: u64,
    /// The file of position texts from which the random moves start. Without it they start at the start position.
    book: Option<String>,
    engines: Engines,
    plies: RangeInclusive<u32>,
    /// The most that a player may be ahead, in centipawns.
    margin: u32,
    nodes: u64,
}

/// The request on a command line, for the games of these engines. `None` if the command line is no such request.
///
/// # Errors
/// A [`Mistake`] that says what was expected.
#[must_use]
pub fn asked(words: &[String], engines: Engines) -> Option<Result<Genfens>> {
    let (first, others) = words.split_first()?;
    let text =
        first.strip_prefix("genfens").filter(|text| text.is_empty() || text.starts_with(' '))?;
    let is_whole = others.is_empty() || others == ["quit"];
    let request =
        if is_whole { Genfens::parse(text, engines) } else { Err(expected(&others.join(" "))) };
    Some(request)
}

/// The error for a request of another form.
fn expected(found: &str) -> anyhow::Error {
    Mistake::new(format!("expected '{FORM}', found '{found}'")).into()
}

impl Genfens {
    fn parse(text: &str, engines: Engines) -> Result<Self> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let [count, "seed", seed, "book", book, ref extra @ ..] = words[..] else {
            return Err(expected(text.trim()));
        };
        let mut request = Self {
            count: number("a number of openings", count)?,
            seed: number("a seed", seed)?,
            book: Some(book.to_owned()).filter(|book| !book.eq_ignore_ascii_case("none")),
            engines,
            plies: 4..=16,
            margin: 300,
            nodes: 1_000,
        };
        let mut has_game = false;
        for word in extra {
            has_game |= request.set(word)?;
        }
        ensure!(
            has_game,
            Mistake::new(format!(
                "expected game=GAME with one of {}, found none",
                request.engines.settings.games.join(", ")
            ))
        );
        Ok(request)
    }

    /// Takes a `key=value`. Returns whether it names the game.
    fn set(&mut self, word: &str) -> Result<bool> {
        let Some((key, value)) = word.split_once('=') else { return Err(expected(word)) };
        match key {
            "plies" => self.plies = usage::range(value).map_err(Mistake::new)?,
            "margin" => self.margin = number("margin=CP", value)?,
            "nodes" => self.nodes = number("nodes=N", value)?,
            _ => {
                let scope =
                    self.engines.set(key, Some(value)).map_err(|error| Mistake::new(error.text))?;
                let is_of_rules = matches!(scope, Scope::Game | Scope::AllRules | Scope::Rules(_));
                ensure!(
                    is_of_rules,
                    Mistake::new(format!(
                        "expected the game, an option of its rules, plies, margin or nodes, found '{key}'"
                    ))
                );
                return Ok(scope == Scope::Game);
            }
        }
        Ok(false)
    }

    /// The id of the game.
    #[must_use]
    pub fn game(&self) -> &'static str {
        self.engines.engine().id()
    }

    /// Makes the openings of the game, each as a line of the reply. The request alone decides which.
    ///
    /// # Errors
    /// The book cannot be read, too few positions qualify, or `each` fails.
    pub fn each<R: Playable>(&self, each: &mut dyn FnMut(String) -> Result<()>) -> Result<()> {
        let options = self.engines.engine().rules_in_force().options.0;
        let options = options.iter().map(|(name, value)| (&**name, Some(&**value)));
        let rules: R = leap_engine::rules(options).map_err(|error| anyhow!(error.text))?;
        let starts = self.book.as_deref().map(|path| book(&rules, path)).transpose()?;
        let (mut made, mut idle) = (0, 0);
        for number in 0.. {
            if made == self.count {
                break;
            }
            let mut random = random(self.seed, number);
            let game = match &starts {
                None => begun(&rules, &self.plies, &mut random),
                Some(starts) => {
                    let start = starts[(random.next_u64() % starts.len() as u64) as usize];
                    begun_at(&rules, start, &self.plies, &mut random)
                }
            };
            idle += 1;
            ensure!(
                idle <= PATIENCE,
                "found {made} of {} openings, then none in {PATIENCE} positions; a wider margin or other plies may help",
                self.count
            );
            let Some(game) = game else { continue };
            if is_balanced(&game, self.nodes, self.margin)? {
                each(line(&rules.print_position(game.current())))?;
                (made, idle) = (made + 1, 0);
            }
        }
        Ok(())
    }
}

fn number<T: std::str::FromStr>(what: &str, text: &str) -> Result<T> {
    text.parse().map_err(|_| Mistake::new(format!("expected {what}, found '{text}'")).into())
}

/// The positions of a file, one a line. Empty lines and comments are left out.
fn book<R: Playable>(rules: &R, path: &str) -> Result<Vec<R::Position>> {
    let text = read_book(Path::new(path)).with_context(|| format!("cannot read {path}"))?;
    let lines =
        text.lines().zip(1..).filter(|(line, _)| !line.is_empty() && !line.starts_with('#'));
    let positions = lines.map(|(line, number)| {
        rules.parse_position(line).map_err(|error| anyhow!("{path}:{number}: {error}"))
    });
    let positions: Vec<_> = positions.collect::<Result<_>>()?;
    ensure!(!positions.is_empty(), "expected positions in {path}, found none");
    Ok(positions)
}

/// The text of a book, without the byte order mark that some editors put before it.
fn read_book(path: &Path) -> Result<String> {
    let text = String::from_utf8(files::read(path, MAX_BOOK_BYTES)?)?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// The line of an opening. A position text has five fields and OpenBench reads six, so the text becomes one field.
fn line(position: &str) -> String {
    format!("info string genfens {} {FILLER}", position.replace(' ', "_"))
}
