//! Drawing the board with characters.

use leap_board::Board;
use leap_client::notation::{seen_from, square_index};
use leap_protocol::payload::{BoardKind, Side};
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};

use super::scene::{Mark, Scene};

/// Space for the rank numbers, in columns, and for the file letters, in rows.
const MARGIN: u16 = 3;
const BELOW: u16 = 1;

// These are of the 256 colours that nearly all terminals support.
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
    /// Hexagons of this many columns. Each rank begins half a hexagon to the right of the rank below it (SPEC 9.32).
    Hexagons(u16),
}

/// The positions of all parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    manner: Manner,
    files: u16,
    ranks: u16,
    bottom: Side,
}

impl Layout {
    /// The best layout that fits.
    pub(super) fn new(board: &Board, bottom: Side, room: Size) -> Option<Self> {
        Self::all(board, bottom).find(|layout| {
            let size = layout.size();
            size.width <= room.width && size.height <= room.height
        })
    }

    /// The smallest space that a board needs.
    pub(super) fn least(board: &Board) -> Size {
        Self::all(board, Side::P1).last().map(|layout| layout.size()).unwrap_or_default()
    }

    /// All layouts of a board, from the largest to the smallest.
    fn all(board: &Board, bottom: Side) -> impl Iterator<Item = Self> {
        let (files, ranks) = (board.files as u16, board.ranks as u16);
        let manners: &[Manner] = match board.kind {
            BoardKind::Points => &[Manner::Points],
            BoardKind::Hexagons => &[Manner::Hexagons(4), Manner::Hexagons(3)],
            _ => &[Manner::Lined, Manner::Chequered],
        };
        manners.iter().map(move |&manner| Self { manner, files, ranks, bottom })
    }

    fn has_hexagons(&self) -> bool {
        matches!(self.manner, Manner::Hexagons(_))
    }

    /// Whether a dot stands for an empty square.
    fn is_dotted(&self) -> bool {
        self.manner == Manner::Points || self.has_hexagons()
    }

    /// The columns and rows that the board takes.
    pub(super) fn size(&self) -> Size {
        let Self { manner, files, ranks, .. } = *self;
        let (width, height) = match manner {
            Manner::Lined => (4 * files + 1, 2 * ranks + 1),
            Manner::Chequered => (3 * files, ranks),
            Manner::Points => (4 * files - 1, 2 * ranks - 1),
            Manner::Hexagons(columns) => (columns * files + columns * (ranks - 1) / 2, ranks),
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
            Manner::Hexagons(columns) => {
                let above = self.ranks - 1 - row;
                (MARGIN + columns * column + columns * above / 2 + 1, row)
            }
        })
    }
}

/// Draws the board at the upper left of the area, which must have space for the layout.
pub(super) fn draw(scene: &Scene, layout: &Layout, area: Rect, buffer: &mut Buffer) {
    let pen = Pen { scene, layout, area };
    pen.background(buffer);
    match layout.manner {
        Manner::Lined => pen.grid(buffer),
        Manner::Chequered | Manner::Hexagons(_) => {}
        Manner::Points => pen.joints(buffer),
    }
    pen.coordinates(buffer);
    let squares = scene.placement.squares().into_iter();
    for square in squares.filter(|square| !scene.board.holes.contains(square)) {
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
        if self.layout.has_hexagons() {
            return;
        }
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
        let last = ('a'..='z').nth(usize::from(self.layout.files) - 1).unwrap_or('a').to_string();
        for rank in 1..=self.layout.ranks {
            let square = if self.layout.bottom == Side::P1 { "a" } else { &last };
            if let Some((x, y)) = self.layout.middle(&format!("{square}{rank}")) {
                let left = if self.layout.has_hexagons() { x - MARGIN - 1 } else { 0 };
                self.put(buffer, (left, y), &format!("{rank:>2}"), Style::new());
            }
        }
        for file in ('a'..='z').take(usize::from(self.layout.files)) {
            let rank = if self.layout.bottom == Side::P1 { 1 } else { self.layout.ranks };
            if let Some((x, _)) = self.layout.middle(&format!("{file}{rank}")) {
                self.put(buffer, (x, below), &file.to_string(), Style::new());
            }
        }
    }

    /// The contents of a square, with its mark on both sides.
    fn square(&self, square: &str, buffer: &mut Buffer) {
        let Some((x, y)) = self.layout.middle(square) else { return };
        let mark = self.scene.marks.get(square).copied();
        let text = self.scene.placement.get(square);
        let Symbol { glyph, is_flipped, style } = match text {
            Some(text) => symbol(text, self.scene),
            None => self.empty(mark),
        };
        let ground = match mark {
            Some(Mark::Here | Mark::End) => HERE,
            Some(Mark::Victim) => VICTIM,
            Some(Mark::Trace) => TRACE,
            _ => self.ground(square),
        };
        let style = Style::new().bg(ground).patch(style).add_modifier(Modifier::BOLD);
        let is_cursor = self.scene.cursor == square;
        let is_marked = text.is_some() || self.layout.is_dotted();
        let sides = mark.filter(|_| is_marked).and_then(Mark::sides);
        let sides = sides.or(is_cursor.then_some(["[", "]"]));
        let [left, right] = sides.unwrap_or([" ", " "]);
        // If there are lines between the cells, a background colour fills the whole cell.
        let is_filled = ground == self.ground(square) && self.layout.manner == Manner::Lined;
        let beside = style.bg.filter(|_| is_filled).unwrap_or(ground);
        let mut edge = Style::new().fg(BLACK).bg(beside).add_modifier(Modifier::BOLD);
        if is_cursor {
            // The piece is not reversed: that would exchange light and dark.
            edge = edge.add_modifier(Modifier::REVERSED);
        }
        self.put(buffer, (x, y), &glyph, style);
        if text.is_some() || sides.is_some() || self.layout.manner != Manner::Points {
            self.put(buffer, (x - 1, y), left, edge);
            self.put(buffer, (x + 1, y), if is_flipped { FLIPPED } else { right }, edge);
        }
    }

    /// An empty square.
    fn empty(&self, mark: Option<Mark>) -> Symbol {
        let marked = mark.and_then(Mark::glyph).map(|glyph| (glyph, TARGET));
        let bare = if self.layout.is_dotted() { "·" } else { " " };
        let (glyph, colour) = marked.unwrap_or((bare, LINE));
        Symbol { glyph: glyph.to_owned(), is_flipped: false, style: Style::new().fg(colour) }
    }

    fn ground(&self, square: &str) -> Color {
        let index = square_index(square).unwrap_or_default();
        let is_dark = (index.0 + index.1).is_multiple_of(2);
        if self.layout.manner == Manner::Chequered && is_dark { DARK_WOOD } else { WOOD }
    }
}

/// What stands for a piece, or for an empty square.
struct Symbol {
    glyph: String,
    /// Whether the piece is turned over, which the sign [`FLIPPED`] to its right shows.
    is_flipped: bool,
    style: Style,
}

/// The sign to the right of pieces that are turned over.
const FLIPPED: &str = "~";

/// The symbol of a piece: a disc if each player has only one kind, or else a letter, whose case shows the owner. No two
/// kinds look alike without colours.
fn symbol(text: &str, scene: &Scene) -> Symbol {
    let is_flipped = text.ends_with('~');
    let letter = text.trim_end_matches('~');
    let Some(piece) = scene.board.pieces.get(text) else {
        return Symbol { glyph: letter.to_owned(), is_flipped, style: Style::new() };
    };
    let Some(player) = piece.player() else {
        let ground = shade(&piece.name);
        let is_dark = ["black", "blue", "red", "green"].contains(&piece.name.as_str());
        let ink = if is_dark { WHITE } else { BLACK };
        let style = Style::new().fg(ink).bg(ground);
        return Symbol { glyph: letter.to_owned(), is_flipped, style };
    };
    let is_light = scene.board.is_light(player);
    let glyph = match player {
        _ if scene.board.kinds(player) == 1 => disc(is_light && !scene.has_colour).to_owned(),
        Side::P1 => letter.to_uppercase(),
        Side::P2 => letter.to_lowercase(),
    };
    Symbol { glyph, is_flipped, style: Style::new().fg(shade(scene.board.shade(player))) }
}

/// The colour of a piece, by the name of its shade.
fn shade(name: &str) -> Color {
    match name {
        "white" => WHITE,
        "black" => BLACK,
        "green" => Color::Indexed(29),
        "yellow" => Color::Indexed(220),
        "red" => Color::Indexed(124),
        "blue" => Color::Indexed(25),
        _ => Color::Indexed(244),
    }
}

/// A disc. Without colours a hollow one is light.
fn disc(is_hollow: bool) -> &'static str {
    if is_hollow { "○" } else { "●" }
}

/// The pieces and what they are called, on as few lines of this width as possible.
pub(super) fn key(scene: &Scene, width: usize) -> Vec<Line<'static>> {
    let mut lines: Vec<Line> = Vec::new();
    for (texts, name) in &scene.kinds {
        let mut spans = Vec::new();
        for text in texts {
            let Symbol { glyph, is_flipped, style } = symbol(text, scene);
            let sign = if is_flipped { FLIPPED } else { "" };
            let style = Style::new().bg(WOOD).patch(style).add_modifier(Modifier::BOLD);
            let style = if scene.has_colour { style } else { Style::new() };
            spans.extend([Span::styled(format!("{glyph}{sign}"), style), Span::raw(" ")]);
        }
        spans.push(Span::raw(name.clone()));
        let columns: usize = spans.iter().map(Span::width).sum();
        match lines.last_mut() {
            Some(line) if line.width() + 2 + columns <= width => {
                line.spans.push(Span::raw("  "));
                line.spans.extend(spans);
            }
            _ => lines.push(Line::from(spans)),
        }
    }
    lines
}
