//! Signals: the first one that asks us politely lets the games in flight come to their end, any other ends all at once.

use crossbeam_channel::Receiver;

/// From now on the engines do not outlive us. What is received is the wish to drain.
#[cfg(unix)]
pub(super) fn watch() -> std::io::Result<Receiver<()>> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    let (sender, signals) = crossbeam_channel::unbounded();
    crate::client::signals::watch(sender, |signal| signal)?;
    let (wish, drain) = crossbeam_channel::unbounded();
    let watch = move || {
        let mut asked = false;
        for signal in signals {
            let polite = matches!(signal, SIGINT | SIGTERM);
            if asked || !polite || wish.send(()).is_err() {
                crate::client::kill_engines_and_exit(128 + signal);
            }
            asked = true;
        }
    };
    std::thread::Builder::new().name("drain".to_owned()).spawn(watch)?;
    Ok(drain)
}

/// Nothing is ever received here.
#[cfg(not(unix))]
pub(super) fn watch() -> std::io::Result<Receiver<()>> {
    Ok(crossbeam_channel::never())
}
