//! In which order a search tries moves and what it may leave out, for each game: weights, margins and counts that
//! matches have chosen (docs/strength.md).

/// A margin that grows with the depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Margin {
    /// The deepest node at which it is used, in plies; 0 for none.
    pub depth: i32,
    /// Centipawns for each ply.
    pub per_ply: i32,
}

/// How many moves of a node are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LateMoves {
    /// The deepest node at which moves are left out, in plies; 0 for none.
    pub depth: i32,
    /// Moves that are looked at whatever the depth.
    pub base: i32,
    /// Further moves for the square of the depth, in percent.
    pub per_square: i32,
}

impl LateMoves {
    /// How many moves are looked at; a side whose evaluation does not improve gets half of them.
    #[must_use]
    pub fn count(self, depth: i32, is_improving: bool) -> usize {
        let count = self.base + self.per_square * depth * depth / 100;
        (if is_improving { count } else { count / 2 }).max(1) as usize
    }
}

/// Late move reductions: `base + ln(depth) * ln(index) / divisor` plies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reductions {
    /// Added to every reduction.
    pub base: f32,
    /// What the product of the logarithms is divided by.
    pub divisor: f32,
    /// The history that makes up for a ply.
    pub history: i32,
}

/// The constants of a game's search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchTuning {
    /// What a centipawn gained at once weighs in the order of moves, where the best history is 16,384: 0 where most
    /// captures are bad.
    pub gain_weight: i32,
    /// Whether captures are tried before all other moves, which need not be ranked where one of them is enough. Without
    /// effect where all moves of a position capture or none does.
    pub captures_first: bool,
    /// Whether captures at the end of a search line must be played out before the position is evaluated. `false` for
    /// games in which every move captures.
    pub quiescence: bool,
    /// Whether quiescence looks positions with captures up in the table, and stores them.
    pub quiescence_table: bool,
    /// Reverse futility pruning: so far above the window a node is not searched.
    pub reverse_futility: Margin,
    /// Late move pruning. No capture may follow a quiet move: they come first, or capturing is compulsory.
    pub late_moves: LateMoves,
    /// Late move reductions.
    pub reductions: Reductions,
}

impl SearchTuning {
    /// A man weighs more than the best history. Nothing is left out, plies are reduced.
    pub const DEFAULT: Self = Self {
        gain_weight: 512,
        captures_first: false,
        quiescence: true,
        quiescence_table: false,
        reverse_futility: Margin { depth: 0, per_ply: 0 },
        late_moves: LateMoves { depth: 0, base: 0, per_square: 0 },
        reductions: Reductions { base: 0.5, divisor: 2.0, history: 8_192 },
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_late_moves_are_looked_at_deeper_and_where_the_evaluation_improves() {
        let late_moves = LateMoves { depth: 8, base: 4, per_square: 50 };
        let counts = |is_improving| [1, 2, 4, 8].map(|depth| late_moves.count(depth, is_improving));
        assert_eq!(counts(true), [4, 6, 12, 36]);
        assert_eq!(counts(false), [2, 3, 6, 18]);
        let none = LateMoves { depth: 8, base: 0, per_square: 0 };
        assert_eq!(none.count(8, false), 1, "one move is always looked at");
    }
}
