//! Examining a game: the state and the value of each of its positions.

use leap_client::{ClientError, PositionCommand};
use leap_protocol::Go;
use leap_protocol::payload::Side;
use leap_records::Outcome;
use serde::{Deserialize, Serialize};

use crate::engine::{Engine, Found, Trouble, View};
use crate::games::Game;
use crate::judgement::{Choice, Yardstick, chance_of_result, search_all};

/// The limit of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Limit {
    Nodes(u64),
    /// In milliseconds.
    Movetime(u64),
    /// In plies.
    Depth(u32),
}

impl Limit {
    /// The search with this many times the limit. A depth grows by a ply for each doubling.
    fn go(self, times: u32) -> Go {
        let product = |limit: u64| Some(limit.saturating_mul(u64::from(times)));
        match self {
            Self::Nodes(nodes) => Go { nodes: product(nodes), ..Go::default() },
            Self::Movetime(ms) => Go { movetime: product(ms), ..Go::default() },
            Self::Depth(plies) => {
                Go { depth: Some(plies.saturating_add(times.ilog2())), ..Go::default() }
            }
        }
    }
}

/// How thoroughly positions are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Effort {
    pub(crate) limit: Limit,
    /// How many times the limit the positions around a doubtful move get; 1 for no second look.
    pub(crate) second_look: u32,
    /// How strong the players are.
    pub(crate) level: i32,
}

/// A game whose positions have all been searched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Examined {
    /// The number of the game.
    pub(crate) game: usize,
    /// The lines that describe the board; none if the engine does not tell.
    pub(crate) board: Vec<String>,
    /// The moves, as the engine writes them if it tells.
    pub(crate) moves: Vec<String>,
    /// The positions, one more than moves.
    pub(crate) positions: Vec<Examination>,
}

/// A position and its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Examination {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) fen: Option<String>,
    /// The side to move, 1 or 2.
    pub(crate) turn: u8,
    /// The result, if the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) result: Option<Outcome>,
    /// There is a single legal move.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub(crate) forced: bool,
    /// What the search has found; `None` if the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) found: Option<Found>,
}

impl Examination {
    pub(crate) fn side(&self) -> Side {
        if self.turn == 2 { Side::P2 } else { Side::P1 }
    }

    /// The chance of a side, from 0 to 1.
    pub(crate) fn chance(&self, side: Side, yardstick: &Yardstick) -> f64 {
        let over = self.result.and_then(|result| chance_of_result(result, side));
        let searched = || self.found.as_ref().map(|found| yardstick.chance(found.score, found.wdl));
        let flipped = |chance| if self.side() == side { chance } else { 1.0 - chance };
        over.or_else(|| searched().map(flipped)).unwrap_or(0.5)
    }
}

impl Examined {
    /// The move with this index, as a choice of its mover.
    pub(crate) fn choice(&self, index: usize, yardstick: &Yardstick) -> Choice {
        let [position, next] = [index, index + 1].map(|at| &self.positions[at]);
        let side = position.side();
        let best = position.found.as_ref().and_then(|found| found.line.first());
        Choice {
            before: position.chance(side, yardstick),
            after: next.chance(side, yardstick),
            is_best: best == Some(&self.moves[index]),
            is_forced: position.forced,
        }
    }

    /// All moves as choices, each with its mover.
    pub(crate) fn choices(
        &self,
        yardstick: &Yardstick,
    ) -> impl DoubleEndedIterator<Item = (Side, Choice)> {
        (0..self.moves.len())
            .map(|index| (self.positions[index].side(), self.choice(index, yardstick)))
    }
}

/// The engines that examine a game.
pub(crate) struct Examiner<'a> {
    pub(crate) engine: &'a mut Engine,
    /// Knows the rules; without it the engine itself is asked.
    pub(crate) referee: Option<&'a mut Engine>,
    pub(crate) effort: Effort,
}

impl Examiner<'_> {
    /// Examines a game.
    pub(crate) fn examine(&mut self, game: &Game) -> Result<Examined, Trouble> {
        self.engine.begin(&game.stored)?;
        if let Some(referee) = &mut self.referee {
            referee.begin(&game.stored)?;
        }
        let mut examined = self.survey(game)?;
        let Effort { second_look, level, .. } = self.effort;
        let yardstick = Yardstick::new(&self.engine.name(), game.stored.id.as_deref(), level);
        let choice = |examined: &Examined, index| examined.choice(index, &yardstick);
        let moves = examined.moves.len();
        search_all(&mut examined, moves, second_look, choice, |examined, at, times| {
            self.search(examined, game, at, times)
        })?;
        self.cut_lines(&mut examined, game, &yardstick)?;
        Ok(examined)
    }

    /// The engine that knows the rules.
    fn rules(&mut self) -> &mut Engine {
        match &mut self.referee {
            Some(referee) => referee,
            None => self.engine,
        }
    }

    /// The states of all positions, without their values.
    fn survey(&mut self, game: &Game) -> Result<Examined, Trouble> {
        let rules = self.rules();
        let board = rules.board()?;
        let moves = game.moves();
        let mut examined =
            Examined { game: game.number, board, moves: moves.to_vec(), positions: Vec::new() };
        let mut position = position(game, 0);
        for ply in 0..=moves.len() {
            if let Some(last) = ply.checked_sub(1) {
                position.push(&moves[last]);
            }
            let view = rules.view(&position).map_err(|trouble| located(trouble, game, ply))?;
            let View { fen, turn, result, is_forced } = view;
            if result.is_some() && ply < moves.len() {
                return Err(refusal(game, ply + 1, "the game is over before it".to_owned()));
            }
            let turn = if turn == Side::P1 { 1 } else { 2 };
            let (forced, found) = (is_forced, None);
            examined.positions.push(Examination { fen, turn, result, forced, found });
        }
        if let Some(history) = rules.history()?
            && history.len() == moves.len()
        {
            examined.moves = history;
        }
        Ok(examined)
    }

    /// Searches a position, unless the game is over there. A search without a score was too short.
    fn search(
        &mut self,
        examined: &mut Examined,
        game: &Game,
        at: usize,
        times: u32,
    ) -> Result<(), Trouble> {
        if examined.positions[at].result.is_some() {
            return Ok(());
        }
        for more in [1, 4, 16, 64] {
            let mut go = self.effort.limit.go(times.saturating_mul(more));
            if times > 1 {
                // Nobody is blamed by a weaker search than the one that chose the move.
                go.nodes = go.nodes.map(|nodes| nodes.max(game.nodes_around(at)));
            }
            let found = self.engine.search(&position(game, at), go);
            let found = found.map_err(|trouble| located(trouble, game, at))?;
            if found.is_some() {
                examined.positions[at].found = found;
                return Ok(());
            }
        }
        let expected = "a score of the engine";
        Err(ClientError::Unexpected { expected, found: "none".to_owned() }.into())
    }

    /// Cuts the better line of each labelled move where its moves are not legal.
    fn cut_lines(
        &mut self,
        examined: &mut Examined,
        game: &Game,
        yardstick: &Yardstick,
    ) -> Result<(), Trouble> {
        for at in 0..examined.moves.len() {
            if examined.choice(at, yardstick).label().is_none() {
                continue;
            }
            let Some(found) = &mut examined.positions[at].found else { continue };
            let mut position = position(game, at);
            let mut legal = 0;
            for mv in &found.line {
                position.push(mv);
                if !self.rules().accepts(&position)? {
                    break;
                }
                legal += 1;
            }
            // The engine's own move stays: it decides whether the move played is the best.
            found.line.truncate(legal.max(1));
        }
        Ok(())
    }
}

/// The position after this many moves of a game.
fn position(game: &Game, ply: usize) -> PositionCommand {
    PositionCommand::new(game.stored.start.as_deref(), &game.moves()[..ply])
}

/// A refusal of the position after this many moves, with its place.
fn located(trouble: Trouble, game: &Game, ply: usize) -> Trouble {
    match trouble {
        Trouble::Refused { text, .. } => refusal(game, ply, text),
        failed => failed,
    }
}

/// The position after this many moves is refused: the last of them is at fault, or the start.
fn refusal(game: &Game, ply: usize, text: String) -> Trouble {
    let stored = &game.stored;
    match ply.checked_sub(1) {
        Some(index) => {
            let mv = leap_protocol::shown(&game.moves()[index]);
            let line = stored.move_lines.get(index).copied();
            Trouble::Refused { line, text: format!("move {ply}, {mv}: {text}") }
        }
        None => Trouble::Refused { line: stored.start_line, text },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_depth_grows_by_a_ply_for_each_doubling() {
        assert_eq!(Limit::Nodes(100).go(4).nodes, Some(400));
        assert_eq!(Limit::Movetime(u64::MAX).go(4).movetime, Some(u64::MAX));
        for (times, depth) in [(1, 7), (2, 8), (4, 9), (5, 9), (64, 13)] {
            assert_eq!(Limit::Depth(7).go(times).depth, Some(depth), "{times}");
        }
    }
}
