//! Placements as text, without knowledge of the pieces: enough to apply the effects of a move and to sort moves.

use std::fmt::{self, Write as _};

use leap_protocol::payload::Effect;

use super::square_index;

/// The pieces on a board, in the form of the first field of a position text (SPEC 9.8).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Placement {
    /// Ranks from the top, squares from file `a`; `None` is an empty square.
    ranks: Vec<Vec<Option<String>>>,
}

impl Placement {
    /// Parses a board; `None` if the text is not one.
    pub fn parse(text: &str) -> Option<Self> {
        let ranks: Vec<_> = text.split('/').map(parse_rank).collect::<Option<_>>()?;
        let width = ranks.first()?.len();
        let sound = width > 0 && ranks.iter().all(|rank| rank.len() == width);
        sound.then_some(Self { ranks })
    }

    /// Builds a placement from the contents of each square, by name.
    pub fn of(files: usize, ranks: usize, piece: impl Fn(&str) -> Option<String>) -> Self {
        let files = || ('a'..='z').take(files);
        let row = |rank| files().map(|file| piece(&format!("{file}{rank}"))).collect();
        Self { ranks: (1..=ranks).rev().map(row).collect() }
    }

    /// How many files the board has.
    pub fn files(&self) -> usize {
        self.ranks.first().map_or(0, Vec::len)
    }

    /// How many ranks the board has.
    pub fn ranks(&self) -> usize {
        self.ranks.len()
    }

    /// All squares in ascending order.
    pub fn squares(&self) -> Vec<String> {
        let ranks = 1..=self.ranks();
        let files = || ('a'..='z').take(self.files());
        ranks.flat_map(|rank| files().map(move |file| format!("{file}{rank}"))).collect()
    }

    /// The distinct piece texts on the board.
    pub fn pieces(&self) -> std::collections::BTreeSet<&str> {
        self.ranks.iter().flatten().flatten().map(String::as_str).collect()
    }

    /// The contents of each square, in ascending order of squares.
    pub fn contents(&self) -> impl Iterator<Item = Option<&str>> {
        self.ranks.iter().rev().flatten().map(Option::as_deref)
    }

    /// The piece on a square.
    pub fn get(&self, square: &str) -> Option<&str> {
        let (rank, file) = square_index(square)?;
        let row = self.ranks().checked_sub(rank)?;
        self.ranks.get(row)?.get(file - 1)?.as_deref()
    }

    /// The index of a square; the error describes what is wrong with it.
    fn at(&mut self, square: &str) -> Result<&mut Option<String>, String> {
        let outside = || format!("the square '{square}' is not on the board");
        let (rank, file) = square_index(square).ok_or_else(outside)?;
        let row = self.ranks().checked_sub(rank).ok_or_else(outside)?;
        self.ranks.get_mut(row).and_then(|row| row.get_mut(file - 1)).ok_or_else(outside)
    }

    fn take(&mut self, square: &str) -> Result<String, String> {
        self.at(square)?.take().ok_or_else(|| format!("there is nothing on {square}"))
    }

    fn put(&mut self, square: &str, piece: &str) -> Result<(), String> {
        let place = self.at(square)?;
        if place.is_some() {
            return Err(format!("{square} is not empty"));
        }
        *place = Some(piece.to_owned());
        Ok(())
    }

    /// Applies the answer of `query effects` in order (SPEC 4.28).
    ///
    /// # Errors
    /// A description of the effect that cannot be applied.
    pub fn apply(&mut self, effects: &[Effect]) -> Result<(), String> {
        let mut here = "";
        for effect in effects {
            match effect {
                Effect::From(square) => here = square,
                Effect::To(square) => {
                    let piece = self.take(here)?;
                    self.put(square, &piece)?;
                    here = square;
                }
                Effect::Captured(square) | Effect::Removed(square) => drop(self.take(square)?),
                Effect::Changed(_, square, piece) => {
                    self.take(square)?;
                    self.put(square, piece)?;
                }
                Effect::Dropped(square, piece) => self.put(square, piece)?,
                Effect::Points(_) | Effect::Other(..) => {}
            }
        }
        Ok(())
    }
}

fn parse_rank(text: &str) -> Option<Vec<Option<String>>> {
    let mut squares: Vec<Option<String>> = Vec::new();
    let mut run = 0_usize;
    for c in text.chars() {
        if let Some(digit) = c.to_digit(10) {
            run = run * 10 + digit as usize;
            // No board is wider than the alphabet.
            if run > 26 {
                return None;
            }
            continue;
        }
        squares.resize(squares.len() + std::mem::take(&mut run), None);
        match c {
            '~' => squares.last_mut()?.as_mut()?.push(c),
            _ => squares.push(Some(c.to_string())),
        }
    }
    squares.resize(squares.len() + run, None);
    Some(squares)
}

/// Formats the board as in a position text.
impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, rank) in self.ranks.iter().enumerate() {
            if index > 0 {
                f.write_char('/')?;
            }
            for run in rank.chunk_by(|a, b| a.is_none() && b.is_none()) {
                match run {
                    [Some(piece)] => f.write_str(piece)?,
                    empty => write!(f, "{}", empty.len())?,
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use leap_protocol::payload::Effects;

    use super::*;

    #[test]
    fn boards_round_trip() {
        for text in ["mmmmm/mm1MM/5", "12/1B10/GYG9", "c~1S~5/8"] {
            assert_eq!(Placement::parse(text).unwrap().to_string(), text);
        }
        for text in ["", "5/4", "/", "99999999999999999999", "~8"] {
            assert_eq!(Placement::parse(text), None, "{text}");
        }
    }

    #[test]
    fn effects_move_take_flip_and_drop() {
        let mut board = Placement::parse("8/2M5/1mC5").unwrap();
        let mut apply = |text: &str| {
            board.apply(&text.parse::<Effects>().unwrap().0).map(|()| board.to_string())
        };
        let done =
            apply("from c2 to c3 removed c3 captured b1 flipped c1=C~ dropped b1=M points 3");
        assert_eq!(done.unwrap(), "8/8/1MC~5");
        let done = apply("flipped c1=C dropped d1=h~ from b1 to a1 side 2");
        assert_eq!(done.unwrap(), "8/8/M1Ch~4");
        assert!(apply("captured b1").is_err());
        assert!(apply("from a1 to i9").is_err());
    }
}
