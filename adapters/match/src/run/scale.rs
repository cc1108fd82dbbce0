//! Measuring the speed of this machine, so that times can be scaled to those of another one.

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

/// The nodes per second of the first engine at the start position. It is the mean of this many processes, which search
/// at the same time, as in the match.
///
/// # Errors
/// If the engine fails, or does not report its nodes.
pub(crate) fn nodes_per_second(config: &Config, processes: usize) -> anyhow::Result<f64> {
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
    engine.new_game()?;
    let go = Go { movetime: Some(time.as_millis() as u64), ..Go::default() };
    engine.think(&PositionCommand::new(None, &[]), &go, Some(time))
}
