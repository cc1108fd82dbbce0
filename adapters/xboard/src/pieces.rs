//! Pictures of pieces, from the drawing that the page of `leap web` has too.

use std::sync::LazyLock;

use leap_board::{Board, Piece};
use leap_page::PIECES;
use roxmltree::{Document, Node};

/// The drawing, parsed. A test verifies that it is well-formed.
static DRAWING: LazyLock<Option<Document<'static>>> =
    LazyLock::new(|| Document::parse(PIECES).ok());

/// Stands for the letter in the symbol of pieces without a sign.
const ANY_LETTER: &str = ">?<";

/// The picture of a piece as SVG elements around the origin, in a square of size 1.
///
/// `text` is the piece in position texts: a final `~` flips it (SPEC 9.8). It shows the sign of the piece `kind`.
pub(crate) fn picture(text: &str, piece: &Piece, kind: &Piece, board: &Board) -> String {
    let shade = shade(piece, board);
    let of = |name| node(shade).and_then(|node| node.attribute(name)).unwrap_or("none");
    let [fill, stroke, colour] = ["fill", "stroke", "color"].map(of);
    let body = shape(if text.ends_with('~') { "flipped" } else { "body" }).unwrap_or_default();
    let sign = sign(text, kind);
    format!("<g class='{shade}' fill='{fill}' stroke='{stroke}' color='{colour}'>{body}{sign}</g>")
}

/// The elements of a shape, if there is one of this name.
fn shape(id: &str) -> Option<&'static str> {
    let symbol = node(id)?;
    let (first, last) = (symbol.first_child()?, symbol.last_child()?);
    PIECES.get(first.range().start..last.range().end)
}

fn node(id: &str) -> Option<Node<'static, 'static>> {
    DRAWING.as_ref()?.descendants().find(|node| node.attribute("id") == Some(id))
}

/// The shade of a piece: its owner's, or its own if the piece is neutral.
fn shade(piece: &Piece, board: &Board) -> &'static str {
    let shade = piece.player().map_or(piece.name.as_str(), |player| board.shade(player));
    let id = format!("shade-{shade}");
    node(&id).and_then(|node| node.attribute("id")).unwrap_or("shade-other")
}

/// The sign that distinguishes kinds of pieces by shape, not by colour alone.
fn sign(text: &str, kind: &Piece) -> String {
    let own = shape(&format!("name-{}", kind.name));
    let worth = || shape(&format!("worth-{}", kind.value)).filter(|_| kind.player().is_none());
    if let Some(sign) = own.or_else(worth) {
        return sign.to_owned();
    }
    // A letter or digit is safe in SVG.
    let letter = text.chars().find(|c| c.is_alphanumeric()).unwrap_or('?').to_uppercase();
    shape("letter").unwrap_or_default().replace(ANY_LETTER, &format!(">{letter}<"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board() -> Board {
        let lines = [
            "files 2 ranks 2 kind points",
            "piece H name horse owner p1 value 1",
            "piece m name man owner p2 value 1",
            "piece m~ name man owner p2 value 1",
            "piece R name red owner none value 3",
            "piece P name pebble owner none value 9",
            "piece w name wizard owner p1 value 1",
        ];
        Board::parse(&lines.map(str::to_owned))
    }

    #[test]
    fn pieces_differ_by_colour_and_by_shape() {
        let board = board();
        let draw = |text: &str| picture(text, &board.pieces[text], &board.pieces[text], &board);
        assert!(draw("H").contains("#fffaf0") && draw("m").contains("#33302c"));
        assert!(draw("R").contains("#c1452e") && draw("R").matches("r=\".06\"").count() == 3);
        assert!(draw("w").contains(">W</text>"));
        let flipped = picture("m~", &board.pieces["m~"], &board.pieces["H"], &board);
        assert!(flipped.contains("#33302c") && flipped.contains("rotate(45)"));
        assert!(flipped.contains("M-.16-.16L.16.16"), "it shows what it was");
    }

    #[test]
    fn unknown_pieces_are_grey_and_have_their_letter() {
        let board = board();
        let pebble = picture("P", &board.pieces["P"], &board.pieces["P"], &board);
        assert!(pebble.contains("#9a9a9a") && pebble.contains(">P</text>"), "{pebble}");
    }

    /// A shape is drawn in several places, so its id must not be repeated.
    #[test]
    fn pictures_are_well_formed_and_have_no_ids() {
        let board = board();
        for (text, piece) in &board.pieces {
            let picture = picture(text, piece, piece, &board);
            let parsed = Document::parse(&picture).unwrap();
            assert!(parsed.descendants().all(|node| node.attribute("id").is_none()), "{picture}");
            assert!(parsed.root_element().children().count() >= 2, "a body and a sign: {picture}");
        }
        assert!(shape("shadow").is_some());
    }
}
