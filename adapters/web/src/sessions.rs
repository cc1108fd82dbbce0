//! The sessions whose pages may come back after a cut.
//!
//! A page that asks for it gets a token. With the token it comes back to its session by another connection, and the
//! engine has gone on meanwhile. A session without its page ends after some time, or when another page needs an engine.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::Instant;

use super::engines::User;
use super::link::Link;
use super::outbox::Outbox;
use leap_meeting::{Secret, SecretDigest};

/// A page that comes back.
#[derive(Debug)]
pub(super) struct Visit {
    pub(super) link: Box<Link>,
    /// How many lines it has got.
    pub(super) got: u64,
}

/// A session as it is known outside.
#[derive(Debug)]
struct Entry {
    key: SecretDigest,
    user: User,
    /// How its page comes in. When the entry is removed, the session learns that nobody will.
    visits: mpsc::Sender<Visit>,
    /// Since when nobody is there.
    cut: Option<Instant>,
}

/// All sessions whose pages may come back.
#[derive(Debug)]
pub(super) struct Sessions {
    entries: Mutex<Vec<Entry>>,
    /// How long a session waits for its page.
    pub(super) keep: Duration,
}

impl Sessions {
    pub(super) fn new(keep: Duration) -> Self {
        Self { entries: Mutex::default(), keep }
    }

    fn entries(&self) -> MutexGuard<'_, Vec<Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets the page of a session come back, with the token that is returned. `None` if sessions are not kept.
    pub(super) fn keep(self: &Arc<Self>, user: &User) -> Option<(Kept, Secret)> {
        if self.keep.is_zero() {
            return None;
        }
        let token = Secret::random().ok()?;
        let key = token.digest();
        let (sender, visits) = mpsc::channel(1);
        self.entries().push(Entry { key, user: user.clone(), visits: sender, cut: None });
        let sessions = Arc::clone(self);
        Some((Kept { sessions, key, visits, outbox: Outbox::default(), heard: 0 }, token))
    }

    /// Hands a page over to its session; returns it if there is none. All keys are compared, so the time tells nothing.
    pub(super) fn visit(&self, token: &Secret, visit: Visit) -> Result<(), Visit> {
        let key = token.digest();
        let found = self.entries().iter().fold(None, |found, entry| {
            let is_it = entry.key.is(&key);
            if is_it { Some(entry.visits.clone()) } else { found }
        });
        match found {
            Some(visits) => visits.try_send(visit).map_err(mpsc::error::TrySendError::into_inner),
            None => Err(visit),
        }
    }

    /// Whether a session waits for its page.
    pub(super) fn has_waiting(&self) -> bool {
        self.entries().iter().any(|entry| entry.cut.is_some())
    }

    /// Gives up the session that waits the longest, if there is one. Guests can give up only those of their own link.
    pub(super) fn give_up_one(&self, user: &User) -> bool {
        let mut entries = self.entries();
        let is_theirs = |each: &Entry| *user == User::Trusted || each.user == *user;
        let waiting = entries.iter().enumerate().filter(|(_, each)| is_theirs(each));
        let waiting = waiting.filter_map(|(at, each)| Some((each.cut?, at)));
        let longest = waiting.min();
        longest.map(|(_, at)| entries.remove(at)).is_some()
    }
}

/// What a session has whose page may come back.
#[derive(Debug)]
pub(super) struct Kept {
    sessions: Arc<Sessions>,
    key: SecretDigest,
    pub(super) visits: mpsc::Receiver<Visit>,
    pub(super) outbox: Outbox,
    /// The number of lines that the page has sent to the engine.
    pub(super) heard: u64,
}

impl Kept {
    /// Notes whether the page is there.
    pub(super) fn note_cut(&self, is_cut: bool) {
        for entry in self.sessions.entries().iter_mut().filter(|entry| entry.key.is(&self.key)) {
            entry.cut = is_cut.then(Instant::now);
        }
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        self.sessions.entries().retain(|entry| !entry.key.is(&self.key));
    }
}
