//! The clerk of a runner: claims batches, gives them to workers, and records what has come of them.

use std::collections::BTreeMap;
use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use crossbeam_channel::{Receiver, Sender, never, select, tick};

use super::Env;
use super::claims::{Claim, Claims, Watch};
use super::directory::{Done, End};
use super::heartbeat::{self, Heartbeat};
use super::ledger::{Games, Ledger};
use crate::events::store::Store;
use crate::events::{Run, StopReason};
use crate::plan::ScheduledGame;
use crate::results::display::MatchDisplay;
use crate::results::tally::Tally;
use crate::run::batch::{self, Played};
use crate::run::scheduler::{Settings, start_workers};
use crate::run::{Cancel, Cancelled, Shared};

/// How often a runner beats, and looks at what the others have done.
const TICK: Duration = Duration::from_secs(1);

/// A batch to be played.
struct Job {
    batch: u64,
    attempt: u32,
    cancel: Cancel,
}

/// A batch that a worker has come back from.
type Report = (u64, anyhow::Result<Played>);

/// Plays batches until the match ends or a stop is requested. Returns why, and the games that count.
pub(super) fn run(
    env: &Env<'_>,
    settings: Settings,
    timeout: Duration,
    stop_request: &Receiver<()>,
    display: &MatchDisplay<'_>,
) -> anyhow::Result<(StopReason, Tally)> {
    let heartbeat = Heartbeat::enter(&env.directory.runners())
        .with_context(|| format!("cannot write in {}", env.directory.runners().display()))?;
    let config = &env.found.config;
    let work = |number, jobs: &_, reports: &_| work(env, number, jobs, reports);
    thread::scope(|scope| {
        let (jobs, finished) = start_workers(scope, settings, work)?;
        let mut claim_loop = ClaimLoop {
            env,
            ledger: Ledger::new(config.sprt, env.batches.count(), config.engines.len()),
            claims: Claims::default(),
            watch: Watch::new(timeout),
            begun: Instant::now(),
            heartbeat: Some(heartbeat),
            flights: BTreeMap::new(),
            stopped: None,
            display,
        };
        let done = claim_loop.serve(&jobs, settings.concurrency, &finished, stop_request);
        // After an error too nobody waits for the end of a batch.
        claim_loop.cancel_all();
        drop(jobs);
        done.map(|stop| (stop, claim_loop.ledger.tally().clone()))
    })
}

fn work(env: &Env<'_>, number: usize, jobs: &Receiver<Job>, reports: &Sender<Report>) {
    for job in jobs {
        let batch = job.batch;
        if reports.send((batch, play(env, number, job))).is_err() {
            return;
        }
    }
}

/// Plays a batch in a directory of its own.
fn play(env: &Env<'_>, number: usize, job: Job) -> anyhow::Result<Played> {
    let dir = env.directory.attempt(job.batch, job.attempt);
    fs::create_dir(&dir).with_context(|| format!("cannot create {}", dir.display()))?;
    let store = Store::create(&dir, Run::of(env.found))?;
    let shared = Shared { found: env.found, machine: env.machine, store, dir, cancel: job.cancel };
    batch::play(&shared, number, env.batches.games(&env.found.plan, job.batch))
}

/// The state of a runner.
struct ClaimLoop<'a> {
    env: &'a Env<'a>,
    ledger: Ledger,
    claims: Claims,
    watch: Watch,
    begun: Instant,
    /// Gone once this runner takes no more batches.
    heartbeat: Option<Heartbeat>,
    /// The batches that are played here, with their attempts.
    flights: BTreeMap<u64, (u32, Cancel)>,
    /// Why no further batches are claimed.
    stopped: Option<StopReason>,
    display: &'a MatchDisplay<'a>,
}

impl ClaimLoop<'_> {
    fn serve(
        &mut self,
        jobs: &Sender<Job>,
        concurrency: usize,
        finished: &Receiver<Report>,
        stop_request: &Receiver<()>,
    ) -> anyhow::Result<StopReason> {
        let (mut stop_request, ticks) = (stop_request.clone(), tick(TICK));
        self.look()?;
        loop {
            while self.flights.len() < concurrency
                && let Some(job) = self.claim()?
            {
                jobs.send(job)?;
            }
            if let (Some(why), true) = (self.stopped, self.flights.is_empty()) {
                return Ok(why);
            }
            select! {
                recv(finished) -> report => {
                    let (batch, played) = report?;
                    self.came_back(batch, played)?;
                }
                recv(stop_request) -> _ => {
                    stop_request = never();
                    self.stop_gracefully();
                }
                recv(ticks) -> _ => self.tick()?,
            }
        }
    }

    /// Claims the next batch, unless there is none or no more are wanted.
    fn claim(&mut self) -> anyhow::Result<Option<Job>> {
        let Some(heartbeat) = self.heartbeat.as_ref().filter(|_| self.stopped.is_none()) else {
            return Ok(None);
        };
        loop {
            let (is_lost, finished) =
                (|name: &str| self.watch.is_lost(name), self.ledger.finished());
            let next = self.claims.next(self.ledger.open(), is_lost, finished);
            let Some((batch, attempt)) = next else { return Ok(None) };
            let mine = Claim { attempt, runner: heartbeat.name().to_owned() };
            let found = self.env.directory.claim(batch, &mine)?;
            let is_mine = found == mine;
            self.claims.note(batch, found, finished);
            if is_mine {
                let cancel = Cancel::default();
                self.flights.insert(batch, (attempt, cancel.clone()));
                return Ok(Some(Job { batch, attempt, cancel }));
            }
        }
    }

    /// Records a batch that has come back, if it is still wanted. Otherwise its games are thrown away.
    fn came_back(&mut self, batch: u64, played: anyhow::Result<Played>) -> anyhow::Result<()> {
        let flight = self.flights.remove(&batch);
        let (attempt, _) = flight.context("expected a batch in flight, found another one")?;
        let played = match played {
            Err(error) if !error.is::<Cancelled>() => return Err(error),
            played => played.ok(),
        };
        self.look()?;
        let played = played.filter(|_| self.is_wanted(batch, attempt));
        if let Some(Played { ends, finished: games }) = played {
            ends.iter().for_each(|(game, end)| self.display.ended(game, end));
            if self.env.directory.finish(batch, &Done { attempt, games })?.attempt == attempt {
                return self.look();
            }
        }
        let dir = self.env.directory.attempt(batch, attempt);
        // What cannot be removed harms nothing: nobody reads it.
        let _ = fs::remove_dir_all(dir);
        Ok(())
    }

    /// The stop of one runner: its claims are given back.
    fn stop_gracefully(&mut self) {
        self.stopped = self.stopped.or(Some(StopReason::Drained));
        self.heartbeat = None;
        self.cancel_all();
    }

    fn tick(&mut self) -> anyhow::Result<()> {
        if let Some(heartbeat) = &mut self.heartbeat {
            heartbeat.beat().context("cannot write the heartbeat")?;
        }
        self.look()
    }

    /// Looks at what all runners have done.
    fn look(&mut self) -> anyhow::Result<()> {
        let Env { directory, .. } = self.env;
        for batch in directory.finished()? {
            if self.ledger.is_open(batch) {
                let games = directory.done(batch)?.games;
                self.check(batch, &games)?;
                self.claims.forget(batch);
                self.ledger.add(batch, games);
                self.display.standing(self.ledger.tally());
            }
        }
        let newest = |batch| self.ledger.is_open(batch).then(|| self.claims.attempt(batch));
        for (batch, claim) in directory.claims(newest)? {
            self.claims.note(batch, claim, self.ledger.finished());
        }
        self.watch_others();
        self.cancel_unwanted();
        if let (Some(why), None) = (self.ledger.end(), self.stopped) {
            directory.end_with(End { why, batches: self.ledger.counted() })?;
            self.stopped = Some(why);
            self.cancel_all();
        }
        Ok(())
    }

    /// A finished batch has the games of the plan.
    fn check(&self, batch: u64, games: &Games) -> anyhow::Result<()> {
        let planned = self.env.batches.games(&self.env.found.plan, batch);
        let planned = planned.map(|game: ScheduledGame| (game.number, game.players));
        let found = games.iter().map(|(number, game)| (*number, game.players));
        ensure!(planned.eq(found), "batch {batch}: expected the games of the plan, found others");
        Ok(())
    }

    fn watch_others(&mut self) {
        let (now, runners) = (self.begun.elapsed(), self.env.directory.runners());
        let own = self.heartbeat.as_ref().map(Heartbeat::name);
        for runner in self.claims.runners().into_iter().filter(|runner| Some(*runner) != own) {
            // Whoever cannot be looked at now is looked at later.
            if let Ok(pulse) = heartbeat::pulse(&runners, runner) {
                self.watch.see(runner, pulse, now);
            }
        }
    }

    /// Cancels the batches that another runner has taken over or finished.
    fn cancel_unwanted(&self) {
        for (batch, (attempt, cancel)) in &self.flights {
            if !self.is_wanted(*batch, *attempt) {
                cancel.raise();
            }
        }
    }

    /// Whether an attempt at a batch will count once it is finished. A later attempt rules it out, also while that one is
    /// in play. Otherwise the faster of two attempts would count, and fast games end differently from slow ones.
    fn is_wanted(&self, batch: u64, attempt: u32) -> bool {
        self.ledger.is_open(batch) && self.claims.attempt(batch) == attempt
    }

    fn cancel_all(&self) {
        self.flights.values().for_each(|(_, cancel)| cancel.raise());
    }
}
