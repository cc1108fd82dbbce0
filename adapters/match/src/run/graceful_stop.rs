//! Signals: the first polite one lets the games in flight finish, any other ends everything immediately.

use crossbeam_channel::Receiver;
use leap_client::signals::{SIGINT, SIGTERM, handle};

/// Ensures from now on that no engine outlives us. A message on the channel is the request to stop_request.
///
/// # Errors
/// If the signal handlers cannot be installed.
pub fn watch() -> std::io::Result<Receiver<()>> {
    let (wish, stop_request) = crossbeam_channel::unbounded();
    let mut asked = false;
    handle(move |signal| {
        let polite = matches!(signal, SIGINT | SIGTERM);
        if asked || !polite || wish.send(()).is_err() {
            leap_client::kill_engines_and_exit(128 + signal);
        }
        asked = true;
    })?;
    Ok(stop_request)
}
