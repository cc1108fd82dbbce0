//! The diagrams of the page.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::chart::{Axis, Frame};
use super::games::Match;
use crate::stats::Estimate;

/// The most points of a line: more would not be visible.
const MOST_POINTS: usize = 60;
/// How many players get a line, best first.
pub(super) const MOST_LINES: usize = 8;
/// About how many bars a histogram has.
const BARS: u64 = 24;

/// Elo after each game of the best players, one diagram for each.
pub(super) fn elo_over_time(found: &Match) -> Markup {
    let ranking = found.statistics.ratings.ranking();
    let drawn = ranking
        .iter()
        .take(MOST_LINES)
        .map(|player| (*player, &found.statistics.histories[*player]));
    html! {
        div class="charts" {
            @for (player, history) in drawn.filter(|(_, history)| history.len() > 1) {
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
    // The first intervals are very wide. The scale follows the later ones.
    let reach = 3.0 * last.error().unwrap_or(0.0).max(20.0);
    let frame = Frame {
        x: Axis::new("games", 0.0, *games as f64),
        y: Axis::new("Elo", last.value - reach, last.value + reach),
    };
    let (bottom, top) = (last.value - 2.0 * reach, last.value + 2.0 * reach);
    let bounds = |(games, elo): &(u64, Estimate)| {
        (*games as f64, elo.low.unwrap_or(bottom).max(bottom), elo.high.unwrap_or(top).min(top))
    };
    let bounds: Vec<_> = history.iter().map(bounds).collect();
    let line: Vec<_> = history.iter().map(|(games, elo)| (*games as f64, elo.value)).collect();
    let zero = frame.line("zero", &[(0.0, 0.0), (*games as f64, 0.0)]);
    let marks = html! { (frame.band("s0", &bounds)) (zero) (frame.line("s0", &line)) };
    let text = format!(
        "Elo of {name} by games played, with 95 % intervals; at the end {:+.1}",
        last.value
    );
    frame.draw(&text, &marks)
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
        x: Axis::new("plies", least as f64, end as f64),
        y: Axis::new("games", 0.0, tallest as f64),
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
                table {
                    thead { tr { th scope="col" { "plies" } th scope="col" { "games" } } }
                    tbody {
                        @for (from, width, games) in &bars {
                            tr { th scope="row" { (range(*from, *width)) } td { (games) } }
                        }
                    }
                }
            }
        }
    }
}

fn range(from: u64, width: u64) -> String {
    if width == 1 { from.to_string() } else { format!("{from}–{}", from + width - 1) }
}

/// The time per move in the course of the game.
pub(super) fn time_along_the_game(found: &Match) -> Markup {
    let ranking = found.statistics.ratings.ranking();
    let lines: Vec<(usize, Vec<(f64, f64)>)> = ranking
        .into_iter()
        .take(MOST_LINES)
        .map(|player| (player, found.times[player].along_ms()))
        .filter(|(_, points)| points.len() > 1)
        .collect();
    if lines.is_empty() {
        return html! {};
    }
    let all = || lines.iter().flat_map(|(_, points)| points);
    let most = |of: fn(&(f64, f64)) -> f64| all().map(of).fold(0.0, f64::max);
    let frame = Frame {
        x: Axis::new("ply", 0.0, most(|(ply, _)| *ply)),
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
    use super::thinned;

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
