//! A line between a browser and a server that can be cut, as the network of a phone is.

use std::io::{self, Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

#[derive(Debug, Default)]
struct State {
    /// Where the line leads; `None` while it is cut.
    to: Option<String>,
    /// Where it leads when it is not cut.
    server: String,
    /// The connections that were tried while it was cut.
    refusals: usize,
    /// Both ends of all connections.
    open: Vec<TcpStream>,
}

/// A line at an address of its own.
#[derive(Debug)]
pub(super) struct Line {
    address: SocketAddr,
    state: Arc<Mutex<State>>,
}

impl Line {
    /// A line that begins at an address of this machine.
    pub(super) fn start(ip: &str) -> Line {
        let listener = TcpListener::bind((ip, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::<Mutex<State>>::default();
        let line = Line { address, state: Arc::clone(&state) };
        thread::spawn(move || {
            for near in listener.incoming().flatten() {
                // A connection over a cut line ends immediately.
                let _ = connect(&state, near);
            }
        });
        line
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// The address of the line as a browser names it.
    pub(super) fn name(&self) -> String {
        self.address.to_string()
    }

    /// The address of a server's page over the line.
    pub(super) fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Makes the line lead to a server.
    pub(super) fn lead_to(&self, server: &str) {
        let mut state = self.state();
        (state.server, state.to) = (server.to_owned(), Some(server.to_owned()));
    }

    /// Breaks all connections. No other one can be made until the line is mended.
    pub(super) fn cut(&self) {
        let mut state = self.state();
        state.to = None;
        for stream in state.open.drain(..) {
            // The other end may have gone.
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    /// Waits until somebody has tried to connect over the cut line.
    pub(super) async fn wait_for_refusal(&self) {
        let before = self.state().refusals;
        while self.state().refusals == before {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    pub(super) fn mend(&self) {
        let mut state = self.state();
        state.to = Some(state.server.clone());
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Connects both ends.
fn connect(state: &Mutex<State>, near: TcpStream) -> io::Result<()> {
    let mut state = lock(state);
    let Some(to) = &state.to else {
        state.refusals += 1;
        return Ok(());
    };
    let far = TcpStream::connect(to)?;
    for [from, to] in [[&near, &far], [&far, &near]] {
        let (mut from, mut to) = (from.try_clone()?, to.try_clone()?);
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = from.read(&mut bytes) {
                if to.write_all(&bytes[..count]).is_err() {
                    break;
                }
            }
            let _ = to.shutdown(Shutdown::Write);
        });
    }
    state.open.extend([near, far]);
    Ok(())
}
