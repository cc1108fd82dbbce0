//! Pictures of pieces, as the page of `leap web` draws them: for XBoard and for reports.

use include_dir::{Dir, File, include_dir};

use super::{Board, Piece};

/// The colours of a piece: its body, its rim, and the mark on it.
struct Colours {
    body: &'static str,
    rim: &'static str,
    mark: &'static str,
}

/// Marks that distinguish kinds of pieces by shape, not by colour alone: an SVG fragment for each name.
static MARKS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/data/marks");

/// The picture of a piece as SVG elements around the origin, in a square of size 1: a disc, or a square on its corner if
/// it is flipped (SPEC 9.8), with the mark of the piece `kind`. A name without a mark is represented by its first letter.
pub fn picture(piece: &Piece, kind: &Piece, flipped: bool, board: &Board) -> String {
    let Colours { body, rim, mark } = colours(piece, board);
    let shape = if flipped {
        "<rect class='body' x='-.32' y='-.32' width='.64' height='.64' rx='.1' transform='rotate(45) scale(.86)'"
    } else {
        "<circle class='body' r='.37'"
    };
    format!(
        "{shape} fill='{body}' stroke='{rim}' stroke-width='.035'/>\
         <g color='{mark}' fill='none' stroke='{mark}' stroke-width='.075' stroke-linecap='round'>{}</g>",
        sign(kind, mark)
    )
}

fn colours(piece: &Piece, board: &Board) -> Colours {
    match (piece.player(), piece.name.as_str()) {
        (Some(player), _) if board.is_light(player) => {
            Colours { body: "#fffaf0", rim: "#7c6a48", mark: "#4a3c22" }
        }
        (Some(_), _) => Colours { body: "#33302c", rim: "#0a0908", mark: "#f2e8d2" },
        (None, "green") => Colours { body: "#2f9468", rim: "#14563a", mark: "#ffffff" },
        (None, "yellow") => Colours { body: "#f3cd3e", rim: "#6e5a0c", mark: "#3a2f05" },
        (None, "red") => Colours { body: "#c1452e", rim: "#6e1f11", mark: "#ffffff" },
        (None, "blue") => Colours { body: "#2e63a8", rim: "#14335e", mark: "#ffffff" },
        (None, _) => Colours { body: "#9a9a9a", rim: "#4a4a4a", mark: "#1a1a1a" },
    }
}

fn sign(kind: &Piece, colour: &str) -> String {
    let mark = MARKS.get_file(format!("{}.svg", kind.name)).and_then(File::contents_utf8);
    if let Some(mark) = mark {
        return mark.trim_end().to_owned();
    }
    if kind.player().is_none() && (1..=4).contains(&kind.value) {
        return dots(kind.value, colour);
    }
    // A letter or digit is safe in SVG.
    let letter = kind.name.chars().find(|c| c.is_alphanumeric()).unwrap_or('?');
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
        2 => &[(-0.1, 0.0), (0.1, 0.0)],
        3 => &[(0.0, -0.11), (-0.11, 0.09), (0.11, 0.09)],
        _ => &[(-0.1, -0.1), (0.1, -0.1), (-0.1, 0.1), (0.1, 0.1)],
    };
    let dot = |(x, y): &(f32, f32)| {
        format!("<circle cx='{x}' cy='{y}' r='.06' fill='{colour}' stroke='none'/>")
    };
    places.iter().map(dot).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board() -> Board {
        let lines = [
            "files 2 ranks 2 kind points",
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
        let draw = |text: &str| picture(&board.pieces[text], &board.pieces[text], false, &board);
        assert!(draw("H").contains("#fffaf0") && draw("m").contains("#33302c"));
        assert_eq!(draw("R").matches("r='.06'").count(), 3);
        assert!(draw("w").contains(">W</text>"));
        let flipped = picture(&board.pieces["m"], &board.pieces["H"], true, &board);
        assert!(flipped.contains("#33302c") && flipped.contains("rotate(45)"));
        assert!(flipped.contains("M-.16-.16L.16.16"), "it shows what it was");
    }

    /// The page has scripts of its own, but no shapes of its own.
    #[test]
    fn pieces_have_the_shapes_of_the_page() {
        let page = include_str!("../../ui/src/web/page/pieces.js");
        for file in MARKS.files() {
            let mark = file.contents_utf8().unwrap();
            let paths: Vec<&str> = mark.split(" d='").skip(1).collect();
            for path in paths.iter().map(|rest| rest.split('\'').next().unwrap()) {
                let is_there = page.contains(&format!("\"{path}\""));
                assert!(is_there || file.path().ends_with("stop.svg"), "{path}");
            }
        }
        for number in ["0.37", "-0.32", "0.64", "scale(.86)", "r: 0.06", "r: 0.2 "] {
            assert!(page.contains(number), "{number}");
        }
    }
}
