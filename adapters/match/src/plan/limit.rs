//! The limits of a player: `40/10+0.1`, a time for each move, a depth, nodes.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The limits of a player. Several may be combined; without any the player may think indefinitely.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limit {
    /// A clock for the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<TimeControl>,
    /// Time for each move, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub movetime_ms: Option<u64>,
    /// Depth of each search, in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Nodes of each search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

impl Limit {
    /// Whether there is no limit.
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// Whether time limits the player.
    #[must_use]
    pub fn is_timed(&self) -> bool {
        self.clock.is_some() || self.movetime_ms.is_some()
    }

    /// The same limits with all times multiplied by this factor. A time that was not zero stays above zero.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Self {
        let times = |ms: u64| ((ms as f64 * factor).round() as u64).clamp(ms.min(1), LONGEST_MS);
        let clock = |clock: TimeControl| TimeControl {
            time_ms: times(clock.time_ms),
            inc_ms: times(clock.inc_ms),
            ..clock
        };
        Self { clock: self.clock.map(clock), movetime_ms: self.movetime_ms.map(times), ..self }
    }
}

/// Formats the limits as on the command line: `tc=10+0.1 nodes=5000`.
impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { clock, movetime_ms, depth, nodes } = self;
        let words = [
            clock.map(|clock| format!("tc={clock}")),
            movetime_ms.map(|ms| format!("movetime={ms}")),
            depth.map(|depth| format!("depth={depth}")),
            nodes.map(|nodes| format!("nodes={nodes}")),
        ];
        f.write_str(&words.into_iter().flatten().collect::<Vec<_>>().join(" "))
    }
}

/// A clock: `[moves/]time[+increment]` in seconds, or `time` as `minutes:seconds`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeControl {
    /// Moves after which `time_ms` is added again; `None` if the time is for the whole game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<u32>,
    /// Time at the start, in milliseconds.
    pub time_ms: u64,
    /// Time added after each move, in milliseconds.
    #[serde(default)]
    pub inc_ms: u64,
}

impl TimeControl {
    /// What a time control looks like, for messages.
    pub(crate) const EXPECTED: &str = "a time control such as '10+0.1', '40/60' or '5:00+3' (seconds with at most \
                                       three decimals, at most 100 days)";
}

/// The text is not a time control.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected {expected}, found '{0}'", expected = TimeControl::EXPECTED)]
pub struct TimeControlError(String);

/// More than any game takes; keeps all sums of times far from overflow.
pub(crate) const LONGEST_MS: u64 = 100 * 24 * 3600 * 1000;

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<Self, TimeControlError> {
        parse(text).ok_or_else(|| TimeControlError(text.to_owned()))
    }
}

fn parse(text: &str) -> Option<TimeControl> {
    let (moves, rest) = match text.split_once('/') {
        Some((moves, rest)) => (Some(moves.parse().ok().filter(|moves| *moves > 0)?), rest),
        None => (None, text),
    };
    let (time, inc) = rest.split_once('+').map_or((rest, None), |(time, inc)| (time, Some(inc)));
    let time_ms = match time.split_once(':') {
        Some((minutes, seconds)) => {
            minutes.parse::<u64>().ok()?.checked_mul(60_000)?.checked_add(milliseconds(seconds)?)?
        }
        None => milliseconds(time)?,
    };
    let inc_ms = inc.map_or(Some(0), milliseconds)?;
    let sound = time_ms > 0 && time_ms <= LONGEST_MS && inc_ms <= LONGEST_MS;
    sound.then_some(TimeControl { moves, time_ms, inc_ms })
}

/// Parses seconds with at most three decimals, exactly.
fn milliseconds(text: &str) -> Option<u64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(part) || part.len() > 3 || (whole.is_empty() && part.is_empty()) {
        return None;
    }
    let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let part: u64 = format!("{part:0<3}").parse().ok()?;
    whole.checked_mul(1000)?.checked_add(part)
}

/// Formats the text that [`TimeControl::from_str`] parses.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", Seconds(self.time_ms))?;
        if self.inc_ms > 0 {
            write!(f, "+{}", Seconds(self.inc_ms))?;
        }
        Ok(())
    }
}

/// Formats milliseconds as seconds, without trailing zeros.
struct Seconds(u64);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{}.{:03}", self.0 / 1000, self.0 % 1000);
        f.write_str(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_read_as_people_write_them() {
        let control = |moves, time_ms, inc_ms| Some(TimeControl { moves, time_ms, inc_ms });
        for (text, expected) in [
            ("10+0.1", control(None, 10_000, 100)),
            ("40/60", control(Some(40), 60_000, 0)),
            ("5:00+3", control(None, 300_000, 3000)),
            ("40/1:30.5+.25", control(Some(40), 90_500, 250)),
            ("0.05", control(None, 50, 0)),
        ] {
            assert_eq!(text.parse().ok(), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_time_control_is_refused() {
        for text in ["", "0", "+1", "-5", "1e3", "0/5", "5+", "1.2345", "x", "5+-1", "9e9", "1/"] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
        assert!("99999999999999999999:1".parse::<TimeControl>().is_err());
        assert!("99999999999".parse::<TimeControl>().is_err());
    }

    #[test]
    fn a_factor_changes_times_and_nothing_else() {
        let limit = Limit {
            clock: Some("40/10+0.1".parse().unwrap()),
            movetime_ms: Some(1),
            depth: Some(9),
            nodes: Some(500),
        };
        assert_eq!(limit.scaled(1.25).to_string(), "tc=40/12.5+0.125 movetime=1 depth=9 nodes=500");
        assert_eq!(limit.scaled(0.01).to_string(), "tc=40/0.1+0.001 movetime=1 depth=9 nodes=500");
        assert_eq!(limit.scaled(1.0), limit);
    }

    #[test]
    fn a_printed_time_control_reads_the_same() {
        for text in ["10+0.1", "40/60", "300+3", "0.05"] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), text);
        }
    }
}
