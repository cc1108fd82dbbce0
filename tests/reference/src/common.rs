//! What the games share: options, boards and their text, turns and their text, and the order in which turns are
//! listed.

use std::collections::{BTreeMap, BTreeSet};

/// Rule options of SPEC 8 by their names. What is not set has its default, which the game knows.
///
/// ```
/// let options = leap_reference::Options::default().with("MaxPlies", "6");
/// assert_eq!(options.number("MaxPlies", 400), 6);
/// assert!(!options.is("SaposPlacement", "possible"));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options(BTreeMap<String, String>);

impl Options {
    /// These options with another value for one of them.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.0.insert(name.to_owned(), value.to_owned());
        self
    }

    /// Whether an option is set to that value.
    pub fn is(&self, name: &str, value: &str) -> bool {
        self.0.get(name).is_some_and(|set| set == value)
    }

    /// The value of an option that is a number.
    pub fn number(&self, name: &str, default: u64) -> u64 {
        self.0.get(name).map_or(default, |set| set.parse().expect("a number"))
    }
}

/// How a game ended: the score (`1-0`, `0-1`, `1/2-1/2`) and the reason as `query status` names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ending {
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub score: &'static str,
    /// The reason in the words of SPEC 10.7.
    pub reason: &'static str,
}

impl Ending {
    pub(crate) fn loss_of(side: u8, reason: &'static str) -> Self {
        Self { score: if side == 1 { "0-1" } else { "1-0" }, reason }
    }

    /// More for player 1 is `1-0`, fewer `0-1`, as many a draw.
    pub(crate) fn by_count(p1: usize, p2: usize, reason: &'static str) -> Self {
        let score = match p1.cmp(&p2) {
            std::cmp::Ordering::Greater => "1-0",
            std::cmp::Ordering::Less => "0-1",
            std::cmp::Ordering::Equal => "1/2-1/2",
        };
        Self { score, reason }
    }
}

/// A piece as the position text writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) letter: char,
    /// `~` follows the letter (Táctica "S" only).
    pub(crate) flipped: bool,
}

impl Piece {
    pub(crate) fn new(letter: char) -> Self {
        Self { letter, flipped: false }
    }

    /// Upper case is player 1's, lower case player 2's; a flipped piece is the other player's.
    pub(crate) fn owner(self) -> u8 {
        let first = if self.letter.is_ascii_uppercase() { 1 } else { 2 };
        if self.flipped { 3 - first } else { first }
    }
}

/// A step on the board: files to the right, ranks up.
pub(crate) type Direction = (i32, i32);

pub(crate) const ORTHOGONAL: [Direction; 4] = [(0, -1), (-1, 0), (1, 0), (0, 1)];
pub(crate) const DIAGONAL: [Direction; 4] = [(-1, -1), (1, -1), (-1, 1), (1, 1)];

/// A board and the four fields that follow it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) files: usize,
    pub(crate) ranks: usize,
    /// `(rank - 1) * files + (file - 1)`.
    pub(crate) cells: Vec<Option<Piece>>,
    pub(crate) side: u8,
    pub(crate) extra: String,
    pub(crate) quiet: u32,
    pub(crate) ply: u32,
}

impl Position {
    pub(crate) fn squares(&self) -> std::ops::Range<usize> {
        0..self.cells.len()
    }

    /// The rank of a square, from 1.
    pub(crate) fn rank(&self, square: usize) -> usize {
        square / self.files + 1
    }

    /// The file of a square, from 1.
    pub(crate) fn file(&self, square: usize) -> usize {
        square % self.files + 1
    }

    /// The next square that way, if the board goes on.
    pub(crate) fn next(&self, square: usize, direction: Direction) -> Option<usize> {
        let file = self.file(square) as i32 + direction.0;
        let rank = self.rank(square) as i32 + direction.1;
        let inside =
            (1..=self.files as i32).contains(&file) && (1..=self.ranks as i32).contains(&rank);
        inside.then(|| (rank as usize - 1) * self.files + (file as usize - 1))
    }

    pub(crate) fn is_empty(&self, square: usize) -> bool {
        self.cells[square].is_none()
    }

    /// Who owns the piece there, 0 for an empty square.
    pub(crate) fn owner(&self, square: usize) -> u8 {
        self.cells[square].map_or(0, Piece::owner)
    }

    pub(crate) fn is_own(&self, square: usize) -> bool {
        self.owner(square) == self.side
    }

    pub(crate) fn is_enemy(&self, square: usize) -> bool {
        self.owner(square) == 3 - self.side
    }

    pub(crate) fn own_squares(&self) -> Vec<usize> {
        self.squares().filter(|&square| self.is_own(square)).collect()
    }

    pub(crate) fn count_owned(&self, side: u8) -> usize {
        self.squares().filter(|&square| self.owner(square) == side).count()
    }

    /// The empty squares next to a square, those ways.
    pub(crate) fn steps(&self, square: usize, directions: &[Direction]) -> Vec<usize> {
        let next = directions.iter().filter_map(|&direction| self.next(square, direction));
        next.filter(|&to| self.is_empty(to)).collect()
    }

    /// The same position with that square emptied.
    pub(crate) fn without(&self, square: usize) -> Self {
        let mut position = self.clone();
        position.cells[square] = None;
        position
    }

    /// The other side is to move, a ply later.
    pub(crate) fn pass_on(&mut self, is_quiet: bool) {
        self.side = 3 - self.side;
        self.quiet = if is_quiet { self.quiet + 1 } else { 0 };
        self.ply += 1;
    }

    /// Whether board, side and extra are the same: all that repetition compares.
    pub(crate) fn repeats(&self, other: &Self) -> bool {
        (&self.cells, self.side, &self.extra) == (&other.cells, other.side, &other.extra)
    }

    pub(crate) fn print(&self) -> String {
        let Self { side, extra, quiet, ply, .. } = self;
        format!("{} {side} {extra} {quiet} {ply}", self.board_text())
    }

    fn board_text(&self) -> String {
        let ranks: Vec<String> = (0..self.ranks).rev().map(|rank| self.rank_text(rank)).collect();
        ranks.join("/")
    }

    fn rank_text(&self, rank: usize) -> String {
        let mut text = String::new();
        let mut empty = 0;
        for file in 0..self.files {
            match self.cells[rank * self.files + file] {
                None => empty += 1,
                Some(piece) => {
                    if empty > 0 {
                        text += &empty.to_string();
                    }
                    empty = 0;
                    text.push(piece.letter);
                    if piece.flipped {
                        text.push('~');
                    }
                }
            }
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        text
    }

    /// Reads the five fields of a position with these `letters`. With `flips`, `~` may follow a letter.
    ///
    /// Each game checks the extra field and the numbers of men itself.
    pub(crate) fn parse(
        text: &str,
        files: usize,
        ranks: usize,
        letters: &str,
        flips: bool,
    ) -> Result<Self, String> {
        let fields: Vec<&str> = text.split(' ').collect();
        let [board, side, extra, quiet, ply] = fields[..] else {
            return Err(format!("expected five fields, found {}", fields.len()));
        };
        let side = match side {
            "1" => 1,
            "2" => 2,
            _ => return Err(format!("side: expected 1 or 2, found {side}")),
        };
        let rows: Vec<&str> = board.split('/').collect();
        if rows.len() != ranks {
            return Err(format!("board: expected {ranks} ranks, found {}", rows.len()));
        }
        let mut cells = Vec::new();
        for row in rows.iter().rev() {
            cells.extend(parse_rank(row, files, letters, flips)?);
        }
        let (quiet, ply) = (parse_number(quiet)?, parse_number(ply)?);
        Ok(Self { files, ranks, cells, side, extra: extra.to_string(), quiet, ply })
    }
}

fn parse_rank(
    row: &str,
    files: usize,
    letters: &str,
    flips: bool,
) -> Result<Vec<Option<Piece>>, String> {
    let mut cells: Vec<Option<Piece>> = Vec::new();
    let mut rest = row;
    while let Some(letter) = rest.chars().next() {
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        if !digits.is_empty() {
            // All the digits are one number, so two numbers in a row cannot be written.
            let empty = parse_number(&digits)? as usize;
            if !(1..=files).contains(&empty) {
                return Err(format!("board: no {empty} empty cells in a rank of {files}"));
            }
            cells.extend(vec![None; empty]);
            rest = &rest[digits.len()..];
        } else if letters.contains(letter) {
            rest = &rest[letter.len_utf8()..];
            let flipped = flips && rest.starts_with('~');
            if flipped {
                rest = &rest[1..];
            }
            cells.push(Some(Piece { letter, flipped }));
        } else {
            return Err(format!("board: {letter:?} is not a piece"));
        }
    }
    if cells.len() != files {
        return Err(format!("board: expected {files} cells in {row}, found {}", cells.len()));
    }
    Ok(cells)
}

/// A number in decimal digits without a leading zero.
pub(crate) fn parse_number(text: &str) -> Result<u32, String> {
    let digits = !text.is_empty() && text.chars().all(|letter| letter.is_ascii_digit());
    if !digits || (text.len() > 1 && text.starts_with('0')) {
        return Err(format!("expected a number, found {text:?}"));
    }
    text.parse().map_err(|_| format!("{text} is too large"))
}

/// One whole turn by one of its routes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Turn {
    /// Froglet's first move, `xd4`.
    pub(crate) removal: bool,
    /// The squares the piece stops on, its origin first.
    pub(crate) squares: Vec<usize>,
    pub(crate) captured: BTreeSet<usize>,
    pub(crate) drops: Vec<usize>,
}

/// What makes two routes one move: origin, destination, captured pieces, drops.
pub(crate) type Identity = (usize, usize, BTreeSet<usize>, BTreeSet<usize>);

impl Turn {
    pub(crate) fn new(squares: &[usize], captured: &BTreeSet<usize>, drops: &[usize]) -> Self {
        Self {
            removal: false,
            squares: squares.to_vec(),
            captured: captured.clone(),
            drops: drops.to_vec(),
        }
    }

    pub(crate) fn origin(&self) -> usize {
        self.squares[0]
    }

    pub(crate) fn destination(&self) -> usize {
        self.squares[self.squares.len() - 1]
    }

    pub(crate) fn identity(&self) -> Identity {
        let drops = self.drops.iter().copied().collect();
        (self.origin(), self.destination(), self.captured.clone(), drops)
    }

    /// Fewest squares first, then the smallest by index, first square first; drops ascend.
    fn canonical_key(&self) -> (usize, &[usize], &[usize]) {
        (self.squares.len(), &self.squares, &self.drops)
    }

    /// Square by square by index, a shorter prefix first, a drop after any square.
    fn listing_key(&self) -> Vec<(bool, usize)> {
        let squares = self.squares.iter().map(|&square| (false, square));
        let drops = self.drops.iter().map(|&square| (true, square));
        squares.chain(drops).collect()
    }

    pub(crate) fn print(&self, files: usize) -> String {
        let mut text = String::new();
        if self.removal {
            text.push('x');
        }
        for &square in &self.squares {
            text += &square_text(square, files);
        }
        for &square in &self.drops {
            text.push('@');
            text += &square_text(square, files);
        }
        text
    }

    /// Reads squares and drops; what is captured is not in the text, so `captured` stays empty.
    pub(crate) fn parse(text: &str, files: usize, ranks: usize) -> Result<Self, String> {
        let removal = text.starts_with('x');
        let mut turn = Self { removal, ..Self::new(&[], &BTreeSet::new(), &[]) };
        let mut rest = if removal { &text[1..] } else { text };
        while !rest.is_empty() {
            let drop = rest.starts_with('@');
            rest = if drop { &rest[1..] } else { rest };
            let (square, length) = parse_square(rest, files, ranks)?;
            rest = &rest[length..];
            if drop {
                turn.drops.push(square);
            } else if turn.drops.is_empty() {
                turn.squares.push(square);
            } else {
                return Err(format!("{text}: a square after a drop"));
            }
        }
        let enough = if removal { turn.squares.len() == 1 } else { turn.squares.len() >= 2 };
        if enough { Ok(turn) } else { Err(format!("{text}: not a move")) }
    }
}

pub(crate) fn square_text(square: usize, files: usize) -> String {
    format!("{}{}", (b'a' + (square % files) as u8) as char, square / files + 1)
}

/// The square a text begins with, and how many bytes name it.
fn parse_square(text: &str, files: usize, ranks: usize) -> Result<(usize, usize), String> {
    let file = text.bytes().next().map_or(0, |letter| letter.wrapping_sub(b'a') as usize);
    let digits: String = text.chars().skip(1).take_while(char::is_ascii_digit).collect();
    let rank = parse_number(&digits)? as usize;
    if file >= files || !(1..=ranks).contains(&rank) {
        return Err(format!("{text}: not on the board"));
    }
    Ok(((rank - 1) * files + file, 1 + digits.len()))
}

/// The canonical route of each move, in listing order.
pub(crate) fn list(routes: Vec<Turn>) -> Vec<Turn> {
    let mut moves: BTreeMap<Identity, Turn> = BTreeMap::new();
    for route in routes {
        match moves.get_mut(&route.identity()) {
            Some(best) if best.canonical_key() <= route.canonical_key() => {}
            Some(best) => *best = route,
            None => {
                moves.insert(route.identity(), route);
            }
        }
    }
    let mut moves: Vec<Turn> = moves.into_values().collect();
    moves.sort_by_key(Turn::listing_key);
    moves
}

/// SplitMix64, from which Froglet's start and random games are drawn.
pub struct SplitMix64(pub u64);

impl SplitMix64 {
    /// The next number.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`: the high 64 bits of draw * bound.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.draw()) * bound as u128) >> 64) as usize
    }
}
