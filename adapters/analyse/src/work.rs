//! Several engines at work, each on a game of its own.

use std::collections::VecDeque;
use std::thread;

use anyhow::anyhow;
use crossbeam_channel::{Receiver, Sender, never, select, unbounded};
use leap_client::ClientError;

use crate::engine::{Engine, EngineSetup, Trouble};
use crate::examine::{Effort, Examined, Examiner};
use crate::games::Game;

/// The engines of an analysis.
#[derive(Clone, Debug)]
pub(crate) struct Engines {
    pub(crate) engine: EngineSetup,
    pub(crate) referee: Option<EngineSetup>,
    pub(crate) effort: Effort,
}

/// What the work reports.
pub(crate) enum Progress<'a> {
    /// A game has been examined, or cannot be.
    Done(&'a Game, Result<Examined, Trouble>),
    /// No further games are begun.
    Draining,
}

type Report<'a> = (&'a Game, Result<Examined, Trouble>);

/// Examines games, several at the same time, and reports each as soon as it is done. A message on `drain` lets the games
/// in flight be finished and begins no others. Returns whether no games are left.
pub(crate) fn run(
    games: &[&Game],
    engines: &Engines,
    concurrency: usize,
    drain: &Receiver<()>,
    on_progress: impl FnMut(Progress<'_>) -> anyhow::Result<()>,
) -> anyhow::Result<bool> {
    let (jobs, waiting) = unbounded::<&Game>();
    let (reports, finished) = unbounded::<Report<'_>>();
    let workers = concurrency.clamp(1, games.len().max(1));
    thread::scope(|scope| {
        for number in 1..=workers {
            let (waiting, reports) = (waiting.clone(), reports.clone());
            let work = move || work(engines, &waiting, &reports);
            thread::Builder::new().name(format!("worker {number}")).spawn_scoped(scope, work)?;
        }
        // The workers own the senders: when all are gone, the channel of reports closes.
        drop((waiting, reports));
        let queue = games.iter().copied().collect();
        serve(queue, workers, jobs, &finished, drain, on_progress)
    })
}

/// Gives games to the workers. They end when the channel of jobs closes.
fn serve<'a>(
    mut queue: VecDeque<&'a Game>,
    workers: usize,
    jobs: Sender<&'a Game>,
    finished: &Receiver<Report<'a>>,
    drain: &Receiver<()>,
    mut on_progress: impl FnMut(Progress<'_>) -> anyhow::Result<()>,
) -> anyhow::Result<bool> {
    let mut drain = drain.clone();
    let (mut in_flight, mut is_stopped) = (0, false);
    loop {
        while !is_stopped && in_flight < workers {
            let Some(game) = queue.pop_front() else { break };
            jobs.send(game).map_err(|_| anyhow!("expected workers, found none"))?;
            in_flight += 1;
        }
        if in_flight == 0 {
            return Ok(queue.is_empty());
        }
        select! {
            recv(finished) -> report => {
                let (game, done) = report?;
                in_flight -= 1;
                on_progress(Progress::Done(game, done))?;
            }
            recv(drain) -> _ => {
                (is_stopped, drain) = (true, never());
                on_progress(Progress::Draining)?;
            }
        }
    }
}

fn work<'a>(engines: &Engines, jobs: &Receiver<&'a Game>, reports: &Sender<Report<'a>>) {
    let mut worker = Worker { engines, running: None };
    for game in jobs {
        if reports.send((game, worker.examine(game))).is_err() {
            return;
        }
    }
}

/// A worker, whose processes are reused from game to game.
struct Worker<'a> {
    engines: &'a Engines,
    running: Option<(Engine, Option<Engine>)>,
}

impl Worker<'_> {
    /// Examines a game. Engines that fail are started again once.
    fn examine(&mut self, game: &Game) -> Result<Examined, Trouble> {
        match self.try_to_examine(game) {
            Err(Trouble::Failed(error)) => {
                log::warn!("{}: {error}; the engine is started again", game.place(None));
                self.running = None;
                let done = self.try_to_examine(game);
                if let Err(Trouble::Failed(_)) = &done {
                    self.running = None;
                }
                done
            }
            done => done,
        }
    }

    fn try_to_examine(&mut self, game: &Game) -> Result<Examined, Trouble> {
        let Engines { engine, referee, effort } = self.engines;
        let (engine, referee) = match &mut self.running {
            Some(running) => running,
            none => none.insert(start(engine, referee.as_ref())?),
        };
        Examiner { engine, referee: referee.as_mut(), effort: *effort }.examine(game)
    }
}

/// Starts an engine and its referee.
pub(crate) fn start(
    engine: &EngineSetup,
    referee: Option<&EngineSetup>,
) -> Result<(Engine, Option<Engine>), ClientError> {
    Ok((Engine::start(engine)?, referee.map(Engine::start).transpose()?))
}
