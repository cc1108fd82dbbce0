//! The clock of UGI in the words of GTP. GTP counts whole seconds, and knows no increment for each move.

use leap_protocol::Go;

use crate::ugi::own_clock;

/// The kind of a clock. The engine hears of it once in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Setting {
    /// All moves in the time left.
    SuddenDeath,
    /// A number of moves in the time left (`movestogo`), or one move (`movetime`).
    Period,
}

impl Setting {
    /// The command that announces the clock.
    pub(super) fn command(self, seconds: u64, stones: u32) -> String {
        match self {
            Self::SuddenDeath => format!("time_settings {seconds} 0 0"),
            Self::Period => format!("time_settings 0 {seconds} {stones}"),
        }
    }
}

/// The time left to the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TimeLeft {
    pub(super) setting: Setting,
    /// Rounded down, but at least 1: 0 means something else in GTP.
    pub(super) seconds: u64,
    /// Moves that have to be made in this time; 0 for all.
    pub(super) stones: u32,
}

impl TimeLeft {
    /// The clock of a search; `None` if there is none.
    pub(super) fn of(go: &Go, plies: usize) -> Option<Self> {
        let (own, _) = own_clock(go, plies);
        let whole = |ms: u64| (ms / 1000).max(1);
        if let Some(ms) = go.movetime {
            return Some(Self { setting: Setting::Period, seconds: whole(ms), stones: 1 });
        }
        let seconds = whole(u64::try_from(own?).unwrap_or(0));
        Some(match go.movestogo {
            Some(stones) if stones > 0 => Self { setting: Setting::Period, seconds, stones },
            _ => Self { setting: Setting::SuddenDeath, seconds, stones: 0 },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_of_the_side_to_move_is_rounded_down() {
        let go = Go { p1time: Some(9_900), p2time: Some(300), ..Go::default() };
        let left = |plies| TimeLeft::of(&go, plies).map(|left| (left.seconds, left.stones));
        assert_eq!(left(0), Some((9, 0)));
        assert_eq!(left(1), Some((1, 0)));
        let go = Go { movestogo: Some(12), ..go };
        let left = TimeLeft::of(&go, 0).unwrap();
        assert_eq!(left.setting.command(left.seconds, left.stones), "time_settings 0 9 12");
        let go = Go { movetime: Some(2_500), ..Go::default() };
        let left = TimeLeft::of(&go, 7).unwrap();
        assert_eq!((left.setting, left.seconds, left.stones), (Setting::Period, 2, 1));
        assert_eq!(TimeLeft::of(&Go::default(), 0), None);
    }
}
