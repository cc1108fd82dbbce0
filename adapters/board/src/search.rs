//! Searches of the engine that holds the game.

use std::time::Instant;

use crossbeam_channel::Receiver;
use leap_client::{BestMove, ClientError};
use leap_protocol::{Command, Go, Info, Line, RESIGN, Reply, Score};

use super::Game;

/// An event of a search.
#[derive(Debug)]
pub enum SearchEvent {
    /// Information about the search so far.
    Info(Info),
    /// The engine's move.
    Move(BestMove),
    /// The engine resigns (SPEC 5.11a).
    Resignation,
}

/// A score as seen by the side to move, whose colour is given: in whole units, or the moves to mate.
pub fn score_text(score: Score, colour: &str) -> String {
    match score {
        Score::Cp(cp) => format!("{:+.2} for {colour}", cp as f64 / 100.0),
        Score::Mate(n) if n < 0 => format!("mate in {} against {colour}", n.unsigned_abs()),
        Score::Mate(n) => format!("mate in {n} for {colour}"),
    }
}

impl Game {
    /// Starts a search; its results arrive at [`Game::incoming`].
    pub fn think(&mut self, go: Go) -> Result<(), ClientError> {
        self.stop()?;
        self.lines = self.session.listen()?;
        self.session.send(&Command::Go(go).to_string())?;
        self.thinking = true;
        Ok(())
    }

    /// Whether a search is running.
    pub fn is_thinking(&self) -> bool {
        self.thinking
    }

    /// The engine's lines, if a search is running.
    pub fn thoughts(&self) -> Option<&Receiver<(Line, Instant)>> {
        self.thinking.then(|| self.incoming())
    }

    /// The engine's lines, to be passed to [`Game::hear`]. The channel is disconnected when the engine exits.
    pub fn incoming(&self) -> &Receiver<(Line, Instant)> {
        &self.lines
    }

    /// Interprets a line that arrived during a search; `line` is `None` if the engine exited. Returns `None` for lines
    /// of no interest.
    ///
    /// # Errors
    /// [`ClientError::Refused`] if the engine refuses the search, [`ClientError::Closed`] if it has ended.
    pub fn hear(
        &mut self,
        line: Option<(Line, Instant)>,
    ) -> Result<Option<SearchEvent>, ClientError> {
        let (line, at) = line.ok_or(ClientError::Closed)?;
        let Line::Text(line) = line else { return Ok(None) };
        Ok(match Reply::parse(&line) {
            Reply::Info(info) => Some(SearchEvent::Info(self.session.info().in_moves(info))),
            Reply::BestMove { mv, ponder, .. } => {
                self.thinking = false;
                if mv.as_deref() == Some(RESIGN) {
                    return Ok(Some(SearchEvent::Resignation));
                }
                Some(SearchEvent::Move(BestMove { mv, ponder, at }))
            }
            Reply::Error(error) => {
                self.thinking = false;
                return Err(ClientError::Refused(error));
            }
            _ => None,
        })
    }

    /// Asks a running search to move immediately.
    pub fn hurry(&mut self) -> Result<(), ClientError> {
        if self.thinking { self.session.send(&Command::Stop.to_string()) } else { Ok(()) }
    }

    /// Stops a running search, if any, and discards its result.
    pub fn stop(&mut self) -> Result<(), ClientError> {
        match std::mem::take(&mut self.thinking) {
            true => self.session.stop().map(drop),
            false => Ok(()),
        }
    }
}
