//! The mock's game: on two ranks of eight squares each player pushes one piece to the right, one or two squares per
//! turn. A player without a move has lost.

use std::fmt;

/// The last file, counted from 0.
const LAST: usize = 7;

/// A position of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Race {
    /// Files of p1's piece `A`, on rank 1, and of p2's piece `a`, on rank 2.
    pub(crate) files: [usize; 2],
    /// 0 for p1, 1 for p2.
    pub(crate) side: usize,
    pub(crate) ply: u32,
}

impl Race {
    pub(crate) const START: Race = Race { files: [0, 0], side: 0, ply: 0 };

    /// Reads a position text; an error names the field and its column.
    pub(crate) fn parse(text: &str) -> Result<Race, (&'static str, usize)> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let column = |index: usize| {
            1 + words.iter().take(index).map(|word| word.chars().count() + 1).sum::<usize>()
        };
        let fault = |field, index: usize| (field, column(index));
        let field = |name, index: usize| words.get(index).copied().ok_or(fault(name, index));
        let board = field("board", 0)?;
        let (upper, lower) = board.split_once('/').ok_or(fault("board", 0))?;
        let files = match (file(upper, 'a'), file(lower, 'A')) {
            (Some(p2), Some(p1)) => [p1, p2],
            _ => return Err(fault("board", 0)),
        };
        let side = match field("side", 1)? {
            "1" => 0,
            "2" => 1,
            _ => return Err(fault("side", 1)),
        };
        if field("extra", 2)? != "-" {
            return Err(fault("extra", 2));
        }
        let quiet = count(field("quiet", 3)?).ok_or(fault("quiet", 3))?;
        let ply = count(field("ply", 4)?).ok_or(fault("ply", 4))?;
        if words.len() > 5 || quiet != ply {
            return Err(fault("ply", words.len() - 1));
        }
        Ok(Race { files, side, ply })
    }

    /// Moves in listing order.
    pub(crate) fn moves(&self) -> Vec<String> {
        let from = self.files[self.side];
        (from + 1..=LAST.min(from + 2)).map(|to| self.square(from) + &self.square(to)).collect()
    }

    pub(crate) fn play(&mut self, mv: &str) {
        let steps =
            self.moves().iter().position(|listed| listed == mv).map_or(0, |index| index + 1);
        self.files[self.side] += steps;
        self.side = 1 - self.side;
        self.ply += 1;
    }

    /// Whether the side to move wins, and after how many plies the game then ends.
    pub(crate) fn value(&self) -> (bool, u64) {
        let after = self.moves().into_iter().map(|mv| {
            let mut child = *self;
            child.play(&mv);
            child.value()
        });
        let after: Vec<(bool, u64)> = after.collect();
        let won = after.iter().filter(|(wins, _)| !wins).map(|(_, plies)| plies + 1).min();
        let lost = after.iter().map(|(_, plies)| plies + 1).max().unwrap_or(0);
        won.map_or((false, lost), |plies| (true, plies))
    }

    /// A square on the rank of the side to move.
    fn square(&self, file: usize) -> String {
        format!("{}{}", char::from(b'a' + file as u8), self.side + 1)
    }

    pub(crate) fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let below = |mv: String| {
            let mut child = *self;
            child.play(&mv);
            child.perft(depth - 1)
        };
        self.moves().into_iter().map(below).sum()
    }
}

fn count(text: &str) -> Option<u32> {
    let sound = text == "0" || !text.starts_with(['0', '+']);
    text.parse().ok().filter(|n| sound && *n <= 1_000_000)
}

/// The file of the only piece of a rank.
fn file(rank: &str, piece: char) -> Option<usize> {
    (0..=LAST).find(|file| rank_text(*file, piece) == rank)
}

fn rank_text(file: usize, piece: char) -> String {
    let run = |n: usize| if n == 0 { String::new() } else { n.to_string() };
    format!("{}{piece}{}", run(file), run(LAST - file))
}

impl fmt::Display for Race {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [p1, p2] = self.files;
        let (upper, lower) = (rank_text(p2, 'a'), rank_text(p1, 'A'));
        write!(f, "{upper}/{lower} {} - {} {}", self.side + 1, self.ply, self.ply)
    }
}
