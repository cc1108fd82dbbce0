//! The command line of fastchess, as far as the worker of OpenBench uses it. After each word that begins with a dash come
//! its values, or `key=value` pairs.

use std::path::PathBuf;

use anyhow::{Context as _, bail, ensure};
use leap_base::pairs::{Pair, number};
use leap_match::plan::config::{DrawRule, EngineConfig, WinRule};

/// What the command line asks for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Asked {
    /// Games at a time, from 1.
    pub(crate) concurrency: usize,
    /// How many openings are played.
    pub(crate) rounds: u64,
    /// Games of each opening: 1 or 2.
    pub(crate) games_each: u64,
    pub(crate) win: Option<WinRule>,
    pub(crate) draw: Option<DrawRule>,
    /// The first one plays p1 in the first game of each pair.
    pub(crate) engines: [AskedEngine; 2],
    pub(crate) openings: Option<AskedOpenings>,
    /// Decides the order of the openings.
    pub(crate) seed: u64,
    /// The file for the games.
    pub(crate) games_file: Option<PathBuf>,
}

/// An engine, as one `-engine` describes it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct AskedEngine {
    /// The program is relative to the directory, or looked up in `PATH`.
    pub(crate) engine: EngineConfig,
    /// How much it may exceed its time, in milliseconds.
    pub(crate) margin_ms: Option<u64>,
}

/// A file with one opening a line.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct AskedOpenings {
    pub(crate) file: PathBuf,
    /// In the order that the seed decides, not that of the file.
    pub(crate) at_random: bool,
    /// The first opening that is played, from 1.
    pub(crate) start: u64,
}

/// Flags that change nothing here. Engines that crash are always started again, and the game comes from an option.
const UNUSED: [&str; 3] = ["recover", "variant", "testEnv"];
/// Flags for the tablebases of chess.
const TABLEBASES: [&str; 2] = ["tb", "tbpieces"];

/// Parses the words of a command line, without the name of the program.
///
/// # Errors
/// A flag or a key that the worker does not use, a value of another form, or not two engines.
pub(crate) fn parse(words: &[String]) -> anyhow::Result<Asked> {
    let mut engines = Vec::new();
    let mut asked = Asked {
        concurrency: 1,
        rounds: 1,
        games_each: 2,
        win: None,
        draw: None,
        engines: Default::default(),
        openings: None,
        seed: 0,
        games_file: None,
    };
    for (flag, values) in flags(words)? {
        let add = match flag {
            "engine" => engine(values).map(|engine| engines.push(engine)),
            _ if UNUSED.contains(&flag) || TABLEBASES.contains(&flag) => Ok(()),
            _ => asked.set(flag, values),
        };
        add.with_context(|| format!("-{flag}"))?;
    }
    let found = engines.len();
    let Ok(engines) = engines.try_into() else { bail!("expected two -engine, found {found}") };
    Ok(Asked { engines, ..asked })
}

/// The flags with their values.
fn flags(words: &[String]) -> anyhow::Result<Vec<(&str, &[String])>> {
    let is_flag = |word: &String| {
        word.strip_prefix('-').is_some_and(|name| name.starts_with(|c: char| c.is_alphabetic()))
    };
    if let Some(first) = words.first().filter(|first| !is_flag(first)) {
        bail!("expected a flag such as '-engine', found '{first}'");
    }
    let groups = words.chunk_by(|_, next| !is_flag(next));
    Ok(groups.map(|group| (&group[0][1..], &group[1..])).collect())
}

impl Asked {
    /// The openings of this run, without those of other runs of the test.
    ///
    /// A run plays `rounds` openings, yet the worker moves `start` on by half of that. Taken as it is, the second half of
    /// a run would be played again in the next one.
    pub(crate) fn openings(&self) -> Option<AskedOpenings> {
        let asked = self.openings.clone()?;
        let is_counted_by_half = asked.at_random && self.games_each == 2;
        let before = asked.start.saturating_sub(1);
        let before = if is_counted_by_half { before.saturating_mul(2) } else { before };
        Some(AskedOpenings { start: before.saturating_add(1), ..asked })
    }

    fn set(&mut self, flag: &str, values: &[String]) -> anyhow::Result<()> {
        match flag {
            "concurrency" => self.concurrency = positive(values)?,
            "rounds" => self.rounds = positive(values)?,
            "games" => {
                self.games_each = positive(values)?;
                ensure!(self.games_each <= 2, "expected 1 or 2, found {}", self.games_each);
            }
            "srand" => self.seed = one(values)?,
            "resign" => {
                let pairs = pairs(values)?;
                self.win = Some(WinRule {
                    count: number(&pairs, "movecount", None)?,
                    score: number(&pairs, "score", None)?,
                });
            }
            "draw" => {
                let pairs = pairs(values)?;
                let moves: u64 = number(&pairs, "movenumber", Some(0))?;
                self.draw = Some(DrawRule {
                    // A move of chess is one of both sides.
                    plies: moves.saturating_mul(2),
                    count: number(&pairs, "movecount", None)?,
                    score: number(&pairs, "score", None)?,
                });
            }
            "openings" => self.openings = Some(openings(values)?),
            "pgnout" => {
                let pairs = pairs(values)?;
                let file = pairs.iter().find(|pair| pair.key == "file");
                let file = file.context("expected file=PATH")?;
                self.games_file = Some(PathBuf::from(&file.value));
            }
            _ => bail!("expected a flag that a worker of OpenBench uses"),
        }
        Ok(())
    }
}

fn engine(values: &[String]) -> anyhow::Result<AskedEngine> {
    let AskedEngine { mut engine, mut margin_ms } = AskedEngine::default();
    for pair in pairs(values)? {
        match pair.key.as_str() {
            "name" => engine.name = plain(&pair.value),
            // Which dialect an engine speaks is found out: the worker always says uci.
            "proto" => {}
            "tc" if pair.value == "inf" => {}
            "st" => engine.limit.movetime_ms = Some(milliseconds(&pair)?),
            "timemargin" => margin_ms = Some(pair.parse("milliseconds, a whole number")?),
            "cmd" | "dir" | "tc" | "nodes" | "depth" => engine.set(&pair)?,
            key if key.starts_with("option.") => {
                let value = pair.value.trim_matches('"').to_owned();
                engine.set(&Pair { value, ..pair })?;
            }
            key => bail!("expected a key that a worker of OpenBench uses, found '{key}'"),
        }
    }
    ensure!(!engine.cmd.as_os_str().is_empty(), "expected cmd=PROGRAM");
    ensure!(!engine.limit.is_none(), "expected a limit: tc=, st=, nodes= or depth=");
    if engine.name.is_empty() {
        engine.name = plain(&engine.cmd.display().to_string());
    }
    Ok(AskedEngine { engine, margin_ms })
}

/// A name that leaves the lines of the worker whole: ASCII, one word, no colon.
fn plain(name: &str) -> String {
    let is_plain = |c: &char| c.is_ascii_graphic() && *c != ':';
    name.chars().map(|c| if is_plain(&c) { c } else { '_' }).collect()
}

fn openings(values: &[String]) -> anyhow::Result<AskedOpenings> {
    let mut openings = AskedOpenings { start: 1, ..AskedOpenings::default() };
    for pair in pairs(values)? {
        match (pair.key.as_str(), pair.value.as_str()) {
            ("file", _) => openings.file = PathBuf::from(pair.value),
            ("format", "epd") | ("order", "sequential") => {}
            ("order", "random") => openings.at_random = true,
            ("start", _) => openings.start = pair.parse("a whole number")?,
            ("format", other) => bail!("format: expected epd, found '{other}'"),
            ("order", other) => bail!("order: expected random or sequential, found '{other}'"),
            (key, _) => bail!("expected one of file, format, order, start, found '{key}'"),
        }
    }
    ensure!(!openings.file.as_os_str().is_empty(), "expected file=PATH");
    Ok(openings)
}

fn pairs(values: &[String]) -> anyhow::Result<Vec<Pair>> {
    let pair = |word: &String| {
        word.parse().map_err(|_| anyhow::anyhow!("expected KEY=VALUE, found '{word}'"))
    };
    values.iter().map(pair).collect()
}

fn one<T: std::str::FromStr>(values: &[String]) -> anyhow::Result<T> {
    match values {
        [value] => {
            value.parse().ok().with_context(|| format!("expected a number, found '{value}'"))
        }
        _ => bail!("expected one value, found {}", values.len()),
    }
}

fn positive<T: std::str::FromStr + PartialOrd + From<u8>>(values: &[String]) -> anyhow::Result<T> {
    let value: T = one(values)?;
    ensure!(value >= T::from(1), "expected at least 1, found 0");
    Ok(value)
}

/// Seconds with decimals, as whole milliseconds.
fn milliseconds(pair: &Pair) -> anyhow::Result<u64> {
    let seconds: f64 = pair.parse("seconds")?;
    let ms = (seconds * 1000.0).round();
    ensure!((1.0..1e9).contains(&ms), "st: expected seconds, found '{}'", pair.value);
    Ok(ms as u64)
}

#[cfg(test)]
mod tests {
    use leap_match::plan::limit::{Limit, TimeControl};

    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split_whitespace().map(str::to_owned).collect()
    }

    /// What the worker writes for a test with time, adjudication and a book.
    const TIMED: &str = "-recover -variant standard -testEnv -concurrency 3 -rounds 64 -games 2 \
        -resign movecount=3 score=400 -draw movenumber=40 movecount=8 score=10 \
        -engine dir=Engines/ cmd=./leapd-0A1B2C3D proto=uci tc=8.12+0.08 timemargin=250 option.Game=eximo \
        option.Hash=16 option.Threads=1 name=leapd-dev \
        -engine dir=Engines/ cmd=./leapd-4D5E6F70 proto=uci tc=8.12+0.08 timemargin=250 option.Game=eximo \
        option.Hash=16 option.Threads=1 name=leapd-base \
        -openings file=Books/eximo.epd format=epd order=random start=129 -srand 5117 \
        -pgnout file=PGNs/1.2.3.0.pgn seldepth=true nodes=true match_line=^info_string_pgncomment_.*";

    #[test]
    fn the_command_line_of_a_timed_test_is_understood() {
        let asked = parse(&words(TIMED)).unwrap();
        assert_eq!(
            (asked.concurrency, asked.rounds, asked.games_each, asked.seed),
            (3, 64, 2, 5117)
        );
        assert_eq!(asked.win, Some(WinRule { count: 3, score: 400 }));
        assert_eq!(asked.draw, Some(DrawRule { plies: 80, count: 8, score: 10 }));
        let openings =
            AskedOpenings { file: PathBuf::from("Books/eximo.epd"), at_random: true, start: 129 };
        assert_eq!(asked.openings, Some(openings));
        assert_eq!(asked.games_file, Some(PathBuf::from("PGNs/1.2.3.0.pgn")));
        let [AskedEngine { engine, margin_ms }, base] = &asked.engines;
        assert_eq!((&*engine.name, &*base.engine.name), ("leapd-dev", "leapd-base"));
        assert_eq!(engine.cmd, PathBuf::from("./leapd-0A1B2C3D"));
        assert_eq!((engine.dir.as_deref(), *margin_ms), (Some("Engines/".as_ref()), Some(250)));
        let clock = TimeControl { moves: None, time_ms: 8120, inc_ms: 80 };
        assert_eq!(engine.limit.clock, Some(clock));
        let options = engine.options.iter().map(|(name, value)| format!("{name}={value}"));
        assert_eq!(options.collect::<Vec<_>>(), ["Game=eximo", "Hash=16", "Threads=1"]);
    }

    #[test]
    fn every_form_of_a_limit_is_understood() {
        let clock = |moves, time_ms, inc_ms| Limit {
            clock: Some(TimeControl { moves, time_ms, inc_ms }),
            ..Limit::default()
        };
        for (text, expected) in [
            ("tc=inf nodes=5000", Limit { nodes: Some(5000), ..Limit::default() }),
            ("tc=inf depth=9", Limit { depth: Some(9), ..Limit::default() }),
            ("st=0.10 timemargin=250", Limit { movetime_ms: Some(100), ..Limit::default() }),
            ("tc=40/8.00+0.08", clock(Some(40), 8000, 80)),
            ("tc=10.00+0.00", clock(None, 10_000, 0)),
        ] {
            let engine = engine(&words(&format!("cmd=./a {text}"))).unwrap();
            assert_eq!(engine.engine.limit, expected, "{text}");
        }
    }

    #[test]
    fn a_command_line_of_another_form_is_refused_in_one_line() {
        let engines = "-engine cmd=a nodes=1 -engine cmd=b nodes=1";
        for row in [
            "leapd => expected a flag such as '-engine', found 'leapd'",
            "-engine cmd=a nodes=1 => expected two -engine, found 1",
            "-engine cmd=a -engine cmd=b nodes=1 => -engine: expected a limit: tc=, st=, nodes= or depth=",
            "-engine cmd=a nodes=1 color=red => -engine: expected a key that a worker of OpenBench uses, found 'color'",
            "-rounds 0 => -rounds: expected at least 1, found 0",
            "-games 3 => -games: expected 1 or 2, found 3",
            "-concurrency => -concurrency: expected one value, found 0",
            "-openings file=a format=pgn => -openings: format: expected epd, found 'pgn'",
            "-tournament roundrobin => -tournament: expected a flag that a worker of OpenBench uses",
        ] {
            let (line, expected) = row.split_once(" => ").unwrap();
            let with_engines =
                if line.contains("-engine") || !line.starts_with('-') { "" } else { engines };
            let error = parse(&words(&format!("{line} {with_engines}"))).unwrap_err();
            assert_eq!(format!("{error:#}"), expected, "{line}");
        }
    }

    #[test]
    fn names_leave_the_lines_of_the_worker_whole() {
        assert_eq!(plain("Táctica: S-dev"), "T_ctica__S-dev");
    }

    #[test]
    fn runs_of_a_test_have_openings_of_their_own() {
        let first = |order: &str, games: u8, start: u64| {
            let line = format!(
                "-rounds 16 -games {games} -engine cmd=a nodes=1 name=a -engine cmd=b nodes=1 name=b \
                 -openings file=a.epd format=epd order={order} start={start}"
            );
            parse(&words(&line)).unwrap().openings().unwrap().start
        };
        // The worker moves on by 8 after 16 rounds of two games, and by all rounds where it plays one game each.
        assert_eq!([1, 9, 17].map(|start| first("random", 2, start)), [1, 17, 33]);
        assert_eq!([1, 17, 33].map(|start| first("random", 1, start)), [1, 17, 33]);
        assert_eq!([1, 9].map(|start| first("sequential", 2, start)), [1, 9]);
        assert_eq!(first("random", 2, u64::MAX), u64::MAX);
    }
}
