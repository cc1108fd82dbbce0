//! Regions of a board. People are shown the value of the patterns by region.

use super::patterns::{Design, Perspective, Symmetry};
use leap_core::{Geometry, Square, SquareSet};

/// How many regions a board has.
pub(super) const REGIONS: usize = 3;

/// Parts of a board that the symmetries of its game leave in place.
#[derive(Clone, Debug)]
pub(super) struct Regions {
    /// The names of the regions.
    pub(super) names: [&'static str; REGIONS],
    squares: [SquareSet; REGIONS],
}

impl Regions {
    /// The regions of a design: rows where each side has a direction, otherwise rings.
    pub(super) fn new(design: &Design) -> Self {
        let (names, region): (_, fn(Geometry, Square) -> usize) = match design.symmetry {
            Symmetry::Mirror => (["home", "middle", "far"], row),
            Symmetry::Square => (["edge", "ring", "centre"], ring),
        };
        let board = design.board;
        let all = || (0..usize::from(board.files) * usize::from(board.ranks)).map(Square::new);
        let within = |number| all().filter(|square| region(board, *square) == number).collect();
        Self { names, squares: std::array::from_fn(within) }
    }

    /// The value of an empty board, then what each region adds. Their sum is the value of the position.
    ///
    /// What a region adds depends on the regions filled before it. The result is the mean of filling the regions in
    /// order and in reverse: a Shapley value over two orders.
    pub(super) fn shares(
        &self,
        perspective: &Perspective,
        value: impl Fn(&Perspective) -> i32,
    ) -> [i32; REGIONS + 1] {
        let filled = |from: usize, to: usize| {
            let set = self.squares[from..to].iter().fold(SquareSet::EMPTY, |all, one| all | *one);
            let kinds = perspective.kinds.iter().map(|kind| *kind & set).collect();
            value(&Perspective { kinds, ..perspective.clone() })
        };
        let ends = filled(0, 0) + filled(0, REGIONS);
        // The value of the first `n` regions together.
        let first: [i32; REGIONS + 1] =
            std::array::from_fn(|n| (filled(0, n) + ends - filled(n, REGIONS)) / 2);
        std::array::from_fn(|n| if n == 0 { first[0] } else { first[n] - first[n - 1] })
    }
}

/// The region of a row. The middle rows are at least a third of the board away from both ends.
fn row(board: Geometry, square: Square) -> usize {
    let (rank, ranks) = (board.rank(square), board.ranks);
    let from_end = rank.min(ranks - 1 - rank);
    if from_end * 3 >= ranks {
        1
    } else if rank == from_end {
        0
    } else {
        2
    }
}

fn ring(board: Geometry, square: Square) -> usize {
    let (file, rank) = (board.file(square), board.rank(square));
    let from_edge = file.min(rank).min(board.files - 1 - file).min(board.ranks - 1 - rank);
    usize::from(from_edge).min(REGIONS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::patterns::Form;

    fn regions(size: u8, symmetry: Symmetry) -> Regions {
        Regions::new(&Design {
            game: "made for a test",
            board: Geometry { files: size, ranks: size },
            form: Form::Linear,
            symmetry,
            kinds: "Ox",
            windows: Vec::new(),
            counts: Vec::new(),
        })
    }

    #[test]
    fn every_square_is_in_one_region() {
        let sizes = |size, symmetry| regions(size, symmetry).squares.map(SquareSet::len);
        assert_eq!(sizes(8, Symmetry::Mirror), [24, 16, 24]);
        assert_eq!(sizes(5, Symmetry::Square), [16, 8, 1]);
    }

    #[test]
    fn what_regions_mean_together_is_shared_between_them() {
        let regions = regions(8, Symmetry::Mirror);
        let all = SquareSet(u64::MAX);
        let perspective = Perspective {
            kinds: [all].into_iter().collect(),
            counts: Default::default(),
            phase: 0,
        };
        // An empty board is worth 1. The first two regions add 10 together, and nothing alone.
        let pair = regions.squares[0] | regions.squares[1];
        let value =
            |perspective: &Perspective| if perspective.kinds[0] & pair == pair { 11 } else { 1 };
        assert_eq!(regions.shares(&perspective, value), [1, 5, 5, 0]);
    }
}
