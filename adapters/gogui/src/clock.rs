//! Time in GTP: `time_settings` and `time_left`.

use leap_protocol::Go;
use leap_protocol::payload::Side;

/// What is known about the clocks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TimeSettings {
    /// For p1 and p2, the time left in milliseconds and the stones to play in that time (0: the rest of the game).
    left: Option<[(i64, u32); 2]>,
}

impl TimeSettings {
    /// Handles `time_settings`: main time in seconds, then seconds and stones of a Canadian byo-yomi.
    ///
    /// A byo-yomi time without stones means no limit.
    pub(super) fn set(&mut self, main: u32, byo_yomi: u32, stones: u32) {
        let unlimited = byo_yomi > 0 && stones == 0;
        let (seconds, stones) = if main > 0 { (main, 0) } else { (byo_yomi, stones) };
        self.left = (!unlimited).then_some([(i64::from(seconds) * 1_000, stones); 2]);
    }

    /// Handles `time_left`.
    pub(super) fn note(&mut self, player: Side, seconds: u32, stones: u32) {
        let left = (i64::from(seconds) * 1_000, stones);
        let both = self.left.get_or_insert([left; 2]);
        both[player as usize] = left;
    }

    /// The `go` command for a player's move; `level` if there is no clock.
    pub(super) fn go(&self, player: Side, level: Go) -> Go {
        let Some(left) = self.left else { return level };
        let (_, stones) = left[player as usize];
        Go {
            p1time: Some(left[0].0),
            p2time: Some(left[1].0),
            movestogo: (stones > 0).then_some(stones),
            depth: level.depth,
            nodes: level.nodes,
            ..Go::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(clock: &TimeSettings) -> String {
        clock.go(Side::P2, Go { movetime: Some(5), ..Go::default() }).to_string()
    }

    #[test]
    fn clocks_take_the_place_of_the_level() {
        let mut clock = TimeSettings::default();
        assert_eq!(go(&clock), "go movetime 5");
        clock.set(60, 10, 5);
        assert_eq!(go(&clock), "go p1time 60000 p2time 60000");
        clock.note(Side::P2, 7, 3);
        assert_eq!(go(&clock), "go p1time 60000 p2time 7000 movestogo 3");
        clock.set(0, 1, 0);
        assert_eq!(go(&clock), "go movetime 5");
    }
}
