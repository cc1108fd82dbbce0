//! Commands that search, and the clocks that bound the searches.

use std::time::Instant;

use crossbeam_channel::{at, select};
use leap_board::{PATIENCE, SearchEvent, score_text, split};
use leap_client::{ClientError, allowed};
use leap_protocol::payload::Side;
use leap_protocol::{Go, Info, RESIGN};

use super::commands::{COMMAND_PATIENCE, GtpSession};
use super::gtp::{Colour, Request, Vertex};
use super::plan::Plan;
use super::play::PlayError;
use super::show;

/// The most legal moves that are listed to find those that start like the turn being entered.
const MOST_MOVES: u64 = 10_000;

/// The line that GoGui writes to interrupt a search.
const INTERRUPT: &str = "# interrupt";

/// The result of a search: tokens of a whole move, and what the engine last said about its best line.
struct Thought {
    tokens: Vec<String>,
    info: Info,
}

impl GtpSession {
    /// Plays and returns the next vertex of the engine's move, or `resign`. A search finds this move before its first vertex.
    pub(super) fn generate(&mut self, request: &Request) -> Result<String, PlayError> {
        let colour = request.arg(0, Colour::EXPECTED)?;
        self.turn_of(colour)?;
        let node = self.play.node();
        let (fen, entered) = (node.fen.clone(), split(&node.turn.text()));
        if !self.plan.goes_on(&fen, &entered) {
            let tokens = match self.search(colour.0, &entered) {
                Err(PlayError::Resignation) => return Ok(RESIGN.to_owned()),
                thought => thought?.tokens,
            };
            self.plan = Plan { fen, tokens };
        }
        let vertex = match self.plan.tokens.get(entered.len()) {
            Some(token) => Vertex::of_token(token),
            None => Vertex::Pass,
        };
        self.enter(&vertex)?;
        Ok(vertex.to_string())
    }

    /// Searches for the side to move, and marks the move found on the board, as GoGui graphics.
    pub(super) fn hint(&mut self) -> Result<String, PlayError> {
        let node = self.play.node();
        let side = node.side();
        self.turn_of(Colour(side))?;
        let entered = split(&node.turn.text());
        let Thought { tokens, info } = self.search(side, &entered)?;
        let colour = Colour(side).to_string();
        let depth = info.depth.map(|depth| format!(" at depth {depth}")).unwrap_or_default();
        let score = info.score.map(|(score, _)| format!(", {}{depth}", score_text(score, &colour)));
        let text = format!("hint {}{}", tokens.concat(), score.unwrap_or_default());
        let text = self.told(Some(&text));
        Ok(show::hint(self.game.board(), self.play.node(), &tokens[entered.len()..], &text))
    }

    /// The move that the engine likes best among those that start with what was entered.
    fn search(&mut self, player: Side, entered: &[String]) -> Result<Thought, PlayError> {
        self.play.sync(&mut self.game)?;
        let mut go = self.clock.go(player, self.level.go());
        if !entered.is_empty() {
            let moves = self.game.legal_moves(MOST_MOVES)?;
            go.searchmoves =
                moves.into_iter().filter(|mv| split(mv).starts_with(entered)).collect();
            if go.searchmoves.is_empty() {
                // The list has one route to each destination. The route entered is another one, and as good.
                return self.complete(entered);
            }
        }
        let thought = self.think(go)?;
        // An engine without `searchmoves` may answer with a move that starts differently.
        if thought.tokens.starts_with(entered) { Ok(thought) } else { self.complete(entered) }
    }

    /// A move that goes on from what was entered, without a search.
    fn complete(&mut self, entered: &[String]) -> Result<Thought, PlayError> {
        let whole = self.play.node().turn.clone().completed(&mut self.game)?;
        let no_end = || format!("no way to complete {} was found: take it back", entered.concat());
        let tokens = split(&whole.ok_or_else(no_end)?);
        Ok(Thought { tokens, info: Info::default() })
    }

    /// Runs a search; `# interrupt` on the input makes it move immediately, other lines are queued.
    fn think(&mut self, go: Go) -> Result<Thought, PlayError> {
        let begun = Instant::now();
        let mut deadline = begun + allowed(&go).map_or(self.stall, |time| time + PATIENCE);
        self.game.think(go)?;
        let mut lines = self.lines.clone();
        let mut last = Info::default();
        loop {
            select! {
                recv(self.game.incoming()) -> line => match self.game.hear(line.ok())? {
                    Some(SearchEvent::Move(best)) => {
                        self.game.allow(COMMAND_PATIENCE);
                        let tokens = split(&best.mv.ok_or_else(no_move)?);
                        return Ok(Thought { tokens, info: last });
                    }
                    Some(SearchEvent::Resignation) => return Err(PlayError::Resignation),
                    Some(SearchEvent::Info(info)) if info.score.is_some() => last = info,
                    Some(SearchEvent::Info(_)) | None => {}
                },
                recv(lines) -> line => match line {
                    Ok(line) if line.trim() == INTERRUPT => {
                        self.game.hurry()?;
                        deadline = deadline.min(Instant::now() + PATIENCE);
                    }
                    Ok(line) => self.waiting.push_back(line),
                    // The input is closed, but the answer may still be read.
                    Err(_) => lines = crossbeam_channel::never(),
                },
                recv(at(deadline)) -> _ => return Err(ClientError::Timeout(begun.elapsed()).into()),
            }
        }
    }

    pub(super) fn time_settings(&mut self, request: &Request) -> Result<String, PlayError> {
        let number = |index| request.arg(index, "a number of seconds or stones");
        self.clock.set(number(0)?, number(1)?, number(2)?);
        Ok(String::new())
    }

    pub(super) fn time_left(&mut self, request: &Request) -> Result<String, PlayError> {
        let Colour(player) = request.arg(0, Colour::EXPECTED)?;
        let number = |index| request.arg(index, "a number of seconds or stones");
        self.clock.note(player, number(1)?, number(2)?);
        Ok(String::new())
    }
}

fn no_move() -> PlayError {
    PlayError::Illegal("the engine has no move".to_owned())
}
