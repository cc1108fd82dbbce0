//! The scheduler: gives games to workers until none are left, a test reaches a decision, or a stop is requested.

use std::collections::VecDeque;
use std::io;
use std::thread::{self, Scope};

use crossbeam_channel::{Receiver, Sender, never, select, unbounded};

use super::affinity;
use super::worker::{Shared, Worker};
use crate::events::{End, StopReason};
use crate::plan::args::MatchArgs;
use crate::plan::{Plan, ScheduledGame};
use crate::results::tally::Tally;

/// How the plan is run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    pub(crate) concurrency: usize,
    pub(crate) affinity: bool,
}

impl Settings {
    /// The settings of a run. There are this many games, or batches of them, to be played at the same time.
    pub(crate) fn of(args: &MatchArgs, most: u64) -> Self {
        let asked = args.plan.concurrency.map_or(1, usize::from);
        let concurrency = usize::try_from(most).map_or(asked, |most| asked.min(most)).max(1);
        Self { concurrency, affinity: args.plan.affinity }
    }
}

/// What the scheduler reports.
pub(crate) enum Progress<'a> {
    /// A game has ended, for good or void.
    Ended(&'a ScheduledGame, &'a End),
    /// No further games will be started.
    Stopping,
    /// No further games will be started: this machine lacks something.
    Failed(&'a anyhow::Error),
}

/// A game to be played, with the number of the attempt.
type Job = (ScheduledGame, u32);
/// A played game, or an error of this machine.
type Report = (ScheduledGame, anyhow::Result<End>);

/// Plays all games of the plan that the tally does not have. `on_progress` is called for every game and returns whether
/// to go on.
pub(crate) fn run(
    shared: &Shared<'_>,
    plan: &mut Plan,
    tally: &mut Tally,
    settings: Settings,
    stop_request: &Receiver<()>,
    on_progress: impl FnMut(Progress<'_>, &Tally) -> anyhow::Result<bool>,
) -> anyhow::Result<StopReason> {
    let work = |number, jobs: &_, reports: &_| work(shared, number, jobs, reports);
    thread::scope(|scope| {
        let (jobs, finished) = start_workers(scope, settings, work)?;
        let mut scheduler = Scheduler {
            plan,
            tally,
            settings,
            on_progress,
            queue: VecDeque::new(),
            in_flight: 0,
            stopped: None,
            failed: None,
        };
        scheduler.queue_known();
        scheduler.serve(jobs, &finished, stop_request)
    })
}

/// Starts the workers of a run, numbered from 1. They take jobs until the sender of these is dropped.
///
/// # Errors
/// If the system has no more threads.
pub(crate) fn start_workers<'scope, J: Send + 'scope, R: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    settings: Settings,
    work: impl Fn(usize, &Receiver<J>, &Sender<R>) + Copy + Send + 'scope,
) -> io::Result<(Sender<J>, Receiver<R>)> {
    let (jobs, waiting) = unbounded();
    // The workers own the senders: when all are gone, the channel of reports closes.
    let (reports, finished) = unbounded();
    for number in 1..=settings.concurrency {
        let (waiting, reports) = (waiting.clone(), reports.clone());
        let run = move || {
            if settings.affinity {
                affinity::bind(number - 1);
            }
            work(number, &waiting, &reports);
        };
        thread::Builder::new().name(format!("worker {number}")).spawn_scoped(scope, run)?;
    }
    Ok((jobs, finished))
}

fn work(shared: &Shared<'_>, number: usize, jobs: &Receiver<Job>, reports: &Sender<Report>) {
    let mut worker = Worker::new(shared, number);
    for (game, attempt) in jobs {
        let end = worker.play(&game, attempt);
        if reports.send((game, end)).is_err() {
            return;
        }
    }
}

/// The state of a run: the plan, the results, and the games that are queued or in flight.
struct Scheduler<'a, F> {
    plan: &'a mut Plan,
    tally: &'a mut Tally,
    settings: Settings,
    on_progress: F,
    queue: VecDeque<Job>,
    in_flight: usize,
    /// Why no further games are started.
    stopped: Option<StopReason>,
    /// What this machine lacks. The games that it cost have no end, as if they had been in flight.
    failed: Option<anyhow::Error>,
}

impl<F: FnMut(Progress<'_>, &Tally) -> anyhow::Result<bool>> Scheduler<'_, F> {
    /// Queues all known games that are not finished, including rounds that follow from finished ones.
    fn queue_known(&mut self) {
        loop {
            let Scheduler { plan, tally, .. } = self;
            let games = plan.games();
            let open = games.filter_map(|game| Some((game, tally.next_attempt(game.number)?)));
            self.queue = open.collect();
            let more = self.queue.is_empty() && plan.extend(|game| tally.half_points(game));
            if !more {
                return;
            }
        }
    }

    fn serve(
        &mut self,
        jobs: Sender<Job>,
        finished: &Receiver<Report>,
        stop_request: &Receiver<()>,
    ) -> anyhow::Result<StopReason> {
        let mut stop_request = stop_request.clone();
        loop {
            while self.stopped.is_none() && self.in_flight < self.settings.concurrency {
                let Some(job) = self.queue.pop_front() else { break };
                jobs.send(job)?;
                self.in_flight += 1;
            }
            if self.in_flight == 0 {
                let why = self.stopped.unwrap_or(StopReason::Complete);
                return self.failed.take().map_or(Ok(why), Err);
            }
            select! {
                recv(finished) -> report => {
                    let (game, end) = report?;
                    self.in_flight -= 1;
                    match end {
                        Ok(end) => {
                            self.tally.close(game.players, &end);
                            self.ended(game, &end)?;
                        }
                        Err(error) => self.fail(error)?,
                    }
                }
                recv(stop_request) -> _ => {
                    self.stopped = self.stopped.or(Some(StopReason::Drained));
                    stop_request = never();
                    (self.on_progress)(Progress::Stopping, self.tally)?;
                }
            }
        }
    }

    /// The games in flight may still end.
    fn fail(&mut self, error: anyhow::Error) -> anyhow::Result<()> {
        self.stopped = self.stopped.or(Some(StopReason::Drained));
        if self.failed.is_none() {
            if self.in_flight > 0 {
                (self.on_progress)(Progress::Failed(&error), self.tally)?;
            }
            self.failed = Some(error);
        }
        Ok(())
    }

    fn ended(&mut self, game: ScheduledGame, end: &End) -> anyhow::Result<()> {
        if let Some(attempt) = self.tally.next_attempt(game.number) {
            self.queue.push_front((game, attempt));
        }
        if !(self.on_progress)(Progress::Ended(&game, end), self.tally)? {
            self.stopped = self.stopped.or(Some(StopReason::Sprt));
        }
        if self.queue.is_empty() && self.in_flight == 0 {
            self.queue_known();
        }
        Ok(())
    }
}
