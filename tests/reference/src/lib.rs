//! A second implementation of the games, written from the rules alone and as literally as they read, to check the
//! engine against. It shares no code with the engine and is slow: cells in an array, routes enumerated one by one, text
//! in and text out.
//!
//! [`GameId`] answers for a position text, [`Game`] for a game with its history.

mod common;
mod routes;
mod rules;
#[cfg(test)]
mod testing;

pub use common::{Ending, Options, SplitMix64};
use common::{Position, Turn};
use routes::Walk;
use rules::Rules;
use std::collections::BTreeSet;
use std::fmt;

/// How many moves a position may have before [`GameId::moves`] gives up.
const MAX_MOVES: usize = 200_000;

/// One of the games. All positions and moves are texts; a position must be one that [`GameId::parse`] takes, or the
/// other functions panic.
#[derive(Clone, Copy)]
pub struct GameId(&'static dyn Rules);

macro_rules! games {
    ($($id:ident $rules:ident;)*) => {
        $(mod $id;)*

        impl GameId {
            /// All games.
            pub const ALL: &[Self] = &[$(Self(&$id::$rules)),*];
        }
    };
}

games! {
    alquerque Alquerque;
    eximo Eximo;
    sapos Sapos;
    froglet Froglet;
    tactica Tactica;
}

impl fmt::Debug for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl GameId {
    /// The game with this id; panics where there is none and says what is missing.
    pub fn of(name: &str) -> Self {
        let found = Self::ALL.iter().find(|id| id.name() == name);
        *found.unwrap_or_else(|| {
            panic!("the reference lacks {name}: write tests/reference/src/{name}.rs")
        })
    }

    /// The id on the wire.
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// Files, which are as many as the ranks.
    pub fn files(self) -> usize {
        self.0.files()
    }

    /// The start position, which options may pick.
    pub fn start(self, options: &Options) -> String {
        self.0.start(options)
    }

    /// Reads a position and writes it again; the error says why it is refused.
    pub fn parse(self, text: &str) -> Result<String, String> {
        self.0.parse(text).map(|position| position.print())
    }

    fn must_read(self, text: &str) -> Position {
        self.0.parse(text).unwrap_or_else(|error| panic!("{} {text}: {error}", self.name()))
    }

    /// The canonical texts of all legal moves in listing order, none where the game is over. A rule that bans
    /// repetition takes a [`Game`].
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
        let turns = self.0.turns_by_routes(&position, options, walk)?;
        Some(turns.iter().map(|turn| turn.print(self.files())).collect())
    }

    /// The position after a move, which must be legal (any of its routes will do): it is played square by square, not
    /// checked.
    pub fn play(self, position: &str, text: &str, options: &Options) -> String {
        let turn = Turn::parse(text, self.files(), self.files())
            .unwrap_or_else(|error| panic!("{} {text}: {error}", self.name()));
        self.0.play(&self.must_read(position), options, &turn).print()
    }

    /// The ending that the position text itself shows. No move comes before the quiet limit, and that before
    /// `MaxPlies`.
    pub fn result(self, position: &str, options: &Options) -> Option<Ending> {
        let position = self.must_read(position);
        let any_turn = self.0.has_turn(&position, options);
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
            .map(|turn| self.perft_of(&self.0.play(position, options, turn), depth - 1, options))
            .sum()
    }

    /// Legal routes of the same move as `text`, with every order of its drops.
    ///
    /// Returns all routes of at most `max_squares` squares, or the first `limit` of them. In Sapos the routes of a move
    /// have no end.
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
        self.0.walk_from(&position, options, turn.origin(), &mut walk);
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
        self.0.walk_from(position, options, wanted.origin(), &mut walk);
        walk.turns
            .into_iter()
            .find(|turn| turn.removal == wanted.removal && turn.drops == wanted.drops)
    }

    /// The legal moves; none where the game is over; None where there are more than `limit`.
    fn turns(self, position: &Position, options: &Options, limit: usize) -> Option<Vec<Turn>> {
        if self.ending(position, options, true).is_some() {
            return Some(Vec::new());
        }
        self.0.turns(position, options, limit)
    }

    fn ending(self, position: &Position, options: &Options, any_turn: bool) -> Option<Ending> {
        if !any_turn {
            return Some(self.0.without_moves(position));
        }
        let reached = |limit: u64, plies: u32| limit > 0 && u64::from(plies) >= limit;
        if reached(self.0.quiet_limit(options), position.quiet) {
            return Some(self.0.count(position, "quiet-limit"));
        }
        let max_plies = options.number("MaxPlies", 400);
        reached(max_plies, position.ply).then(|| self.0.count(position, "max-plies"))
    }
}

/// A game with its history: all positions since the one it was set up with.
#[derive(Debug, Clone)]
pub struct Game {
    id: GameId,
    options: Options,
    positions: Vec<Position>,
}

impl Game {
    /// A game from the start position.
    pub fn from_start(id: GameId, options: &Options) -> Self {
        Self::from_position(id, options, &id.start(options))
    }

    /// A game from a position text.
    pub fn from_position(id: GameId, options: &Options, position: &str) -> Self {
        let position = id.must_read(position);
        Self { id, options: options.clone(), positions: vec![position] }
    }

    fn now(&self) -> &Position {
        &self.positions[self.positions.len() - 1]
    }

    /// The text of the current position.
    pub fn position(&self) -> String {
        self.now().print()
    }

    /// How often the current position has occurred, this time included. Board, side and extra are compared.
    pub fn repetitions(&self) -> usize {
        self.occurrences(self.now())
    }

    fn occurrences(&self, position: &Position) -> usize {
        self.positions.iter().filter(|past| past.repeats(position)).count()
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

    /// Whether a move leads to a position that has occurred too often.
    fn is_banned(&self, turn: &Turn) -> bool {
        let banned = self.id.0.banned_repetition(&self.options);
        if banned == 0 {
            return false;
        }
        let next = self.id.0.play(self.now(), &self.options, turn);
        self.occurrences(&next) as u64 >= banned - 1
    }

    /// Plays a legal move, by any of its routes; it is not checked.
    pub fn play(&mut self, text: &str) {
        let next = self.id.play(&self.position(), text, &self.options);
        self.positions.push(self.id.must_read(&next));
    }

    /// Takes the last move back; false where there is none.
    pub fn undo(&mut self) -> bool {
        if self.positions.len() < 2 {
            return false;
        }
        self.positions.pop().is_some()
    }

    /// The ending, if the game is over. Of several endings the first counts: no move, then the quiet limit, then
    /// `MaxPlies`, then repetition (SPEC 10.7).
    pub fn result(&self) -> Option<Ending> {
        let any_move = if self.id.0.banned_repetition(&self.options) > 0 {
            let turns = self.id.0.turns(self.now(), &self.options, MAX_MOVES).unwrap_or_default();
            turns.iter().any(|turn| !self.is_banned(turn))
        } else {
            self.id.0.has_turn(self.now(), &self.options)
        };
        self.ending(any_move)
    }

    fn ending(&self, any_move: bool) -> Option<Ending> {
        self.id.ending(self.now(), &self.options, any_move).or_else(|| {
            let repeats = self.id.0.ends_at_repetition() && self.repetitions() >= 3;
            repeats.then(|| self.id.0.count(self.now(), "repetition"))
        })
    }
}
