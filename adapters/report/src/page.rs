//! The HTML page. Everything that comes from outside is escaped by `maud`.

use std::collections::BTreeMap;

use leap_match::events::{Fault, StopReason};
use leap_match::stats::Summary;
use leap_match::stats::sprt::{Model, Sprt, Status};
use maud::{Markup, html};

use super::charts;
use super::figures::{
    NOTHING, bars, cross_cell, estimate, figure, listed, pairs, percent, result, table,
};
use super::games::{Match, PlayedGame};
use super::replay;
use super::sheet::{self, Games, anchor};

/// The most faults that are listed individually.
const MOST_FAULTS: usize = 200;

/// A match, and the lines that describe its board; none if no engine tells.
pub(super) struct Page<'a> {
    pub(super) found: &'a Match,
    pub(super) board: Vec<String>,
}

impl Page<'_> {
    /// The whole page.
    pub(super) fn render(self) -> String {
        let title = self.title();
        let body = html! {
            header { h1 { (title) } (self.facts()) }
            main {
                (self.standings())
                (self.cross_table())
                (self.progress())
                (self.games())
                (self.times())
                (self.faults())
                (self.replays())
            }
        };
        let games = replay::replays(self.found).map(|game| (0, game)).collect();
        sheet::document(&title, &body, &Games { boards: vec![self.board], games })
    }

    fn title(&self) -> String {
        let config = &self.found.run.config;
        let game = config.game.as_deref().unwrap_or("match");
        let names: Vec<&str> = config.engines.iter().map(|engine| engine.name.as_str()).collect();
        match names[..] {
            [a, b] => format!("{game}: {a} – {b}"),
            _ => format!("{game}: {} players", names.len()),
        }
    }

    fn facts(&self) -> Markup {
        let run = &self.found.run;
        let played = self.found.games.len();
        let state = match self.found.stop {
            Some(StopReason::Complete) => "complete",
            Some(StopReason::Sprt) => "ended by the sequential test",
            Some(StopReason::Drained) => "stopped before its end",
            None => "not ended",
        };
        let options: Vec<String> =
            run.config.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        html! {
            p {
                span id="games-played" { (played) }
                @if let Some(games) = run.games { " of " (games) }
                " games, " (state) "; begun " time datetime=(run.time) { (run.time) } ", " (run.by) "."
            }
            @if !options.is_empty() { p { "Options: " (options.join(", ")) } }
            p class="quiet" { "Plan " code { (run.plan) } }
        }
    }

    fn standings(&self) -> Markup {
        html! {
            section aria-labelledby="standings" {
                h2 id="standings" { "Standings" }
                div class="wide" {
                    (table(&["#", "engine", "limit", "games", "won", "drawn", "lost", "points", "%", "Elo",
                        "normalized Elo", "LOS", "pairs 0–2", "faults"], html! {
                        @for (place, player) in self.found.ranking.order.iter().copied().enumerate() {
                            (self.standing(place + 1, player))
                        }
                    }))
                }
                p class="quiet" {
                    "Elo is against all opponents together, with its 95 % interval, and from pairs of games where there are \
                     any. Normalized Elo is the score in deviations of a game. LOS is the likelihood of being the stronger."
                }
                @if let Some(knockout) = &self.found.ranking.knockout {
                    @for line in knockout.lines() { p { (line) } }
                }
                @if let Some((test, status)) = self.sprt() { (sprt(&test, &status)) }
            }
        }
    }

    fn standing(&self, place: usize, player: usize) -> Markup {
        let record = &self.found.statistics.ratings.results[player];
        let Summary { games, points, score, elo, normalized_elo, los, .. } = record.summary();
        let limit = self.found.run.config.engines[player].limit.to_string();
        html! {
            tr {
                td { (place) }
                th scope="row" { (self.found.name(player)) }
                td class="text" { (limit) }
                td { (games) }
                td { (record.games.wins) }
                td { (record.games.draws) }
                td { (record.games.losses) }
                td { (points) }
                td { (percent(score)) }
                td { (estimate(elo)) }
                td { (estimate(normalized_elo)) }
                td { (percent(los)) }
                td { (pairs(record)) }
                td class="text" { (listed(&self.found.statistics.ratings.faults[player])) }
            }
        }
    }

    /// The sequential test of the first player against the second.
    fn sprt(&self) -> Option<(Sprt, Status)> {
        let config = &self.found.run.config;
        let test = config.sprt.filter(|_| config.engines.len() == 2)?;
        Some((test, self.found.statistics.ratings.results.first()?.sprt(&test)))
    }

    fn cross_table(&self) -> Markup {
        let ranking = &self.found.ranking.order;
        html! {
            section aria-labelledby="cross" {
                h2 id="cross" { "Cross table" }
                div class="wide" {
                    table {
                        thead {
                            tr {
                                td {}
                                @for column in ranking { th scope="col" { (self.found.name(*column)) } }
                            }
                        }
                        tbody {
                            @for row in ranking {
                                tr {
                                    th scope="row" { (self.found.name(*row)) }
                                    @for column in ranking { (cross_cell(&self.found.statistics.ratings.cross[*row][*column])) }
                                }
                            }
                        }
                    }
                }
                p class="quiet" { "Points of the row's engine, and its games won, drawn and lost." }
            }
        }
    }

    fn progress(&self) -> Markup {
        html! {
            section aria-labelledby="progress" {
                h2 id="progress" { "Elo in the course of the match" }
                (charts::elo_over_time(self.found))
                p class="quiet" {
                    "The shaded area is the 95 % interval. Where it is cut off, the edge is dashed."
                    @if self.found.statistics.histories.len() > charts::MOST_LINES {
                        " The best " (charts::MOST_LINES) " players."
                    }
                }
            }
        }
    }

    fn games(&self) -> Markup {
        let mut reasons: BTreeMap<String, u64> = BTreeMap::new();
        self.found.games.values().for_each(|game| *reasons.entry(game.end.why()).or_default() += 1);
        let [p1, drawn, p2] = self.found.statistics.by_side;
        let all = self.found.games.len() as u64;
        let results = [("p1 won", p1), ("drawn", drawn), ("p2 won", p2)];
        html! {
            section aria-labelledby="lengths" {
                h2 id="lengths" { "Games" }
                div class="charts" {
                    (charts::lengths(self.found))
                    (bars("Ends of the games", all, reasons.iter().map(|(reason, games)| (reason.as_str(), *games))))
                    (bars("Results by side", all, results))
                }
            }
        }
    }

    fn times(&self) -> Markup {
        html! {
            section aria-labelledby="times" {
                h2 id="times" { "Time" }
                div class="wide" {
                    (table(&["engine", "moves", "mean ms", "median ms", "95 % ms", "longest ms", "mean depth",
                        "nodes/s"], html! {
                        @for &player in &self.found.ranking.order { (self.times_of(player)) }
                    }))
                }
                div class="charts" { (charts::time_along_the_game(self.found)) }
            }
        }
    }

    fn times_of(&self, player: usize) -> Markup {
        let times = &self.found.times[player];
        let quantiles = times.quantiles_ms([0.5, 0.95, 1.0]).map_or([None; 3], |ms| ms.map(Some));
        html! {
            tr {
                th scope="row" { (self.found.name(player)) }
                td { (times.moves()) }
                @for ms in [times.mean_ms()].into_iter().chain(quantiles) { td { (figure(ms, 2)) } }
                td { (figure(times.mean_depth(), 1)) }
                td { (figure(times.nodes_per_second(), 0)) }
            }
        }
    }

    fn faults(&self) -> Markup {
        let faults = &self.found.faults;
        html! {
            section aria-labelledby="faults" {
                h2 id="faults" { "Faults" }
                @if faults.is_empty() {
                    p { "None." }
                } @else {
                    div class="wide" {
                        (table(&["game", "engine", "kind", "what", "kept in"], html! {
                            @for fault in faults.iter().take(MOST_FAULTS) { (self.fault(fault)) }
                        }))
                    }
                    @if faults.len() > MOST_FAULTS { p { "The first " (MOST_FAULTS) " of " (faults.len()) "." } }
                }
            }
        }
    }

    fn fault(&self, fault: &Fault) -> Markup {
        html! {
            tr {
                td { a href=(anchor(fault.game)) { (fault.game) } }
                th scope="row" { (fault.engine.map_or(NOTHING, |engine| self.found.name(engine))) }
                td class="text" { (fault.kind) }
                td class="text" {
                    (fault.text)
                    @if let Some(delay) = fault.delay_us { " (delayed by the system: " (delay / 1000) " ms)" }
                    @if !fault.shown_by.is_empty() { pre { (fault.shown_by.join("\n")) } }
                }
                td class="text" { (fault.bundle.as_deref().unwrap_or(NOTHING)) }
            }
        }
    }

    /// The list of games, and the place where the script shows one.
    fn replays(&self) -> Markup {
        let kept = || self.found.games.values().filter(|game| game.moves.is_some());
        html! {
            section aria-labelledby="replay" {
                h2 id="replay" { "Step through a game" }
                (sheet::viewer())
                @if kept().count() < self.found.games.len() {
                    p { (kept().count()) " of " (self.found.games.len()) " games, those with faults first." }
                }
                div class="wide tall" tabindex="0" role="region" aria-label="List of games" {
                    (table(&["game", "p1", "p2", "result", "reason", "plies", "s"], html! {
                        @for game in kept() { (self.game(game)) }
                    }))
                }
            }
        }
    }

    fn game(&self, game: &PlayedGame) -> Markup {
        html! {
            tr {
                td { a href=(anchor(game.start.game)) { (game.start.game) } }
                td class="text" { (self.found.name(game.start.p1)) }
                td class="text" { (self.found.name(game.start.p2)) }
                td class="text" { (result(game.end.result)) }
                td class="text" { (game.end.why()) }
                td { (game.end.plies) }
                td { (figure(Some(game.end.time_us as f64 / 1e6), 1)) }
            }
        }
    }
}

fn sprt(test: &Sprt, status: &Status) -> Markup {
    let Status { llr, lower, upper, decision } = status;
    let found =
        decision.map_or("no decision yet".to_owned(), |decision| format!("{decision} accepted"));
    let model = match test.model {
        Model::Logistic => "logistic",
        Model::Normalized => "normalized",
    };
    html! {
        p id="sprt" {
            "SPRT, the first engine " (test.elo1) " " (model) " Elo stronger (H1) or " (test.elo0) " (H0): LLR "
            (format!("{llr:.2}")) " within (" (format!("{lower:.2}")) ", " (format!("{upper:.2}")) "), " (found) "."
        }
    }
}
