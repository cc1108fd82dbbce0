//! What everybody is told about a game.

use serde::Serialize;

use super::{Ending, Offer, Side, Table};

/// What all are told about a game, as a whole, after each change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Snapshot<'t> {
    pub(super) round: u32,
    pub(super) host: Side,
    pub(super) guest: Side,
    pub(super) draws: bool,
    pub(super) turn: Side,
    pub(super) moves: Vec<&'t str>,
    pub(super) clock: Option<Times>,
    pub(super) ending: Option<&'t Ending>,
    pub(super) offer: Option<Offer>,
    pub(super) declined: &'t [Offer],
    pub(super) come: Pair,
    pub(super) here: Pair,
}

/// One value for each person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Pair {
    pub(super) host: bool,
    pub(super) guest: bool,
}

/// The clocks at the time of a snapshot, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Times {
    pub(super) base: u64,
    pub(super) increment: u64,
    pub(super) p1: u64,
    pub(super) p2: u64,
    pub(super) running: Option<Side>,
}

impl Table {
    /// The whole game, as it is now.
    pub(crate) fn snapshot(&self, now: u64) -> Snapshot<'_> {
        let pair = |[host, guest]: [bool; 2]| Pair { host, guest };
        Snapshot {
            round: self.round,
            host: self.host,
            guest: self.host.other(),
            draws: self.draws,
            turn: self.turn,
            moves: self.moves.iter().map(|made| made.mv.as_str()).collect(),
            clock: self.clock.as_ref().map(|clock| Times {
                base: clock.control.base,
                increment: clock.control.increment,
                p1: clock.left(Side::P1, now),
                p2: clock.left(Side::P2, now),
                running: clock.running(),
            }),
            ending: self.ending.as_ref(),
            offer: self.offer,
            declined: &self.declined,
            come: pair(self.come),
            here: pair(self.here.map(|connection| connection.is_some())),
        }
    }
}
