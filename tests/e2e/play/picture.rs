//! Pictures of a terminal's screen as SVG.

use std::fmt::Write as _;

use vt100::{Cell, Color, Screen};

use crate::programs::screenshots;

/// Width and height of a cell, in pixels.
const CELL: (u16, u16) = (9, 18);
const INK: &str = "#e8e6e3";
const PAPER: &str = "#1c1b1a";

/// Saves a picture in `target/screenshots`, where pictures are wanted.
pub(crate) fn save(screen: &Screen, name: &str) {
    let Some(folder) = screenshots() else { return };
    std::fs::write(folder.join(format!("{name}.svg")), draw(screen)).unwrap();
}

fn draw(screen: &Screen) -> String {
    let (rows, columns) = screen.size();
    let (width, height) = (columns * CELL.0, rows * CELL.1);
    let mut svg = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' width='{width}' \
         height='{height}' font-family='DejaVu Sans Mono, Menlo, Consolas, monospace' font-size='15'>\n\
         <rect width='{width}' height='{height}' fill='{PAPER}'/>\n"
    );
    for row in 0..rows {
        for column in 0..columns {
            if let Some(cell) = screen.cell(row, column) {
                draw_cell(&mut svg, cell, column * CELL.0, row * CELL.1);
            }
        }
    }
    svg + "</svg>\n"
}

fn draw_cell(svg: &mut String, cell: &Cell, x: u16, y: u16) {
    if let Some(ground) = colour(cell.bgcolor()) {
        let (width, height) = CELL;
        let place = format!("x='{x}' y='{y}' width='{width}' height='{height}'");
        writeln!(svg, "<rect {place} fill='{ground}' stroke='{ground}' stroke-width='.3'/>")
            .unwrap();
    }
    let text = cell.contents().trim().replace('&', "&amp;").replace('<', "&lt;");
    if !text.is_empty() {
        let ink = colour(cell.fgcolor()).unwrap_or_else(|| INK.to_owned());
        let weight = if cell.bold() { " font-weight='bold'" } else { "" };
        let dim = if cell.dim() { " opacity='.65'" } else { "" };
        // Each character is centred in its cell, whatever the font.
        let (x, y) = (f32::from(x) + f32::from(CELL.0) / 2.0, y + CELL.1 - 4);
        let style = format!("text-anchor='middle' fill='{ink}'{weight}{dim}");
        writeln!(svg, "<text x='{x}' y='{y}' {style}>{text}</text>").unwrap();
    }
}

/// The RGB value of one of the 256 terminal colours; `None` for the terminal's default.
fn colour(colour: Color) -> Option<String> {
    match colour {
        Color::Default => None,
        Color::Rgb(r, g, b) => Some(format!("#{r:02x}{g:02x}{b:02x}")),
        Color::Idx(index @ 16..=231) => {
            let level = |step: u8| if step == 0 { 0 } else { 55 + 40 * step };
            let index = index - 16;
            let (r, g, b) = (level(index / 36), level(index / 6 % 6), level(index % 6));
            Some(format!("#{r:02x}{g:02x}{b:02x}"))
        }
        Color::Idx(index @ 232..) => {
            let level = 8 + 10 * (index - 232);
            Some(format!("#{level:02x}{level:02x}{level:02x}"))
        }
        Color::Idx(_) => None,
    }
}
