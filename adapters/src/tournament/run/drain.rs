//! Signals: the first one that asks us politely lets the games in flight come to their end, any other ends all at once.

use crossbeam_channel::Receiver;

/// From now on the engines do not outlive us. What is received is the wish to drain.
#[cfg(unix)]
pub(crate) fn watch() -> std::io::Result<Receiver<()>> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    let (wish, drain) = crossbeam_channel::unbounded();
    let mut asked = false;
    crate::client::signals::handle(move |signal| {
        let polite = matches!(signal, SIGINT | SIGTERM);
        if asked || !polite || wish.send(()).is_err() {
            crate::client::kill_engines_and_exit(128 + signal);
        }
        asked = true;
    })?;
    Ok(drain)
}

/// Nothing is ever received here.
#[cfg(not(unix))]
pub(crate) fn watch() -> std::io::Result<Receiver<()>> {
    Ok(crossbeam_channel::never())
}
