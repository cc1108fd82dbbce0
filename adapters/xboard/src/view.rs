//! Translating the board and its squares to XBoard and back.
//!
//! XBoard lets the mouse move only white pieces, and each of its kinds of pieces gets one of our pictures. So every
//! piece, whatever its owner, is a white piece of its own kind.

use std::collections::BTreeMap;

use anyhow::ensure;
use leap_board::{Board, Piece};
use leap_client::notation::{Placement, seen_from};
use leap_protocol::payload::Side;

/// XBoard's kinds of pieces in the order of its tables, by the names of the picture files.
///
/// XBoard would promote the pawn, and the king must be the last of a table, so neither is used.
const KINDS: [&str; 8] =
    ["Knight", "Bishop", "Rook", "Queen", "Advisor", "Elephant", "Archbishop", "Marshall"];
/// The text of the kind that stands for an empty square on which a piece may be put. No piece has it (SPEC 9.33).
pub(super) const PLACE: &str = ".";
/// Letters per side in the smallest table that XBoard accepts.
const LEAST_LETTERS: usize = 6;
/// The most pieces shown beside the board.
const MOST_IN_HAND: usize = 99;
/// The width and height of the largest board, in pixels.
///
/// With menus, clocks and margins its window fits a screen of 1366x768.
const ROOM: (usize, usize) = (1_280, 600);
/// The largest square, in pixels.
const LARGEST_SQUARE: usize = 96;
/// XBoard makes its window as wide as a board of this many files. A board with more or fewer files is scaled to fit.
const FILES_OF_WINDOW: usize = 8;

/// A kind of piece in XBoard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PieceKind {
    /// The letter of the kind in position texts.
    letter: char,
    /// The name of its picture.
    pub(super) picture: &'static str,
    /// One of the texts of this kind.
    pub(super) text: String,
    pub(super) piece: Piece,
}

/// How a board is presented.
#[derive(Clone, Debug)]
pub(super) struct View {
    files: usize,
    ranks: usize,
    kinds: Vec<PieceKind>,
    /// The index of the kind, by piece text.
    texts: BTreeMap<String, usize>,
    /// The player shown at the bottom.
    pub(super) bottom: Side,
    /// Whether pieces can be dropped from beside the board.
    holdings: bool,
}

impl View {
    /// Gives each kind of piece of the board one of XBoard's. If the game puts pieces onto empty squares, such a place is
    /// a kind too.
    ///
    /// # Errors
    /// If the game has more kinds of pieces than XBoard can show.
    pub(super) fn new(board: &Board, bottom: Side, puts_pieces: bool) -> anyhow::Result<Self> {
        let (mut kinds, mut texts): (Vec<PieceKind>, BTreeMap<_, _>) = Default::default();
        for (text, piece) in &board.pieces {
            let known = kinds.iter().position(|kind| kind.piece == *piece);
            texts.insert(text.clone(), known.unwrap_or(kinds.len()));
            if known.is_none() {
                let most = KINDS.len();
                ensure!(kinds.len() < most, "expected at most {most} kinds of pieces, found more");
                let (letter, picture) =
                    (free_letter(&kinds, text, &piece.name), KINDS[kinds.len()]);
                kinds.push(PieceKind { letter, picture, text: text.clone(), piece: piece.clone() });
            }
        }
        if let Some(picture) = KINDS.get(kinds.len()).filter(|_| puts_pieces) {
            let piece = Piece { name: "place".to_owned(), owner: "none".to_owned(), value: 1 };
            texts.insert(PLACE.to_owned(), kinds.len());
            let letter = free_letter(&kinds, PLACE, &piece.name);
            kinds.push(PieceKind { letter, picture, text: PLACE.to_owned(), piece });
        }
        let (files, ranks) = (board.files, board.ranks);
        // A board of points has no space beside it, since its picture is made for the points alone. If no piece has an
        // owner, nobody has a piece to drop.
        let holdings =
            !board.has_points() && kinds.iter().any(|kind| kind.piece.player().is_some());
        Ok(Self { files, ranks, kinds, texts, bottom, holdings })
    }

    pub(super) fn kinds(&self) -> &[PieceKind] {
        &self.kinds
    }

    /// The size of squares to be given to XBoard, in pixels, so that its whole window fits a small screen.
    pub(super) fn square_size(&self) -> usize {
        // Beside the board are a column of pieces and a gap, on both sides.
        let columns = self.files + if self.holdings { 4 } else { 0 };
        let (width, height) = ROOM;
        let shown = LARGEST_SQUARE.min(width / columns.max(1)).min(height / self.ranks.max(1));
        shown * columns / FILES_OF_WINDOW
    }

    /// The letters of all kinds, first for white and then for black; `.` for unused ones.
    fn table(&self) -> String {
        let half = (self.kinds.len() + 2).max(LEAST_LETTERS);
        let mut table = vec!['.'; 2 * half];
        for (index, kind) in self.kinds.iter().enumerate() {
            table[index + 1] = kind.letter;
            table[half + index + 1] = kind.letter.to_ascii_lowercase();
        }
        table.into_iter().collect()
    }

    /// The command that describes the board and the pieces to XBoard.
    pub(super) fn setup(&self, placement: &Placement) -> String {
        let (holdings, parent) = if self.holdings { (2, "crazyhouse") } else { (0, "fairy") };
        let (files, ranks) = (self.files, self.ranks);
        let fen = self.fen(placement, &[], None);
        format!("setup ({}) {files}x{ranks}+{holdings}_{parent} {fen}", self.table())
    }

    /// The position text for XBoard, always with white to move.
    ///
    /// A piece can be put onto the squares `places`. `in_hand` says how many pieces a player has to drop.
    pub(super) fn fen(
        &self,
        placement: &Placement,
        places: &[String],
        in_hand: Option<(Side, usize)>,
    ) -> String {
        let letter = |square: &str| {
            let place = places.iter().any(|place| place == square).then_some(PLACE);
            let text = placement.get(square).or(place)?;
            Some(self.kinds[*self.texts.get(text)?].letter)
        };
        let rows = self.rows(letter);
        let hand = if self.holdings { format!("[{}]", self.hand(in_hand)) } else { String::new() };
        format!("{rows}{hand} w - - 0 1")
    }

    fn hand(&self, in_hand: Option<(Side, usize)>) -> String {
        let Some((player, count)) = in_hand else { return String::new() };
        let kind = self.kinds.iter().find(|kind| kind.piece.player() == Some(player));
        kind.map(|kind| kind.letter.to_string().repeat(count.min(MOST_IN_HAND))).unwrap_or_default()
    }

    /// The command that marks squares with colours (letters). The first mark of a square wins.
    pub(super) fn highlight<'a>(&self, marks: impl IntoIterator<Item = (&'a str, char)>) -> String {
        let mut colours = BTreeMap::new();
        for (square, colour) in marks {
            colours.entry(square).or_insert(colour);
        }
        format!("highlight {}", self.rows(|square| colours.get(square).copied()))
    }

    /// Ranks from the top as XBoard displays them, with runs of empty squares as numbers.
    fn rows(&self, letter: impl Fn(&str) -> Option<char>) -> String {
        let shown = |square: &str| letter(&self.turned(square)?).map(String::from);
        Placement::of(self.files, self.ranks, shown).to_string()
    }

    /// Converts a square between XBoard's names and ours; `None` if it is not on the board, such as squares beside it.
    pub(super) fn turned(&self, square: &str) -> Option<String> {
        let (rank, file) = seen_from(self.bottom, square, (self.ranks, self.files))?;
        Some(format!("{}{rank}", ('a'..='z').nth(file - 1)?))
    }
}

/// An unused letter: the piece's own letter, one of its name, or any other.
fn free_letter(kinds: &[PieceKind], text: &str, name: &str) -> char {
    let wanted = text.chars().take(1).filter(|_| text.len() == 1);
    let mut letters = wanted.chain(name.chars()).chain('a'..='z').map(|c| c.to_ascii_uppercase());
    let is_free = |letter: &char| {
        letter.is_ascii_uppercase() && kinds.iter().all(|kind| kind.letter != *letter)
    };
    letters.find(is_free).unwrap_or('Z')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(lines: &[&str]) -> Board {
        let lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        Board::parse(&lines)
    }

    fn men(size: &str) -> Board {
        let man = "piece M name man owner p1 value 1";
        board(&[size, man, "piece m name man owner p2 value 1"])
    }

    #[test]
    fn all_pieces_are_white_and_the_one_at_the_mouse_is_below() {
        let board = men("files 5 ranks 6 kind cells");
        let placement = Placement::parse("m4/5/1m3/5/5/3M1").unwrap();
        let p1 = View::new(&board, Side::P1, false).unwrap();
        assert_eq!(
            p1.setup(&placement),
            "setup (.MA....ma...) 5x6+2_crazyhouse A4/5/1A3/5/5/3M1[] w - - 0 1"
        );
        let p2 = View::new(&board, Side::P2, false).unwrap();
        let in_hand = Some((Side::P2, 2));
        assert_eq!(p2.fen(&placement, &[], in_hand), "1M3/5/5/3A1/5/4A[AA] w - - 0 1");
        assert_eq!(p2.turned("a1").as_deref(), Some("e6"));
        assert_eq!(p2.turned("e6").as_deref(), Some("a1"));
        assert_eq!(p1.turned("g1"), None);
        assert_eq!(p2.highlight([("a6", 'R'), ("a6", 'Y')]), "highlight 5/5/5/5/5/4R");
    }

    #[test]
    fn squares_are_as_large_as_a_small_screen_allows() {
        let size = |files, ranks| {
            let board = men(&format!("files {files} ranks {ranks} kind cells"));
            View::new(&board, Side::P1, false).unwrap().square_size()
        };
        // With men to be dropped, four more columns are shown.
        assert_eq!([size(5, 5), size(8, 8), size(12, 12), size(26, 4)], [108, 112, 100, 157]);
    }

    #[test]
    fn a_board_of_points_has_nothing_beside_it() {
        let view = View::new(&men("files 5 ranks 5 kind points"), Side::P1, false).unwrap();
        let setup = view.setup(&Placement::parse("5/5/5/5/4M").unwrap());
        assert_eq!(setup, "setup (.MA....ma...) 5x5+0_fairy 5/5/5/5/4M w - - 0 1");
    }

    #[test]
    fn an_empty_square_for_a_piece_is_a_piece_that_can_be_clicked() {
        let view = View::new(&men("files 3 ranks 2 kind cells"), Side::P1, true).unwrap();
        assert_eq!(view.kinds().last().unwrap().text, PLACE);
        let placement = Placement::parse("3/M2").unwrap();
        let places = ["a2", "c1"].map(str::to_owned);
        assert_eq!(view.fen(&placement, &places, None), "P2/M1P[] w - - 0 1");
    }

    #[test]
    fn pieces_that_are_alike_have_one_letter() {
        let lines = [
            "files 12 ranks 1 kind cells",
            "piece C name cross owner p1 value 1",
            "piece C~ name stop owner p2 value 1",
            "piece S name star owner p1 value 1",
            "piece S~ name stop owner p2 value 1",
            "piece c name cross owner p2 value 1",
            "piece c~ name stop owner p1 value 1",
            "piece g name green owner none value 1",
        ];
        let view = View::new(&board(&lines), Side::P1, false).unwrap();
        assert_eq!(view.table(), ".CSTROG..cstrog.");
        let placement = Placement::parse("1CC~Scc~gS~4").unwrap();
        assert_eq!(view.fen(&placement, &[], None), "1CSTROGS4[] w - - 0 1");
    }
}
