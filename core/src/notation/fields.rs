//! The position text: five fields, `<board> <side> <extra> <quiet> <ply>` (SPEC 9.7).

use std::fmt::{self, Write};

use strum::{IntoStaticStr, VariantArray};
use thiserror::Error;

use super::Diagram;
use crate::{Counters, Geometry, Side, Square};

/// A piece on a square: its letter, and whether it is turned over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The piece's letter; upper case for player 1's pieces and for frogs.
    pub letter: char,
    /// Whether the piece shows its other side (`~`).
    pub flipped: bool,
}

impl Piece {
    /// A piece that is not turned over.
    #[must_use]
    pub const fn plain(letter: char) -> Self {
        Self { letter, flipped: false }
    }

    /// The side that the letter's case names: upper for player 1, lower for player 2.
    #[must_use]
    pub const fn letter_case(self) -> Side {
        if self.letter.is_ascii_uppercase() { Side::One } else { Side::Two }
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char(self.letter)?;
        if self.flipped { f.write_char('~') } else { Ok(()) }
    }
}

/// A field of the position text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum Field {
    /// The pieces.
    Board,
    /// The side to move.
    Side,
    /// The field that the game adds.
    Extra,
    /// The number of moves since the last capture.
    Quiet,
    /// The number of moves since the start.
    Ply,
}

impl Field {
    /// The field's name on the wire.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// Why a text is not a position of the game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("field {}, column {column}: {text}", field.name())]
pub struct PositionError {
    /// The field at fault.
    pub field: Field,
    /// Where the fault begins, in characters of the position text, from 1.
    pub column: usize,
    /// What was expected and what was found.
    pub text: String,
}

/// Why well-formed fields make no position. The parser adds the column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupError {
    /// The field at fault.
    pub field: Field,
    /// The square at fault, if the fault lies on one square of the board.
    pub square: Option<Square>,
    /// What was expected and what was found.
    pub text: String,
}

impl SetupError {
    /// A fault of a whole field.
    #[must_use]
    pub fn field(field: Field, text: impl Into<String>) -> Self {
        Self { field, square: None, text: text.into() }
    }

    /// A fault of one square of the board.
    #[must_use]
    pub fn square(square: Square, text: impl Into<String>) -> Self {
        Self { field: Field::Board, square: Some(square), text: text.into() }
    }
}

/// A well-formed position text, which the game then judges.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The pieces and their squares, in the order of the text: the highest rank first.
    pub pieces: Vec<(Square, Piece)>,
    /// The side to move, `quiet` and `ply`.
    pub counters: Counters,
    /// The game's own field, not yet read.
    pub extra: String,
}

impl Setup {
    /// The squares where this piece stands, such as the blocked squares of a game.
    pub fn squares(&self, piece: Piece) -> impl Iterator<Item = Square> + '_ {
        self.pieces.iter().filter(move |(_, here)| *here == piece).map(|(square, _)| *square)
    }

    /// Refuses any extra field except `-`, for games that have none.
    ///
    /// # Errors
    /// A refusal of the extra field, with what was found there.
    pub fn expect_no_extra(&self) -> Result<(), SetupError> {
        if self.extra == "-" {
            return Ok(());
        }
        Err(self.refuse_extra("-"))
    }

    /// The refusal of an extra field that is not what was expected.
    #[must_use]
    pub fn refuse_extra(&self, expected: &str) -> SetupError {
        let text = format!("expected {expected}, found {}", quoted(&self.extra));
        SetupError::field(Field::Extra, text)
    }
}

/// Where each field and each piece of a text begins. A refusal takes its column from here.
pub(super) struct Columns {
    fields: [usize; 5],
    squares: Vec<(Square, usize)>,
}

impl Columns {
    pub(super) fn locate(&self, refusal: SetupError) -> PositionError {
        let SetupError { field, square, text } = refusal;
        let of_square = self.squares.iter().find(|(at, _)| Some(*at) == square);
        let column = of_square.map_or(self.fields[field as usize], |(_, column)| *column);
        PositionError { field, column, text }
    }
}

/// Reads the five fields. The game decides whether the position is possible.
pub(super) fn parse(
    board: Geometry,
    diagram: &Diagram,
    text: &str,
) -> Result<(Setup, Columns), PositionError> {
    let (words, starts) = split(text)?;
    let pieces = read_board(board, diagram, words[0])?;
    let side = match words[1] {
        "1" => Side::One,
        "2" => Side::Two,
        other => {
            let text = format!("expected 1 or 2, found {}", quoted(other));
            return Err(error(Field::Side, starts[1], text));
        }
    };
    let quiet = counter(Field::Quiet, words[3], starts[3])?;
    let ply = counter(Field::Ply, words[4], starts[4])?;
    let squares = pieces.iter().map(|(column, square, _)| (*square, column + starts[0] - 1));
    let columns = Columns { fields: starts, squares: squares.collect() };
    let setup = Setup {
        pieces: pieces.into_iter().map(|(_, square, piece)| (square, piece)).collect(),
        counters: Counters { side, quiet, ply },
        extra: words[2].to_owned(),
    };
    Ok((setup, columns))
}

/// Writes the five fields.
pub(super) fn print(
    board: Geometry,
    piece: impl Fn(Square) -> Option<Piece>,
    counters: Counters,
    extra: &str,
) -> String {
    let mut text = String::new();
    for rank in (0..board.ranks as usize).rev() {
        let mut empty = 0;
        for file in 0..board.files as usize {
            match piece(Square::new(rank * board.files as usize + file)) {
                None => empty += 1,
                Some(piece) => {
                    push_empty(&mut text, empty);
                    empty = 0;
                    text.push_str(&piece.to_string());
                }
            }
        }
        push_empty(&mut text, empty);
        text.push(if rank > 0 { '/' } else { ' ' });
    }
    let side = counters.side.number();
    text + &format!("{side} {extra} {} {}", counters.quiet, counters.ply)
}

fn push_empty(text: &mut String, count: usize) {
    if count > 0 {
        text.push_str(&count.to_string());
    }
}

fn error(field: Field, column: usize, text: String) -> PositionError {
    PositionError { field, column, text }
}

/// The five words of the text, and the column of each.
fn split(text: &str) -> Result<([&str; 5], [usize; 5]), PositionError> {
    let mut words = [""; 5];
    let mut starts = [text.chars().count() + 1; 5];
    let mut found = 0;
    for word in text.split([' ', '\t']).filter(|word| !word.is_empty()) {
        let offset = word.as_ptr() as usize - text.as_ptr() as usize;
        let column = text[..offset].chars().count() + 1;
        if found == 5 {
            let text = format!("expected the end of the position, found {}", quoted(word));
            return Err(error(Field::Ply, column, text));
        }
        (words[found], starts[found]) = (word, column);
        found += 1;
    }
    if found < 5 {
        let missing = Field::VARIANTS[found];
        let text = format!("expected five fields (board side extra quiet ply), found {found}");
        return Err(error(missing, starts[found], text));
    }
    Ok((words, starts))
}

fn counter(field: Field, word: &str, column: usize) -> Result<u32, PositionError> {
    let is_plain =
        word.bytes().all(|byte| byte.is_ascii_digit()) && (word == "0" || !word.starts_with('0'));
    match word.parse() {
        Ok(number) if is_plain && number <= Counters::MAX => Ok(number),
        _ => {
            let (most, found) = (Counters::MAX, quoted(word));
            let text =
                format!("expected a number from 0 to {most} without leading zeros, found {found}");
            Err(error(field, column, text))
        }
    }
}

/// Reads the board field: the pieces with their squares, and the column of each.
fn read_board(
    board: Geometry,
    diagram: &Diagram,
    field: &str,
) -> Result<Vec<(usize, Square, Piece)>, PositionError> {
    let fail = |column, text| Err(error(Field::Board, column, text));
    let (width, height) = (usize::from(board.files), usize::from(board.ranks));
    let flips = diagram.has_flipped();
    let (mut pieces, mut column, mut ranks) = (Vec::new(), 1, 0);
    for row in field.split('/') {
        if ranks == height {
            return fail(column, format!("expected {height} ranks, found more"));
        }
        ranks += 1;
        let rank = height - ranks;
        let (mut file, mut after_number) = (0, false);
        let mut chars = row.chars().peekable();
        while let Some(c) = chars.next() {
            let at = column;
            column += 1;
            if let Some(digit) = c.to_digit(10) {
                let mut empty = digit as usize;
                while let Some(digit) = chars.peek().and_then(|next| next.to_digit(10)) {
                    empty = (empty * 10 + digit as usize).min(1000);
                    column += 1;
                    chars.next();
                }
                if after_number || digit == 0 || empty > width {
                    let text = format!("expected one number from 1 to {width} for empty squares");
                    return fail(at, text);
                }
                file += empty;
            } else {
                let flipped = flips && chars.next_if_eq(&'~').is_some();
                column += usize::from(flipped);
                if !diagram.has_letter(c) {
                    let flip = if flips { " (optionally followed by ~)" } else { "" };
                    let found = quoted(c.encode_utf8(&mut [0; 4]));
                    let expected = format!("a number, / or one of {}{flip}", diagram.letters());
                    return fail(at, format!("expected {expected}, found {found}"));
                }
                if file < width {
                    let square = Square::new(rank * width + file);
                    pieces.push((at, square, Piece { letter: c, flipped }));
                }
                file += 1;
            }
            after_number = c.is_ascii_digit();
            if file > width {
                return fail(at, format!("rank {} is wider than {width} squares", rank + 1));
            }
        }
        if file < width {
            let text = format!("rank {} has {file} squares, expected {width}", rank + 1);
            return fail(column, text);
        }
        column += 1;
    }
    if ranks < height {
        return fail(column - 1, format!("expected {height} ranks, found {ranks}"));
    }
    Ok(pieces)
}

/// The most characters that a message shows of one word.
const LONGEST: usize = 32;

/// A word of the input in quotes. Long words are cut, and control characters are escaped.
///
/// The message stays one readable line, and a terminal finds nothing in it to obey.
fn quoted(word: &str) -> String {
    let mut text = String::from("'");
    for c in word.chars().take(LONGEST) {
        if c.is_control() { text.extend(c.escape_debug()) } else { text.push(c) }
    }
    if word.chars().nth(LONGEST).is_some() {
        text.push_str("...");
    }
    text + "'"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_squares_of_a_piece_are_those_where_it_stands() {
        let at = |index, letter| (Square::new(index), Piece::plain(letter));
        let pieces = vec![at(3, 'm'), at(1, 'W'), at(2, 'M'), at(0, 'W')];
        let setup = Setup { pieces, counters: Counters::START, extra: "-".to_owned() };
        assert!(setup.squares(Piece::plain('W')).eq([1, 0].map(Square::new)));
    }

    #[test]
    fn control_characters_are_escaped_and_long_words_cut() {
        assert_eq!(quoted("it's"), "'it's'");
        assert_eq!(quoted("a\u{1b}[2J\t"), r"'a\u{1b}[2J\t'");
        assert_eq!(quoted(&"x".repeat(33)), format!("'{}...'", "x".repeat(32)));
    }
}
