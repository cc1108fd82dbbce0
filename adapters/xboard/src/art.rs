//! Pictures for XBoard: each kind of piece as SVG, and a board of points as PNG. They match the page of `leap web`.

use anyhow::Context as _;
use leap_board::{Board, Piece};
use leap_client::notation::square_index;
use leap_protocol::payload::Side;
use tiny_skia::{Color, LineCap, Paint, PathBuilder, Pixmap, Stroke, Transform};

use crate::pieces::picture;
use crate::view::PLACE;

/// The width of a square in the board's picture, in pixels. XBoard scales it.
const SQUARE: f32 = 120.0;

/// How every picture of a piece begins.
pub(super) const PIECE_MARK: &str =
    "<svg xmlns='http://www.w3.org/2000/svg' width='100' height='100' viewBox='-.46 -.46 .92 .92'>";
/// How every PNG begins.
pub(super) const PNG_MARK: &[u8] = b"\x89PNG\r\n\x1a\n";

/// The picture of a piece as SVG.
pub(super) fn piece(text: &str, piece: &Piece, board: &Board) -> String {
    if text == PLACE {
        return format!("{PIECE_MARK}<circle r='.12' fill='#0006'/></svg>\n");
    }
    // XBoard has one kind for all pieces that are flipped.
    let picture = picture(text, piece, piece, board);
    format!("{PIECE_MARK}{picture}</svg>\n")
}

/// The picture of a board of points with its lines, as PNG, each point in the centre of a square. It is rotated if p2
/// is at the bottom.
///
/// # Errors
/// If the board is too large, or one of its lines is invalid.
pub(super) fn points(board: &Board, bottom: Side) -> anyhow::Result<Vec<u8>> {
    let (width, height) = (board.files as f32 * SQUARE, board.ranks as f32 * SQUARE);
    let mut pixmap = Pixmap::new(width as u32, height as u32).context("the board is too large")?;
    pixmap.fill(Color::from_rgba8(0xef, 0xe2, 0xc6, 0xff));
    let mut wire = Paint { anti_alias: true, ..Paint::default() };
    wire.set_color_rgba8(0x8a, 0x71, 0x45, 0xff);
    let place = |square: &str| {
        let (rank, file) =
            square_index(square).with_context(|| format!("no square: '{square}'"))?;
        let (x, y) = ((file as f32 - 0.5) * SQUARE, height - (rank as f32 - 0.5) * SQUARE);
        let turned = bottom == Side::P2;
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
        let lines = ["files 2 ranks 2 kind points", "line a1 b2"];
        Board::parse(&lines.map(str::to_owned))
    }

    #[test]
    fn the_lines_of_a_board_are_where_its_points_are() {
        for bottom in [Side::P1, Side::P2] {
            let picture = Pixmap::decode_png(&points(&board(), bottom).unwrap()).unwrap();
            assert_eq!((picture.width(), picture.height()), (240, 240));
            // The line runs from the lower left to the upper right, whichever side is at the bottom.
            let is_dark = |x, y| picture.pixel(x, y).unwrap().red() < 0xc0;
            assert!(is_dark(80, 160) && is_dark(160, 80));
            assert!(!is_dark(80, 80) && !is_dark(160, 160));
        }
    }
}
