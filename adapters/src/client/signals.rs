//! Signals that ask us to end.

use std::io;
use std::sync::{Mutex, PoisonError};
use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::Signals;

type Handler = Box<dyn FnMut(i32) + Send>;

/// What is done at such a signal; nothing has been said of it yet if `None`.
static HANDLER: Mutex<Option<Handler>> = Mutex::new(None);

/// From now on calls this for each such signal, with its number, in a thread of its own. It takes the place of what was
/// called before: at every moment there is one that knows what to do.
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
