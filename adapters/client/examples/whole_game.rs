//! Lets an engine play a game against itself.

#![allow(clippy::print_stdout, reason = "an example's output")]

use std::time::Duration;

use leap_client::{ClientError, EngineCommand, PositionCommand, Session};
use leap_protocol::Go;
use leap_protocol::payload::GameResult;

pub(crate) fn play(program: &str, go: &Go) -> Result<GameResult, ClientError> {
    let mut engine = Session::start(&EngineCommand::new(program), Duration::from_secs(5))?;
    engine.set_game("eximo")?;
    let mut position = PositionCommand::new(None, &[]);
    loop {
        let state = engine.state(&position)?;
        if state.result != GameResult::None {
            return Ok(state.result);
        }
        let best = engine.go(go, |info| println!("{info}"))?;
        let Some(mv) = best.mv else { return Ok(state.result) };
        position.push(&mv);
    }
}

fn main() -> Result<(), ClientError> {
    let result = play("leapd", &Go { movetime: Some(100), ..Go::default() })?;
    println!("{result}");
    Ok(())
}
