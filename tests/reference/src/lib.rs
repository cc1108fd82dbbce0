//! A second implementation of the five games, written from the rules alone and as literally as they read, to check the
//! engine against. It shares no code with the engine and is slow: cells in an array, routes enumerated one by one, text
//! in and text out.
//!
//! [`GameId`] answers for a position text, [`Game`] for a game with its history.

mod alquerque;
mod common;
mod eximo;
mod froglet;
mod routes;
mod sapos;
mod tactica;

pub use common::{Ending, Options, SplitMix64};
use common::{Position, Turn};
use routes::Walk;
use std::collections::BTreeSet;

/// How many moves a position may have before [`GameId::moves`] gives up.
const MAX_MOVES: usize = 200_000;

/// One of the five games. All positions and moves are texts; a position must be one that [`GameId::parse`] takes, or
/// the other functions panic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameId {
    /// SPEC 11.
    Alquerque,
    /// SPEC 12.
    Eximo,
    /// SPEC 13.
    Sapos,
    /// SPEC 14.
    Froglet,
    /// SPEC 15.
    Tactica,
}

impl GameId {
    /// All games.
    pub const ALL: [Self; 5] =
        [Self::Alquerque, Self::Eximo, Self::Sapos, Self::Froglet, Self::Tactica];

    /// The id on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Alquerque => "alquerque",
            Self::Eximo => "eximo",
            Self::Sapos => "sapos",
            Self::Froglet => "froglet",
            Self::Tactica => "tactica",
        }
    }

    /// The game with this id.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|id| id.name() == name)
    }

    /// Files, which are as many as the ranks.
    pub fn files(self) -> usize {
        match self {
            Self::Alquerque => 5,
            Self::Froglet => 12,
            _ => 8,
        }
    }

    /// The start position; Froglet's is the one of `FrogletSeed`.
    pub fn start(self, options: &Options) -> String {
        match self {
            Self::Alquerque => alquerque::START.to_string(),
            Self::Eximo => eximo::START.to_string(),
            Self::Sapos => sapos::START.to_string(),
            Self::Froglet => froglet::start(options),
            Self::Tactica => tactica::START.to_string(),
        }
    }

    /// Reads a position and writes it again; the error says why it is refused.
    pub fn parse(self, text: &str) -> Result<String, String> {
        self.read(text).map(|position| position.print())
    }

    fn read(self, text: &str) -> Result<Position, String> {
        match self {
            Self::Alquerque => alquerque::parse(text),
            Self::Eximo => eximo::parse(text),
            Self::Sapos => sapos::parse(text),
            Self::Froglet => froglet::parse(text),
            Self::Tactica => tactica::parse(text),
        }
    }

    fn must_read(self, text: &str) -> Position {
        self.read(text).unwrap_or_else(|error| panic!("{} {text}: {error}", self.name()))
    }

    /// The canonical texts of all legal moves in listing order, none where the game is over. Táctica's rule on
    /// repetition is not applied: that takes a [`Game`].
    pub fn moves(self, position: &str, options: &Options) -> Vec<String> {
        self.try_moves(position, options, MAX_MOVES).unwrap_or_else(|| {
            panic!("{} {position}: more than {MAX_MOVES} moves or routes", self.name())
        })
    }

    /// As [`GameId::moves`], but None where there are more than about `limit`.
    pub fn try_moves(self, position: &str, options: &Options, limit: usize) -> Option<Vec<String>> {
        let turns = self.turns(&self.must_read(position), options, limit)?;
        Some(turns.iter().map(|turn| turn.print(self.files())).collect())
    }

    /// The moves that have a route of at most `max_squares` squares, found by going all of those routes; None where
    /// they are too many.
    pub fn moves_by_routes_within(
        self,
        position: &str,
        options: &Options,
        max_squares: usize,
    ) -> Option<Vec<String>> {
        let position = self.must_read(position);
        let walk = Walk { max_squares, ..Walk::everything() };
        let turns = self.turns_by_routes_within(&position, options, walk)?;
        Some(turns.iter().map(|turn| turn.print(self.files())).collect())
    }

    /// The position after a move, which must be legal (any of its routes will do): it is played square by square, not
    /// checked.
    pub fn play(self, position: &str, text: &str, options: &Options) -> String {
        let turn = Turn::parse(text, self.files(), self.files())
            .unwrap_or_else(|error| panic!("{} {text}: {error}", self.name()));
        self.play_turn(&self.must_read(position), &turn, options).print()
    }

    /// The ending that the position text itself shows. No move comes before the quiet limit, and that before
    /// `MaxPlies`.
    pub fn result(self, position: &str, options: &Options) -> Option<Ending> {
        let position = self.must_read(position);
        let any_turn = self.has_turn(&position, options);
        self.ending(&position, options, any_turn)
    }

    /// The number of sequences of `depth` moves.
    pub fn perft(self, position: &str, depth: u32, options: &Options) -> u64 {
        self.perft_of(&self.must_read(position), depth, options)
    }

    fn perft_of(self, position: &Position, depth: u32, options: &Options) -> u64 {
        if depth == 0 {
            return 1;
        }
        let turns = self.turns(position, options, MAX_MOVES);
        let turns = turns.unwrap_or_else(|| panic!("perft: too many moves: {}", position.print()));
        turns
            .iter()
            .map(|turn| self.perft_of(&self.play_turn(position, turn, options), depth - 1, options))
            .sum()
    }

    /// Legal routes of the same move as `text`, with every order of its drops: all of at most `max_squares` squares, or
    /// the first `limit` of them. In Sapos the routes of a move have no end.
    pub fn routes(
        self,
        position: &str,
        text: &str,
        options: &Options,
        max_squares: usize,
        limit: usize,
    ) -> Vec<String> {
        let position = self.must_read(position);
        let Some(turn) = self.legal_turn(&position, text, options) else {
            return Vec::new();
        };
        let only = Some(turn.identity());
        let mut walk = Walk { max_squares, budget: 1_000_000, only, ..Walk::everything() };
        self.walk_from(&position, options, turn.origin(), &mut walk);
        let mut texts = BTreeSet::new();
        for route in walk.turns {
            let backwards = route.drops.iter().rev().copied().collect();
            texts.insert(route.print(self.files()));
            texts.insert(Turn { drops: backwards, ..route }.print(self.files()));
        }
        texts.into_iter().take(limit).collect()
    }

    /// The canonical text of the legal move that `text` is a route of; None where it is none, or no move text at all.
    pub fn canonical(self, position: &str, text: &str, options: &Options) -> Option<String> {
        let position = self.must_read(position);
        let identity = self.legal_turn(&position, text, options)?.identity();
        let turns = self.turns(&position, options, MAX_MOVES)?;
        let turn = turns.iter().find(|turn| turn.identity() == identity)?;
        Some(turn.print(self.files()))
    }

    /// The turn whose route is exactly that text, its drops in any order.
    fn legal_turn(self, position: &Position, text: &str, options: &Options) -> Option<Turn> {
        let mut wanted = Turn::parse(text, self.files(), self.files()).ok()?;
        wanted.drops.sort();
        if self.ending(position, options, true).is_some() {
            return None;
        }
        let along = Some(wanted.squares.clone());
        let mut walk = Walk { along, ..Walk::everything() };
        self.walk_from(position, options, wanted.origin(), &mut walk);
        walk.turns
            .into_iter()
            .find(|turn| turn.removal == wanted.removal && turn.drops == wanted.drops)
    }

    /// Every whole turn of the piece on `origin`, by every route within the bounds of `walk`.
    fn walk_from(self, position: &Position, options: &Options, origin: usize, walk: &mut Walk) {
        match self {
            Self::Alquerque => alquerque::walk_from(position, options, origin, walk),
            Self::Eximo => eximo::walk_from(position, origin, walk),
            Self::Sapos => sapos::walk_from(position, options, origin, walk),
            Self::Froglet => froglet::walk_from(position, origin, walk),
            Self::Tactica => tactica::walk_from(position, options, origin, walk),
        }
    }

    /// The legal moves; none where the game is over; None where there are more than `limit`.
    fn turns(self, position: &Position, options: &Options, limit: usize) -> Option<Vec<Turn>> {
        if self.ending(position, options, true).is_some() {
            return Some(Vec::new());
        }
        match self {
            Self::Sapos => sapos::turns(position, options, limit),
            Self::Froglet => froglet::turns(position, limit),
            _ => self.turns_by_all_routes(position, options),
        }
    }

    /// Every route of every piece, then one for each move.
    fn turns_by_all_routes(self, position: &Position, options: &Options) -> Option<Vec<Turn>> {
        self.turns_by_routes_within(position, options, Walk::everything())
    }

    fn turns_by_routes_within(
        self,
        position: &Position,
        options: &Options,
        mut walk: Walk,
    ) -> Option<Vec<Turn>> {
        for origin in position.squares() {
            self.walk_from(position, options, origin, &mut walk);
        }
        walk.is_complete().then(|| common::list(walk.turns))
    }

    fn has_turn(self, position: &Position, options: &Options) -> bool {
        match self {
            Self::Froglet => froglet::has_turn(position),
            Self::Sapos => {
                let turns = sapos::turns(position, options, MAX_MOVES);
                turns.is_none_or(|turns| !turns.is_empty())
            }
            _ => {
                let turns = self.turns_by_all_routes(position, options);
                turns.is_none_or(|turns| !turns.is_empty())
            }
        }
    }

    fn play_turn(self, position: &Position, turn: &Turn, options: &Options) -> Position {
        match self {
            Self::Alquerque => alquerque::play(position, turn),
            Self::Eximo => eximo::play(position, turn),
            Self::Sapos => sapos::play(position, turn),
            Self::Froglet => froglet::play(position, options, turn),
            Self::Tactica => tactica::play(position, options, turn),
        }
    }

    fn ending(self, position: &Position, options: &Options, any_turn: bool) -> Option<Ending> {
        if !any_turn {
            return Some(match self {
                Self::Froglet => froglet::count(position, "count"),
                _ => Ending::loss_of(position.side, "no-moves"),
            });
        }
        let limit = options.alquerque_quiet_limit;
        if self == Self::Alquerque && limit > 0 && position.quiet >= limit {
            return Some(alquerque::count(position, "quiet-limit"));
        }
        if options.max_plies > 0 && position.ply >= options.max_plies {
            return Some(self.count(position, "max-plies"));
        }
        None
    }

    /// Who wins by count; Eximo and Sapos know none and are drawn.
    fn count(self, position: &Position, reason: &'static str) -> Ending {
        match self {
            Self::Alquerque => alquerque::count(position, reason),
            Self::Eximo | Self::Sapos => Ending { score: "1/2-1/2", reason },
            Self::Froglet => froglet::count(position, reason),
            Self::Tactica => tactica::count(position, reason),
        }
    }
}

/// A game with its history: all positions since the one it was set up with.
#[derive(Debug, Clone)]
pub struct Game {
    id: GameId,
    options: Options,
    positions: Vec<Position>,
    /// Of each position what repetition compares: board, side and extra.
    compared: Vec<String>,
}

impl Game {
    /// A game from the start position.
    pub fn from_start(id: GameId, options: &Options) -> Self {
        Self::from_position(id, options, &id.start(options))
    }

    /// A game from a position text.
    pub fn from_position(id: GameId, options: &Options, position: &str) -> Self {
        let position = id.must_read(position);
        let compared = vec![position.repetition_text()];
        Self { id, options: options.clone(), positions: vec![position], compared }
    }

    fn now(&self) -> &Position {
        &self.positions[self.positions.len() - 1]
    }

    /// The text of the current position.
    pub fn position(&self) -> String {
        self.now().print()
    }

    /// How often board, side and extra have been those of the current position, it included.
    pub fn repetitions(&self) -> usize {
        self.occurrences(self.now())
    }

    fn occurrences(&self, position: &Position) -> usize {
        let text = position.repetition_text();
        self.compared.iter().filter(|&past| *past == text).count()
    }

    /// The canonical texts of the legal moves, none where the game is over; panics where they are too many.
    pub fn moves(&self) -> Vec<String> {
        self.try_moves(MAX_MOVES).unwrap_or_else(|| panic!("too many moves: {}", self.position()))
    }

    /// As [`Game::moves`], but None where there are more than about `limit`.
    pub fn try_moves(&self, limit: usize) -> Option<Vec<String>> {
        if self.ending(true).is_some() {
            return Some(Vec::new());
        }
        let mut turns = self.id.turns(self.now(), &self.options, limit)?;
        turns.retain(|turn| !self.is_banned(turn));
        Some(turns.iter().map(|turn| turn.print(self.id.files())).collect())
    }

    /// Táctica's rule: no move to a position that has occurred `TacticaRepetition` - 1 times.
    fn is_banned(&self, turn: &Turn) -> bool {
        if self.id != GameId::Tactica || self.options.tactica_repetition == 0 {
            return false;
        }
        let next = self.id.play_turn(self.now(), turn, &self.options);
        self.occurrences(&next) >= self.options.tactica_repetition as usize - 1
    }

    /// Plays a legal move, by any of its routes; it is not checked.
    pub fn play(&mut self, text: &str) {
        let next = self.id.play(&self.position(), text, &self.options);
        let next = self.id.must_read(&next);
        self.compared.push(next.repetition_text());
        self.positions.push(next);
    }

    /// Takes the last move back; false where there is none.
    pub fn undo(&mut self) -> bool {
        if self.positions.len() < 2 {
            return false;
        }
        self.compared.pop();
        self.positions.pop().is_some()
    }

    /// The ending, if the game is over. Where several hold at once: no move, then repetition, then the quiet limit,
    /// then `MaxPlies`.
    pub fn result(&self) -> Option<Ending> {
        let any_move = if self.id == GameId::Tactica {
            // The limits empty the list of moves, which must not pass for a lack of moves.
            let options = Options { max_plies: 0, ..self.options.clone() };
            let turns = self.id.turns(self.now(), &options, MAX_MOVES).unwrap_or_default();
            turns.iter().any(|turn| !self.is_banned(turn))
        } else {
            self.id.has_turn(self.now(), &self.options)
        };
        self.ending(any_move)
    }

    fn ending(&self, any_move: bool) -> Option<Ending> {
        let has_rule = matches!(self.id, GameId::Alquerque | GameId::Eximo | GameId::Sapos);
        if any_move && has_rule && self.repetitions() >= 3 {
            return Some(self.id.count(self.now(), "repetition"));
        }
        self.id.ending(self.now(), &self.options, any_move)
    }
}
