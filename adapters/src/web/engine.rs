//! An engine process whose lines are channels of the runtime.

use std::io::{BufReader, Write as _};
use std::process::Stdio;
use std::thread;

use leap_protocol::{Line, LineReader};
use tokio::sync::mpsc;

use crate::client::{self, ClientError, EngineCommand, Group};

/// Lines that wait to be passed on, each way. Whoever writes more has to wait. Each may be of a MiB.
const WAITING: usize = 16;

/// A running engine. Dropping it kills its whole process group.
#[derive(Debug)]
pub(super) struct Engine {
    _process: Group,
    /// Lines to the engine, without their ends.
    pub(super) input: mpsc::Sender<String>,
    /// Lines from the engine; ends when it closes its output.
    pub(super) output: mpsc::Receiver<String>,
}

impl Engine {
    /// Starts the engine and two threads that wait for its pipes.
    ///
    /// # Errors
    /// It cannot be started.
    pub(super) fn start(command: &EngineCommand) -> Result<Engine, ClientError> {
        let fail =
            |source| ClientError::Start { program: command.program.display().to_string(), source };
        let mut child = client::spawn(command, Stdio::null())?;
        let stdin = child.stdin().take();
        let stdout = child.stdout().take();
        let (input, mut to_engine) = mpsc::channel::<String>(WAITING);
        let (from_engine, output) = mpsc::channel(WAITING);
        let engine = Engine { _process: child, input, output };
        let (Some(mut stdin), Some(stdout)) = (stdin, stdout) else {
            return Err(ClientError::Closed);
        };
        let write = move || {
            while let Some(line) = to_engine.blocking_recv() {
                if stdin.write_all((line + "\n").as_bytes()).is_err() {
                    return;
                }
            }
        };
        let read = move || {
            for line in LineReader::new(BufReader::new(stdout)).map_while(Result::ok) {
                // What is no text cannot be shown; a page that waits for it will say so.
                let Line::Text(line) = line else { continue };
                if from_engine.blocking_send(line).is_err() {
                    return;
                }
            }
        };
        thread::Builder::new().name("engine-writer".to_owned()).spawn(write).map_err(fail)?;
        thread::Builder::new().name("engine-reader".to_owned()).spawn(read).map_err(fail)?;
        Ok(engine)
    }
}
