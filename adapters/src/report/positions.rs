//! What the events do not hold, asked of an engine: what the board looks like, and positions nobody has written down.

use std::collections::{BTreeMap, HashMap};
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use leap_protocol::{Dialect, OptionDecl, Query, Reply};
use serde::Serialize;

use super::games::Game;
use crate::client::{Client, ClientError, EngineCommand};
use crate::tournament::config::Config;

/// How long a reply may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// Squares that a side of a board has at most: there are no more file letters.
const MOST_FILES: usize = 26;

/// An engine that knows the game.
#[derive(Debug)]
pub(super) struct Guide {
    client: Client,
    /// Positions that have been asked for, by the `position` command; most games of a match begin alike.
    known: HashMap<String, Option<String>>,
    /// It has gone, or hangs: nothing is waited for again.
    dead: bool,
    pub(super) board: Board,
}

/// What `query board` says (SPEC 4.23), for the page's script.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct Board {
    pub(super) files: usize,
    pub(super) ranks: usize,
    /// Whether pieces stand on points, not in cells.
    pub(super) points: bool,
    /// Pairs of points that are joined.
    pub(super) lines: Vec<[String; 2]>,
    /// By piece text: name and owner.
    pub(super) pieces: BTreeMap<String, [String; 2]>,
    /// Of p1 and p2.
    pub(super) colours: Option<[String; 2]>,
}

impl Board {
    /// Takes a line of the answer into account, what stands after `board`. Whatever it does not know it skips.
    fn note(&mut self, line: &str) {
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            ["files", files, "ranks", ranks, "kind", kind, ..] => {
                let size = |text: &str| text.parse().ok().filter(|n| *n <= MOST_FILES);
                self.files = size(files).unwrap_or(0);
                self.ranks = size(ranks).unwrap_or(0);
                self.points = kind == "points";
            }
            ["line", a, b] => self.lines.push([a.to_owned(), b.to_owned()]),
            ["piece", piece, "name", name, "owner", owner, ..] => {
                self.pieces.insert(piece.to_owned(), [name.to_owned(), owner.to_owned()]);
            }
            ["colours", "p1", p1, "p2", p2] => {
                self.colours = Some([p1.to_owned(), p2.to_owned()]);
            }
            _ => {}
        }
    }
}

impl Guide {
    /// Starts an engine and sets it to the game of the match.
    ///
    /// # Errors
    /// It does not start, does not answer, or does not know the game.
    pub(super) fn start(command: &EngineCommand, config: &Config) -> anyhow::Result<Guide> {
        let mut client = Client::start(command, Stdio::null())?;
        let greeting = client.greet(Dialect::Ugi, PATIENCE).context("no answer to 'ugi'")?;
        let find = |name: &str| greeting.options.iter().find(|o| o.name.eq_ignore_ascii_case(name));
        let game = config.game.as_ref().and_then(|game| Some((&find("Game")?.name, game)));
        let options = config
            .options
            .iter()
            .filter_map(|(name, value)| find(name).map(|OptionDecl { name, .. }| (name, value)));
        for (name, value) in game.into_iter().chain(options) {
            client.send_line(&format!("setoption name {name} value {value}"))?;
            client.ready(PATIENCE).with_context(|| format!("option {name}"))?;
        }
        let board = ask_board(&mut client).context("no answer to 'query board'")?;
        Ok(Guide { client, known: HashMap::new(), dead: false, board })
    }

    /// Fills in the positions of those games that can be replayed.
    pub(super) fn complete(&mut self, games: &mut BTreeMap<u64, Game>) {
        for game in games.values_mut().filter(|game| game.moves.is_some()) {
            game.positions = self.positions(game);
        }
    }

    fn positions(&mut self, game: &Game) -> Vec<Option<String>> {
        let mut position = match &game.start.fen {
            Some(fen) => format!("position fen {fen}"),
            None => "position startpos".to_owned(),
        };
        let mut positions = vec![game.start.fen.clone().or_else(|| self.ask(&position))];
        for (ply, (mv, played)) in game.plies().enumerate() {
            position += if ply == 0 { " moves " } else { " " };
            position += mv;
            let told = played.and_then(|mv| mv.fen.clone());
            positions.push(told.or_else(|| self.ask(&position)));
        }
        positions
    }

    /// The position text after a `position` command; `None` where the engine does not take it, as after a move that it
    /// holds to be illegal.
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

fn ask_board(client: &mut Client) -> Result<Board, ClientError> {
    client.send_line(&Query::Board.to_string())?;
    let deadline = Instant::now() + PATIENCE;
    let mut board = Board::default();
    loop {
        match client.receive(deadline)?.0 {
            Reply::Board(line) => board.note(&line),
            Reply::BoardOk => return Ok(board),
            Reply::Error(error) => return Err(ClientError::Refused(error)),
            _ => {}
        }
    }
}
