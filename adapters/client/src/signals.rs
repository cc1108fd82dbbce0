//! Termination signals.

use std::io;
use std::sync::{Mutex, PoisonError};

pub use system::{SIGINT, SIGTERM};

type Handler = Box<dyn FnMut(i32) + Send>;

/// The current handler; `None` before the first one is set.
static HANDLER: Mutex<Option<Handler>> = Mutex::new(None);

/// Sets the function that is called, in its own thread, for each termination signal with the signal's number. It
/// replaces the previous one, so that there is always exactly one handler.
pub fn handle(handler: impl FnMut(i32) + Send + 'static) -> io::Result<()> {
    let before = HANDLER.lock().unwrap_or_else(PoisonError::into_inner).replace(Box::new(handler));
    if before.is_some() {
        return Ok(());
    }
    system::watch(|signal| {
        if let Some(handler) = HANDLER.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            handler(signal);
        }
    })
}

#[cfg(unix)]
mod system {
    use std::io;
    use std::sync::Arc;
    use std::thread;

    use signal_hook::consts::{SIGHUP, SIGQUIT, SIGXFSZ};
    pub use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    pub(super) fn watch(on_signal: impl Fn(i32) + Send + 'static) -> io::Result<()> {
        let mut signals = Signals::new([SIGHUP, SIGINT, SIGQUIT, SIGTERM])?;
        // A file that may not grow is an error of the write, as on a full disk. Engines get the signal as ever: a
        // handler does not outlive the start of a program.
        signal_hook::flag::register(SIGXFSZ, Arc::default())?;
        let watch = move || signals.forever().for_each(on_signal);
        thread::Builder::new().name("signals".to_owned()).spawn(watch).map(drop)
    }
}

/// Ctrl-C, Ctrl-Break and the end of the console all count as SIGINT. Windows reports nothing else to a program.
#[cfg(windows)]
mod system {
    use std::io;

    /// Ctrl-C.
    pub const SIGINT: i32 = 2;
    /// Never sent here.
    pub const SIGTERM: i32 = 15;

    pub(super) fn watch(on_signal: impl Fn(i32) + Send + 'static) -> io::Result<()> {
        ctrlc::set_handler(move || on_signal(SIGINT)).map_err(io::Error::other)
    }
}
