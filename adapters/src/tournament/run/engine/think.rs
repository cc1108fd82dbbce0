//! A player's move: `go`, what it tells on the way, `bestmove`.

use std::time::{Duration, Instant};

use leap_protocol::{Dialect, Go, Info, Reply};

use super::{Engine, EngineError, refused};
use crate::client::PositionCommand;
use crate::terminal::shown;
use crate::tournament::events::{self, Reason};

/// What a search has come to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SearchResult {
    /// The move; `None` if the player says that the game is over.
    pub(crate) mv: Option<String>,
    /// The reply that it expects.
    pub(crate) ponder: Option<String>,
    /// From the command to the line's arrival.
    pub(crate) took: Duration,
    pub(crate) score: Option<events::Score>,
    pub(crate) depth: Option<u32>,
    pub(crate) nodes: Option<u64>,
}

impl SearchResult {
    /// Keeps what the last line of the first variation says.
    fn note(&mut self, info: &Info) {
        if info.multipv.is_some_and(|rank| rank > 1) {
            return;
        }
        if let Some((score, _)) = info.score {
            self.score = Some(match score {
                leap_protocol::Score::Cp(cp) => events::Score::Cp(cp),
                leap_protocol::Score::Mate(n) => events::Score::Mate(n),
            });
        }
        self.depth = info.depth.or(self.depth);
        self.nodes = info.nodes.or(self.nodes);
    }
}

impl Engine {
    /// Lets the engine think about a position. A move that comes too late is a thought all the same; nothing within
    /// `allowed`, margin and patience is a stall.
    pub(crate) fn think(
        &mut self,
        position: &PositionCommand,
        go: &Go,
        allowed: Option<Duration>,
    ) -> Result<SearchResult, EngineError> {
        self.settle()?;
        let lines = format!("{position}\n{}", self.go_line(go));
        self.search(&lines, allowed)
    }

    /// The move that was pondered on has been made: the search goes on as an ordinary one.
    pub(crate) fn ponder_hit(
        &mut self,
        allowed: Option<Duration>,
    ) -> Result<SearchResult, EngineError> {
        self.pondering = false;
        self.search("ponderhit", allowed)
    }

    fn search(
        &mut self,
        lines: &str,
        allowed: Option<Duration>,
    ) -> Result<SearchResult, EngineError> {
        let begun = Instant::now();
        self.send(lines)?;
        let patience = match allowed {
            Some(allowed) => allowed.saturating_add(self.margin + self.patience),
            None => self.stall,
        };
        let thought = self.best_move(begun, patience)?;
        // The answer comes while others are spoken to. A second `bestmove` comes before it.
        self.ping()?;
        Ok(thought)
    }

    fn best_move(
        &mut self,
        begun: Instant,
        patience: Duration,
    ) -> Result<SearchResult, EngineError> {
        let deadline = begun + patience;
        let mut thought = SearchResult::default();
        loop {
            match self.receive(deadline, "'bestmove'")? {
                (Reply::BestMove { mv, ponder, .. }, at) => {
                    thought.took = at.saturating_duration_since(begun);
                    (thought.mv, thought.ponder) = (mv, ponder);
                    return Ok(thought);
                }
                (Reply::Info(info), _) => thought.note(&info),
                (Reply::Error(error), _) => return Err(refused(&error)),
                (Reply::Other(line), _) if line.trim_start().starts_with("bestmove") => {
                    let text = format!("expected 'bestmove <move>', found '{}'", shown(&line));
                    return Err(EngineError::new(Reason::Garbage, text));
                }
                _ => {}
            }
        }
    }

    /// Lets the engine think about a position that may come up.
    pub(crate) fn start_pondering(
        &mut self,
        position: &PositionCommand,
        go: &Go,
    ) -> Result<(), EngineError> {
        self.settle()?;
        let go = Go { ponder: true, ..go.clone() };
        let lines = format!("{position}\n{}", self.go_line(&go));
        self.send(&lines)?;
        self.pondering = true;
        Ok(())
    }

    /// Ends a search on the opponent's time; what it has come to is of no use.
    pub(crate) fn stop_pondering(&mut self) -> Result<(), EngineError> {
        if std::mem::take(&mut self.pondering) {
            self.send("stop")?;
            let patience = self.patience;
            self.best_move(Instant::now(), patience)?;
        }
        Ok(())
    }

    fn go_line(&self, go: &Go) -> String {
        let line = go.to_string();
        match self.dialect {
            Dialect::Ugi => line,
            // SPEC 2.13: white is p1.
            Dialect::Uci => {
                [("p1time", "wtime"), ("p2time", "btime"), ("p1inc", "winc"), ("p2inc", "binc")]
                    .iter()
                    .fold(line, |line, (ugi, uci)| line.replace(ugi, uci))
            }
        }
    }
}
