//! A move that is entered square by square.

use leap_client::ClientError;
use leap_client::notation::{Placement, tokens};
use leap_protocol::payload::{Effect, Tokens};

use super::Game;

/// The most questions asked to find out how a partly entered move can end.
const MOST_QUESTIONS: usize = 2_000;

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

impl Turn {
    /// A turn with nothing entered.
    ///
    /// # Errors
    /// Any failure of the engine; the same holds for the methods below.
    pub fn begin(game: &mut Game) -> Result<Self, ClientError> {
        game.stop()?;
        let mut turn = Self { placement: game.placement().clone(), ..Self::default() };
        turn.ask(game)?;
        Ok(turn)
    }

    /// The turn with another token entered.
    pub fn push(&self, game: &mut Game, token: &str) -> Result<Self, ClientError> {
        let mut turn = Self { placement: game.placement().clone(), ..Self::default() };
        turn.taken = [self.taken.as_slice(), &[token.to_owned()]].concat();
        turn.ask(game)?;
        turn.look(game)?;
        Ok(turn)
    }

    /// The turn continued to a square; `None` if it cannot be.
    pub fn go_on(&self, game: &mut Game, target: &str) -> Result<Option<Self>, ClientError> {
        self.token_at(target).map(|token| self.push(game, token)).transpose()
    }

    /// The turn without its last token.
    pub fn pop(&self, game: &mut Game) -> Result<Self, ClientError> {
        let before = &self.taken[..self.taken.len().saturating_sub(1)];
        before.iter().try_fold(Self::begin(game)?, |turn, token| turn.push(game, token))
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

    /// Whether it is a legal move that nothing can follow.
    pub fn is_whole(&self) -> bool {
        self.may_end && self.next.is_empty()
    }

    /// The continuations, without `end`.
    pub fn next(&self) -> &[String] {
        &self.next
    }

    /// The squares among the continuations.
    pub fn targets(&self) -> impl Iterator<Item = &str> {
        self.next.iter().map(|token| square(token))
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

    fn ask(&mut self, game: &mut Game) -> Result<(), ClientError> {
        self.next = game.next(&self.text())?;
        self.may_end = self.next.iter().any(|token| token == Tokens::END);
        self.next.retain(|token| token != Tokens::END);
        Ok(())
    }

    /// Computes the board. Only complete moves have effects, so a move that starts with these tokens is requested, and
    /// those of its effects that belong to the tokens are applied.
    fn look(&mut self, game: &mut Game) -> Result<(), ClientError> {
        let drops = self.drops_made();
        let hops = self.taken.iter().filter(|token| is_square(token)).count().saturating_sub(1);
        let has_done_nothing = self.taken.iter().all(|token| is_square(token)) && hops == 0;
        if has_done_nothing {
            return Ok(());
        }
        let Some(whole) = self.shortest(game)? else { return Ok(()) };
        let effects = game.effects(&whole)?;
        let (mut hopped, mut dropped) = (0, 0);
        let belongs = |effect: &&Effect| match effect {
            Effect::From(_) => {
                hopped += 1;
                hopped <= hops
            }
            Effect::Dropped(..) => {
                dropped += 1;
                dropped <= drops
            }
            // Pieces other than the moving one change only at the very end of a move.
            Effect::Changed(..) => self.may_end,
            _ => true,
        };
        let done: Vec<Effect> = effects.iter().take_while(belongs).cloned().collect();
        let is_dropped = |effect: &&Effect| matches!(effect, Effect::Dropped(..));
        self.due = effects.iter().filter(is_dropped).count() - drops.min(dropped);
        self.captured = done.iter().filter_map(victim).map(str::to_owned).collect();
        // If the engine's answer makes no sense, the game goes on without it.
        let mut placement = self.placement.clone();
        match placement.apply(&done) {
            Ok(()) => self.placement = placement,
            Err(fault) => log::warn!("the effects of {whole}: {fault}"),
        }
        Ok(())
    }

    /// A complete move that starts with these tokens, with as few further tokens as possible; `None` if there is none
    /// within `MOST_QUESTIONS`, since in some games a piece can move in circles.
    pub fn shortest(&self, game: &mut Game) -> Result<Option<String>, ClientError> {
        if self.may_end {
            return Ok(Some(self.text()));
        }
        let mut questions = 0;
        let mut begun = vec![(self.text(), self.next.clone())];
        while !begun.is_empty() {
            let mut longer = Vec::new();
            for (text, next) in begun {
                for token in next {
                    questions += 1;
                    if questions > MOST_QUESTIONS {
                        return Ok(None);
                    }
                    let text = format!("{text}{token}");
                    let next = game.next(&text)?;
                    if next.iter().any(|token| token == Tokens::END) {
                        return Ok(Some(text));
                    }
                    longer.push((text, next));
                }
            }
            begun = longer;
        }
        Ok(None)
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

fn is_drop(token: &str) -> bool {
    token.starts_with('@')
}

/// Whether the token is a square that the piece moves to, rather than a drop or a removal.
fn is_square(token: &str) -> bool {
    square(token) == token
}

/// The squares that a move names.
pub fn squares(mv: &str) -> Vec<String> {
    split(mv).iter().map(|token| square(token).to_owned()).collect()
}

/// The tokens with which a complete move is entered.
pub fn split(mv: &str) -> Vec<String> {
    let words = tokens(mv).unwrap_or_else(|| vec![mv]);
    words.into_iter().map(str::to_owned).collect()
}
