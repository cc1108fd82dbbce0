//! Resolving arguments into a configuration: defaults, engines, and what cannot be played.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail, ensure};
use clap::ValueEnum as _;
use leap_base::files;
use leap_base::pairs::{Pair, number, only};
use leap_client::{EngineCommand, find_leapd, split_words};
use leap_protocol::shown;

use super::args::PlanArgs;
use super::config::{Adjudication, Config, DrawRule, EngineConfig, Openings, Protocol, WinRule};
use super::limit::{Limit, TimeControl};
use crate::stats::sprt::{Model, Sprt};

/// The default clock of a player: ten seconds, and a tenth of a second more for each move.
const DEFAULT_CLOCK: TimeControl = TimeControl { moves: None, time_ms: 10_000, inc_ms: 100 };

/// The key for a sparring player: that of leapd, or of an engine made with leapd's crates.
const PLAYER: &str = "player";

/// The word for a match without a referee.
const NO_REFEREE: &str = "none";

/// The match that the arguments define, but for the hash of the openings: their file is not read here.
pub(crate) fn config(args: PlanArgs) -> anyhow::Result<Config> {
    resolved(args, None)
}

/// A match with what the arguments say about it. If they name engines, all but its length is as where a match begins.
pub(crate) fn changed(args: PlanArgs, stored: &Config) -> anyhow::Result<Config> {
    resolved(args, Some(stored))
}

fn resolved(args: PlanArgs, stored: Option<&Config>) -> anyhow::Result<Config> {
    fn set<T>(field: &mut T, given: Option<impl Into<T>>) {
        if let Some(given) = given {
            *field = given.into();
        }
    }
    let names_engines = !args.engine.0.is_empty() || !args.each.is_empty();
    let mut config = match stored {
        Some(stored) if !names_engines => stored.clone(),
        _ => Config { engines: engines(&args)?, ..Config::default() },
    };
    if args.referee.is_some() || stored.is_none() || names_engines {
        config.referee = referee(args.referee.as_deref())?;
    }
    set(&mut config.games, args.games.map(u64::from).or(stored.map(|stored| stored.games)));
    set(&mut config.rounds, args.rounds.map(u64::from).or(stored.map(|stored| stored.rounds)));
    if !args.option.is_empty() {
        let option = |pair: &Pair| (pair.key.clone(), pair.value.clone());
        config.options = args.option.iter().map(option).collect();
    }
    openings(&args, &mut config.openings)?;
    adjudication(&args, &mut config.adjudication)?;
    config.sprt = sprt(&args.sprt).context("--sprt")?.or(config.sprt);
    config.game = args.game.or(config.game);
    set(&mut config.format, args.format);
    set(&mut config.seed, args.seed);
    set(&mut config.margin_ms, args.margin);
    set(&mut config.patience_ms, args.patience);
    set(&mut config.stall_ms, args.stall);
    config.ponder |= args.ponder;
    set(&mut config.restart, args.restart);
    set(&mut config.on_fault, args.on_fault);
    let found = config.engines.len();
    ensure!(config.sprt.is_none() || found == 2, "--sprt: expected two engines, found {found}");
    ensure!(
        !config.ponder || config.referee.is_some(),
        "--ponder: expected a referee, since a player that ponders cannot be asked about the rules"
    );
    config.check()?;
    Ok(config)
}

fn engines(args: &PlanArgs) -> anyhow::Result<Vec<EngineConfig>> {
    for pair in args.each.iter().filter(|pair| pair.key != PLAYER) {
        EngineConfig::default().set(pair).context("--each")?;
    }
    let mut groups = args.engine.0.clone();
    if groups.is_empty() {
        groups.push(Vec::new());
    }
    if let [only] = groups.as_slice() {
        groups.push(only.clone());
    }
    let number = |(index, group): (usize, &Vec<Pair>)| {
        engine(&args.each, group).with_context(|| format!("--engine {}", index + 1))
    };
    let mut engines: Vec<EngineConfig> =
        groups.iter().enumerate().map(number).collect::<anyhow::Result<_>>()?;
    let is_named = |group: &Vec<Pair>| {
        args.engine.0.len() > 1
            && group.iter().any(|pair| pair.key == "name" && !pair.value.is_empty())
    };
    let mut taken = BTreeSet::new();
    for (engine, _) in engines.iter().zip(&groups).filter(|(_, group)| is_named(group)) {
        let is_new = taken.insert(engine.name.clone());
        ensure!(is_new, "two engines have the name '{}'", shown(&engine.name));
    }
    // The other names get out of the way of those that people have chosen.
    for (engine, _) in engines.iter_mut().zip(&groups).filter(|(_, group)| !is_named(group)) {
        let stem = engine.name.clone();
        let mut number = 2;
        while !taken.insert(engine.name.clone()) {
            engine.name = format!("{stem}-{number}");
            number += 1;
        }
    }
    Ok(engines)
}

fn engine(each: &[Pair], own: &[Pair]) -> anyhow::Result<EngineConfig> {
    let mut engine = EngineConfig::default();
    let mut player = None;
    for pair in each.iter().chain(own) {
        match pair.key.as_str() {
            PLAYER => player = Some(pair.value.clone()),
            _ => engine.set(pair)?,
        }
    }
    if let Some(player) = player {
        engine.args.splice(0..0, ["--player".to_owned(), player.clone()]);
        if engine.name.is_empty() {
            engine.name = player;
        }
    }
    if engine.cmd.as_os_str().is_empty() {
        engine.cmd = find_leapd()?;
    }
    engine.dir = engine.dir.map(|dir| std::path::absolute(&dir).unwrap_or(dir));
    let text = engine.cmd.to_string_lossy();
    let (cmd, args) = command(&text, engine.dir.as_deref()).context("cmd")?;
    engine.cmd = cmd;
    engine.args.splice(0..0, args);
    if engine.name.is_empty() {
        engine.name = stem(&engine.cmd);
    }
    if engine.limit.is_none() {
        engine.limit.clock = Some(DEFAULT_CLOCK);
    }
    Ok(engine)
}

impl EngineConfig {
    /// Sets what a `KEY=VALUE` of `--engine` says, but for `player`.
    ///
    /// # Errors
    /// If there is no such key, or the value has another form.
    pub fn set(&mut self, pair: &Pair) -> anyhow::Result<()> {
        let Limit { clock, movetime_ms, depth, nodes } = &mut self.limit;
        match pair.key.as_str() {
            "cmd" => self.cmd = PathBuf::from(&pair.value),
            "name" => self.name.clone_from(&pair.value),
            "dir" => self.dir = Some(PathBuf::from(&pair.value)),
            "arg" => self.args.push(pair.value.clone()),
            "args" => {
                let words = split_words(&pair.value);
                let open =
                    || format!("args: expected words, found an open quote in '{}'", pair.value);
                self.args.extend(words.with_context(open)?);
            }
            "tc" => *clock = Some(pair.parse(TimeControl::EXPECTED)?),
            "movetime" => *movetime_ms = Some(pair.parse("milliseconds, a whole number")?),
            "depth" => *depth = Some(pair.parse("plies, a whole number")?),
            "nodes" => *nodes = Some(pair.parse("a whole number")?),
            "latency" => self.latency_ms = pair.parse("milliseconds, a whole number")?,
            "proto" => {
                self.protocol = match pair.value.as_str() {
                    "ugi" => Protocol::Ugi,
                    "uci" => Protocol::Uci,
                    other => bail!("proto: expected ugi or uci, found '{other}'"),
                }
            }
            key => match key.strip_prefix("option.") {
                Some(option) if !option.is_empty() => {
                    self.options.insert(option.to_owned(), pair.value.clone());
                }
                _ => bail!(
                    "expected one of cmd, player, name, dir, arg, args, option.NAME, tc, movetime, depth, nodes, latency, \
                     proto, found '{key}'"
                ),
            },
        }
        Ok(())
    }
}

/// Makes the path of a program independent of the directory that it is started in.
fn absolute(cmd: &Path) -> PathBuf {
    let is_path = cmd.components().count() > 1;
    if is_path && cmd.is_file() {
        return std::path::absolute(cmd).unwrap_or_else(|_| cmd.to_owned());
    }
    cmd.to_owned()
}

fn stem(cmd: &Path) -> String {
    cmd.file_stem().map_or_else(|| "engine".to_owned(), |stem| shown(&stem.to_string_lossy()))
}

fn referee(name: Option<&str>) -> anyhow::Result<Option<EngineConfig>> {
    let (cmd, args) = match name {
        Some(NO_REFEREE) => return Ok(None),
        Some(words) => command(words, None).context("--referee")?,
        None => (find_leapd().context("no referee: name one, or --referee none")?, Vec::new()),
    };
    Ok(Some(EngineConfig { name: stem(&cmd), cmd, args, ..EngineConfig::default() }))
}

/// A program and its arguments, as [`EngineCommand::from_text_in`] reads them.
fn command(text: &str, dir: Option<&Path>) -> anyhow::Result<(PathBuf, Vec<String>)> {
    let EngineCommand { program, args, .. } = EngineCommand::from_text_in(text, dir)?;
    Ok((absolute(&program), args))
}

fn openings(args: &PlanArgs, openings: &mut Openings) -> anyhow::Result<()> {
    openings.in_order |= args.openings_in_order;
    openings.random_plies = args.random_plies.unwrap_or(openings.random_plies);
    if let Some(path) = &args.openings {
        (openings.file, openings.sha256) = (Some(files::absolute(path)?), None);
    }
    Ok(())
}

fn adjudication(args: &PlanArgs, rules: &mut Adjudication) -> anyhow::Result<()> {
    let draw = |pairs: &[Pair]| {
        only(pairs, &["plies", "count", "score"])?;
        anyhow::Ok(DrawRule {
            plies: number(pairs, "plies", Some(0))?,
            count: number(pairs, "count", None)?,
            score: number(pairs, "score", None)?,
        })
    };
    let win = |pairs: &[Pair]| {
        only(pairs, &["count", "score"])?;
        let (count, score) = (number(pairs, "count", None)?, number(pairs, "score", None)?);
        anyhow::Ok(WinRule { count, score })
    };
    let (draws, wins) = (&args.draw_adjudication, &args.win_adjudication);
    if !draws.is_empty() {
        rules.draw = Some(draw(draws).context("--draw-adjudication")?);
    }
    if !wins.is_empty() {
        rules.win = Some(win(wins).context("--win-adjudication")?);
    }
    rules.max_plies = args.max_plies.or(rules.max_plies);
    Ok(())
}

pub(crate) fn sprt(pairs: &[Pair]) -> anyhow::Result<Option<Sprt>> {
    if pairs.is_empty() {
        return Ok(None);
    }
    only(pairs, &["elo0", "elo1", "alpha", "beta", "model"])?;
    let model = match pairs.iter().rev().find(|pair| pair.key == "model") {
        None => Model::default(),
        Some(pair) => Model::from_str(&pair.value, false).map_err(|_| {
            anyhow!("model: expected logistic or normalized, found '{}'", pair.value)
        })?,
    };
    let sprt = Sprt {
        elo0: number(pairs, "elo0", None)?,
        elo1: number(pairs, "elo1", None)?,
        alpha: number(pairs, "alpha", Some(0.05))?,
        beta: number(pairs, "beta", Some(0.05))?,
        model,
    };
    sprt.check()?;
    Ok(Some(sprt))
}

/// The options of one engine: those of the match, overridden by its own.
pub(crate) fn options<'a>(
    config: &'a Config,
    engine: &'a EngineConfig,
) -> BTreeMap<&'a str, (&'a str, bool)> {
    let shared = config.options.iter().map(|(name, value)| (&**name, (&**value, false)));
    let own = engine.options.iter().map(|(name, value)| (&**name, (&**value, true)));
    shared.chain(own).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two engines without leapd, completed by these lines.
    fn resolved(head: &str, engines: &[&str]) -> Result<Config, String> {
        let engines: String =
            engines.iter().map(|lines| format!("[[engine]]\n{lines}\n")).collect();
        let args = toml::from_str(&format!("referee = 'none'\n{head}\n{engines}"));
        args.map_err(anyhow::Error::from)
            .and_then(config)
            .map_err(|error| format!("{error:#}").replace('\n', " "))
    }

    fn names(engines: &[&str]) -> Result<Vec<String>, String> {
        let config = resolved("", engines)?;
        Ok(config.engines.into_iter().map(|engine| engine.name).collect())
    }

    #[test]
    fn names_that_people_chose_are_kept_and_the_others_avoid_them() {
        let plain = "cmd = 'leapd'";
        let named = |name: &str| format!("cmd = 'leapd'\nname = '{name}'");
        let chosen = names(&[plain, plain, &named("leapd-2")]).unwrap();
        assert_eq!(chosen, ["leapd", "leapd-3", "leapd-2"]);
        let chosen = names(&[plain, plain, &named("leapd")]).unwrap();
        assert_eq!(chosen, ["leapd-2", "leapd-3", "leapd"]);
        assert_eq!(names(&[plain]).unwrap(), ["leapd", "leapd-2"]);
        assert_eq!(names(&[&named("a")]).unwrap(), ["a", "a-2"]);
        let twice = names(&[&named("a"), plain, &named("a")]).unwrap_err();
        assert_eq!(twice, "two engines have the name 'a'");
    }

    #[test]
    fn a_program_plays_as_its_own_sparring_player() {
        let engine = "cmd = 'othello --option Hash=1'\nplayer = 'random'";
        let config = resolved("", &[engine, "cmd = 'othello'"]).unwrap();
        let [player, _] = &config.engines[..] else { panic!("two engines") };
        assert_eq!((&*player.cmd.to_string_lossy(), &*player.name), ("othello", "random"));
        assert_eq!(player.args, ["--option", "Hash=1", "--player", "random"]);
    }

    #[test]
    fn texts_that_would_spoil_a_record_are_refused() {
        for (head, name, expected) in [
            ("", "a\\nb", "the name of an engine: expected no control characters, found 'a?b'"),
            (
                "",
                "a\\u001b[2J",
                "the name of an engine: expected no control characters, found 'a?[2J'",
            ),
            ("game = \"a\\nb\"", "a", "the game: expected no control characters, found 'a?b'"),
            ("option = { A = \"x\\ny\" }", "a", "A: expected no control characters, found 'x?y'"),
        ] {
            let engine = format!("cmd = 'e'\nname = \"{name}\"");
            assert_eq!(resolved(head, &[&engine, "cmd = 'f'"]).unwrap_err(), expected);
        }
    }

    #[test]
    fn numbers_that_make_no_sense_are_refused() {
        let two = ["cmd = 'a'", "cmd = 'b'"];
        for row in [
            "draw-adjudication = { count = 0, score = 10 } => adjudication of draws: count: expected a number from 1",
            "draw-adjudication = { count = 4, score = -10 } => adjudication of draws: score: expected a number from 0",
            "draw-adjudication = { count = 4, score = 2147483647 } => adjudication of draws: score: ",
            "draw-adjudication = { count = -1, score = 5 } => --draw-adjudication: count: expected a number, found '-1'",
            "draw-adjudication = { plies = '18446744073709551615', count = 4, score = 5 } => adjudication of draws: plies: ",
            "draw-adjudication = { plies = 99999999, count = 4, score = 5 } => adjudication of draws: plies: ",
            "win-adjudication = { count = 0, score = 500 } => adjudication of wins: count: ",
            "win-adjudication = { count = 3, score = 0 } => adjudication of wins: score: expected a number from 1",
            "win-adjudication = { count = 3, score = -500 } => adjudication of wins: score: ",
            "win-adjudication = { count = 3, score = nan } => --win-adjudication: score: expected a number",
            "max-plies = 0 => max-plies: expected a number from 1 to 1000000, found 0",
            "margin = 9000000000000000000 => margin: expected a number from 0 to 8640000000, found 9",
            "patience = 9000000000000000000 => patience: expected a number from 1 to 8640000000",
            "stall = 9000000000000000000 => stall: expected a number from 1 to 8640000000",
            "each = { movetime = 0 } => a: movetime: expected a number from 1 to 8640000000, found 0",
            "each = { depth = 0 } => a: depth: expected a number from 1",
            "each = { nodes = 0 } => a: nodes: expected a number from 1",
            "each = { latency = 9000000000000000000 } => a: latency: expected a number from 0",
            "each = { tc = '0' } => --each: tc: expected a time control",
            "each = { tc = '-1' } => --each: tc: expected a time control",
            "each = { tc = 'inf+0' } => --each: tc: expected a time control",
            "sprt = { elo0 = nan, elo1 = 5 } => --sprt: expected elo0 < elo1",
            "sprt = { elo0 = 0, elo1 = inf } => --sprt: expected hypotheses within 1000 Elo",
            "sprt = { elo0 = 0, elo1 = 5, alpha = 0 } => --sprt: expected alpha and beta above 0",
            "sprt = { elo0 = 0, elo1 = 5, beta = nan } => --sprt: expected alpha and beta above 0",
        ] {
            let (head, expected) = row.split_once(" => ").unwrap();
            let Err(error) = resolved(head, &two) else { panic!("{head}") };
            assert!(error.starts_with(expected), "{head}: {error}");
        }
        let draw = "draw-adjudication = { plies = 80, count = 8, score = 0 }";
        assert!(resolved(draw, &two).is_ok());
    }

    #[test]
    fn args_are_words_and_an_arg_is_one_argument() {
        let engine = "cmd = 'a'\narg = ['x y']\nargs = \"-n 4 --name 'b c'\"";
        let config = resolved("", &[engine, "cmd = 'b'"]).unwrap();
        assert_eq!(config.engines[0].args, ["x y", "-n", "4", "--name", "b c"]);
        let open = resolved("", &["cmd = 'a'\nargs = \"'b\"", "cmd = 'b'"]).unwrap_err();
        assert_eq!(open, "--engine 1: args: expected words, found an open quote in ''b'");
    }
}
