//! What is tried before the first game: every engine with its options, and every opening. What fails here would fail in
//! every game, after hours or in silence.

use std::path::Path;

use anyhow::{Context as _, anyhow, bail};
use leap_protocol::Dialect;

use super::engine::Engine;
use super::setup;
use super::wire::WireLog;
use super::worker::start_referee;
use crate::client::{ClientError, PositionCommand, StderrTail, last_words, nearest};
use crate::terminal::shown;
use crate::tournament::plan::config::{Config, EngineConfig};
use crate::tournament::plan::opening::Book;

/// Openings that take so long that people wonder.
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
    let mut referee = referee.transpose()?;
    let players = config.engines.iter().map(|engine| try_player(engine, config));
    let mut players = players.collect::<anyhow::Result<Vec<Engine>>>()?;
    check_options(config, referee.iter().chain(&players))?;
    for (engine, player) in config.engines.iter().zip(&players) {
        if let (Some(game), None) = (&config.game, player.info().game_option()) {
            say(&format!(
                "leap: {} has no option for the game, so it is not told '{game}'",
                engine.name
            ));
        }
    }
    let judge = match &mut referee {
        Some(referee) => referee,
        None => players.first_mut().context("expected players, found none")?,
    };
    judge.new_game()?;
    let file = config.openings.file.as_deref();
    if let (Some(book), Some(file)) = (book, file) {
        if book.openings.len() > MANY {
            say(&format!("leap: the referee looks at {} openings", book.openings.len()));
        }
        check_openings(judge, book, file)?;
    }
    setup::opening(judge, config, book, 0).context("the first opening")?;
    Ok(())
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
fn check_options<'a>(
    config: &Config,
    engines: impl Iterator<Item = &'a Engine> + Clone,
) -> anyhow::Result<()> {
    let known = || engines.clone().flat_map(|engine| &engine.info().options);
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

/// Has every opening judged, not only those that will be drawn.
fn check_openings(judge: &mut Engine, book: &Book, file: &Path) -> anyhow::Result<()> {
    for (opening, line) in book.openings.iter().zip(&book.lines) {
        let position = PositionCommand::new(opening.fen.as_deref(), &opening.moves);
        if let Some(refusal) = judge.refusal(&position)? {
            bail!("in {}, line {line}: {refusal}", file.display());
        }
    }
    Ok(())
}
