//! The layout and appearance of a board.

use std::collections::BTreeMap;

use leap_protocol::payload::{BoardKind, BoardLine, Side};
use serde::{Serialize, Serializer};

/// The most squares along a side of a board, one for each file letter.
const MOST_FILES: usize = 26;

/// The shades that pieces can be drawn in, from dark to light.
const SHADES: [&str; 6] = ["black", "blue", "red", "green", "yellow", "white"];

/// The answer to `query board` (SPEC 4.23).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Board {
    /// The number of files.
    pub files: usize,
    /// The number of ranks.
    pub ranks: usize,
    /// What pieces stand on.
    #[serde(serialize_with = "word")]
    pub kind: BoardKind,
    /// Pairs of points joined by lines.
    pub lines: Vec<[String; 2]>,
    /// The squares that a hexagonal board lacks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub holes: Vec<String>,
    /// Pieces by their text.
    pub pieces: BTreeMap<String, Piece>,
    /// The colours of p1 and p2.
    pub colours: Option<[String; 2]>,
}

fn word<S: Serializer>(kind: &BoardKind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(kind)
}

/// A kind of piece.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Piece {
    /// The name, a word.
    pub name: String,
    /// `p1`, `p2` or `none`.
    pub owner: String,
    /// The value.
    pub value: i64,
}

impl Piece {
    /// The owner; `None` for a neutral piece.
    pub fn player(&self) -> Option<Side> {
        self.owner.parse().ok()
    }
}

impl Board {
    /// Parses the lines of the answer, without the word `board`. Unknown entries are skipped.
    pub fn parse(lines: &[String]) -> Self {
        let mut board = Self::default();
        for line in lines {
            board.note(line);
        }
        board
    }

    fn note(&mut self, line: &str) {
        let Ok(line) = line.parse();
        match line {
            BoardLine::Size { files, ranks, kind } => {
                let bounded = |size| if size <= MOST_FILES { size } else { 0 };
                (self.files, self.ranks) = (bounded(files), bounded(ranks));
                self.kind = kind;
            }
            BoardLine::Line(a, b) => self.lines.push([a, b]),
            BoardLine::Hole(square) => self.holes.push(square),
            BoardLine::Piece { text, name, owner, value } => {
                let owner = owner.map_or_else(|| "none".to_owned(), |owner| owner.to_string());
                self.pieces.insert(text, Piece { name, owner, value: value.unwrap_or(0) });
            }
            BoardLine::Colours { p1, p2 } => self.colours = Some([p1, p2]),
            BoardLine::Other(_) => {}
        }
    }

    /// Whether pieces stand on points rather than in cells.
    pub fn has_points(&self) -> bool {
        self.kind == BoardKind::Points
    }

    /// The name of a player's colour: `white`, or `p1` if the engine names none.
    pub fn colour(&self, player: Side) -> &str {
        match (&self.colours, player) {
            (Some([p1, _]), Side::P1) => p1,
            (Some([_, p2]), Side::P2) => p2,
            (None, Side::P1) => "p1",
            (None, Side::P2) => "p2",
        }
    }

    /// The number of kinds of pieces that a player has, including flipped ones.
    pub fn kinds(&self, player: Side) -> usize {
        self.pieces.values().filter(|piece| piece.player() == Some(player)).count()
    }

    /// The shade that a player's pieces are drawn in, one of `SHADES`. A colour that cannot be drawn becomes white or
    /// black, whichever the other player has not.
    pub fn shade(&self, player: Side) -> &'static str {
        let known = |player| SHADES.into_iter().find(|shade| *shade == self.colour(player));
        known(player).unwrap_or_else(|| match (known(player.other()), player) {
            (Some("white"), _) => "black",
            (Some("black"), _) | (_, Side::P1) => "white",
            (_, Side::P2) => "black",
        })
    }

    /// Whether a player's pieces are the lighter ones.
    pub fn is_light(&self, player: Side) -> bool {
        let lightness = |player| SHADES.iter().position(|shade| *shade == self.shade(player));
        lightness(player) > lightness(player.other())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_is_skipped() {
        let lines = [
            "files 5 ranks 6 kind points wrap none",
            "line a1 b2",
            "piece M name man owner p1 value 3 height 2",
            "piece g name frog owner none value x",
            "colours p1 black p2 white",
            "weather fine",
        ];
        let board = Board::parse(&lines.map(str::to_owned));
        assert_eq!((board.files, board.ranks, board.kind), (5, 6, BoardKind::Points));
        assert_eq!(board.lines, [["a1".to_owned(), "b2".to_owned()]]);
        assert_eq!(board.pieces["M"].player(), Some(Side::P1));
        assert_eq!((board.pieces["g"].player(), board.pieces["g"].value), (None, 0));
        assert!(board.is_light(Side::P2) && !board.is_light(Side::P1));
    }

    #[test]
    fn every_pair_of_colours_has_a_lighter_one_and_a_darker_one() {
        for (colours, shades) in [
            ("p1 red p2 yellow", ["red", "yellow"]),
            ("p1 black p2 white", ["black", "white"]),
            ("p1 mauve p2 white", ["black", "white"]),
            ("p1 black p2 mauve", ["black", "white"]),
            ("p1 mauve p2 ochre", ["white", "black"]),
            ("p1 red p2 mauve", ["red", "black"]),
        ] {
            let board = Board::parse(&[format!("colours {colours}")]);
            assert_eq!([Side::P1, Side::P2].map(|side| board.shade(side)), shades, "{colours}");
            assert_ne!(board.is_light(Side::P1), board.is_light(Side::P2), "{colours}");
        }
    }
}
