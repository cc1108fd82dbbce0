//! The limits of a search, and the time that they allow.

use std::time::Duration;

/// When a search ends, which moves it looks at and what it reports. `M` is the game's move type.
#[derive(Clone, Debug)]
pub struct Limits<M> {
    /// The depth of the search, in plies.
    pub depth: Option<u32>,
    /// The most nodes to visit. Exact on one thread.
    pub nodes: Option<u64>,
    /// No iteration begins after so many nodes. An iteration that has begun is finished.
    ///
    /// Each score is then that of a whole iteration, which makes better labels for learning than a search cut short.
    pub soft_nodes: Option<u64>,
    /// Ends the search when a win in at most this many moves is found.
    pub mate: Option<u32>,
    /// The time for this move.
    pub movetime: Option<Duration>,
    /// The clock of the side to move.
    pub clock: Option<Clock>,
    /// Search until stopped. Clocks do not bound the search.
    pub infinite: bool,
    /// The time runs only from [`super::Control::ponderhit`].
    pub ponder: bool,
    /// Search only these root moves, which must be legal. `None` or an empty list means all.
    pub searchmoves: Option<Vec<M>>,
    /// The number of best root moves to search to an exact score and report as lines. At least 1.
    pub multipv: usize,
    /// The time that a move needs to reach the clock.
    pub move_overhead: Duration,
    /// The playing strength, -20 to 100 ([`super::strength`]).
    pub strength: i32,
    /// The seed of the moves that a weak search overlooks, and of a sparring player's moves.
    pub seed: u64,
    /// How many centipawns a draw is worth less than an even position, for the side that searches.
    ///
    /// Above 0, that side also plays on instead of winning by a repetition ([`super::contempt`]). 0 gives exact scores.
    pub contempt: i32,
    /// The number of searching threads, at least 1. Only a search on one thread is reproducible.
    pub threads: usize,
    /// The constants of the search, in place of those of the game.
    #[cfg(feature = "tune")]
    pub tuning: Option<crate::SearchTuning>,
}

impl<M> Default for Limits<M> {
    fn default() -> Self {
        Self {
            depth: None,
            nodes: None,
            soft_nodes: None,
            mate: None,
            movetime: None,
            clock: None,
            infinite: false,
            ponder: false,
            searchmoves: None,
            multipv: 1,
            move_overhead: Duration::from_millis(10),
            strength: super::strength::FULL,
            seed: 1,
            contempt: 0,
            threads: 1,
            #[cfg(feature = "tune")]
            tuning: None,
        }
    }
}

impl<M> Limits<M> {
    /// A search to a fixed depth.
    #[must_use]
    pub fn depth(depth: u32) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    /// A search of a fixed number of nodes.
    #[must_use]
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// A search for a fixed time.
    #[must_use]
    pub fn movetime(movetime: Duration) -> Self {
        Self { movetime: Some(movetime), ..Self::default() }
    }

    /// The part of a search's time that was planned. Time beyond the hard limit was not.
    #[must_use]
    pub fn time_planned(&self, taken: Duration) -> Duration {
        self.budget().map_or(taken, |budget| taken.min(budget.hard))
    }

    /// The time that the search may use, from its start or from `ponderhit`. `None` where no clock bounds the search.
    pub(super) fn budget(&self) -> Option<Budget> {
        if self.infinite {
            return None;
        }
        let movetime =
            self.movetime.map(|movetime| Budget::of_movetime(movetime, self.move_overhead));
        let clock = self.clock.map(|clock| Budget::of_clock(clock, self.move_overhead));
        match (movetime, clock) {
            (Some(a), Some(b)) => {
                Some(Budget { soft: a.soft.min(b.soft), hard: a.hard.min(b.hard) })
            }
            (a, b) => a.or(b),
        }
    }
}

/// The clock of the side to move. A clock that has run out has no time left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// The time left.
    pub time_left: Duration,
    /// The time gained with each move.
    pub increment: Duration,
    /// The number of moves that share the time, at least 1.
    ///
    /// The count ends at the next time control, or when the game is expected to be decided.
    pub moves_to_go: u32,
}

/// The time for one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Budget {
    /// No iteration begins after this time, or after a share of it ([`Budget::soft_at`]).
    pub(super) soft: Duration,
    /// The search ends at this time, wherever it is.
    pub(super) hard: Duration,
}

impl Budget {
    /// The soft limit of a search that should take this percentage of its time. A fixed time for the move is used up.
    pub(super) fn soft_at(self, percent: u32) -> Duration {
        if self.soft == self.hard { self.soft } else { (self.soft * percent / 100).min(self.hard) }
    }

    fn of_movetime(movetime: Duration, overhead: Duration) -> Self {
        let time = movetime - overhead.min(movetime / 10);
        Self { soft: time, hard: time }
    }

    /// An even share of the time left, and most of the increment.
    ///
    /// A difficult move may take four times its share. Its limit is the time on the clock, or half of it if more moves
    /// are due.
    fn of_clock(clock: Clock, overhead: Duration) -> Self {
        let left = clock.time_left.saturating_sub(overhead);
        let moves = clock.moves_to_go.max(1);
        let most = if moves == 1 { left } else { left / 2 };
        let share = (left / moves).saturating_add(clock.increment.saturating_mul(3) / 4).min(most);
        // An iteration takes about as long as all earlier ones together: one that begins late would be lost.
        Self { soft: share - share / 3, hard: share.saturating_mul(4).min(most) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn limits(clock: Clock) -> Limits<()> {
        Limits { clock: Some(clock), ..Limits::default() }
    }

    fn clock(time_left: u32, increment: u32, moves_to_go: u32) -> Clock {
        Clock { time_left: MS * time_left, increment: MS * increment, moves_to_go }
    }

    #[test]
    fn the_budget_stays_within_the_clock_and_half_of_it_is_kept_for_moves_that_are_still_due() {
        for time_left in [0, 1, 9, 10, 11, 50, 1_000, 60_000, 4_000_000_000] {
            for increment in [0, 1, 100, 10_000, 4_000_000_000] {
                for moves_to_go in [0, 1, 2, 25, 40, u32::MAX] {
                    let clock = clock(time_left, increment, moves_to_go);
                    let budget = limits(clock).budget().unwrap();
                    assert!(budget.soft <= budget.hard, "{clock:?}");
                    let left = clock.time_left.saturating_sub(10 * MS);
                    let most = if moves_to_go > 1 { left / 2 } else { left };
                    assert!(budget.hard <= most, "{clock:?}");
                }
            }
        }
    }

    #[test]
    fn a_game_of_many_moves_is_not_lost_on_time() {
        for moves_to_go in [2, 4, 25] {
            let mut left = MS * 10_000;
            for _ in 0..200 {
                let clock = Clock { time_left: left, increment: Duration::ZERO, moves_to_go };
                left -= limits(clock).budget().unwrap().hard;
            }
            assert!(left >= 10 * MS, "{moves_to_go} moves at a time");
        }
    }

    #[test]
    fn movetime_is_used_but_for_the_overhead() {
        let hard = |ms| Limits::<()>::movetime(MS * ms).budget().unwrap().hard;
        assert_eq!(hard(1_000), MS * 990);
        assert_eq!(hard(10), MS * 9);
        assert_eq!(hard(0), Duration::ZERO);
    }

    #[test]
    fn nothing_but_clocks_bounds_the_time() {
        assert_eq!(Limits::<()>::depth(5).budget(), None);
        assert_eq!(Limits::<()>::nodes(5).budget(), None);
        let infinite = Limits { infinite: true, ..limits(clock(5, 0, 25)) };
        assert_eq!(infinite.budget(), None);
    }
}
