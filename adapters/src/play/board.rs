//! Drawing the board with characters.

use leap_protocol::payload::Player;
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use ratatui::style::{Color, Modifier, Style};

use super::scene::{Mark, Scene};
use crate::game::{Board, Piece};
use crate::notation::{seen_from, square_index};

/// Space for the rank numbers, in columns, and for the file letters, in rows.
const MARGIN: u16 = 3;
const BELOW: u16 = 1;

// From the 256 colours that nearly all terminals support.
const WOOD: Color = Color::Indexed(180);
const DARK_WOOD: Color = Color::Indexed(137);
const LINE: Color = Color::Indexed(94);
const WHITE: Color = Color::Indexed(231);
const BLACK: Color = Color::Indexed(16);
const HERE: Color = Color::Indexed(117);
const TARGET: Color = Color::Indexed(22);
const VICTIM: Color = Color::Indexed(203);
const TRACE: Color = Color::Indexed(186);

/// The style of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    /// Cells with lines between them.
    Lined,
    /// Cells in two colours, where space is tight.
    Chequered,
    /// Points that are joined by lines.
    Points,
}

/// The positions of all parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    manner: Manner,
    files: u16,
    ranks: u16,
    bottom: Player,
}

impl Layout {
    /// The best layout that fits.
    pub(super) fn new(board: &Board, bottom: Player, room: Size) -> Option<Self> {
        Self::all(board, bottom).find(|layout| {
            let size = layout.size();
            size.width <= room.width && size.height <= room.height
        })
    }

    /// The smallest space that a board needs.
    pub(super) fn least(board: &Board) -> Size {
        Self::all(board, Player::P1).last().map(|layout| layout.size()).unwrap_or_default()
    }

    /// All layouts of a board, from the largest to the smallest.
    fn all(board: &Board, bottom: Player) -> impl Iterator<Item = Self> {
        let (files, ranks) = (board.files as u16, board.ranks as u16);
        let manners: &[Manner] =
            if board.points { &[Manner::Points] } else { &[Manner::Lined, Manner::Chequered] };
        manners.iter().map(move |&manner| Self { manner, files, ranks, bottom })
    }

    /// The columns and rows that the board takes.
    pub(super) fn size(&self) -> Size {
        let Self { manner, files, ranks, .. } = *self;
        let (width, height) = match manner {
            Manner::Lined => (4 * files + 1, 2 * ranks + 1),
            Manner::Chequered => (3 * files, ranks),
            Manner::Points => (4 * files - 1, 2 * ranks - 1),
        };
        Size::new(width + MARGIN, height + BELOW)
    }

    /// The centre of a square, counted from the upper left; `None` if it is not on the board.
    fn middle(&self, square: &str) -> Option<(u16, u16)> {
        let (rank, file) = seen_from(self.bottom, square, (self.ranks.into(), self.files.into()))?;
        let (column, row) = (u16::try_from(file).ok()? - 1, self.ranks - u16::try_from(rank).ok()?);
        Some(match self.manner {
            Manner::Lined => (MARGIN + 4 * column + 2, 2 * row + 1),
            Manner::Chequered => (MARGIN + 3 * column + 1, row),
            Manner::Points => (MARGIN + 4 * column + 1, 2 * row),
        })
    }
}

/// Draws the board at the upper left of the area, which must have space for the layout.
pub(super) fn draw(scene: &Scene, layout: &Layout, area: Rect, buffer: &mut Buffer) {
    let pen = Pen { scene, layout, area };
    pen.background(buffer);
    match layout.manner {
        Manner::Lined => pen.grid(buffer),
        Manner::Chequered => {}
        Manner::Points => pen.joints(buffer),
    }
    pen.coordinates(buffer);
    for square in scene.placement.squares() {
        pen.square(&square, buffer);
    }
}

struct Pen<'a> {
    scene: &'a Scene<'a>,
    layout: &'a Layout,
    area: Rect,
}

impl Pen<'_> {
    fn put(&self, buffer: &mut Buffer, at: (u16, u16), text: &str, style: Style) {
        let style =
            if self.scene.has_colour { style } else { Style { fg: None, bg: None, ..style } };
        buffer.set_string(self.area.x + at.0, self.area.y + at.1, text, style);
    }

    fn background(&self, buffer: &mut Buffer) {
        let size = self.layout.size();
        let blank = " ".repeat(usize::from(size.width - MARGIN));
        for row in 0..size.height - BELOW {
            self.put(buffer, (MARGIN, row), &blank, Style::new().bg(WOOD));
        }
    }

    /// The lines between cells.
    fn grid(&self, buffer: &mut Buffer) {
        let (width, height) = (4 * self.layout.files, 2 * self.layout.ranks);
        for row in 0..=height {
            let [left, middle, right] = match row {
                0 => ["┌", "┬", "┐"],
                row if row == height => ["└", "┴", "┘"],
                _ => ["├", "┼", "┤"],
            };
            for column in 0..=width {
                let text = match (column % 4 == 0, row % 2 == 0) {
                    (true, true) if column == 0 => left,
                    (true, true) if column == width => right,
                    (true, true) => middle,
                    (true, false) => "│",
                    (false, true) => "─",
                    (false, false) => continue,
                };
                let style = Style::new().fg(LINE).bg(WOOD);
                self.put(buffer, (MARGIN + column, row), text, style);
            }
        }
    }

    /// The lines between adjacent points.
    fn joints(&self, buffer: &mut Buffer) {
        for [from, to] in &self.scene.board.lines {
            let ends = self.layout.middle(from).zip(self.layout.middle(to));
            let Some(((x1, y1), (x2, y2))) = ends else { continue };
            if x1.abs_diff(x2) > 4 || y1.abs_diff(y2) > 2 {
                continue;
            }
            let middle = (u16::midpoint(x1, x2), u16::midpoint(y1, y2));
            let falls = (x1 < x2) == (y1 < y2);
            let before = buffer.cell((self.area.x + middle.0, self.area.y + middle.1));
            let is_crossed = before.is_some_and(|cell| ["╲", "╱"].contains(&cell.symbol()));
            let (at, text) = match (x1 == x2, y1 == y2) {
                (true, _) => (middle, "│"),
                (_, true) => ((middle.0 - 1, middle.1), "───"),
                _ if is_crossed => (middle, "╳"),
                _ if falls => (middle, "╲"),
                _ => (middle, "╱"),
            };
            self.put(buffer, at, text, Style::new().fg(LINE).bg(WOOD));
        }
    }

    fn coordinates(&self, buffer: &mut Buffer) {
        let below = self.layout.size().height - BELOW;
        for rank in 1..=self.layout.ranks {
            if let Some((_, y)) = self.layout.middle(&format!("a{rank}")) {
                self.put(buffer, (0, y), &format!("{rank:>2}"), Style::new());
            }
        }
        for file in ('a'..='z').take(usize::from(self.layout.files)) {
            if let Some((x, _)) = self.layout.middle(&format!("{file}1")) {
                self.put(buffer, (x, below), &file.to_string(), Style::new());
            }
        }
    }

    /// The contents of a square, with its mark on both sides.
    fn square(&self, square: &str, buffer: &mut Buffer) {
        let Some((x, y)) = self.layout.middle(square) else { return };
        let mark = self.scene.marks.get(square).copied();
        let text = self.scene.placement.get(square);
        let piece = text.and_then(|text| self.scene.board.pieces.get(text));
        let (mut glyph, mut style) = match (text, piece) {
            (None, _) => (self.empty(), Style::new().fg(LINE)),
            (Some(text), None) => (text.to_owned(), Style::new()),
            (Some(text), Some(piece)) => dress(text, piece, self.scene),
        };
        if mark == Some(Mark::Target) && text.is_none() {
            (glyph, style) = ("•".to_owned(), Style::new().fg(TARGET));
        }
        let ground = match mark {
            Some(Mark::Here) => HERE,
            Some(Mark::Victim) => VICTIM,
            Some(Mark::Trace) => TRACE,
            Some(Mark::Target) | None => self.ground(square),
        };
        let style = Style::new().bg(ground).patch(style).add_modifier(Modifier::BOLD);
        let [left, right] = match mark {
            _ if self.scene.cursor == square => ["[", "]"],
            Some(Mark::Here) => ["(", ")"],
            Some(Mark::Victim) => ["x", "x"],
            Some(Mark::Target) if text.is_some() => ["<", ">"],
            _ => [" ", " "],
        };
        let is_bare = text.is_none() && left == " " && self.layout.manner == Manner::Points;
        // If there are lines between the cells, a background colour fills the whole cell.
        let is_filled = mark.is_none() && self.layout.manner == Manner::Lined;
        let beside = style.bg.filter(|_| is_filled).unwrap_or(ground);
        let edge = Style::new().fg(BLACK).bg(beside).add_modifier(Modifier::BOLD);
        self.put(buffer, (x, y), &glyph, style);
        if !is_bare {
            self.put(buffer, (x - 1, y), left, edge);
            self.put(buffer, (x + 1, y), right, edge);
        }
    }

    fn empty(&self) -> String {
        if self.layout.manner == Manner::Points { "·" } else { " " }.to_owned()
    }

    fn ground(&self, square: &str) -> Color {
        let index = square_index(square).unwrap_or_default();
        let is_dark = (index.0 + index.1).is_multiple_of(2);
        if self.layout.manner == Manner::Chequered && is_dark { DARK_WOOD } else { WOOD }
    }
}

/// The symbol of a piece: a square if it is turned over, a disc if each player has only one kind, a letter if there are
/// more, and the value if the piece is neutral.
fn dress(text: &str, piece: &Piece, scene: &Scene) -> (String, Style) {
    let Some(player) = piece.player() else {
        let (ground, ink) = match piece.name.as_str() {
            "green" => (Color::Indexed(29), WHITE),
            "yellow" => (Color::Indexed(220), BLACK),
            "red" => (Color::Indexed(124), WHITE),
            "blue" => (Color::Indexed(25), WHITE),
            _ => (Color::Indexed(244), BLACK),
        };
        return (piece.value.to_string(), Style::new().fg(ink).bg(ground));
    };
    let is_light = scene.board.is_light(player);
    let style = Style::new().fg(if is_light { WHITE } else { BLACK });
    let kinds = scene.board.pieces.values().filter(|other| other.player() == Some(player));
    let glyph = match kinds.count() {
        _ if text.ends_with('~') => disc("□■", is_light, scene),
        1 => disc("○●", is_light, scene),
        _ => text.to_owned(),
    };
    (glyph, style)
}

/// The filled form or, without colours, the form that distinguishes light from dark.
fn disc(forms: &str, is_light: bool, scene: &Scene) -> String {
    let is_hollow = is_light && !scene.has_colour;
    forms.chars().nth(usize::from(!is_hollow)).unwrap_or('?').to_string()
}
