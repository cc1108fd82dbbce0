//! Turned and mirrored boards and positions.

use crate::notation::{Diagram, Notation, Piece};
use crate::{Geometry, Square};

/// A way to turn or mirror a board.
///
/// The files are reversed first, then the ranks. Then files and ranks are exchanged.
///
/// ```
/// use leap_core::Geometry;
/// use leap_core::symmetry::Transform;
///
/// let board = Geometry { files: 8, ranks: 8 };
/// let image = |square, transform| board.name(board.transform(square, transform)).to_string();
/// let b3 = board.square(1, 2).unwrap();
/// assert_eq!(image(b3, Transform { reverses_files: true, ..Transform::NONE }), "g3");
/// assert_eq!(image(b3, Transform { reverses_ranks: true, ..Transform::NONE }), "b6");
/// assert_eq!(image(b3, Transform { transposes: true, ..Transform::NONE }), "c2");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Transform {
    /// Whether left and right are exchanged.
    pub reverses_files: bool,
    /// Whether top and bottom are exchanged.
    pub reverses_ranks: bool,
    /// Whether files and ranks are exchanged. For square boards only.
    pub transposes: bool,
}

impl Transform {
    /// Leaves everything in its place.
    pub const NONE: Self = Self { reverses_files: false, reverses_ranks: false, transposes: false };

    /// The eight ways to turn and mirror a square board, [`Transform::NONE`] first. The first two keep the ranks.
    pub const ALL: [Self; 8] = {
        let mut all = [Self::NONE; 8];
        let mut bits = 0;
        while bits < 8 {
            all[bits] = Self {
                reverses_files: bits & 1 != 0,
                reverses_ranks: bits & 2 != 0,
                transposes: bits & 4 != 0,
            };
            bits += 1;
        }
        all
    };
}

impl Geometry {
    /// The square that a square goes to.
    #[must_use]
    pub const fn transform(self, square: Square, transform: Transform) -> Square {
        let (mut file, mut rank) = (self.file(square), self.rank(square));
        if transform.reverses_files {
            file = self.files - 1 - file;
        }
        if transform.reverses_ranks {
            rank = self.ranks - 1 - rank;
        }
        let (file, rank) = if transform.transposes { (rank, file) } else { (file, rank) };
        Square::new(rank as usize * self.files as usize + file as usize)
    }
}

/// A symmetric view of a position.
///
/// In every game the rules are the same with left and right exchanged. They are also the same for both players, when
/// each looks from its own side of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Image {
    /// Left and right are exchanged.
    pub mirrored: bool,
    /// The players are exchanged, and the ranks with them. Each player stays on its own side of the board.
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

    /// The image of a position, or `None` if the game has no such position.
    pub fn of<R: Notation>(self, rules: &R, position: &R::Position) -> Option<R::Position> {
        let transform = Transform {
            reverses_files: self.mirrored,
            reverses_ranks: self.exchanged,
            ..Transform::NONE
        };
        let mut parts = rules.to_setup(position);
        for (square, piece) in &mut parts.pieces {
            *square = R::GEOMETRY.transform(*square, transform);
            *piece = self.piece(&R::DIAGRAM, *piece);
        }
        if self.exchanged {
            parts.counters.side = parts.counters.side.other();
            parts.extra = R::exchange_extra(&parts.extra);
        }
        rules.from_setup(&parts).ok()
    }

    /// The piece with its letter in the other case. Where the game has no such letter, the piece stays.
    fn piece(self, diagram: &Diagram, piece: Piece) -> Piece {
        let letter = piece.letter;
        let other = if letter.is_ascii_uppercase() {
            letter.to_ascii_lowercase()
        } else {
            letter.to_ascii_uppercase()
        };
        let letter = if self.exchanged && diagram.has_letter(other) { other } else { letter };
        Piece { letter, ..piece }
    }
}

/// A text that a position shares with its images and with no other position.
///
/// It is the least of their texts, without counters.
#[must_use]
pub fn identity<R: Notation>(rules: &R, position: &R::Position) -> String {
    let images = Image::ALL.iter().filter_map(|image| image.of(rules, position));
    let texts = images.map(|image| {
        let text = rules.print_position(&image);
        let fields: Vec<&str> = text.split(' ').take(3).collect();
        fields.join(" ")
    });
    texts.min().unwrap_or_default()
}
