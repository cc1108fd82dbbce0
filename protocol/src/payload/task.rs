//! Tasks: positions of the rules in which a person makes a move that does something.

use std::fmt;

use nom::Parser;
use nom::combinator::{opt, verify};
use nom::sequence::preceded;

use super::{Effect, Effects};
use crate::print::{spaced, spaced_all};
use crate::scan::{keyword, number, owned, phrase, whole, words};
use crate::visible::OneLine;

/// A task of the rules: a position, and what a move has to do in it (SPEC 4.40a).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// What is counted, a word: a kind of effect, or [`Task::WIN`].
    pub kind: String,
    /// How many of them the move must bring about.
    pub count: u64,
    /// The position text.
    pub fen: String,
    /// The moves that do so, each a word, in listing order.
    pub moves: Vec<String>,
    /// What is to be done, for people.
    pub text: String,
}

impl Task {
    /// The kind of a task that asks for a move that wins the game.
    pub const WIN: &str = "win";

    /// Whether a move with these effects does the task. `wins` tells whether it wins the game.
    ///
    /// ```
    /// use leap_protocol::payload::{Effects, Guide};
    ///
    /// let mut rules = Guide::default();
    /// rules.push("clause Hops : A frog hops.")?;
    /// rules.push("task points 3 fen 7r 1 - 0 0 moves a1c1 : Win 3 points.")?;
    /// let effects: Effects = "from a1 to c1 captured b1 points 2 from c1 to e1 captured d1 points 1".parse()?;
    /// assert!(rules.clauses[0].tasks[0].is_done(&effects, false));
    /// # Ok::<(), leap_protocol::payload::PayloadError>(())
    /// ```
    #[must_use]
    pub fn is_done(&self, effects: &Effects, wins: bool) -> bool {
        let Effects(effects) = effects;
        let counted = match self.kind.as_str() {
            Self::WIN => u64::from(wins),
            "points" => effects.iter().map(Effect::points).sum(),
            kind => effects.iter().filter(|effect| effect.kind() == kind).count() as u64,
        };
        counted >= self.count
    }

    /// Reads a label and its text, already taken apart.
    pub(super) fn parse(head: &str, text: String) -> Option<Self> {
        let fen = preceded(keyword("fen"), phrase(&["moves"]));
        let fen = verify(fen, |fen: &str| !fen.is_empty());
        let moves = opt(preceded(keyword("moves"), words)).map(Option::unwrap_or_default);
        let (kind, count, fen, moves) = whole((owned, number, fen, moves), head)?;
        Some(Self { kind, count, fen, moves, text })
    }
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, count, fen, moves, text } = self;
        write!(f, "{kind} {count} fen {} moves", OneLine(fen))?;
        spaced_all(f, moves)?;
        f.write_str(" :")?;
        spaced(f, text)
    }
}
