//! What is tried before the first game: every engine with its options, and every opening. What fails here would fail in
//! every game, after hours or in silence.

use anyhow::{Context as _, anyhow, bail};
use leap_client::{ClientError, EngineInfo, PositionCommand, StderrTail, last_words, nearest};
use leap_protocol::{Dialect, shown};

use super::engine::Engine;
use super::referee::start_referee;
use super::setup;
use super::wire::WireLog;
use crate::plan::config::{Config, EngineConfig};
use crate::plan::opening::Book;

/// With more openings than this, a line tells people what takes so long.
const MANY: usize = 10_000;

/// Starts every engine once, and has the referee look at every opening. `say` shows what is odd and no error.
///
/// # Errors
/// If the match cannot be played: an engine does not start, an option or an opening is refused.
pub(crate) fn check(
    config: &Config,
    book: Option<&Book>,
    say: impl Fn(&str),
) -> anyhow::Result<()> {
    let referee = config.referee.as_ref().map(|referee| try_referee(referee, config));
    let mut judge = referee.transpose()?;
    let mut known: Vec<EngineInfo> = judge.iter().map(|judge| judge.info().clone()).collect();
    // The game that is judged: an engine without the option may well play another one.
    let default = || judge.as_ref()?.info().game_option()?.kind.default();
    let game = config.game.clone().or_else(default);
    let hint = match judge {
        Some(_) => "; if it plays another game, try --referee none",
        None => "",
    };
    for engine in &config.engines {
        // The engines run one at a time: all together may need more memory than there is.
        let player = try_player(engine, config)?;
        if let (Some(game), None) = (&game, player.info().game_option()) {
            let name = &engine.name;
            say(&format!(
                "leap: {name} has no option for the game, so it is not told '{game}'{hint}"
            ));
        }
        known.push(player.info().clone());
        // Without a referee, a player is asked, if possible one that answers.
        if judge.as_ref().is_none_or(|judge| !judge.answers()) {
            judge = Some(player);
        }
    }
    check_options(config, &known)?;
    let mut judge = judge.context("expected engines, found none")?;
    try_openings(&mut judge, config, book, say).context("the openings")
}

fn try_player(engine: &EngineConfig, config: &Config) -> anyhow::Result<Engine> {
    let name = &engine.name;
    let (tail, stderr) = StderrTail::start().context("cannot make a pipe")?;
    Engine::start(engine, config, stderr, &WireLog::new()).map_err(|error| {
        let hint = match error.speaks {
            Some(Dialect::Uci) => "; try proto=uci",
            Some(Dialect::Ugi) => "; try it without proto=uci",
            None => "",
        };
        anyhow!("{name}: {error}{hint}{}", last_words(&tail.summary()))
    })
}

fn try_referee(engine: &EngineConfig, config: &Config) -> anyhow::Result<Engine> {
    let (tail, stderr) = StderrTail::start().context("cannot make a pipe")?;
    start_referee(engine, config, stderr, &WireLog::new()).map_err(|error| {
        let hint = match error.speaks {
            Some(_) => "; a referee must speak UGI, --referee none does without",
            None => "",
        };
        anyhow!("the referee: {error}{hint}{}", last_words(&tail.summary()))
    })
}

/// An option for all engines is skipped by those that lack it, but one that nobody has is a slip.
fn check_options(config: &Config, engines: &[EngineInfo]) -> anyhow::Result<()> {
    let known = || engines.iter().flat_map(|engine| &engine.options);
    let known = || known().map(|option| option.name.as_str());
    let is_known = |name: &&String| known().any(|known| known.eq_ignore_ascii_case(name));
    match config.options.keys().find(|name| !is_known(name)) {
        None => Ok(()),
        Some(name) => {
            let nearest = nearest(name, known());
            let error = ClientError::NoSuchOption { name: shown(name), nearest };
            Err(error).context("--option")
        }
    }
}

/// Has every opening judged, not only those that will be drawn, and makes the first one.
fn try_openings(
    judge: &mut Engine,
    config: &Config,
    book: Option<&Book>,
    say: impl Fn(&str),
) -> anyhow::Result<()> {
    judge.with(|session| session.new_game())?;
    if let Some(book) = book {
        if book.openings.len() > MANY {
            say(&format!("leap: looking at {} openings", book.openings.len()));
        }
        for (opening, line) in book.openings.iter().zip(&book.lines) {
            let position = PositionCommand::new(opening.fen.as_deref(), &opening.moves);
            if let Some(refusal) = judge.refusal(&position)? {
                match &config.openings.file {
                    Some(file) => bail!("in {}, line {line}: {refusal}", file.display()),
                    None => bail!("opening {line}: {refusal}"),
                }
            }
        }
    }
    setup::opening(judge, config, book, 0)?;
    Ok(())
}
