//! A move that is entered square by square.

use leap_protocol::payload::{Effect, Tokens};

use super::Game;
use crate::client::ClientError;
use crate::notation::{Placement, tokens};

/// Questions that are asked at most to find out how a move that has been begun may end.
const MOST_QUESTIONS: usize = 2_000;

/// What has been entered of a move, what may follow, and what the board looks like by now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Turn {
    /// What has been entered: squares, `x` with a square, `@` with a square.
    taken: Vec<String>,
    /// What may follow, without `end`.
    next: Vec<String>,
    may_end: bool,
    placement: Placement,
    captured: Vec<String>,
    /// Drops that are still due.
    due: usize,
}

impl Turn {
    /// Nothing entered yet.
    ///
    /// # Errors
    /// What can happen to an engine; so for all below.
    pub(crate) fn begin(game: &mut Game) -> Result<Self, ClientError> {
        game.stop()?;
        let mut turn = Self { placement: game.placement().clone(), ..Self::default() };
        turn.ask(game)?;
        Ok(turn)
    }

    /// The turn with a further token.
    pub(crate) fn push(&self, game: &mut Game, token: &str) -> Result<Self, ClientError> {
        let mut turn = Self { placement: game.placement().clone(), ..Self::default() };
        turn.taken = [self.taken.as_slice(), &[token.to_owned()]].concat();
        turn.ask(game)?;
        turn.look(game)?;
        Ok(turn)
    }

    /// The turn with a square that goes on; `None` if it does not.
    pub(crate) fn go_on(&self, game: &mut Game, target: &str) -> Result<Option<Self>, ClientError> {
        self.token_at(target).map(|token| self.push(game, token)).transpose()
    }

    /// The turn without its last token.
    pub(crate) fn pop(&self, game: &mut Game) -> Result<Self, ClientError> {
        let before = &self.taken[..self.taken.len().saturating_sub(1)];
        before.iter().try_fold(Self::begin(game)?, |turn, token| turn.push(game, token))
    }

    /// The text so far; empty at the beginning.
    pub(crate) fn text(&self) -> String {
        self.taken.concat()
    }

    /// The text with a square that is not offered, as it would have to be meant.
    pub(crate) fn text_with(&self, square: &str) -> String {
        let mark = if self.drops() { "@" } else { "" };
        format!("{}{mark}{square}", self.text())
    }

    pub(crate) fn is_begun(&self) -> bool {
        !self.taken.is_empty()
    }

    /// Whether what was entered is a legal move.
    pub(crate) fn may_end(&self) -> bool {
        self.may_end
    }

    /// Whether it is one that nothing can follow.
    pub(crate) fn is_whole(&self) -> bool {
        self.may_end && self.next.is_empty()
    }

    /// What may follow, without `end`.
    pub(crate) fn next(&self) -> &[String] {
        &self.next
    }

    /// The squares among that.
    pub(crate) fn targets(&self) -> impl Iterator<Item = &str> {
        self.next.iter().map(|token| square(token))
    }

    /// The token by which a square goes on, if it does.
    pub(crate) fn token_at(&self, target: &str) -> Option<&str> {
        self.next.iter().map(String::as_str).find(|token| square(token) == target)
    }

    /// Whether a drop must come next.
    pub(crate) fn drops(&self) -> bool {
        !self.next.is_empty() && self.next.iter().all(|token| is_drop(token))
    }

    /// How many drops are still due, as far as that is known.
    pub(crate) fn due(&self) -> usize {
        self.due
    }

    /// The pieces after what was entered.
    pub(crate) fn placement(&self) -> &Placement {
        &self.placement
    }

    /// The squares on which pieces were taken.
    pub(crate) fn captured(&self) -> &[String] {
        &self.captured
    }

    /// Those of the squares on which pieces were taken only since then.
    pub(crate) fn captured_since(&self, before: &Self) -> impl Iterator<Item = &String> {
        self.captured.iter().filter(|square| !before.captured.contains(square))
    }

    /// Where the piece that moves is now.
    pub(crate) fn here(&self) -> Option<&str> {
        self.taken.iter().rev().map(String::as_str).find(|token| is_square(token))
    }

    fn ask(&mut self, game: &mut Game) -> Result<(), ClientError> {
        self.next = game.next(&self.text())?;
        self.may_end = self.next.iter().any(|token| token == Tokens::END);
        self.next.retain(|token| token != Tokens::END);
        Ok(())
    }

    /// Finds out what the board looks like. Only whole moves have effects, so any move that begins like this is asked for;
    /// of its effects those count that belong to what was entered.
    fn look(&mut self, game: &mut Game) -> Result<(), ClientError> {
        let drops = self.taken.iter().filter(|token| is_drop(token)).count();
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
            // Other pieces than that which moves change at the very end of a move.
            Effect::Changed(..) => self.may_end,
            _ => true,
        };
        let done: Vec<Effect> = effects.iter().take_while(belongs).cloned().collect();
        let is_dropped = |effect: &&Effect| matches!(effect, Effect::Dropped(..));
        self.due = effects.iter().filter(is_dropped).count() - drops.min(dropped);
        self.captured = done.iter().filter_map(victim).map(str::to_owned).collect();
        // An engine that tells nonsense is shown as it is; it does not stop the game.
        let mut placement = self.placement.clone();
        match placement.apply(&done) {
            Ok(()) => self.placement = placement,
            Err(fault) => log::warn!("the effects of {whole}: {fault}"),
        }
        Ok(())
    }

    /// A whole move that begins like this, one of those with the fewest further tokens; `None` if there is none within
    /// [`MOST_QUESTIONS`]: in some games one can go in circles.
    pub(crate) fn shortest(&self, game: &mut Game) -> Result<Option<String>, ClientError> {
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

/// The square whose piece is taken or changed.
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

/// Whether the token is where the piece goes: neither a drop nor a removal.
fn is_square(token: &str) -> bool {
    square(token) == token
}

/// The squares that a move names.
pub(crate) fn squares(mv: &str) -> Vec<String> {
    split(mv).iter().map(|token| square(token).to_owned()).collect()
}

/// The tokens by which a whole move is entered.
pub(crate) fn split(mv: &str) -> Vec<String> {
    let words = tokens(mv).unwrap_or_else(|| vec![mv]);
    words.into_iter().map(str::to_owned).collect()
}
