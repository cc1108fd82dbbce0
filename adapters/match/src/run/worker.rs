//! A worker: plays one game at a time, with a referee and two players whose processes are reused from game to game.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use leap_client::{PositionCommand, last_words};
use leap_protocol::payload::Side;
use leap_protocol::shown;

use super::adjudicate::Adjudicator;
use super::bundle::Bundle;
use super::cancel::Cancel;
use super::clock::Clock;
use super::engine::{Engine, EngineError};
use super::game::{Failure, GameFault, GameOver, LiveGame, fault_of, index, side};
use super::machine::Machine;
use super::referee::{REFEREE, start_referee};
use super::setup;
use super::stderr::{StderrLog, StderrLogs};
use super::wire::WireLog;
use crate::events::store::{STDERR, Store, now};
use crate::events::{End, Event, Fault, Outcome, Reason, Start};
use crate::plan::config::{Config, OnFault, Restart};
use crate::plan::opening::Opening;
use crate::plan::{self, MOST_ATTEMPTS, Match};

/// How long an engine that is no longer needed may take to exit.
const QUIT: Duration = Duration::from_millis(500);
/// The bytes in which the last line of a dead engine's standard error is looked for.
const LAST_LINE: usize = 1 << 10;

/// What all workers of a match share.
#[derive(Debug)]
pub(crate) struct Shared<'a> {
    pub(crate) found: &'a Match,
    pub(crate) machine: &'a Machine,
    pub(crate) store: Store,
    pub(crate) dir: PathBuf,
    pub(crate) cancel: Cancel,
}

/// A thread that plays games.
pub(crate) struct Worker<'a> {
    shared: &'a Shared<'a>,
    wire: WireLog,
    logs: StderrLogs,
    referee: Option<Engine>,
    players: Vec<(usize, Engine)>,
}

impl<'a> Worker<'a> {
    /// Creates a worker without engines; workers are numbered from 1.
    pub(crate) fn new(shared: &'a Shared<'a>, number: usize) -> Self {
        let logs = StderrLogs::new(shared.dir.join(STDERR), number);
        Worker { shared, wire: WireLog::new(), logs, referee: None, players: Vec::new() }
    }

    /// Plays a game and writes its events. An error is one of this machine, not of an engine.
    pub(crate) fn play(&mut self, game: &plan::ScheduledGame, attempt: u32) -> anyhow::Result<End> {
        self.wire.clear();
        let begun = Instant::now();
        let stderr = self.stderr_so_far(game);
        let which = || format!("game {}", game.number);
        let (opening, failed) = match fault_of(self.opening(game)).with_context(which)? {
            Ok(opening) => (opening, None),
            Err(fault) => (Opening::default(), Some(fault.unstarted())),
        };
        self.shared.store.write(&Event::Start(Start {
            game: game.number,
            pair: game.pair(),
            round: game.round,
            p1: game.players[0],
            p2: game.players[1],
            time: now(),
            attempt,
            fen: opening.fen.clone(),
            moves: opening.moves.clone(),
            scale: self.shared.machine.scale,
        }))?;
        let mut position = PositionCommand::new(opening.fen.as_deref(), &opening.moves);
        let ended = match failed {
            Some(fault) => Err(fault),
            None => fault_of(self.play_from(game, &mut position)).with_context(which)?,
        };
        let patience = Duration::from_millis(self.config().patience_ms);
        let ended =
            ended.map_err(|fault| fault.or_excused(&self.shared.machine.watchdog, patience));
        if let Err(fault) = &ended {
            is_playable(fault, game.number, attempt)?;
        }
        let GameOver { outcome, reason, rule, noted } = match &ended {
            Ok(over) => over.clone(),
            Err(fault) => self.after_fault(fault, attempt),
        };
        for fault in ended.as_ref().err().into_iter().chain(&noted) {
            self.dismiss(game, fault.side);
            let fault = with_last_words(fault, &stderr);
            self.report(game, attempt, &fault, &opening, &position, &stderr)?;
        }
        let unstarted = ended.as_ref().is_err_and(|fault| fault.unstarted);
        let guilty = ended.err().and_then(|fault| fault.side).map(|side| index(side) as u8 + 1);
        let end = End {
            game: game.number,
            result: outcome,
            reason,
            rule,
            guilty,
            unstarted,
            plies: position.plies(),
            time_us: begun.elapsed().as_micros() as u64,
            time: now(),
        };
        self.shared.store.write(&Event::End(end.clone()))?;
        Ok(end)
    }

    /// Starts the engines of a game and determines its opening.
    fn opening(&mut self, game: &plan::ScheduledGame) -> Result<Opening, Failure> {
        self.seat_referee().map_err(GameFault::by_nobody)?;
        if self.config().restart == Restart::Game {
            self.clear();
        }
        let Match { config, book, .. } = self.shared.found;
        if let Some(referee) = &mut self.referee {
            let opening = setup::opening(referee, config, book.as_ref(), game.opening);
            return Ok(opening.map_err(GameFault::by_nobody)?);
        }
        // Both games of a pair ask the same engine, so that they start alike.
        let first = usize::from(game.players[1] < game.players[0]);
        let by = |error| GameFault::by(side(first), error);
        let mut engine = self.seat(game.players[first]).map_err(by)?;
        let opening = engine
            .with(|session| session.new_game())
            .and_then(|()| setup::opening(&mut engine, config, book.as_ref(), game.opening))
            .map_err(by)?;
        self.players.push((game.players[first], engine));
        Ok(opening)
    }

    fn seat_referee(&mut self) -> Result<(), EngineError> {
        let Some(config) = &self.shared.found.config.referee else { return Ok(()) };
        if self.referee.is_none() {
            let stderr = self.logs.of(REFEREE);
            let engine = start_referee(config, self.config(), stderr.open(), &self.wire)
                .map_err(|error| self.shared.machine.programs.judge(config, error))?;
            self.referee = Some(engine);
        }
        Ok(())
    }

    /// Takes the player with this index from the running ones, or starts it.
    fn seat(&mut self, player: usize) -> Result<Engine, EngineError> {
        if let Some(at) = self.players.iter().position(|(index, _)| *index == player) {
            return Ok(self.players.swap_remove(at).1);
        }
        let (config, Machine { programs, .. }) = (self.config(), self.shared.machine);
        let engine = &config.engines[player];
        let stderr = self.log(player);
        Engine::start(engine, config, stderr.open(), &self.wire)
            .map_err(|error| programs.judge(engine, error))
    }

    fn play_from(
        &mut self,
        game: &plan::ScheduledGame,
        position: &mut PositionCommand,
    ) -> Result<GameOver, Failure> {
        let [p1, p2] = game.players;
        let seat = |worker: &mut Self, at: usize| {
            worker
                .seat(game.players[at])
                .map_err(|error| GameFault::by(side(at), error).unstarted())
        };
        let first = seat(self, 0)?;
        let second = match seat(self, 1) {
            Ok(engine) => engine,
            Err(fault) => {
                self.players.push((p1, first));
                return Err(fault.into());
            }
        };
        // Players of other games are not needed now.
        self.clear();
        let mut players = [first, second];
        let Shared { found: Match { config, .. }, machine, store, cancel, .. } = self.shared;
        let Machine { watchdog, scale, .. } = machine;
        let mut played = LiveGame {
            number: game.number,
            config,
            players: &mut players,
            referee: self.referee.as_mut(),
            store,
            watchdog,
            cancel,
            clocks: game.players.map(|player| {
                let limit = config.engines[player].limit;
                Clock::new(scale.map_or(limit, |scale| limit.scaled(scale)))
            }),
            held_up: [Duration::ZERO; 2],
            position: position.clone(),
            pondered: [None, None],
            adjudicator: Adjudicator::new(config.adjudication.clone()),
        };
        let ended = played.run();
        *position = played.position;
        let [first, second] = players;
        for (player, mut engine) in [(p1, first), (p2, second)] {
            // A player that does not stop thinking is not reused.
            if engine.stop_pondering().is_ok() {
                self.players.push((player, engine));
            }
        }
        ended
    }

    /// The result of a game with a fault.
    fn after_fault(&self, fault: &GameFault, attempt: u32) -> GameOver {
        let again = self.config().on_fault == OnFault::Replay || fault.excused;
        let outcome = match fault.side {
            Some(guilty) if !again || attempt >= MOST_ATTEMPTS => Outcome::win(guilty.other()),
            _ => Outcome::Void,
        };
        GameOver::new(outcome, fault.error.kind)
    }

    /// Writes the event of a fault, and a bundle to reproduce it.
    fn report(
        &self,
        game: &plan::ScheduledGame,
        attempt: u32,
        fault: &GameFault,
        opening: &Opening,
        position: &PositionCommand,
        stderr: &[(StderrLog, u64)],
    ) -> anyhow::Result<()> {
        let bundle = Bundle {
            config: self.config(),
            players: game.players,
            opening,
            position,
            fault,
            wire: &self.wire,
            stderr,
        };
        let name = bundle.write(&self.shared.dir, game.number, attempt)?;
        self.shared.store.write(&Event::Fault(Fault {
            game: game.number,
            kind: fault.error.kind,
            side: fault.side.map(|side| index(side) as u8 + 1),
            engine: fault.side.map(|side| game.players[index(side)]),
            text: fault.error.text.clone(),
            shown_by: fault.shown_by.clone(),
            delay_us: fault.delay.map(|delay| delay.as_micros() as u64),
            bundle: Some(name),
        }))
    }

    /// No engine involved in a fault is used for the next game. Its last output is in the log by then.
    fn dismiss(&mut self, game: &plan::ScheduledGame, guilty: Option<Side>) {
        match guilty {
            Some(side) => {
                let guilty = game.players[index(side)];
                self.players.retain(|(player, _)| *player != guilty);
                self.log(guilty).settle();
            }
            None => {
                self.players.clear();
                self.referee = None;
                self.logs_of(game).iter().for_each(StderrLog::settle);
            }
        }
    }

    fn config(&self) -> &'a Config {
        &self.shared.found.config
    }

    /// Dismisses all players.
    fn clear(&mut self) {
        for (_, engine) in self.players.drain(..) {
            engine.quit(QUIT);
        }
    }

    /// The standard error log of a player.
    fn log(&mut self, player: usize) -> StderrLog {
        self.logs.of(&self.config().engines[player].name)
    }

    /// The standard error logs of all engines of a game.
    fn logs_of(&mut self, game: &plan::ScheduledGame) -> [StderrLog; 3] {
        let [p1, p2] = game.players.map(|player| self.log(player));
        [p1, p2, self.logs.of(REFEREE)]
    }

    /// The lengths of the logs before a game.
    fn stderr_so_far(&mut self, game: &plan::ScheduledGame) -> [(StderrLog, u64); 3] {
        self.logs_of(game).map(|log| (log.clone(), log.total()))
    }
}

impl Drop for Worker<'_> {
    fn drop(&mut self) {
        self.clear();
        if let Some(referee) = self.referee.take() {
            referee.quit(QUIT);
        }
    }
}

/// Whether this machine can play the game: it may not cost an engine its last attempt.
fn is_playable(fault: &GameFault, game: u64, attempt: u32) -> anyhow::Result<()> {
    let delay = fault.delay.unwrap_or_default().as_millis();
    ensure!(
        !fault.excused || attempt < MOST_ATTEMPTS,
        "game {game}: this machine held up each of {MOST_ATTEMPTS} attempts, the last one by {delay} ms; a lower \
         --concurrency or a larger --margin helps"
    );
    Ok(())
}

/// The fault with the last line of the guilty engine's standard error, if the engine has died: programs such as `ssh`
/// say there what happened.
fn with_last_words(fault: &GameFault, stderr: &[(StderrLog, u64)]) -> GameFault {
    let mut fault = fault.clone();
    if let (Reason::Crash, Some(side)) = (fault.error.kind, fault.side) {
        let (log, before) = &stderr[index(side)];
        let said = log.since(*before, LAST_LINE);
        let said = String::from_utf8_lossy(&said);
        let last = said.lines().rfind(|line| !line.trim().is_empty()).map(shown);
        fault.error.text += &last_words(last.as_slice());
    }
    fault
}
