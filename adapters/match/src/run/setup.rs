//! How a game starts: the opening from the book, rule options drawn by the seed, random moves. All of it is asked of an
//! engine that knows the rules, and is reproducible.

use leap_client::PositionCommand;
use leap_protocol::payload::{GameInfo, MoveList};
use leap_protocol::{Command, Query};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

use super::engine::{Engine, EngineError};
use super::referee::referee;
use crate::plan::config::Config;
use crate::plan::opening::{self, Book, Opening};

/// Rule options whose names end like this are drawn for each opening (SPEC 17.2).
const SEED: &str = "Seed";
/// How often random moves that end the game are retried.
const TRIES: u32 = 100;
/// Moves among which a random one is chosen.
const CHOICE: u64 = 1000;

/// The opening with this number.
pub(crate) fn opening(
    engine: &mut Engine,
    config: &Config,
    book: Option<&Book>,
    number: u64,
) -> Result<Opening, EngineError> {
    let mut random = opening::random(config.seed, number);
    let mut opening = book.map_or_else(Opening::default, |book| book.get(number).clone());
    if opening.fen.is_none() && opening.moves.is_empty() {
        opening.fen = drawn_start(engine, config, &mut random)?;
    }
    if config.openings.random_plies > 0 {
        add_random_moves(engine, &mut opening, config.openings.random_plies, &mut random)?;
    }
    Ok(opening)
}

/// The start position after its seeds have been drawn; `None` if the game has none.
fn drawn_start(
    engine: &mut Engine,
    config: &Config,
    random: &mut ChaCha8Rng,
) -> Result<Option<String>, EngineError> {
    if !engine.has("game") || !engine.has("fen") {
        return Ok(None);
    }
    let answer = engine.with(|session| session.ask(Query::Game))?;
    let info: GameInfo = answer
        .parse()
        .map_err(|error| referee(format!("expected an answer to 'query game': {error}")))?;
    let given = |name: &str| config.options.keys().any(|given| given.eq_ignore_ascii_case(name));
    let names = info.options.0.iter().map(|(name, _)| name);
    let seeds: Vec<&String> = names.filter(|name| name.ends_with(SEED) && !given(name)).collect();
    if seeds.is_empty() {
        return Ok(None);
    }
    engine.with(|session| {
        for name in seeds {
            // A range that every engine supports.
            let value = Some((random.next_u64() >> 33).to_string());
            session.set_all([Command::SetOption { name: name.clone(), value }])?;
        }
        session.send(PositionCommand::new(None, &[]).as_str())?;
        session.ask(Query::Fen).map(Some)
    })
}

fn add_random_moves(
    engine: &mut Engine,
    opening: &mut Opening,
    plies: u32,
    random: &mut ChaCha8Rng,
) -> Result<(), EngineError> {
    if !engine.has("moves") {
        return Err(referee(
            "expected an engine that can list moves for --random-plies".to_owned(),
        ));
    }
    let book = opening.moves.len();
    for _ in 0..TRIES {
        opening.moves.truncate(book);
        if walk(engine, opening, plies, random)? {
            return Ok(());
        }
    }
    Err(referee(format!(
        "expected an opening of {plies} random plies, found none in {TRIES} tries"
    )))
}

/// Whether the game is still going on after the moves.
fn walk(
    engine: &mut Engine,
    opening: &mut Opening,
    plies: u32,
    random: &mut ChaCha8Rng,
) -> Result<bool, EngineError> {
    for ply in 0..=plies {
        let position = PositionCommand::new(opening.fen.as_deref(), &opening.moves);
        let answer = engine.with(|session| {
            session.send(position.as_str())?;
            session.ask(Query::Moves { limit: Some(CHOICE) })
        })?;
        let list: MoveList = answer
            .parse()
            .map_err(|error| referee(format!("expected an answer to 'query moves': {error}")))?;
        if list.moves.is_empty() {
            return Ok(false);
        }
        if ply < plies {
            let at = opening::below(random, list.moves.len() as u64);
            opening.moves.push(list.moves[at].clone());
        }
    }
    Ok(true)
}
