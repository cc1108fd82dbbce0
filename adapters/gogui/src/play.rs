//! The vertices played, and the state of the game after each.
//!
//! GoGui replays the whole game at every step, so results are cached: a known sequence of vertices is answered without
//! asking the engine.

use leap_board::{Game, Turn};
use leap_client::ClientError;
use leap_client::notation::square_index;
use leap_protocol::payload::{Side, Status};

use super::gtp::Vertex;

/// The state of the game after some vertices.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// The number of complete moves.
    ply: usize,
    pub(super) turn: Turn,
    pub(super) status: Status,
    pub(super) fen: String,
    /// Whether the side to move has made the last move too.
    pub(super) is_again: bool,
    /// How many pieces p1 and p2 have captured in the complete moves.
    captured: [usize; 2],
}

/// The vertices played, followed by those taken back.
#[derive(Debug)]
pub(super) struct Play {
    vertices: Vec<Vertex>,
    /// One node more than there are vertices: the first is the start.
    nodes: Vec<Node>,
    /// How many vertices are currently played.
    at: usize,
}

/// Why a vertex could not be played.
#[derive(Debug)]
pub(super) enum PlayError {
    /// The vertex is illegal, for this reason.
    Illegal(String),
    /// The engine resigns instead of a move.
    Resignation,
    Engine(ClientError),
}

impl From<ClientError> for PlayError {
    fn from(error: ClientError) -> Self {
        Self::Engine(error)
    }
}

impl Play {
    pub(super) fn begin(game: &mut Game) -> Result<Self, ClientError> {
        game.go_to(0)?;
        Ok(Self { vertices: Vec::new(), nodes: vec![Node::look(game, [0; 2])?], at: 0 })
    }

    pub(super) fn node(&self) -> &Node {
        &self.nodes[self.at]
    }

    /// Goes back to the start, keeping the cache.
    pub(super) fn clear(&mut self) {
        self.at = 0;
    }

    /// Takes back vertices; `false` if there are fewer.
    pub(super) fn undo(&mut self, count: usize) -> bool {
        let at = self.at.checked_sub(count);
        self.at = at.unwrap_or(self.at);
        at.is_some()
    }

    /// Goes to an earlier number of vertices, at most the current one.
    pub(super) fn back_to(&mut self, at: usize) {
        self.at = self.at.min(at);
    }

    pub(super) fn len(&self) -> usize {
        self.at
    }

    /// The vertices that are currently played.
    pub(super) fn played(&self) -> &[Vertex] {
        &self.vertices[..self.at]
    }

    /// Begins again with these vertices, and forgets all cached nodes.
    pub(super) fn replay(&mut self, game: &mut Game, vertices: &[Vertex]) -> Result<(), PlayError> {
        *self = Self::begin(game)?;
        vertices.iter().try_for_each(|vertex| self.play(game, vertex))
    }

    /// Brings the engine to the current position.
    pub(super) fn sync(&self, game: &mut Game) -> Result<(), ClientError> {
        let ply = self.node().ply;
        if game.moves().len() == ply { Ok(()) } else { game.go_to(ply) }
    }

    /// Plays a vertex.
    pub(super) fn play(&mut self, game: &mut Game, vertex: &Vertex) -> Result<(), PlayError> {
        if self.vertices.get(self.at) == Some(vertex) {
            self.at += 1;
            return Ok(());
        }
        self.sync(game)?;
        let node = match vertex {
            Vertex::Pass => self.end_turn(game)?,
            Vertex::Square(square) => self.enter(game, square)?,
        };
        self.vertices.truncate(self.at);
        self.nodes.truncate(self.at + 1);
        self.vertices.push(vertex.clone());
        self.nodes.push(node);
        self.at += 1;
        Ok(())
    }

    fn end_turn(&self, game: &mut Game) -> Result<Node, PlayError> {
        let turn = &self.node().turn;
        if !turn.may_end() {
            return Err(PlayError::Illegal(no_end(turn).to_owned()));
        }
        game.play(&turn.text())?;
        Ok(Node::look(game, self.node().captured())?)
    }

    /// Why a vertex cannot be played now; `None` if it can. About a square the engine itself says why.
    pub(super) fn refusal(
        &self,
        game: &mut Game,
        vertex: &Vertex,
    ) -> Result<Option<String>, ClientError> {
        self.sync(game)?;
        let turn = &self.node().turn;
        Ok(match vertex {
            Vertex::Pass => (!turn.may_end()).then(|| no_end(turn).to_owned()),
            Vertex::Square(square) if turn.token_at(square).is_some() => None,
            Vertex::Square(square) => Some(self.why_not(game, square)?),
        })
    }

    fn why_not(&self, game: &mut Game, square: &str) -> Result<String, ClientError> {
        let text = self.node().turn.text_with(square);
        let why = game.why_not(&text)?.unwrap_or_else(|| "it is not offered".to_owned());
        // The engine may name an earlier square of the turn. Its name becomes a vertex of GTP.
        Ok(match why.split_once(": ") {
            Some((named, rest)) if square_index(named).is_some() => {
                format!("{}: {rest}", Vertex::of(named))
            }
            _ => format!("{}: {why}", Vertex::of(square)),
        })
    }

    fn enter(&self, game: &mut Game, square: &str) -> Result<Node, PlayError> {
        let before = self.node();
        let Some(turn) = before.turn.go_on(game, square)? else {
            return Err(PlayError::Illegal(self.why_not(game, square)?));
        };
        let node = Node { turn, ..before.clone() };
        if node.turn.is_whole() {
            game.play(&node.turn.text())?;
            return Ok(Node::look(game, node.captured())?);
        }
        Ok(node)
    }
}

/// Why a turn that may not end does not end with a pass.
fn no_end(turn: &Turn) -> &'static str {
    match turn.is_begun() {
        true => "the turn has to go on",
        false => "there is no passing in this game: 'pass' ends a turn that could go on",
    }
}

impl Node {
    /// Asks the engine for the state between two turns.
    fn look(game: &mut Game, captured: [usize; 2]) -> Result<Self, ClientError> {
        let turn = Turn::begin(game)?;
        let (status, fen) = (game.status().clone(), game.fen().to_owned());
        let is_again = game.moves_again();
        Ok(Self { ply: game.moves().len(), turn, status, fen, is_again, captured })
    }

    /// How many pieces p1 and p2 have captured, in the turn being entered too.
    pub(super) fn captured(&self) -> [usize; 2] {
        let mut captured = self.captured;
        captured[self.side() as usize] += self.turn.captured().len();
        captured
    }

    /// The player of the next vertex.
    pub(super) fn side(&self) -> Side {
        self.status.turn
    }

    /// The vertices that can be played next, without duplicates.
    pub(super) fn legal(&self) -> Vec<Vertex> {
        let mut legal: Vec<Vertex> = Vec::new();
        for vertex in self.turn.targets().map(Vertex::of) {
            if !legal.contains(&vertex) {
                legal.push(vertex);
            }
        }
        if self.turn.may_end() {
            legal.push(Vertex::Pass);
        }
        legal
    }
}
