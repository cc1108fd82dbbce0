//! Asking an engine for what the events do not contain: the board's layout and missing positions.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use anyhow::Context as _;
use leap_client::{ClientError, EngineCommand, PositionCommand, Session};
use leap_match::plan::config::Config;
use leap_protocol::Query;

use super::games::PlayedGame;

/// How long a reply may take.
const REPLY_TIMEOUT: Duration = Duration::from_secs(10);

/// An engine that knows the game.
#[derive(Debug)]
pub(super) struct RulesEngine {
    engine: Session,
    /// Answers by `position` command; most games of a match begin alike.
    known: HashMap<String, Option<String>>,
    /// The engine has exited or hangs, and is not asked again.
    dead: bool,
    /// The lines that describe the board (SPEC 4.23).
    pub(super) board: Vec<String>,
}

impl RulesEngine {
    /// Starts an engine and sets the game of the match.
    ///
    /// # Errors
    /// If the engine does not start, does not answer, or does not know the game.
    pub(super) fn start(command: &EngineCommand, config: &Config) -> anyhow::Result<Self> {
        let mut engine = Session::start(command, REPLY_TIMEOUT)?;
        let option = engine.info().game_option().map(|option| option.name.clone());
        let game = option.as_deref().zip(config.game.as_deref());
        let options = config.options.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        for (name, value) in game.into_iter().chain(options) {
            engine.set_if_known(name, value).with_context(|| format!("option {name}"))?;
        }
        let board = engine.board().context("no answer to 'query board'")?;
        Ok(Self { engine, known: HashMap::new(), dead: false, board })
    }

    /// Fills in the positions of games whose moves are kept.
    pub(super) fn complete(&mut self, games: &mut BTreeMap<u64, PlayedGame>) {
        for game in games.values_mut().filter(|game| game.moves.is_some()) {
            let moves: Vec<String> = game.plies().map(|(mv, _)| mv.to_owned()).collect();
            let mut position = PositionCommand::new(game.start.fen.as_deref(), &[]);
            for (ply, known) in game.positions.iter_mut().enumerate() {
                if let Some(last) = ply.checked_sub(1) {
                    position.push(&moves[last]);
                }
                if known.is_none() {
                    *known = self.ask(&position);
                }
            }
        }
    }

    /// The position text after a `position` command; `None` if the engine refuses it, for example because of an illegal
    /// move.
    fn ask(&mut self, position: &PositionCommand) -> Option<String> {
        let line = position.as_str();
        if let Some(known) = self.known.get(line) {
            return known.clone();
        }
        // A move's text comes from a player; it must not become another command.
        if self.dead || line.contains(char::is_control) {
            return None;
        }
        let found = match self.engine.set_up(position).and_then(|()| self.engine.ask(Query::Fen)) {
            Ok(fen) => Some(fen),
            Err(ClientError::Refused(_)) => None,
            Err(error) => {
                log::warn!("no more positions are asked for: {error}");
                self.dead = true;
                None
            }
        };
        self.known.insert(line.to_owned(), found.clone());
        found
    }
}
