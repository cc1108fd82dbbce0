//! A move that is entered square by square.

use leap_client::ClientError;
use leap_client::notation::{PASS, Placement, tokens};
use leap_protocol::payload::Effect;

use super::Game;

/// More tokens than any move needs. It is a limit because a piece can move in circles.
const LONGEST: usize = 200;

/// The part of a move that has been entered, its continuations, and the board at this point.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Turn {
    /// The tokens entered: squares, `x` with a square, `@` with a square.
    taken: Vec<String>,
    /// The continuations, without `end`.
    next: Vec<String>,
    may_end: bool,
    placement: Placement,
    captured: Vec<String>,
    /// Drops that still have to be made.
    due: usize,
}

/// What the engine tells of a turn.
#[derive(Debug, Default)]
pub(super) struct Told {
    /// The continuations, without `end`.
    pub(super) next: Vec<String>,
    pub(super) may_end: bool,
    /// What the entered part does. Empty if the engine tells only about whole moves.
    pub(super) effects: Vec<Effect>,
    /// Drops that still have to be made, as far as that is known.
    pub(super) due: usize,
}

impl Turn {
    /// A turn with nothing entered.
    ///
    /// # Errors
    /// Any failure of the engine; the same holds for the methods below.
    pub fn begin(game: &mut Game) -> Result<Self, ClientError> {
        game.stop()?;
        Self::at(game, Vec::new())
    }

    /// The turn with these tokens entered.
    fn at(game: &mut Game, taken: Vec<String>) -> Result<Self, ClientError> {
        let text = taken.concat();
        let Told { next, may_end, effects, due } = game.turn(&text)?;
        let mut placement = game.placement().clone();
        // If the engine's answer makes no sense, the game goes on without it.
        if let Err(fault) = placement.apply(&effects) {
            log::warn!("the effects of {text}: {fault}");
            placement = game.placement().clone();
        }
        let captured = effects.iter().filter_map(victim).map(str::to_owned).collect();
        Ok(Self { taken, next, may_end, placement, captured, due })
    }

    /// The turn with another token entered.
    pub fn push(&self, game: &mut Game, token: &str) -> Result<Self, ClientError> {
        Self::at(game, [self.taken.as_slice(), &[token.to_owned()]].concat())
    }

    /// The turn continued to a square; `None` if it cannot be.
    pub fn go_on(&self, game: &mut Game, target: &str) -> Result<Option<Self>, ClientError> {
        self.token_at(target).map(|token| self.push(game, token)).transpose()
    }

    /// The turn without its last token.
    pub fn pop(&self, game: &mut Game) -> Result<Self, ClientError> {
        game.stop()?;
        Self::at(game, self.taken[..self.taken.len().saturating_sub(1)].to_vec())
    }

    /// The text so far; empty at the beginning.
    pub fn text(&self) -> String {
        self.taken.concat()
    }

    /// The text with a square that is not offered, in its most plausible notation.
    pub fn text_with(&self, square: &str) -> String {
        let mark = if self.drops() { "@" } else { "" };
        format!("{}{mark}{square}", self.text())
    }

    /// Whether anything was entered.
    pub fn is_begun(&self) -> bool {
        !self.taken.is_empty()
    }

    /// Whether what was entered is a legal move.
    pub fn may_end(&self) -> bool {
        self.may_end
    }

    /// Whether what was entered is a legal move that nothing can follow.
    pub fn is_whole(&self) -> bool {
        self.may_end && self.next.is_empty()
    }

    /// The continuations, without `end`.
    pub fn next(&self) -> &[String] {
        &self.next
    }

    /// Whether nothing but a pass is possible.
    pub fn must_pass(&self) -> bool {
        self.next == [PASS]
    }

    /// The squares among the continuations.
    pub fn targets(&self) -> impl Iterator<Item = &str> {
        self.next.iter().filter(|token| *token != PASS).map(|token| square(token))
    }

    /// The token that continues the turn to a square, if there is one.
    pub fn token_at(&self, target: &str) -> Option<&str> {
        self.next.iter().map(String::as_str).find(|token| square(token) == target)
    }

    /// Whether a drop must come next.
    pub fn drops(&self) -> bool {
        !self.next.is_empty() && self.next.iter().all(|token| is_drop(token))
    }

    /// How many drops still have to be made, as far as that is known.
    pub fn due(&self) -> usize {
        self.due
    }

    /// How many drops have been made.
    pub(crate) fn drops_made(&self) -> usize {
        self.taken.iter().filter(|token| is_drop(token)).count()
    }

    /// How many drops the turn has in all, as far as that is known.
    pub(crate) fn drops_in_all(&self) -> usize {
        self.drops_made() + self.due
    }

    /// The pieces after the entered part of the move.
    pub fn placement(&self) -> &Placement {
        &self.placement
    }

    /// The squares on which pieces have been captured.
    pub fn captured(&self) -> &[String] {
        &self.captured
    }

    /// The squares of captures made since `before`.
    pub fn captured_since(&self, before: &Self) -> impl Iterator<Item = &String> {
        self.captured.iter().filter(|square| !before.captured.contains(square))
    }

    /// The current square of the moving piece.
    pub fn here(&self) -> Option<&str> {
        self.taken.iter().rev().map(String::as_str).find(|token| is_square(token))
    }

    /// A complete move that begins with these tokens, or `None` if none is found.
    ///
    /// Drops are made as soon as they are offered, and no token is entered twice.
    pub fn completed(mut self, game: &mut Game) -> Result<Option<String>, ClientError> {
        while !self.may_end && self.taken.len() < LONGEST {
            let is_new = |token: &&String| !self.taken.contains(token);
            let Some(token) = self.next.iter().rfind(is_new).cloned() else { return Ok(None) };
            self = self.push(game, &token)?;
        }
        Ok(self.may_end.then(|| self.text()))
    }
}

/// The square whose piece is captured or changed.
fn victim(effect: &Effect) -> Option<&str> {
    match effect {
        Effect::Captured(square) | Effect::Changed(_, square, _) => Some(square),
        _ => None,
    }
}

/// The square of a token.
fn square(token: &str) -> &str {
    token.trim_start_matches(['@', 'x'])
}

pub(super) fn is_drop(token: &str) -> bool {
    token.starts_with('@')
}

/// Whether the token is a square that the piece moves to, rather than a drop or a removal.
fn is_square(token: &str) -> bool {
    square(token) == token && token != PASS
}

/// The squares that a move names. A pass names none.
pub fn squares(mv: &str) -> Vec<String> {
    let tokens = split(mv).into_iter().filter(|token| token != PASS);
    tokens.map(|token| square(&token).to_owned()).collect()
}

/// The tokens with which a complete move is entered.
pub fn split(mv: &str) -> Vec<String> {
    let words = tokens(mv).unwrap_or_else(|| vec![mv]);
    words.into_iter().map(str::to_owned).collect()
}
