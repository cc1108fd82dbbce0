//! A player's move: `go`, the information before it, `bestmove`.

use std::time::{Duration, Instant};

use leap_client::{BestMove, PositionCommand};
use leap_protocol::{Go, Info, shown};

use super::{Engine, EngineError};
use crate::events;

/// The result of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SearchResult {
    /// The move, or the word that resigns; `None` if the player claims that the game is over.
    pub(crate) mv: Option<String>,
    /// The expected reply.
    pub(crate) ponder: Option<String>,
    /// The time from the command to the arrival of the line, without the engine's latency.
    pub(crate) took: Duration,
    pub(crate) score: Option<events::Score>,
    pub(crate) depth: Option<u32>,
    pub(crate) seldepth: Option<u32>,
    pub(crate) nodes: Option<u64>,
    /// What the engine says about its move.
    pub(crate) comment: Option<String>,
}

/// The word with which engines begin an `info string` about their move, for the files of a match runner.
const COMMENT: &str = "pgncomment ";

impl SearchResult {
    /// Keeps the information about the first variation. A bound is no score.
    fn note(&mut self, info: &Info) {
        if !info.is_of_best_line() {
            return;
        }
        if let Some(score) = info.exact_score() {
            self.score = Some(match score {
                leap_protocol::Score::Cp(cp) => events::Score::Cp(cp),
                leap_protocol::Score::Mate(n) => events::Score::Mate(n),
            });
        }
        if let Some(comment) = info.string.as_deref().and_then(|text| text.strip_prefix(COMMENT)) {
            self.comment = Some(shown(comment));
        }
        self.depth = info.depth.or(self.depth);
        self.seldepth = info.seldepth.or(self.seldepth);
        self.nodes = info.nodes.or(self.nodes);
    }
}

impl Engine {
    /// Lets the engine think about a position. A late move is still returned. No move within `allowed` and some grace,
    /// or within the hang timeout where no time is set, is a stall.
    pub(crate) fn think(
        &mut self,
        position: &PositionCommand,
        go: &Go,
        allowed: Option<Duration>,
    ) -> Result<SearchResult, EngineError> {
        self.with(|session| session.settle())?;
        let lines = format!("{position}\n{}", self.go_line(go));
        self.search(&lines, allowed)
    }

    /// The expected move has been played: the search continues as an ordinary one.
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
        let timeout =
            allowed.map_or(self.hang_timeout, |allowed| allowed.saturating_add(self.grace));
        let (begun, mut result) = (Instant::now(), SearchResult::default());
        let BestMove { mv, ponder, at } = self.with(|session| {
            let found = session.search(lines, timeout, |info| result.note(&info))?;
            // The answer to this ping may arrive while other engines are used. A second `bestmove` would come before it.
            session.ping()?;
            Ok(found)
        })?;
        let took = at.saturating_duration_since(begun).saturating_sub(self.latency);
        Ok(SearchResult { mv, ponder, took, ..result })
    }

    /// Lets the engine ponder a position that may arise.
    pub(crate) fn start_pondering(
        &mut self,
        position: &PositionCommand,
        go: &Go,
    ) -> Result<(), EngineError> {
        let go = Go { ponder: true, ..go.clone() };
        let lines = format!("{position}\n{}", self.go_line(&go));
        self.with(|session| session.settle().and_then(|()| session.send(&lines)))?;
        self.pondering = true;
        Ok(())
    }

    /// Stops pondering and discards the result.
    pub(crate) fn stop_pondering(&mut self) -> Result<(), EngineError> {
        match std::mem::take(&mut self.pondering) {
            true => self.with(|session| session.stop().map(drop)),
            false => Ok(()),
        }
    }

    fn go_line(&self, go: &Go) -> String {
        Go { clocks: self.session.dialect(), ..go.clone() }.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::Score;
    use leap_protocol::Reply;

    fn score(lines: &[&str]) -> Option<Score> {
        let mut thought = SearchResult::default();
        for line in lines {
            let Reply::Info(info) = Reply::parse(line) else { panic!("{line}") };
            thought.note(&info);
        }
        thought.score
    }

    #[test]
    fn a_bound_is_never_taken_as_the_score_of_a_move() {
        for (lines, expected) in [
            (
                &["info score cp 300", "info depth 9 score cp 0 upperbound"][..],
                Some(Score::Cp(300)),
            ),
            (&["info score cp 0", "info score cp 900 lowerbound"], Some(Score::Cp(0))),
            (&["info score cp 5", "info upperbound score cp 900"], Some(Score::Cp(5))),
            (&["info score cp 5", "info score mate 3 lowerbound"], Some(Score::Cp(5))),
            (&["info score mate -2", "info score mate -1 upperbound"], Some(Score::Mate(-2))),
            (&["info score cp 1 lowerbound", "info score cp 2 upperbound"], None),
            (&["info score cp 1 lowerbound", "info score cp 2"], Some(Score::Cp(2))),
            (&["info multipv 1 score cp 7", "info multipv 2 score cp 1"], Some(Score::Cp(7))),
            (&["info multipv 2 score cp 1"], None),
            (&["info score cp 5", "info depth 30 nodes 9"], Some(Score::Cp(5))),
        ] {
            assert_eq!(score(lines), expected, "{lines:?}");
        }
    }
}
