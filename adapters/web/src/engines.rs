//! Who may have how many engines.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use leap_meeting::Seat;

/// The most engines of one link.
const EACH_LINK: usize = 2;

/// Who uses an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum User {
    /// The host, or somebody with the secret of the engine.
    Trusted,
    /// Somebody with the link of a seat in a game.
    Guest {
        /// The name of the game.
        meeting: String,
        seat: Seat,
    },
}

/// The engines of the server.
#[derive(Debug)]
pub(super) struct Engines {
    most: usize,
    taken: Mutex<Vec<User>>,
    freed: Notify,
}

/// The share of one engine. It is free again when this is dropped.
#[derive(Debug)]
pub(super) struct EngineShare {
    engines: Arc<Engines>,
    user: User,
}

impl Engines {
    pub(super) fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { most, taken: Mutex::default(), freed: Notify::new() })
    }

    fn taken(&self) -> MutexGuard<'_, Vec<User>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A share for this user; `None` if there is none.
    pub(super) fn take(self: &Arc<Self>, user: &User) -> Option<EngineShare> {
        let mut taken = self.taken();
        if !may_take(self.most, &taken, user) {
            return None;
        }
        taken.push(user.clone());
        Some(EngineShare { engines: Arc::clone(self), user: user.clone() })
    }

    /// Waits for a share.
    pub(super) async fn wait(self: &Arc<Self>, user: &User) -> EngineShare {
        loop {
            // This begins to listen before the shares are looked at.
            let freed = self.freed.notified();
            if let Some(share) = self.take(user) {
                return share;
            }
            freed.await;
        }
    }

    /// Whether all engines are in use.
    pub(super) fn are_taken(&self) -> bool {
        self.taken().len() >= self.most
    }
}

/// Whether a user may take another engine. A quarter of the engines is kept for the host. All spectators together have
/// at most a quarter, so that players find one.
fn may_take(most: usize, taken: &[User], user: &User) -> bool {
    let count =
        |is_counted: fn(&User) -> bool| taken.iter().filter(|user| is_counted(user)).count();
    let of_guests = count(|user| *user != User::Trusted);
    let of_spectators = count(|user| matches!(user, User::Guest { seat: Seat::Spectator, .. }));
    let of_link = taken.iter().filter(|other| *other == user).count();
    let is_free = taken.len() < most;
    match user {
        User::Trusted => is_free,
        User::Guest { seat, .. } => {
            let has_room = *seat != Seat::Spectator || of_spectators < most / 4;
            is_free && has_room && of_link < EACH_LINK && of_guests < most - most / 4
        }
    }
}

impl EngineShare {
    pub(super) fn user(&self) -> &User {
        &self.user
    }
}

impl Drop for EngineShare {
    fn drop(&mut self) {
        let mut taken = self.engines.taken();
        if let Some(at) = taken.iter().position(|user| *user == self.user) {
            taken.swap_remove(at);
        }
        drop(taken);
        self.engines.freed.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guest(meeting: usize, seat: Seat) -> User {
        User::Guest { meeting: meeting.to_string(), seat }
    }

    /// As many shares as these users get.
    fn taken(engines: &Arc<Engines>, users: impl IntoIterator<Item = User>) -> Vec<EngineShare> {
        users.into_iter().filter_map(|user| engines.take(&user)).collect()
    }

    #[test]
    fn one_link_has_few_engines() {
        let engines = Engines::new(16);
        for seat in [Seat::Spectator, Seat::Guest, Seat::Host] {
            let shares = taken(&engines, (0..100).map(|_| guest(0, seat)));
            assert_eq!(shares.len(), 2, "{seat:?}");
        }
        assert!(engines.taken().is_empty());
    }

    #[test]
    fn spectators_leave_engines_to_players_and_guests_leave_some_to_the_host() {
        for (most, spectators, guests) in [(16, 4, 12), (4, 1, 3), (3, 0, 3), (1, 0, 1), (0, 0, 0)]
        {
            let engines = Engines::new(most);
            let watching = taken(&engines, (0..100).map(|of| guest(of, Seat::Spectator)));
            assert_eq!(watching.len(), spectators, "{most}");
            let playing = taken(&engines, (0..100).map(|of| guest(of, Seat::Guest)));
            assert_eq!(watching.len() + playing.len(), guests, "{most}");
            let own = taken(&engines, (0..100).map(|_| User::Trusted));
            assert_eq!(own.len(), most - guests, "{most}");
            assert!(engines.are_taken());
        }
    }

    #[test]
    fn the_host_may_have_all_engines() {
        let engines = Engines::new(5);
        assert_eq!(taken(&engines, (0..100).map(|_| User::Trusted)).len(), 5);
    }

    #[tokio::test]
    async fn a_share_that_is_given_back_is_given_to_who_waits() {
        let engines = Engines::new(1);
        let first = engines.take(&User::Trusted).unwrap();
        let waiting = engines.wait(&User::Trusted);
        tokio::pin!(waiting);
        tokio::select! {
            biased;
            _ = &mut waiting => panic!("there is no share"),
            () = std::future::ready(()) => {}
        }
        drop(first);
        drop(waiting.await);
        assert!(!engines.are_taken());
    }
}
