//! The layout and appearance of a board.

use std::collections::BTreeMap;

use leap_protocol::payload::{BoardLine, Side};
use serde::Serialize;

/// The most squares along a side of a board, one for each file letter.
const MOST_FILES: usize = 26;

/// The answer to `query board` (SPEC 4.23).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Board {
    /// The number of files.
    pub files: usize,
    /// The number of ranks.
    pub ranks: usize,
    /// Whether pieces stand on points rather than in cells.
    pub points: bool,
    /// Pairs of points joined by lines.
    pub lines: Vec<[String; 2]>,
    /// Pieces by their text.
    pub pieces: BTreeMap<String, Piece>,
    /// The colours of p1 and p2.
    pub colours: Option<[String; 2]>,
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
            BoardLine::Size { files, ranks, points } => {
                let bounded = |size| if size <= MOST_FILES { size } else { 0 };
                (self.files, self.ranks) = (bounded(files), bounded(ranks));
                self.points = points;
            }
            BoardLine::Line(a, b) => self.lines.push([a, b]),
            BoardLine::Piece { text, name, owner, value } => {
                let owner = owner.map_or_else(|| "none".to_owned(), |owner| owner.to_string());
                self.pieces.insert(text, Piece { name, owner, value: value.unwrap_or(0) });
            }
            BoardLine::Colours { p1, p2 } => self.colours = Some([p1, p2]),
            BoardLine::Other(_) => {}
        }
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

    /// Whether a player's pieces are the light ones.
    pub fn is_light(&self, player: Side) -> bool {
        match &self.colours {
            Some(_) => self.colour(player) == "white",
            None => player == Side::P1,
        }
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
        assert_eq!((board.files, board.ranks, board.points), (5, 6, true));
        assert_eq!(board.lines, [["a1".to_owned(), "b2".to_owned()]]);
        assert_eq!(board.pieces["M"].player(), Some(Side::P1));
        assert_eq!((board.pieces["g"].player(), board.pieces["g"].value), (None, 0));
        assert!(board.is_light(Side::P2) && !board.is_light(Side::P1));
    }
}
