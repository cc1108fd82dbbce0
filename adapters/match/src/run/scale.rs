//! Measuring the speed of this machine, so that times can be scaled to those of another one.

use std::num::NonZeroU64;
use std::sync::Barrier;
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, anyhow, ensure};
use leap_client::{PositionCommand, StderrTail, last_words};
use leap_protocol::Go;

use super::engine::{Engine, EngineError, SearchResult};
use super::wire::WireLog;
use crate::plan::config::Config;

/// A search before the measured one, which fills caches and tables.
const WARM_UP: Duration = Duration::from_millis(300);
/// The search that is measured.
const MEASURED: Duration = Duration::from_millis(2000);

/// What times are multiplied by on this machine, if they are to be scaled: rounded as the events have it.
pub(crate) fn speed_factor(
    config: &Config,
    scale_nps: Option<NonZeroU64>,
    processes: usize,
    say: impl Fn(&str),
) -> anyhow::Result<Option<f64>> {
    let Some(nps) = scale_nps else { return Ok(None) };
    ensure!(
        config.engines.iter().any(|engine| engine.limit.is_timed()),
        "--scale-nps: expected a limit of time, found none"
    );
    let speed = nodes_per_second(config, processes)?;
    let factor = (u64::from(nps) as f64 / speed * 1e4).round().max(1.0) / 1e4;
    say(&format!("leap: {speed:.0} nodes per second here, all times are multiplied by {factor}"));
    Ok(Some(factor))
}

/// The nodes per second of the first engine at the start position. It is the mean of this many processes, which search
/// at the same time, as in the match.
///
/// # Errors
/// If the engine fails, or does not report its nodes.
fn nodes_per_second(config: &Config, processes: usize) -> anyhow::Result<f64> {
    let ready = Barrier::new(processes);
    let speeds = thread::scope(|scope| {
        let spawn = |_| scope.spawn(|| speed(config, &ready));
        let threads: Vec<_> = (0..processes).map(spawn).collect();
        let speed = |thread: thread::ScopedJoinHandle<'_, anyhow::Result<f64>>| {
            thread.join().map_err(|_| anyhow!("a measurement has panicked"))?
        };
        threads.into_iter().map(speed).collect::<anyhow::Result<Vec<f64>>>()
    })?;
    Ok(speeds.iter().sum::<f64>() / speeds.len() as f64)
}

fn speed(config: &Config, ready: &Barrier) -> anyhow::Result<f64> {
    let engine = &config.engines[0];
    let name = &engine.name;
    let (tail, stderr) = StderrTail::start().context("cannot make a pipe")?;
    let failed = |error: EngineError| anyhow!("{name}: {error}{}", last_words(&tail.summary()));
    let started = Engine::start(engine, config, stderr, &WireLog::new()).and_then(|mut engine| {
        search(&mut engine, WARM_UP)?;
        Ok(engine)
    });
    // Everybody waits for everybody, also for those that have failed.
    ready.wait();
    let found = started.and_then(|mut engine| search(&mut engine, MEASURED)).map_err(failed)?;
    let nodes = found.nodes.unwrap_or(0);
    let seconds = found.took.as_secs_f64();
    ensure!(nodes > 0 && seconds > 0.0, "{name}: expected a search that reports nodes, found none");
    Ok(nodes as f64 / seconds)
}

fn search(engine: &mut Engine, time: Duration) -> Result<SearchResult, EngineError> {
    engine.with(|session| session.new_game())?;
    let go = Go { movetime: Some(time.as_millis() as u64), ..Go::default() };
    engine.think(&PositionCommand::new(None, &[]), &go, Some(time))
}
