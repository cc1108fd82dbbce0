//! Boards as pictures without a script.

use std::collections::BTreeSet;

use leap_board::{Board, squares};
use leap_client::notation::Placement;
use leap_report::sheet;
use maud::{Markup, html};

use super::board_of;

/// The boards of a page, each drawn once and used by all of its positions.
pub(super) struct Boards {
    /// The lines that an engine has told, and what they describe.
    all: Vec<(Vec<String>, Board)>,
}

/// A position to draw.
pub(super) struct Picture<'a> {
    /// The position text before the move, and the one after it.
    pub(super) before: Option<&'a str>,
    pub(super) after: Option<&'a str>,
    /// The move that was better.
    pub(super) better: Option<&'a str>,
}

impl Boards {
    pub(super) fn of<'a>(told: impl Iterator<Item = &'a [String]>) -> Self {
        let mut all: Vec<(Vec<String>, Board)> = Vec::new();
        for lines in told {
            if all.iter().all(|(known, _)| known != lines)
                && let Some(board) = board_of(lines)
            {
                all.push((lines.to_vec(), board));
            }
        }
        Self { all }
    }

    /// The pieces and the empty boards, to be used by the positions.
    pub(super) fn pieces(&self) -> Markup {
        html! {
            @for (index, (_, board)) in self.all.iter().enumerate() {
                (sheet::pieces(board, &prefix(index)))
                svg class="pieces" aria-hidden="true" {
                    symbol id=(format!("board-{index}")) viewBox=(view_box(board)) { (empty(board)) }
                }
            }
        }
    }

    /// A position: changed squares are marked, those of the better move framed. Nothing where the position is unknown.
    pub(super) fn draw(&self, lines: &[String], picture: &Picture<'_>) -> Markup {
        let known = self.all.iter().position(|(known, _)| known == lines);
        let position = picture.before.and_then(placement);
        let (Some(index), Some(position)) = (known, position) else { return html! {} };
        let board = &self.all[index].1;
        let names = position.squares();
        let changed = changed(&position, picture.after.and_then(placement));
        let better: BTreeSet<String> =
            picture.better.map(squares).unwrap_or_default().into_iter().collect();
        let (width, height) = (board.files as f64 + 0.6, board.ranks as f64 + 0.6);
        html! {
            svg class="board" viewBox=(view_box(board)) role="img" aria-label="the position before the move" {
                use href=(format!("#board-{index}")) x="-.5" y="-.1" width=(width) height=(height) {}
                @for (name, piece) in names.iter().zip(position.contents()) {
                    @if let Some((x, y)) = place(name, board) {
                        @if changed.contains(name) { rect class="played" x=(x) y=(y) width="1" height="1" {} }
                        @if better.contains(name) { rect class="better" x=(x + 0.05) y=(y + 0.05) width=".9" height=".9" {} }
                        @if let Some(piece) = piece {
                            use href=(format!("#{}-{piece}", prefix(index))) x=(x) y=(y) width="1" height="1" {}
                        }
                    }
                }
            }
        }
    }
}

fn prefix(index: usize) -> String {
    format!("piece{index}")
}

fn view_box(board: &Board) -> String {
    format!("-.5 -.1 {} {}", board.files as f64 + 0.6, board.ranks as f64 + 0.6)
}

fn placement(fen: &str) -> Option<Placement> {
    Placement::parse(fen.split_whitespace().next()?)
}

/// The squares whose contents a move has changed.
fn changed(before: &Placement, after: Option<Placement>) -> BTreeSet<String> {
    let Some(after) = after else { return BTreeSet::new() };
    let names = before.squares();
    if names != after.squares() {
        return BTreeSet::new();
    }
    let pairs = names.into_iter().zip(before.contents().zip(after.contents()));
    pairs.filter(|(_, (before, after))| before != after).map(|(name, _)| name).collect()
}

/// The left and the upper edge of a square; `None` if it is not on the board.
fn place(name: &str, board: &Board) -> Option<(f64, f64)> {
    let file = name.chars().next().filter(char::is_ascii_lowercase)?;
    let rank: usize = name.get(1..)?.parse().ok()?;
    let from_top = board.ranks.checked_sub(rank)?;
    Some((f64::from(u32::from(file) - u32::from('a')), from_top as f64))
}

/// The board without pieces.
fn empty(board: &Board) -> Markup {
    let (files, ranks) = (board.files, board.ranks);
    let centre = |name: &str| place(name, board).map(|(x, y)| (x + 0.5, y + 0.5));
    let wires = board.lines.iter().filter_map(|[a, b]| Some((centre(a)?, centre(b)?)));
    html! {
        @if board.has_points() {
            @for ((x1, y1), (x2, y2)) in wires { line class="wire" x1=(x1) y1=(y1) x2=(x2) y2=(y2) {} }
        }
        @for rank in 0..ranks {
            @for file in 0..files {
                @if board.has_points() {
                    circle class="point" cx=(file as f64 + 0.5) cy=(rank as f64 + 0.5) r=".07" {}
                } @else {
                    @let class = if (file + ranks - rank) % 2 == 0 { "cell" } else { "cell other" };
                    rect class=(class) x=(file) y=(rank) width="1" height="1" {}
                }
            }
            text class="edge" x="-.25" y=(rank as f64 + 0.6) { (ranks - rank) }
        }
        @for (file, letter) in ('a'..='z').take(files).enumerate() {
            text class="edge" x=(file as f64 + 0.5) y=(ranks as f64 + 0.35) { (letter) }
        }
    }
}
