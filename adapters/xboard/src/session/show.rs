//! What XBoard displays: the board, marks on squares, and the engine's thinking.

use leap_board::{People, Turn};
use leap_client::ClientError;
use leap_protocol::payload::{Side, Tally};
use leap_protocol::{Info, Score};

use super::XboardSession;
use super::light::NULL_MOVE;

/// Marks of squares: destinations, captures, where the turn may end, and where the engine has just moved.
pub(super) const TARGET: char = 'R';
pub(super) const VICTIM: char = 'g';
const STOP: char = 'Y';
const TRACE: char = 'B';

impl XboardSession {
    /// Shows the board with its marks, and whose turn it is.
    pub(super) fn push(&mut self) {
        let fen = self.view.fen(self.turn.placement(), &self.places(), self.in_hand());
        self.output.push(format!("setboard {fen}"));
        self.show_marks();
        let status = self.game.status();
        let is_black = !status.over && !self.game.board().is_light(status.turn);
        if self.light.shown(is_black) {
            self.light_black();
        }
    }

    /// Has XBoard light the word *Black*; that takes the marks away.
    pub(super) fn light_black(&mut self) {
        self.output.push(format!("move {NULL_MOVE}"));
        self.show_marks();
    }

    /// Marks what is awaited during a turn, or what the engine has played before it.
    fn show_marks(&mut self) {
        let marks = match self.turn.is_begun() {
            true => self.stop().into_iter().chain(targets(&self.turn)).collect(),
            false => self.traces(),
        };
        if !marks.is_empty() {
            self.mark(marks);
        }
    }

    /// The mark of the square on which a click ends the turn, if it may end.
    pub(super) fn stop(&self) -> Option<(String, char)> {
        let here = self.turn.here().filter(|_| self.turn.may_end());
        here.map(|square| (square.to_owned(), STOP))
    }

    /// The empty squares on which the mouse may put a piece. XBoard reports clicks on pieces alone, so each shows one.
    fn places(&self) -> Vec<String> {
        let status = self.game.status();
        let is_awaited = self.mouse.is(status.turn) && !status.over && !self.turn.drops();
        let is_place = |square: &&str| is_awaited && self.turn.placement().get(square).is_none();
        let begins = self.turn.targets().filter(|_| !self.turn.is_begun());
        begins.filter(is_place).map(str::to_owned).collect()
    }

    /// The marks of the engine's last moves, when it is the mouse's turn.
    fn traces(&self) -> Vec<(String, char)> {
        let status = self.game.status();
        let is_awaited = self.mouse.is(status.turn) && !status.over;
        let squares = self.trace.iter().filter(|_| is_awaited);
        squares.map(|square| (square.clone(), TRACE)).collect()
    }

    /// The pieces beside the board: those that must be dropped now, or else the reserve of the player at the mouse.
    fn in_hand(&self) -> Option<(Side, usize)> {
        let status = self.game.status();
        let player = if self.mouse == People::Both { status.turn } else { self.view.bottom };
        if self.turn.drops() {
            return Some((player, self.turn.due()));
        }
        let Some(Tally::Each(p1, p2)) = status.tally("reserves") else { return None };
        let count = if player == Side::P1 { p1 } else { p2 };
        Some((player, usize::try_from(count).unwrap_or(0)))
    }

    pub(super) fn mark(&mut self, marks: Vec<(String, char)>) {
        let marks = marks.iter().map(|(square, colour)| (square.as_str(), *colour));
        let highlight = self.view.highlight(marks);
        self.output.push(highlight);
    }

    /// Formats `ply score time nodes pv`, with the score in centipawns and the time in hundredths of a second.
    pub(super) fn show_thought(&mut self, info: &Info) -> Result<(), ClientError> {
        let (Some(depth), Some((score, _)), true) = (info.depth, info.score, self.shows_thoughts)
        else {
            return Ok(());
        };
        let score = match score {
            Score::Cp(cp) => cp,
            Score::Mate(moves) if moves > 0 => 100_000 + moves,
            Score::Mate(moves) => -100_000 + moves,
        };
        let (time, nodes) = (info.time.unwrap_or(0) / 10, info.nodes.unwrap_or(0));
        self.say(format!("{depth} {score} {time} {nodes} {}", info.pv.join(" ")))
    }
}

/// The marks of the squares that continue a turn.
pub(super) fn targets(turn: &Turn) -> impl Iterator<Item = (String, char)> {
    turn.targets().map(|square| (square.to_owned(), TARGET))
}
