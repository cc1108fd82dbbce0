//! A session served in memory: the same threads as the daemon's, with channels for pipes.

use std::io::{Read, Result, Write};
use std::thread::JoinHandle;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, unbounded};
use leap_engine::options::Settings;
use leap_engine::session::Session;
use leapd::io::Port;

/// No answer within this time is a failure: far more than any test needs.
const PATIENCE: Duration = Duration::from_secs(60);

/// A client's end of a session.
pub(crate) struct Connection {
    to_engine: Option<Sender<Vec<u8>>>,
    from_engine: Receiver<Vec<u8>>,
    unread: Vec<u8>,
    server: Option<JoinHandle<anyhow::Result<()>>>,
}

impl Connection {
    /// Serves a fresh session with default options.
    pub(crate) fn open() -> Self {
        let (to_engine, input) = unbounded();
        let (output, from_engine) = unbounded();
        let session = Session::new(Settings::default()).unwrap();
        let input = Inlet { chunks: input, rest: Vec::new() };
        let server =
            std::thread::spawn(move || leapd::io::serve(session, input, Port::new(Outlet(output))));
        Self { to_engine: Some(to_engine), from_engine, unread: Vec::new(), server: Some(server) }
    }

    /// Sends a line.
    pub(crate) fn send(&self, line: &str) {
        let line = format!("{line}\n").into_bytes();
        self.to_engine.as_ref().unwrap().send(line).unwrap();
    }

    /// The next line from the engine; `None` once it has ended.
    pub(crate) fn receive(&mut self) -> Option<String> {
        loop {
            if let Some(end) = self.unread.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.unread.drain(..=end).collect();
                return Some(String::from_utf8(line).unwrap().trim_end().to_owned());
            }
            match self.from_engine.recv_timeout(PATIENCE) {
                Ok(bytes) => self.unread.extend(bytes),
                Err(error) if error.is_timeout() => {
                    panic!("no line from the engine in {PATIENCE:?}")
                }
                Err(_) => return None,
            }
        }
    }

    /// Ends the input, waits for the session to end and returns what it still wrote.
    pub(crate) fn close(mut self) -> Vec<String> {
        self.to_engine = None;
        let rest: Vec<String> = std::iter::from_fn(|| self.receive()).collect();
        self.server.take().unwrap().join().unwrap().unwrap();
        rest
    }
}

struct Inlet {
    chunks: Receiver<Vec<u8>>,
    rest: Vec<u8>,
}

impl Read for Inlet {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        if self.rest.is_empty() {
            self.rest = self.chunks.recv().unwrap_or_default();
        }
        let count = self.rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&self.rest[..count]);
        self.rest.drain(..count);
        Ok(count)
    }
}

struct Outlet(Sender<Vec<u8>>);

impl Write for Outlet {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.0.send(bytes.to_vec()).map_err(|_| std::io::ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}
