//! Asking an engine for what the events do not contain: the board's layout and missing positions.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use anyhow::Context as _;
use leap_board::Board;
use leap_client::{Client, ClientError, EngineCommand, PositionCommand};
use leap_match::plan::config::Config;
use leap_protocol::{OptionDecl, Query};

use super::games::PlayedGame;

/// How long a reply may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// An engine that knows the game.
#[derive(Debug)]
pub(super) struct RulesEngine {
    client: Client,
    /// Answers by `position` command; most games of a match begin alike.
    known: HashMap<String, Option<String>>,
    /// The engine has exited or hangs, and is not asked again.
    dead: bool,
    pub(super) board: Board,
}

impl RulesEngine {
    /// Starts an engine and sets the game of the match.
    ///
    /// # Errors
    /// If the engine does not start, does not answer, or does not know the game.
    pub(super) fn start(command: &EngineCommand, config: &Config) -> anyhow::Result<Self> {
        let (mut client, info) = Client::open(command, false, PATIENCE)?;
        let game = config.game.as_ref().and_then(|game| Some((info.game_option()?, game)));
        let options =
            config.options.iter().filter_map(|(name, value)| Some((info.option(name)?, value)));
        for (OptionDecl { name, .. }, value) in game.into_iter().chain(options) {
            client
                .set_announced(&info, name, value, PATIENCE)
                .with_context(|| format!("option {name}"))?;
        }
        let board = client.ask_board(PATIENCE).context("no answer to 'query board'")?;
        let board = Board::parse(&board);
        Ok(Self { client, known: HashMap::new(), dead: false, board })
    }

    /// Fills in the positions of games whose moves are kept.
    pub(super) fn complete(&mut self, games: &mut BTreeMap<u64, PlayedGame>) {
        for game in games.values_mut().filter(|game| game.moves.is_some()) {
            game.positions = self.positions(game);
        }
    }

    fn positions(&mut self, game: &PlayedGame) -> Vec<Option<String>> {
        let mut position = PositionCommand::new(game.start.fen.as_deref(), &[]);
        let mut positions = vec![game.start.fen.clone().or_else(|| self.ask(position.as_str()))];
        for (mv, played) in game.plies() {
            position.push(mv);
            let told = played.and_then(|mv| mv.fen.clone());
            positions.push(told.or_else(|| self.ask(position.as_str())));
        }
        positions
    }

    /// The position text after a `position` command; `None` if the engine refuses it, for example because of an illegal
    /// move.
    fn ask(&mut self, position: &str) -> Option<String> {
        if let Some(known) = self.known.get(position) {
            return known.clone();
        }
        // A move's text comes from a player; it must not become another command.
        if self.dead || position.contains(char::is_control) {
            return None;
        }
        let found = match self.try_ask(position) {
            Ok(fen) => Some(fen),
            Err(ClientError::Refused(_)) => None,
            Err(error) => {
                log::warn!("no more positions are asked for: {error}");
                self.dead = true;
                None
            }
        };
        self.known.insert(position.to_owned(), found.clone());
        found
    }

    fn try_ask(&mut self, position: &str) -> Result<String, ClientError> {
        self.client.send_line(position)?;
        self.client.ready(PATIENCE)?;
        self.client.ask(Query::Fen, PATIENCE)
    }
}
