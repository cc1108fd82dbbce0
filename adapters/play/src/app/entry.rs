//! Entering a turn with the cursor or by typing.

use leap_board::{Turn, split};
use leap_client::ClientError;
use leap_client::notation::{PASS, square_index};
use leap_protocol::payload::Side;

use super::{App, Purpose};
use crate::action::Action;

/// Letters of what was typed that are shown before the reason why it is refused.
const LONGEST_SUBJECT: usize = 24;

impl App {
    pub(super) fn step(&mut self, right: i32, up: i32) -> Result<(), ClientError> {
        let turned = if self.bottom == Side::P2 { -1 } else { 1 };
        let board = self.game.board();
        let moved = |index: usize, by: i32, most: usize| {
            let index = i32::try_from(index).unwrap_or(1) + by * turned;
            usize::try_from(index).unwrap_or(1).clamp(1, most)
        };
        let next = |square: &String| {
            let (rank, file) = square_index(square).unwrap_or((1, 1));
            let (rank, file) = (moved(rank, up, board.ranks), moved(file, right, board.files));
            let next = format!("{}{rank}", ('a'..='z').nth(file - 1).unwrap_or('a'));
            (next != *square).then_some(next)
        };
        // The cursor jumps over what the board lacks.
        let mut squares = std::iter::successors(next(&self.cursor), next);
        match squares.find(|square| !board.holes.contains(square)) {
            Some(square) => self.look_at(square),
            None => Ok(()),
        }
    }

    /// Moves the cursor to the next square that continues the turn, in ascending order, wrapping around.
    pub(super) fn tab(&mut self, forward: bool) -> Result<(), ClientError> {
        let mut targets: Vec<String> = self.turn.targets().map(str::to_owned).collect();
        if self.turn.may_end() {
            targets.extend(self.turn.here().map(str::to_owned));
        }
        targets.sort_by_key(|square| square_index(square));
        let here = square_index(&self.cursor);
        let next = if forward {
            targets.iter().find(|square| square_index(square) > here).or(targets.first())
        } else {
            targets.iter().rfind(|square| square_index(square) < here).or(targets.last())
        };
        match next.cloned() {
            Some(square) => self.look_at(square),
            None => Ok(()),
        }
    }

    /// Moves the cursor and finds out what moving there would capture.
    fn look_at(&mut self, square: String) -> Result<(), ClientError> {
        self.victims.clear();
        if !self.game.is_thinking()
            && let Some(after) = self.turn.go_on(&mut self.game, &square)?
        {
            self.victims = after.captured_since(&self.turn).cloned().collect();
        }
        self.cursor = square;
        Ok(())
    }

    pub(super) fn enter(&mut self) -> Result<(), ClientError> {
        if !self.input.is_empty() {
            let line = std::mem::take(&mut self.input);
            return self.read(line.trim());
        }
        if self.game.is_thinking() {
            return self.game.hurry();
        }
        if self.game.status().over {
            return Ok(());
        }
        if self.turn.must_pass() {
            return self.play(PASS);
        }
        let cursor = self.cursor.clone();
        if self.turn.is_begun() && self.turn.may_end() && self.turn.here() == Some(&cursor) {
            return self.play(&self.turn.text());
        }
        match self.turn.go_on(&mut self.game, &cursor)? {
            Some(turn) => self.take(turn),
            None => self.refuse(&cursor),
        }
    }

    /// Continues a turn, or makes the move if nothing can follow.
    fn take(&mut self, turn: Turn) -> Result<(), ClientError> {
        if turn.is_whole() {
            return self.play(&turn.text());
        }
        self.turn = turn;
        self.victims.clear();
        self.trace.clear();
        Ok(())
    }

    /// Explains why a square does not continue the turn.
    fn refuse(&mut self, square: &str) -> Result<(), ClientError> {
        let reason = self.game.why_not(&self.turn.text_with(square))?;
        self.explain(square, reason.as_deref().unwrap_or("not now"))
    }

    /// Handles a typed line: one of the words, a move, or the beginning of a move.
    fn read(&mut self, line: &str) -> Result<(), ClientError> {
        if let Some(action) = Action::named(line) {
            self.act(action);
            return Ok(());
        }
        if self.game.status().over {
            return self.say(format!("{line}: not played, the game is over"));
        }
        if self.game.is_thinking() {
            return self.say(format!("{line}: not played, the engine was thinking"));
        }
        let longer = format!("{}{line}", self.turn.text());
        let Some(reason) = self.game.why_not(line)? else { return self.play(line) };
        if self.turn.is_begun() && self.game.why_not(&longer)?.is_none() {
            return self.play(&longer);
        }
        for text in [line, &longer] {
            if let Some(turn) = self.begun(text)? {
                self.cursor = turn.here().map_or_else(|| self.cursor.clone(), str::to_owned);
                return self.take(turn);
            }
        }
        self.explain(line, &reason)
    }

    /// Says a reason, after its subject unless the reason names it.
    fn explain(&mut self, subject: &str, reason: &str) -> Result<(), ClientError> {
        if reason.starts_with(subject) {
            return self.say(reason);
        }
        // A long subject is cut, so that the reason stays in sight.
        let shown: String = subject.chars().take(LONGEST_SUBJECT).collect();
        let rest = if shown == subject { "" } else { "…" };
        self.say(format!("{shown}{rest}: {reason}"))
    }

    /// The turn that starts like this, if there is one. A square alone stands for any token on it.
    fn begun(&mut self, text: &str) -> Result<Option<Turn>, ClientError> {
        let mut turn = Turn::begin(&mut self.game)?;
        for token in split(&text.to_ascii_lowercase()) {
            let known = turn.next().iter().find(|next| **next == token);
            let Some(token) = known.map(String::as_str).or_else(|| turn.token_at(&token)) else {
                return Ok(None);
            };
            turn = turn.push(&mut self.game, token)?;
        }
        Ok(Some(turn))
    }

    pub(super) fn back(&mut self) -> Result<(), ClientError> {
        if !self.input.is_empty() {
            self.input.clear();
            return Ok(());
        }
        if self.game.is_thinking() {
            // Only a person's own turn can be partly taken back.
            return if self.purpose == Purpose::Hint { self.game.stop() } else { Ok(()) };
        }
        self.turn = self.turn.pop(&mut self.game)?;
        self.victims.clear();
        Ok(())
    }
}
