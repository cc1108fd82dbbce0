//! The diagrams of the page.

use std::collections::BTreeMap;

use leap_match::stats::Estimate;
use maud::{Markup, html};

use super::chart::{Axis, Frame};
use super::figures::table;
use super::games::Match;

/// The most points of a line: more would not be visible.
const MOST_POINTS: usize = 60;
/// How many players get a line, best first.
pub(super) const MOST_LINES: usize = 8;
/// How much of the last interval is shown on each side, in Elo.
const LEAST_REACH: f64 = 20.0;
const MOST_REACH: f64 = 300.0;
/// About how many bars a histogram has.
const BARS: u64 = 24;

/// Elo after each game of the best players, one diagram for each.
pub(super) fn elo_over_time(found: &Match) -> Markup {
    let ranking = &found.ranking.order;
    let drawn = ranking
        .iter()
        .take(MOST_LINES)
        .map(|player| (*player, &found.statistics.histories[*player]))
        .filter(|(_, history)| history.len() > 1);
    html! {
        @if drawn.clone().next().is_none() {
            p { "There is no estimate yet: it takes points of both sides in a few games." }
        }
        div class="charts" {
            @for (player, history) in drawn {
                figure {
                    figcaption { (found.name(player)) }
                    (elo_of_one(found.name(player), history))
                }
            }
        }
    }
}

fn elo_of_one(name: &str, history: &[(u64, Estimate)]) -> Markup {
    let history = thinned(history);
    let Some((games, last)) = history.last() else { return html! {} };
    let (bottom, top) = elo_scale(&history);
    let frame =
        Frame { x: Axis::counting("games", 0.0, *games as f64), y: Axis::new("Elo", bottom, top) };
    // Far outside, and still finite.
    let (below, above) = (2.0 * bottom - top, 2.0 * top - bottom);
    let bounds = |(games, elo): &(u64, Estimate)| {
        (*games as f64, elo.low.unwrap_or(below).max(below), elo.high.unwrap_or(above).min(above))
    };
    let bounds: Vec<_> = history.iter().map(bounds).collect();
    let line: Vec<_> = history.iter().map(|(games, elo)| (*games as f64, elo.value)).collect();
    let zero = frame.line("zero", &[(0.0, 0.0), (*games as f64, 0.0)]);
    let marks = html! {
        (frame.band("s0", &bounds)) (frame.cuts("cut", &bounds)) (zero) (frame.line("s0", &line))
    };
    let text = format!(
        "Elo of {name} by games played, with 95 % intervals; at the end {:+.1}",
        last.value
    );
    frame.draw(&text, &marks)
}

/// The part of the Elo scale that is shown: the later part of the line, and the last interval as far as it is near.
///
/// The first intervals are too wide to show. After few games an interval may have no end.
fn elo_scale(history: &[(u64, Estimate)]) -> (f64, f64) {
    let later = history.iter().skip(history.len() / 3);
    let values = later.map(|(_, elo)| elo.value);
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    let Some((_, last)) = history.last() else { return (-LEAST_REACH, LEAST_REACH) };
    let reach = |end: Option<f64>| {
        end.map_or(MOST_REACH, |end| (end - last.value).abs().clamp(LEAST_REACH, MOST_REACH))
    };
    let low = low.min(last.value - reach(last.low));
    let high = high.max(last.value + reach(last.high));
    let margin = (high - low) / 10.0;
    (low - margin, high + margin)
}

/// A sample of the points that includes the last one.
fn thinned<T: Copy>(points: &[T]) -> Vec<T> {
    let step = points.len().div_ceil(MOST_POINTS).max(1);
    let skipped = points.len().saturating_sub(1) % step;
    points.iter().copied().skip(skipped).step_by(step).collect()
}

/// The lengths of the games.
pub(super) fn lengths(found: &Match) -> Markup {
    let plies = || found.games.values().map(|game| game.end.plies);
    let Some((least, most)) = plies().min().zip(plies().max()) else { return html! {} };
    let width = ((most - least) / BARS + 1).max(1);
    let mut bars: BTreeMap<u64, u64> = BTreeMap::new();
    plies().for_each(|plies| *bars.entry((plies - least) / width).or_default() += 1);
    let bars: Vec<(u64, u64, u64)> =
        bars.into_iter().map(|(bar, games)| (least + bar * width, width, games)).collect();
    let tallest = bars.iter().map(|(_, _, games)| *games).max().unwrap_or(0);
    let end = bars.last().map_or(0, |(from, width, _)| from + width);
    let frame = Frame {
        x: Axis::counting("plies", least as f64, end as f64),
        y: Axis::counting("games", 0.0, tallest as f64),
    };
    let marks = html! {
        @for (from, width, games) in &bars {
            (frame.bar(*from as f64, (from + width) as f64, *games as f64, &format!("{}: {games}", range(*from, *width))))
        }
    };
    html! {
        figure {
            figcaption { "Length of the games" }
            (frame.draw(&format!("Histogram of the lengths of games, from {least} to {most} plies"), &marks))
            details {
                summary { "as a table" }
                (table(&["plies", "games"], html! {
                    @for (from, width, games) in &bars {
                        tr { th scope="row" { (range(*from, *width)) } td { (games) } }
                    }
                }))
            }
        }
    }
}

fn range(from: u64, width: u64) -> String {
    if width == 1 { from.to_string() } else { format!("{from}–{}", from + width - 1) }
}

/// The time per move in the course of the game.
pub(super) fn time_along_the_game(found: &Match) -> Markup {
    let ranking = &found.ranking.order;
    let lines: Vec<(usize, Vec<(f64, f64)>)> = ranking
        .iter()
        .take(MOST_LINES)
        .map(|&player| (player, found.times[player].along_ms()))
        .filter(|(_, points)| points.len() > 1)
        .collect();
    if lines.is_empty() {
        return html! {};
    }
    let all = || lines.iter().flat_map(|(_, points)| points);
    let most = |of: fn(&(f64, f64)) -> f64| all().map(of).fold(0.0, f64::max);
    let frame = Frame {
        x: Axis::counting("ply", 0.0, most(|(ply, _)| *ply)),
        y: Axis::new("ms", 0.0, most(|(_, ms)| *ms)),
    };
    let marks = html! {
        @for (index, (_, points)) in lines.iter().enumerate() { (frame.line(&format!("s{index}"), points)) }
    };
    html! {
        figure {
            figcaption { "Mean time of a move along the game" }
            (frame.draw("Mean time of a move, in milliseconds, by ply, for each player", &marks))
            ul class="legend" {
                @for (index, (player, _)) in lines.iter().enumerate() {
                    li class=(format!("s{index}")) { (found.name(*player)) }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{elo_scale, thinned};
    use leap_match::stats::Estimate;

    #[test]
    fn wide_intervals_do_not_flatten_the_line() {
        let elo = |value: f64, error: Option<f64>| Estimate {
            value,
            low: error.map(|error| value - error),
            high: error.map(|error| value + error),
        };
        let early = [(1, elo(900.0, Some(4000.0))), (2, elo(-700.0, None))];
        let last =
            [(3, elo(60.0, Some(90.0))), (4, elo(40.0, Some(80.0))), (5, elo(50.0, Some(70.0)))];
        let settled = [&early[..], &last, &last].concat();
        let (low, high) = elo_scale(&settled);
        assert!(low < -20.0 && high > 120.0, "the last interval is shown whole: {low} {high}");
        assert!(low > -100.0 && high < 200.0, "the first are cut off: {low} {high}");
        let unbounded = [(1, elo(300.0, None)), (2, elo(310.0, None))];
        let (low, high) = elo_scale(&unbounded);
        assert!(low > -100.0 && high < 700.0, "{low} {high}");
    }

    #[test]
    fn thinned_lines_are_short_and_keep_their_end() {
        for length in [0, 1, 59, 60, 61, 119, 1000] {
            let points: Vec<usize> = (0..length).collect();
            let thin = thinned(&points);
            assert!(thin.len() <= 60, "{length}");
            assert_eq!(thin.last(), points.last(), "{length}");
        }
    }
}
