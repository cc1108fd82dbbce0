//! The event stream, line by line.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use anyhow::{Context as _, bail, ensure};

use crate::tournament::config::Config;
use crate::tournament::event::{Event, Run, SCHEMA};
use crate::tournament::store::EVENTS;

/// Reads the stream of a match. Every event but the first goes to `on_event`; a last line that is not whole is left out
/// (SPEC 19.1).
///
/// # Errors
/// The file cannot be read, does not begin with a `run` of a schema that is known, has a line that is no event, or names
/// a player that the match does not have.
pub(super) fn read(dir: &Path, mut on_event: impl FnMut(Event)) -> anyhow::Result<Run> {
    let path = dir.join(EVENTS);
    let file = File::open(&path).with_context(|| format!("cannot open {}", path.display()))?;
    let mut reader = BufReader::new(file);
    let mut run: Option<Run> = None;
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        reader.read_until(b'\n', &mut line).with_context(|| path.display().to_string())?;
        if line.last() != Some(&b'\n') {
            break;
        }
        let place = || format!("{}, line {number}", path.display());
        match (serde_json::from_slice(&line).with_context(place)?, &run) {
            (Event::Run(begun), None) => {
                let schema = begun.schema;
                ensure!(schema == SCHEMA, "{}: expected schema {SCHEMA}, found {schema}", place());
                run = Some(*begun);
            }
            (Event::Run(_), Some(_)) => bail!("{}: expected one 'run', found another", place()),
            (_, None) => bail!("{}: expected 'run' first, found something else", place()),
            (event, Some(run)) => {
                check(&event, &run.config).with_context(place)?;
                on_event(event);
            }
        }
    }
    run.with_context(|| format!("{}: expected events, found none", path.display()))
}

/// Players and sides are used as indices.
fn check(event: &Event, config: &Config) -> anyhow::Result<()> {
    let engines = config.engines.len();
    let (players, side) = match event {
        Event::Start(start) => (vec![start.p1, start.p2], None),
        Event::Move(mv) => (vec![], Some(mv.side)),
        Event::Fault(fault) => (fault.engine.into_iter().collect(), fault.side),
        Event::End(end) => (vec![], end.guilty),
        _ => return Ok(()),
    };
    if let Some(player) = players.iter().find(|player| **player >= engines) {
        bail!("expected a player below {engines}, found {player}");
    }
    match side {
        None | Some(1 | 2) => Ok(()),
        Some(side) => bail!("expected side 1 or 2, found {side}"),
    }
}
