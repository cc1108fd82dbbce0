//! `index.html`: the games with their graphs and their worst moves. It needs no script, no network and no other file.

mod board;

use leap_board::Board;
use leap_protocol::payload::Side;
use leap_records::{Outcome, Score};
use leap_report::chart::{Axis, Frame};
use leap_report::sheet;
use maud::{Markup, html};

use crate::engine::Found;
use crate::json::Failed;
use crate::judgement::{Choice, Label};
use crate::review::Review;
use crate::store::Conditions;
use board::{Boards, Picture};

const STYLE: &str = include_str!("page/page.css");
/// Forbids the page to load or run anything, whatever names it contains.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";
/// The most moves of a game that are shown with a board.
const MOST_WORST: usize = 5;
/// Stands for a missing figure.
const NOTHING: &str = "–";

/// How every page begins.
pub(crate) fn mark() -> String {
    sheet::mark(&head())
}

fn head() -> Markup {
    html! {
        (sheet::head(POLICY))
        meta name="generator" content="leap analyse";
    }
}

/// All that the page shows.
pub(crate) struct Page<'a> {
    pub(crate) conditions: &'a Conditions,
    pub(crate) reviews: &'a [Review<'a>],
    pub(crate) failed: &'a [Failed],
    /// The most games that are shown with graph and boards.
    pub(crate) shown: usize,
}

impl Page<'_> {
    /// The whole page.
    pub(crate) fn render(&self) -> String {
        let shown = &self.reviews[..self.shown.min(self.reviews.len())];
        let boards = Boards::of(shown.iter().map(|review| &review.examined.board[..]));
        let title = format!("Analysis by {}", self.conditions.engine);
        let body = html! {
            (boards.pieces())
            header { h1 { (title) } (self.facts()) }
            main {
                (self.list(shown.len()))
                (self.failures())
                @for review in shown { (GameSection { review, boards: &boards }.markup()) }
            }
        };
        sheet::document(&head(), &title, STYLE, &body)
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
                 mistake 10 %, a blunder 20 %. Accuracy is 100 for a side that loses nothing."
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
            td { @if is_shown { a href=(format!("#game-{number}")) { (number) } } @else { (number) } }
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

fn percent(chance: f64) -> String {
    format!("{:.0} %", 100.0 * chance)
}

/// A game with its graph and its worst moves.
struct GameSection<'a> {
    review: &'a Review<'a>,
    boards: &'a Boards,
}

impl GameSection<'_> {
    fn markup(&self) -> Markup {
        let Review { game, .. } = self.review;
        let id = format!("game-{}", game.number);
        let [p1, p2] = [Side::P1, Side::P2].map(|side| game.player(side));
        let worst = self.review.worst(MOST_WORST);
        html! {
            section class="game" aria-labelledby=(id) {
                h2 id=(id) { (game.number) ". " (p1) " – " (p2) " " (result(self.review)) }
                p class="quiet" {
                    @if let Some(id) = &game.stored.id { (id) ", " }
                    (game.place(None))
                }
                div class="charts" {
                    figure { (self.graph()) }
                    (self.sides())
                }
                @if worst.is_empty() { p { "No move lost as much as 5 %." } }
                ol class="worst" { @for index in worst { (self.bad_move(index)) } }
            }
        }
    }

    /// The winning chances of p1 by plies, with a dot at each labelled move.
    fn graph(&self) -> Markup {
        let positions = &self.review.examined.positions;
        let last = self.review.choices.len() as f64;
        let frame = Frame {
            x: Axis::counting("ply", 0.0, last),
            y: Axis::new("chance of p1, %", 0.0, 100.0),
        };
        let points: Vec<(f64, f64)> = (0_u32..)
            .zip(positions)
            .map(|(ply, position)| (f64::from(ply), 100.0 * position.chance(Side::P1)))
            .collect();
        let labelled = self
            .review
            .choices
            .iter()
            .enumerate()
            .filter_map(|(index, (_, choice))| Some((index, choice, choice.label()?)));
        let marks = html! {
            (frame.line("zero", &[(0.0, 50.0), (last, 50.0)]))
            (frame.line("s0", &points))
            @for (index, choice, label) in labelled {
                @let (x, y) = points[index + 1];
                (frame.dot(label.as_str(), x, y, &self.said(index, choice, label)))
            }
        };
        let end = points.last().map_or(50.0, |(_, chance)| *chance);
        frame.draw(&format!("Winning chances of p1 by plies; at the end {end:.0} %"), &marks)
    }

    /// A move in words: `12. a1b2 by p1: mistake, 61 % to 48 %`.
    fn said(&self, index: usize, choice: &Choice, label: Label) -> String {
        let (mv, side) = (&self.review.examined.moves[index], self.review.choices[index].0);
        let [before, after] = [choice.before, choice.after].map(percent);
        format!("{}. {mv} by {side}: {}, {before} to {after}", index + 1, label.as_str())
    }

    fn sides(&self) -> Markup {
        html! {
            table {
                thead {
                    tr {
                        th scope="col" { "side" }
                        th scope="col" { "accuracy" }
                        th scope="col" { "inaccuracies" }
                        th scope="col" { "mistakes" }
                        th scope="col" { "blunders" }
                    }
                }
                tbody {
                    @for side in [Side::P1, Side::P2] {
                        tr {
                            th scope="row" { (self.review.game.player(side)) }
                            td { (accuracy(self.review, side)) }
                            @for count in self.review.side(side).labels { td { (count) } }
                        }
                    }
                }
            }
        }
    }

    /// A labelled move: the board before it, what was played and what was better.
    fn bad_move(&self, index: usize) -> Markup {
        let (_, choice) = self.review.choices[index];
        let Some(label) = choice.label() else { return html! {} };
        let before = self.review.before(index);
        let line = before.found.as_ref().map_or(&[][..], |found| &found.line);
        let better = line.first().map(String::as_str);
        let picture = Picture {
            before: before.fen.as_deref(),
            after: self.review.after(index).fen.as_deref(),
            better,
        };
        html! {
            li {
                (self.boards.draw(&self.review.examined.board, &picture))
                div {
                    p { strong class=(label.as_str()) { (self.said(index, &choice, label)) } }
                    @if let Some(found) = &before.found {
                        p { "Better: " strong { (better.unwrap_or(NOTHING)) } " (" (evaluation(found)) ")" }
                        p class="quiet" { (line.join(" ")) }
                    }
                }
            }
        }
    }
}

/// A score with its depth.
fn evaluation(found: &Found) -> String {
    let score = match found.score {
        Score::Cp(cp) => format!("{:+.2}", f64::from(cp) / 100.0).replace('-', "–"),
        Score::Mate(moves) => format!("mate {moves}").replace('-', "–"),
    };
    found.depth.map_or(score.clone(), |depth| format!("{score}, depth {depth}"))
}

/// The board that an engine describes in these lines, if it has squares.
fn board_of(lines: &[String]) -> Option<Board> {
    let board = Board::parse(lines);
    (board.files > 0 && board.ranks > 0).then_some(board)
}
