//! The match that a command line asks for: how its engines are run, and which engine is the referee.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use leap_client::{
    Client, ClientError, EngineCommand, EngineInfo, Session, find_leapd, last_words,
};
use leap_match::plan::config::{Adjudication, Config, EngineConfig, Openings, Protocol};
use leap_protocol::Dialect;

use crate::command_line::{Asked, AskedEngine};
use crate::settings::Settings;

/// How long a search without a time limit may take, in milliseconds.
const STALL_MS: u64 = 120_000;
/// The word for a match without a referee.
const NO_REFEREE: &str = "none";
/// The names of the option for the game, in UGI and in UCI.
const GAME: [&str; 2] = ["Game", "UCI_Variant"];
/// Options that say what of the machine an engine uses. A referee needs little of it. OpenBench wants both in every test,
/// also where an engine has none of them.
const RESOURCES: [&str; 2] = ["Hash", "Threads"];

/// What an engine says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) protocol: Protocol,
    /// It can be asked for the legality of moves.
    pub(crate) knows_rules: bool,
    /// The games that it plays; empty if it does not list them.
    pub(crate) games: Vec<String>,
    /// Those of [`RESOURCES`] that are no options of it.
    pub(crate) lacks: Vec<&'static str>,
}

/// The program of an engine.
pub(crate) fn program(asked: &AskedEngine) -> EngineCommand {
    let EngineConfig { cmd, dir, .. } = &asked.engine;
    let path = dir.clone().unwrap_or_default().join(cmd);
    let program = if path.is_file() { absolute(&path) } else { cmd.clone() };
    EngineCommand { directory: dir.as_deref().map(absolute), ..EngineCommand::new(program) }
}

fn absolute(path: &Path) -> PathBuf {
    let path: PathBuf = path.components().collect();
    std::path::absolute(&path).unwrap_or(path)
}

/// Starts an engine to learn which dialect it speaks, and whether it knows the rules.
///
/// # Errors
/// If it does not start, or speaks neither dialect.
pub(crate) fn look_at(command: &EngineCommand, patience: Duration) -> anyhow::Result<Found> {
    match Session::start(command, patience) {
        Ok(mut session) => {
            session.discover()?;
            let knows_rules = session.supports("move") || session.supports("legal");
            let (lacks, games) = (lacks(session.info()), session.info().games.clone());
            Ok(Found { protocol: Protocol::Ugi, knows_rules, games, lacks })
        }
        Err(ClientError::Greeting { speaks: Some(Dialect::Uci), .. }) => {
            let client = Client::start(command, Stdio::null())?;
            let mut session = Session::new(client, Dialect::Uci, patience);
            session.greet()?;
            let (games, lacks) = (Vec::new(), lacks(session.info()));
            Ok(Found { protocol: Protocol::Uci, knows_rules: false, games, lacks })
        }
        Err(ClientError::Greeting { cause, stderr, .. }) => {
            bail!("expected an engine that speaks UGI or UCI: {cause}{}", last_words(&stderr))
        }
        Err(error) => Err(error.into()),
    }
}

fn lacks(info: &EngineInfo) -> Vec<&'static str> {
    let has = |name: &str| info.options.iter().any(|option| is_one_of(&option.name, &[name]));
    RESOURCES.into_iter().filter(|name| !has(name)).collect()
}

/// The options of an engine that are left out, since it does not have them.
pub(crate) fn left_out<'a>(
    asked: &'a AskedEngine,
    found: &'a Found,
) -> impl Iterator<Item = &'a str> {
    let names = asked.engine.options.keys().map(String::as_str);
    names.filter(|name| is_one_of(name, &found.lacks))
}

/// The match.
///
/// # Errors
/// If the engines are to play different games or no game is named, or there is no referee.
pub(crate) fn config(
    asked: &Asked,
    found: &[Found; 2],
    settings: &Settings,
) -> anyhow::Result<Config> {
    let [dev, base] = asked.engines.each_ref().map(|asked| &asked.engine);
    let (game, other) = (game(dev), game(base));
    ensure!(
        game == other,
        "expected one game, found '{}' and '{}'",
        game.unwrap_or_default(),
        other.unwrap_or_default()
    );
    if let (None, Some(found)) = (&game, found.iter().find(|found| found.games.len() > 1)) {
        bail!(
            "expected the option Game in the options of the test, found none: {} has the games {}",
            dev.name,
            found.games.join(", ")
        );
    }
    // The options with the same value in both engines: among them are those of the rules, which the referee needs too.
    let is_shared = |(name, value): &(&String, &String)| {
        base.options.get(*name) == Some(value) && !is_one_of(name, &[GAME, RESOURCES].concat())
    };
    let options: BTreeMap<String, String> = own(dev, is_shared);
    let engine = |(asked, found): (&AskedEngine, &Found)| {
        let EngineCommand { program, directory, .. } = program(asked);
        let is_own = |(name, _): &(&String, &String)| {
            let is_elsewhere = is_one_of(name, &GAME) || options.contains_key(*name);
            !is_elsewhere && !is_one_of(name, &found.lacks)
        };
        let options = own(&asked.engine, is_own);
        let protocol = found.protocol;
        EngineConfig { cmd: program, dir: directory, options, protocol, ..asked.engine.clone() }
    };
    let engines: Vec<EngineConfig> = asked.engines.iter().zip(found).map(engine).collect();
    ensure!(engines[0].name != engines[1].name, "two engines have the name '{}'", engines[0].name);
    let margin = asked.engines.iter().filter_map(|asked| asked.margin_ms).max();
    let default = Config::default();
    Ok(Config {
        referee: referee(settings, found, &engines)?,
        game,
        options,
        engines,
        games: asked.rounds.saturating_mul(asked.games_each),
        seed: asked.seed,
        openings: Openings { in_order: true, singly: asked.games_each == 1, ..Openings::default() },
        margin_ms: margin.unwrap_or(default.margin_ms),
        patience_ms: settings.patience.unwrap_or(default.patience_ms),
        stall_ms: settings.stall.unwrap_or(STALL_MS),
        adjudication: Adjudication { draw: asked.draw, win: asked.win, max_plies: None },
        ..default
    })
}

/// Some of an engine's options.
fn own(
    engine: &EngineConfig,
    is_wanted: impl Fn(&(&String, &String)) -> bool,
) -> BTreeMap<String, String> {
    let wanted = engine.options.iter().filter(is_wanted);
    wanted.map(|(name, value)| (name.clone(), value.clone())).collect()
}

fn is_one_of(name: &str, names: &[&str]) -> bool {
    names.iter().any(|known| known.eq_ignore_ascii_case(name))
}

fn game(engine: &EngineConfig) -> Option<String> {
    let mut options = engine.options.iter();
    options.find(|(name, _)| is_one_of(name, &GAME)).map(|(_, value)| value.clone())
}

/// The referee: what the settings say, or else a second process of the first engine that knows the rules.
///
/// So the newer engine decides. Where neither knows the rules, the players judge together, or leapd does if they speak
/// only UCI.
fn referee(
    settings: &Settings,
    found: &[Found; 2],
    engines: &[EngineConfig],
) -> anyhow::Result<Option<EngineConfig>> {
    let named = |command: EngineCommand| EngineConfig {
        name: "referee".to_owned(),
        cmd: command.program,
        args: command.args,
        dir: command.directory,
        ..EngineConfig::default()
    };
    if let Some(words) = &settings.referee {
        if words == NO_REFEREE {
            return Ok(None);
        }
        let command = EngineCommand::from_text(words).context("referee")?;
        return Ok(Some(named(command)));
    }
    if let Some(index) = found.iter().position(|found| found.knows_rules) {
        return Ok(Some(named(engines[index].command())));
    }
    if found.iter().all(|found| found.protocol == Protocol::Ugi) {
        return Ok(None);
    }
    let leapd = find_leapd().with_context(|| {
        format!("no engine knows the rules: {} names a referee", crate::settings::FILE)
    })?;
    Ok(Some(named(EngineCommand::new(leapd))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command_line;

    const UGI: Found =
        Found { protocol: Protocol::Ugi, knows_rules: true, games: Vec::new(), lacks: Vec::new() };
    const UCI: Found =
        Found { protocol: Protocol::Uci, knows_rules: false, games: Vec::new(), lacks: Vec::new() };

    fn asked(dev: &str, base: &str) -> Asked {
        let line = format!(
            "-rounds 4 -games 2 -engine cmd=./a nodes=9 name=a {dev} -engine cmd=./b nodes=9 timemargin=80 name=b {base}"
        );
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        command_line::parse(&words).unwrap()
    }

    #[test]
    fn what_both_engines_are_told_about_the_rules_is_told_to_the_referee() {
        let asked = asked(
            "option.Game=alquerque option.AlquerqueCapture=mandatory option.Hash=8 option.Tune=1",
            "option.Game=alquerque option.AlquerqueCapture=mandatory option.Hash=8 option.Tune=2",
        );
        let config = config(&asked, &[UGI, UCI], &Settings::default()).unwrap();
        assert_eq!(config.game.as_deref(), Some("alquerque"));
        let shared = [("AlquerqueCapture".to_owned(), "mandatory".to_owned())];
        assert_eq!(config.options, BTreeMap::from(shared));
        let own = |index: usize| {
            let options = &config.engines[index].options;
            options.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>()
        };
        assert_eq!(
            (own(0), own(1)),
            (vec!["Hash=8".into(), "Tune=1".into()], vec!["Hash=8".into(), "Tune=2".into()])
        );
        assert_eq!((config.games, config.margin_ms), (8, 80));
        assert_eq!(config.referee.unwrap().cmd, config.engines[0].cmd);
        assert_eq!(config.engines[1].protocol, Protocol::Uci);
    }

    #[test]
    fn the_newest_engine_that_knows_the_rules_is_the_referee_unless_settings_say_otherwise() {
        let asked = asked("", "");
        let unsure = Found { knows_rules: false, ..UGI };
        let referee = |found: [Found; 2], settings: Settings| {
            let config = config(&asked, &found, &settings).unwrap();
            config.referee.map(|referee| referee.cmd)
        };
        let default = Settings::default;
        assert_eq!(referee([UCI, UGI], default()), Some(PathBuf::from("./b")));
        assert_eq!(referee([unsure.clone(), unsure], default()), None);
        let said = |referee: &str| Settings { referee: Some(referee.to_owned()), ..default() };
        assert_eq!(referee([UGI, UGI], said("none")), None);
        assert_eq!(referee([UGI, UGI], said("judge --fast")), Some(PathBuf::from("judge")));
    }

    #[test]
    fn an_engine_without_threads_or_hash_is_not_told_of_them() {
        let asked = asked("option.threads=1 option.Hash=8 option.Depth=1", "option.Threads=1");
        let simple = Found { lacks: vec!["Threads", "Hash"], ..UGI };
        let engine = &config(&asked, &[simple.clone(), UGI], &Settings::default()).unwrap().engines;
        let names = |index: usize| engine[index].options.keys().cloned().collect::<Vec<_>>();
        assert_eq!((names(0), names(1)), (vec!["Depth".to_owned()], vec!["Threads".to_owned()]));
        assert_eq!(left_out(&asked.engines[0], &simple).collect::<Vec<_>>(), ["Hash", "threads"]);
    }

    #[test]
    fn engines_that_are_to_play_different_games_are_refused() {
        let asked = asked("option.Game=eximo", "option.UCI_Variant=sapos");
        let error = config(&asked, &[UGI, UGI], &Settings::default()).unwrap_err();
        assert_eq!(error.to_string(), "expected one game, found 'eximo' and 'sapos'");
    }

    #[test]
    fn an_engine_with_several_games_is_told_which_one() {
        let games = |names: &[&str]| Found {
            games: names.iter().map(|&name| name.to_owned()).collect(),
            ..UGI
        };
        let config = |options: &str, found: Found| {
            let error =
                config(&asked(options, options), &[found.clone(), found], &Settings::default());
            error.map(drop).map_err(|error| error.to_string())
        };
        let expected = "expected the option Game in the options of the test, found none: a has the games eximo, sapos";
        let several = games(&["eximo", "sapos"]);
        assert_eq!(config("", several.clone()), Err(expected.to_owned()));
        assert_eq!(config("option.game=sapos", several), Ok(()));
        assert_eq!(config("", games(&["ataxx"])), Ok(()));
    }
}
