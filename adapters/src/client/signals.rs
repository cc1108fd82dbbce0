//! Signals that ask us to end.

use std::thread;

use crossbeam_channel::Sender;
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::Signals;

/// Sends an event for each such signal, made of its number.
pub(crate) fn watch<T: Send + 'static>(
    events: Sender<T>,
    event: impl Fn(i32) -> T + Send + 'static,
) -> std::io::Result<()> {
    let mut signals = Signals::new([SIGHUP, SIGINT, SIGQUIT, SIGTERM])?;
    let watch = move || {
        for signal in signals.forever() {
            if events.send(event(signal)).is_err() {
                return;
            }
        }
    };
    thread::Builder::new().name("signals".to_owned()).spawn(watch)?;
    Ok(())
}
