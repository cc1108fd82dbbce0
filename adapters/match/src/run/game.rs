//! One game between two running players, from its opening to its end.

use std::time::{Duration, Instant};

use leap_client::{GameState, PositionCommand};
use leap_protocol::payload::{GameResult, Legality, Side};
use leap_protocol::{Go, Query, RESIGN, shown};

use super::adjudicate::Adjudicator;
use super::cancel::Cancel;
use super::clock::Clock;
use super::engine::{Engine, EngineError, SearchResult};
use super::referee::{Verdict, agree, claim};
use super::watchdog::Watchdog;
use crate::events::store::Store;
use crate::events::{Event, Move, Outcome, RESIGNATION, Reason};
use crate::plan::config::Config;

/// A delay of this length excuses an engine that has not answered.
const STALLED: Duration = Duration::from_secs(1);
/// A shorter one does so if it lasted until the deadline.
const LAST_MOMENT: Duration = Duration::from_millis(100);

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GameOver {
    pub(crate) outcome: Outcome,
    pub(crate) reason: Reason,
    pub(crate) rule: Option<String>,
    /// Faults that do not affect the result.
    pub(crate) noted: Vec<GameFault>,
}

impl GameOver {
    pub(crate) fn new(outcome: Outcome, reason: Reason) -> Self {
        Self { outcome, reason, rule: None, noted: Vec::new() }
    }
}

/// Why a game could not be finished properly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GameFault {
    /// The guilty side; `None` if unknown.
    pub(crate) side: Option<Side>,
    pub(crate) error: EngineError,
    /// Lines that reproduce it in another engine.
    pub(crate) shown_by: Vec<String>,
    /// The longest delay by the operating system meanwhile, if that matters.
    pub(crate) delay: Option<Duration>,
    /// The game has not begun.
    pub(crate) unstarted: bool,
    /// The side may be innocent: the delays are at least as long as the excess time.
    pub(crate) excused: bool,
}

impl GameFault {
    pub(crate) fn by(side: Side, error: EngineError) -> Self {
        Self { side: Some(side), ..Self::by_nobody(error) }
    }

    pub(crate) fn by_nobody(error: EngineError) -> Self {
        let shown_by = Vec::new();
        Self { side: None, error, shown_by, delay: None, unstarted: false, excused: false }
    }

    /// The same fault in a game that has not begun.
    pub(crate) fn unstarted(self) -> Self {
        Self { unstarted: true, ..self }
    }

    /// An answer may have been late because this program was held up, as by SIGSTOP or a suspended virtual machine.
    pub(crate) fn or_excused(self, watchdog: &Watchdog, patience: Duration) -> Self {
        if self.error.kind != Reason::Stall {
            return self;
        }
        let now = Instant::now();
        let longest = |since| watchdog.longest_since(now.checked_sub(since).unwrap_or(now));
        // The engine may have been held up too, or its answer waits to be read.
        let (delay, last) = (longest(patience), longest(LAST_MOMENT));
        match delay >= STALLED.min(patience) || last >= LAST_MOMENT {
            true => Self { excused: true, delay: Some(delay.max(last)), ..self },
            false => self,
        }
    }

    fn shown_by(self, position: &PositionCommand, question: &str) -> Self {
        Self { shown_by: vec![position.to_string(), question.to_owned()], ..self }
    }
}

/// Why a game did not end by the rules.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A fault, of a player or of unknown origin.
    Fault(GameFault),
    /// An error of this machine: no game can go on.
    Machine(anyhow::Error),
}

/// What a game has come to, or its fault.
///
/// # Errors
/// The error of this machine.
pub(crate) fn fault_of<T>(done: Result<T, Failure>) -> anyhow::Result<Result<T, GameFault>> {
    match done {
        Ok(done) => Ok(Ok(done)),
        Err(Failure::Fault(fault)) => Ok(Err(fault)),
        Err(Failure::Machine(error)) => Err(error),
    }
}

impl From<GameFault> for Failure {
    fn from(fault: GameFault) -> Self {
        match fault.error.by_machine {
            true => Self::Machine(fault.error.into()),
            false => Self::Fault(fault),
        }
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Self::Machine(error)
    }
}

/// The outcome of a move.
enum Step {
    /// The game goes on, or has ended by the rules.
    Next(GameState),
    /// The game was adjudicated, or given up.
    Over(GameOver),
}

/// A game in progress.
pub(crate) struct LiveGame<'a> {
    pub(crate) number: u64,
    pub(crate) config: &'a Config,
    pub(crate) players: &'a mut [Engine; 2],
    pub(crate) referee: Option<&'a mut Engine>,
    pub(crate) store: &'a Store,
    pub(crate) watchdog: &'a Watchdog,
    pub(crate) cancel: &'a Cancel,
    pub(crate) clocks: [Clock; 2],
    /// What long delays by the operating system have cost each side so far.
    pub(crate) held_up: [Duration; 2],
    pub(crate) position: PositionCommand,
    /// The positions that players ponder.
    pub(crate) pondered: [Option<PositionCommand>; 2],
    pub(crate) adjudicator: Adjudicator,
}

pub(crate) fn index(side: Side) -> usize {
    usize::from(side == Side::P2)
}

pub(crate) fn side(index: usize) -> Side {
    if index == 0 { Side::P1 } else { Side::P2 }
}

impl LiveGame<'_> {
    /// Plays the game to its end.
    ///
    /// # Errors
    /// A fault, an error of this machine, or [`Cancelled`](super::cancel::Cancelled).
    pub(crate) fn run(&mut self) -> Result<GameOver, Failure> {
        let mut view = self.begin().map_err(GameFault::unstarted)?;
        while view.result == GameResult::None {
            self.cancel.check()?;
            match self.turn(view.turn)? {
                Step::Next(next) => view = next,
                Step::Over(over) => return Ok(over),
            }
        }
        let outcome = Outcome::of(view.result).unwrap_or(Outcome::Void);
        let noted = self.check_claims(view.result)?;
        Ok(GameOver { rule: view.rule, noted, ..GameOver::new(outcome, Reason::Rules) })
    }

    fn begin(&mut self) -> Result<GameState, GameFault> {
        for side in [Side::P1, Side::P2] {
            let player = &mut self.players[index(side)];
            player
                .with(|session| session.new_game())
                .map_err(|error| GameFault::by(side, error))?;
        }
        match &mut self.referee {
            Some(referee) => referee.begin(&self.position).map_err(GameFault::by_nobody),
            None => match agree(self.players, &self.position) {
                Ok(Verdict::Made(view)) => Ok(view),
                Ok(Verdict::Illegal(text) | Verdict::Disagree(text)) => {
                    Err(self.disagreement(text))
                }
                Err((at, error)) => Err(GameFault::by(side(at), error)),
            },
        }
    }

    /// Plays one move.
    fn turn(&mut self, side: Side) -> Result<Step, Failure> {
        let begun = Instant::now();
        let thought = self.think(side)?;
        if thought.mv.as_deref() == Some(RESIGN) {
            let rule = Some(RESIGNATION.to_owned());
            let outcome = Outcome::win(side.other());
            return Ok(Step::Over(GameOver { rule, ..GameOver::new(outcome, Reason::Rules) }));
        }
        let (mv, view) = self.accept(side, &thought, begun)?;
        self.position.push(&mv);
        self.store.write(&Event::Move(self.event(side, mv, &thought, &view)))?;
        if view.result != GameResult::None {
            return Ok(Step::Next(view));
        }
        if let Some((outcome, reason)) =
            self.adjudicator.moved(side, thought.score, self.position.plies())
        {
            return Ok(Step::Over(GameOver::new(outcome, reason)));
        }
        self.ponder(side, &view, thought.ponder.as_deref())?;
        Ok(Step::Next(view))
    }

    fn think(&mut self, side: Side) -> Result<SearchResult, GameFault> {
        let own = index(side);
        let allowed = self.clocks[own].allowed();
        let go = self.go(side);
        let player = &mut self.players[own];
        let thought = match self.pondered[own].take() {
            Some(position) if position == self.position => player.ponder_hit(allowed),
            pondered => pondered
                .map_or(Ok(()), |_| player.stop_pondering())
                .and_then(|()| player.think(&self.position, &go, allowed)),
        };
        thought
            .map_err(|error| GameFault::by(side, error).shown_by(&self.position, &go.to_string()))
    }

    fn go(&self, side: Side) -> Go {
        let own = &self.clocks[index(side)];
        let [p1, p2] = &self.clocks;
        let clock = own.left_ms().is_some();
        // A player without a clock is not told about the other's.
        let told = |clock_of: &Clock, of: fn(&Clock) -> Option<i64>| {
            if clock { of(clock_of) } else { None }
        };
        Go {
            p1time: told(p1, Clock::left_ms),
            p2time: told(p2, Clock::left_ms),
            p1inc: told(p1, Clock::inc_ms),
            p2inc: told(p2, Clock::inc_ms),
            movestogo: own.moves_to_go(),
            movetime: own.limit().movetime_ms,
            depth: own.limit().depth,
            nodes: own.limit().nodes,
            ..Go::default()
        }
    }

    /// Checks the time and the move; returns the move and the state of the game after it.
    fn accept(
        &mut self,
        side: Side,
        thought: &SearchResult,
        begun: Instant,
    ) -> Result<(String, GameState), GameFault> {
        let margin = Duration::from_millis(self.config.margin_ms);
        let delay = self.watchdog.longest_since(begun);
        let held_up = &mut self.held_up[index(side)];
        *held_up += if delay > margin { delay } else { Duration::ZERO };
        let held_up = delay.max(*held_up);
        if let Err(late) = self.clocks[index(side)].moved(thought.took, margin) {
            let over = late.took.saturating_sub(late.allowed + margin);
            let ms = |time: Duration| time.as_secs_f64() * 1000.0;
            let text = format!(
                "expected a move within {:.1} ms and a margin of {:.1} ms, found it after {:.1} ms; the operating \
                 system held us up by {:.1} ms",
                ms(late.allowed),
                ms(margin),
                ms(late.took),
                ms(delay)
            );
            let fault = GameFault::by(side, EngineError::new(Reason::Time, text));
            return Err(GameFault { delay: Some(delay), excused: held_up >= over, ..fault });
        }
        let Some(mv) = &thought.mv else {
            let text = "expected a move, found 'bestmove none' in a game that is not over";
            let fault = GameFault::by(side, EngineError::new(Reason::WrongClaim, text));
            return Err(fault.shown_by(&self.position, &Query::GameOver.to_string()));
        };
        let verdict = match &mut self.referee {
            Some(referee) => referee.judge(&self.position, mv).map_err(GameFault::by_nobody)?,
            None => agree(self.players, &self.position.with(mv))
                .map_err(|(at, error)| GameFault::by(self::side(at), error))?,
        };
        match verdict {
            Verdict::Made(view) => Ok((mv.clone(), view)),
            Verdict::Illegal(why) => {
                let text = format!("expected a legal move, found '{}': {why}", shown(mv));
                let fault = GameFault::by(side, EngineError::new(Reason::IllegalMove, text));
                Err(fault.shown_by(&self.position, &Query::Legal(mv.clone()).to_string()))
            }
            Verdict::Disagree(text) => {
                self.position.push(mv);
                let fault = self.disagreement(text);
                Err(fault)
            }
        }
    }

    fn disagreement(&self, text: String) -> GameFault {
        let fault = GameFault::by_nobody(EngineError::new(Reason::Disagreement, text));
        fault.shown_by(&self.position, &Query::Result.to_string())
    }

    fn event(&self, side: Side, mv: String, thought: &SearchResult, view: &GameState) -> Move {
        Move {
            game: self.number,
            ply: self.position.plies(),
            side: index(side) as u8 + 1,
            mv,
            time_us: thought.took.as_micros() as u64,
            clock_ms: self.clocks[index(side)].left_ms(),
            score: thought.score,
            depth: thought.depth,
            seldepth: thought.seldepth,
            nodes: thought.nodes,
            comment: thought.comment.clone(),
            fen: view.fen.clone(),
        }
    }

    fn ponder(
        &mut self,
        side: Side,
        view: &GameState,
        reply: Option<&str>,
    ) -> Result<(), GameFault> {
        let Some(reply) = reply.filter(|_| self.config.ponder && view.turn != side) else {
            return Ok(());
        };
        if !self.may_follow(reply).map_err(GameFault::by_nobody)? {
            log::warn!(
                "game {}: {side} expects '{}', which is not legal",
                self.number,
                shown(reply)
            );
            return Ok(());
        }
        let position = self.position.with(reply);
        let go = self.go(side);
        let player = &mut self.players[index(side)];
        player.start_pondering(&position, &go).map_err(|error| GameFault::by(side, error))?;
        self.pondered[index(side)] = Some(position);
        Ok(())
    }

    /// Whether the expected move is legal here: a player does not lose by expecting an illegal one.
    fn may_follow(&mut self, mv: &str) -> Result<bool, EngineError> {
        match &mut self.referee {
            Some(referee) if referee.has("legal") => {
                let answer = referee.with(|session| session.ask(Query::Legal(mv.to_owned())))?;
                Ok(matches!(answer.parse(), Ok(Legality::Legal)))
            }
            _ => Ok(true),
        }
    }

    /// Asks the players for the result of a game decided by the referee. A player that disagrees loses; if both do, the
    /// referee's word stands, and their faults are returned.
    fn check_claims(&mut self, result: GameResult) -> Result<Vec<GameFault>, GameFault> {
        if self.referee.is_none() {
            return Ok(Vec::new());
        }
        let expected = claim(true, result);
        let mut wrong = Vec::new();
        for side in [Side::P1, Side::P2] {
            self.pondered[index(side)] = None;
            let player = &mut self.players[index(side)];
            let claim = player.stop_pondering().and_then(|()| player.claim(&self.position));
            let Some(found) = claim.map_err(|error| GameFault::by(side, error))? else { continue };
            if found == expected {
                continue;
            }
            let text = format!("expected '{expected}' as the referee says, found '{found}'");
            let fault = GameFault::by(side, EngineError::new(Reason::WrongClaim, text));
            wrong.push(fault.shown_by(&self.position, &Query::Result.to_string()));
        }
        match <[GameFault; 1]>::try_from(wrong) {
            Ok([guilty]) => Err(guilty),
            Err(both_or_none) => Ok(both_or_none),
        }
    }
}
