//! Pictures for XBoard: each kind of piece as SVG, and a board of points as PNG. They match the page of `leap web`.

use anyhow::Context as _;
use include_dir::{Dir, File, include_dir};
use leap_protocol::payload::Player;
use tiny_skia::{Color, LineCap, Paint, PathBuilder, Pixmap, Stroke, Transform};

use crate::game::{Board, Piece};
use crate::notation::square_index;

/// The width of a square in the board's picture, in pixels. XBoard scales it.
const SQUARE: f32 = 120.0;

/// The colours of a piece: its body, its rim, and the mark on it.
struct Colours {
    body: &'static str,
    rim: &'static str,
    mark: &'static str,
}

/// Marks that distinguish kinds of pieces by shape, not by colour alone: an SVG fragment for each name.
static MARKS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/data/marks");

/// The picture of a piece as SVG: a disc, or a square on its corner if it is turned over (SPEC 9.8). A name without a
/// mark is represented by its first letter.
pub(super) fn piece(text: &str, piece: &Piece, board: &Board) -> String {
    let Colours { body, rim, mark } = colours(piece, board);
    let shape = if text.ends_with('~') {
        "<rect x='-.28' y='-.28' width='.56' height='.56' rx='.09' transform='rotate(45)'"
    } else {
        "<circle r='.4'"
    };
    format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='100' height='100' viewBox='-.5 -.5 1 1'>\
         {shape} fill='{body}' stroke='{rim}' stroke-width='.04'/>\
         <g color='{mark}' fill='none' stroke='{mark}' stroke-width='.08' stroke-linecap='round'>{}</g></svg>\n",
        sign(piece, mark)
    )
}

fn colours(piece: &Piece, board: &Board) -> Colours {
    match (piece.player(), piece.name.as_str()) {
        (Some(player), _) if board.is_light(player) => {
            Colours { body: "#fffaf0", rim: "#7c6a48", mark: "#4a3c22" }
        }
        (Some(_), _) => Colours { body: "#33302c", rim: "#0a0908", mark: "#f2e8d2" },
        (None, "green") => Colours { body: "#2f9468", rim: "#14563a", mark: "#ffffff" },
        (None, "yellow") => Colours { body: "#f3cd3e", rim: "#8e7413", mark: "#3a2f05" },
        (None, "red") => Colours { body: "#c1452e", rim: "#6e1f11", mark: "#ffffff" },
        (None, "blue") => Colours { body: "#2e63a8", rim: "#14335e", mark: "#ffffff" },
        (None, _) => Colours { body: "#9a9a9a", rim: "#4a4a4a", mark: "#1a1a1a" },
    }
}

fn sign(piece: &Piece, colour: &str) -> String {
    let mark = MARKS.get_file(format!("{}.svg", piece.name)).and_then(File::contents_utf8);
    if let Some(mark) = mark {
        return mark.trim_end().to_owned();
    }
    if piece.player().is_none() && (1..=4).contains(&piece.value) {
        return dots(piece.value, colour);
    }
    let letter = piece.name.chars().find(|c| c.is_alphanumeric()).unwrap_or('?');
    format!(
        "<text y='.15' font-family='sans-serif' font-size='.42' text-anchor='middle' fill='{colour}' \
         stroke='none'>{}</text>",
        letter.to_uppercase()
    )
}

/// As many dots as the piece is worth, from 1 to 4.
fn dots(value: i64, colour: &str) -> String {
    let places: &[(f32, f32)] = match value {
        1 => &[(0.0, 0.0)],
        2 => &[(-0.11, 0.0), (0.11, 0.0)],
        3 => &[(0.0, -0.12), (-0.12, 0.1), (0.12, 0.1)],
        _ => &[(-0.11, -0.11), (0.11, -0.11), (-0.11, 0.11), (0.11, 0.11)],
    };
    let dot = |(x, y): &(f32, f32)| {
        format!("<circle cx='{x}' cy='{y}' r='.065' fill='{colour}' stroke='none'/>")
    };
    places.iter().map(dot).collect()
}

/// The picture of a board of points with its lines, as PNG, each point in the centre of a square. It is rotated if p2
/// is at the bottom.
///
/// # Errors
/// If the board is too large, or one of its lines is invalid.
pub(super) fn points(board: &Board, bottom: Player) -> anyhow::Result<Vec<u8>> {
    let (width, height) = (board.files as f32 * SQUARE, board.ranks as f32 * SQUARE);
    let mut pixmap = Pixmap::new(width as u32, height as u32).context("the board is too large")?;
    pixmap.fill(Color::from_rgba8(0xef, 0xe2, 0xc6, 0xff));
    let mut wire = Paint { anti_alias: true, ..Paint::default() };
    wire.set_color_rgba8(0x8a, 0x71, 0x45, 0xff);
    let place = |square: &str| {
        let (rank, file) =
            square_index(square).with_context(|| format!("no square: '{square}'"))?;
        let (x, y) = ((file as f32 - 0.5) * SQUARE, height - (rank as f32 - 0.5) * SQUARE);
        let turned = bottom == Player::P2;
        anyhow::Ok(if turned { (width - x, height - y) } else { (x, y) })
    };
    let mut lines = PathBuilder::new();
    for [from, to] in &board.lines {
        let ((x1, y1), (x2, y2)) = (place(from)?, place(to)?);
        lines.move_to(x1, y1);
        lines.line_to(x2, y2);
    }
    if let Some(lines) = lines.finish() {
        let stroke =
            Stroke { width: SQUARE * 0.035, line_cap: LineCap::Round, ..Stroke::default() };
        pixmap.stroke_path(&lines, &wire, &stroke, Transform::identity(), None);
    }
    Ok(pixmap.encode_png()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board() -> Board {
        let lines = [
            "files 2 ranks 2 kind points",
            "line a1 b2",
            "piece H name horse owner p1 value 1",
            "piece m name man owner p2 value 1",
            "piece R name red owner none value 3",
            "piece w name wizard owner p1 value 1",
        ];
        Board::parse(&lines.map(str::to_owned))
    }

    #[test]
    fn pieces_differ_by_colour_and_by_shape() {
        let board = board();
        let draw = |text: &str| piece(text, &board.pieces[text], &board);
        assert!(draw("H").contains("#fffaf0") && draw("m").contains("#33302c"));
        assert_eq!(draw("R").matches("r='.065'").count(), 3);
        assert!(draw("w").contains(">W</text>"));
    }

    #[test]
    fn the_lines_of_a_board_are_where_its_points_are() {
        for bottom in [Player::P1, Player::P2] {
            let picture = Pixmap::decode_png(&points(&board(), bottom).unwrap()).unwrap();
            assert_eq!((picture.width(), picture.height()), (240, 240));
            // The line runs from the lower left to the upper right, whichever side is at the bottom.
            let is_dark = |x, y| picture.pixel(x, y).unwrap().red() < 0xc0;
            assert!(is_dark(80, 160) && is_dark(160, 80));
            assert!(!is_dark(80, 80) && !is_dark(160, 160));
        }
    }
}
