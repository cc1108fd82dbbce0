//! Positions that are the same but for a mirror.

use leap_core::notation::{Glyph, Notation};
use leap_core::{Board, Square};

/// A way to look at a position. No rule of any game tells left from right, and none tells the players from each other once
/// each looks from its own side of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Image {
    /// Left and right are exchanged.
    pub mirrored: bool,
    /// The players are exchanged, and with them the ranks, so that each keeps its own.
    pub exchanged: bool,
}

impl Image {
    /// Every image, the position itself first.
    pub const ALL: [Self; 4] = [
        Self { mirrored: false, exchanged: false },
        Self { mirrored: true, exchanged: false },
        Self { mirrored: false, exchanged: true },
        Self { mirrored: true, exchanged: true },
    ];

    /// The image of a position; `None` if the game knows no such position.
    pub fn of<G: Notation>(self, game: &G, position: &G::Position) -> Option<G::Position> {
        let mut parts = game.decompose(position);
        for (square, glyph) in &mut parts.pieces {
            *square = self.square(G::BOARD, *square);
            *glyph = self.glyph(G::LETTERS, *glyph);
        }
        if self.exchanged {
            parts.counters.side = parts.counters.side.other();
            parts.extra = G::exchange_extra(&parts.extra);
        }
        game.compose(&parts).ok()
    }

    fn square(self, board: Board, square: Square) -> Square {
        let (mut file, mut rank) =
            (usize::from(board.file(square)), usize::from(board.rank(square)));
        if self.mirrored {
            file = usize::from(board.files) - 1 - file;
        }
        if self.exchanged {
            rank = usize::from(board.ranks) - 1 - rank;
        }
        Square::new(rank * usize::from(board.files) + file)
    }

    /// The piece in the other case; where the game has no such letter, the piece is nobody's.
    fn glyph(self, letters: &str, glyph: Glyph) -> Glyph {
        let letter = glyph.letter;
        let other = if letter.is_ascii_uppercase() {
            letter.to_ascii_lowercase()
        } else {
            letter.to_ascii_uppercase()
        };
        let letter = if self.exchanged && letters.contains(other) { other } else { letter };
        Glyph { letter, ..glyph }
    }
}

/// What a position and all its images have in common and no other position has: the least of their texts, without counters.
#[must_use]
pub fn identity<G: Notation>(game: &G, position: &G::Position) -> String {
    let images = Image::ALL.iter().filter_map(|image| image.of(game, position));
    let texts = images.map(|image| {
        let text = game.print_position(&image);
        let fields: Vec<&str> = text.split(' ').take(3).collect();
        fields.join(" ")
    });
    texts.min().unwrap_or_default()
}
