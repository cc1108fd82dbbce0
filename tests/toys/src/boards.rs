//! Boards composed at random, for tests of what no game leads to.

use rand_chacha::ChaCha8Rng;

use crate::random::below;

/// What board texts of a game are made of.
#[derive(Clone, Debug)]
pub struct Pieces {
    /// The files of the board.
    pub files: usize,
    /// The ranks of the board.
    pub ranks: usize,
    /// The texts of all pieces.
    pub pieces: Vec<String>,
}

impl Pieces {
    /// A board text on which each square is taken with this chance, in per cent. The game may refuse it.
    #[must_use]
    pub fn board(&self, rng: &mut ChaCha8Rng, density: usize) -> String {
        let row = |rng: &mut ChaCha8Rng| {
            let (mut row, mut empty) = (String::new(), 0);
            for _ in 0..self.files {
                if below(rng, 100) >= density {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    row += &std::mem::take(&mut empty).to_string();
                }
                row += &self.pieces[below(rng, self.pieces.len())];
            }
            if empty > 0 {
                row += &empty.to_string();
            }
            row
        };
        let rows: Vec<String> = (0..self.ranks).map(|_| row(rng)).collect();
        rows.join("/")
    }
}
