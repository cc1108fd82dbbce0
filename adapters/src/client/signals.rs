//! Termination signals.

use std::io;
use std::sync::{Mutex, PoisonError};
use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::Signals;

type Handler = Box<dyn FnMut(i32) + Send>;

/// The current handler; `None` before the first one is set.
static HANDLER: Mutex<Option<Handler>> = Mutex::new(None);

/// Sets the function that is called, in its own thread, for each termination signal with the signal's number. It
/// replaces the previous one, so that there is always exactly one handler.
pub(crate) fn handle(handler: impl FnMut(i32) + Send + 'static) -> io::Result<()> {
    let before = HANDLER.lock().unwrap_or_else(PoisonError::into_inner).replace(Box::new(handler));
    if before.is_some() {
        return Ok(());
    }
    let mut signals = Signals::new([SIGHUP, SIGINT, SIGQUIT, SIGTERM])?;
    let watch = move || {
        for signal in signals.forever() {
            if let Some(handler) = HANDLER.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
                handler(signal);
            }
        }
    };
    thread::Builder::new().name("signals".to_owned()).spawn(watch)?;
    Ok(())
}
