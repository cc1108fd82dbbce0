//! `index.html`: the list of games, and the viewer that shows each with its graph and its mistakes.

use leap_protocol::payload::Side;
use leap_records::Outcome;
use leap_report::sheet::{self, Games, anchor};
use maud::{Markup, html};

use crate::json::{self, Failed};
use crate::review::Review;
use crate::store::Conditions;

/// Stands for a missing figure.
const NOTHING: &str = "–";

/// All that the page shows.
pub(crate) struct Page<'a> {
    pub(crate) conditions: &'a Conditions,
    pub(crate) reviews: &'a [Review<'a>],
    pub(crate) failed: &'a [Failed],
    /// The most games that the viewer shows.
    pub(crate) shown: usize,
}

impl Page<'_> {
    /// The whole page.
    pub(crate) fn render(&self) -> String {
        let shown = &self.reviews[..self.shown.min(self.reviews.len())];
        let title = format!("Analysis by {}", self.conditions.engine);
        let body = html! {
            header { h1 { (title) } (self.facts()) }
            main {
                (self.list(shown.len()))
                (self.failures())
                section aria-labelledby="replay" {
                    h2 id="replay" { "Step through a game" }
                    (sheet::viewer())
                }
            }
        };
        sheet::document(&title, &body, &games(shown))
    }

    fn facts(&self) -> Markup {
        use crate::examine::Limit;
        let effort = self.conditions.effort;
        let limit = match effort.limit {
            Limit::Nodes(nodes) => format!("{nodes} nodes"),
            Limit::Movetime(ms) => format!("{ms} ms"),
            Limit::Depth(plies) => format!("depth {plies}"),
        };
        html! {
            p {
                (self.reviews.len()) " of " (self.conditions.games) " games; " (limit) " for each position"
                @if effort.second_look > 1 { ", " (effort.second_look) " times as much around doubtful moves" }
                "."
            }
            p class="quiet" {
                "The chance of a side is its expected share of the point. An inaccuracy loses at least 5 % of it, a \
                 mistake 10 %, a blunder 20 %. Accuracy is 100 for a side that loses nothing; moves of a decided game do not \
                 count."
            }
        }
    }

    fn list(&self, shown: usize) -> Markup {
        let heads = [
            "game",
            "p1",
            "p2",
            "result",
            "plies",
            "accuracy p1",
            "accuracy p2",
            "labels p1",
            "labels p2",
        ];
        html! {
            section aria-labelledby="games" {
                h2 id="games" { "Games" }
                div class="wide tall" tabindex="0" role="region" aria-label="List of games" {
                    table {
                        thead { tr { @for head in heads { th scope="col" { (head) } } } }
                        tbody {
                            @for (place, review) in self.reviews.iter().enumerate() { (row(review, place < shown)) }
                        }
                    }
                }
                p class="quiet" { "Labels: inaccuracies, mistakes, blunders." }
                @if shown < self.reviews.len() { p { "The first " (shown) " games are shown below." } }
            }
        }
    }

    fn failures(&self) -> Markup {
        html! {
            @if !self.failed.is_empty() {
                section aria-labelledby="failed" {
                    h2 id="failed" { "Not analysed" }
                    ul { @for failed in self.failed { li { (failed.place) ": " (failed.why) } } }
                }
            }
        }
    }
}

fn row(review: &Review<'_>, is_shown: bool) -> Markup {
    let number = review.game.number;
    let [p1, p2] = [Side::P1, Side::P2];
    html! {
        tr {
            td { @if is_shown { a href=(anchor(number)) { (number) } } @else { (number) } }
            td class="text" { (review.game.player(p1)) }
            td class="text" { (review.game.player(p2)) }
            td class="text" { (result(review)) }
            td { (review.choices.len()) }
            @for side in [p1, p2] { td { (accuracy(review, side)) } }
            @for side in [p1, p2] { td { (review.side(side).labels.map(|count| count.to_string()).join(" ")) } }
        }
    }
}

fn accuracy(review: &Review<'_>, side: Side) -> String {
    review.side(side).accuracy.map_or(NOTHING.to_owned(), |accuracy| format!("{accuracy:.1}"))
}

fn result(review: &Review<'_>) -> &'static str {
    match review.result() {
        Outcome::P1Win => "1–0",
        Outcome::P2Win => "0–1",
        Outcome::Draw => "½–½",
        Outcome::Void => NOTHING,
    }
}

/// The games for the viewer, and the boards that engines describe.
fn games<'a>(shown: &'a [Review<'a>]) -> Games<json::Game<'a>> {
    let mut boards: Vec<Vec<String>> = Vec::new();
    let games = shown.iter().map(|review| {
        let lines = &review.examined.board;
        let index = boards.iter().position(|board| board == lines).unwrap_or_else(|| {
            boards.push(lines.clone());
            boards.len() - 1
        });
        (index, json::game(review))
    });
    let games = games.collect();
    Games { boards, games }
}
