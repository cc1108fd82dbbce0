//! The rules of Alquerque, as literally as they read (SPEC 11.2, 11.6 to 11.11). Nothing is shared with the engine.

use std::sync::LazyLock;

/// Points of the board, numbered from a1 by rows.
pub const POINTS: usize = 25;

/// The men on the board: a bit for each point. The own side moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    /// The men of the side to move.
    pub own: u32,
    /// The men of the other side.
    pub enemy: u32,
}

/// A position after a move, seen by the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct After {
    /// The men; `own` are those of the side that moves next.
    pub board: Board,
    /// Whether the move captured.
    pub is_capture: bool,
}

impl Board {
    fn is_empty(self, point: usize) -> bool {
        (self.own | self.enemy) >> point & 1 == 0
    }

    /// Turned to the other side, after a move.
    fn after(self, is_capture: bool) -> After {
        After { board: Self { own: self.enemy, enemy: self.own }, is_capture }
    }

    /// The positions after all legal moves. One that several routes lead to may come several times.
    #[must_use]
    pub fn moves(self, is_mandatory: bool) -> Vec<After> {
        let mut moves = Vec::new();
        for from in men(self.own) {
            let lifted = Self { own: self.own & !(1 << from), ..self };
            hops(lifted, from, is_mandatory, &mut moves);
        }
        if is_mandatory && !moves.is_empty() {
            return moves;
        }
        for from in men(self.own) {
            for Line { next, .. } in &LINES[from] {
                if self.is_empty(*next) {
                    let own = self.own & !(1 << from) | 1 << next;
                    moves.push(Self { own, ..self }.after(false));
                }
            }
        }
        moves
    }

    /// The board turned or mirrored in one of eight ways.
    #[must_use]
    pub fn image(self, way: usize) -> Self {
        let set = |set| men(set).map(|point| 1 << image(point, way)).sum();
        Self { own: set(self.own), enemy: set(self.enemy) }
    }
}

/// Adds the moves that go on with a hop of the man on `at`, who is lifted from the board.
fn hops(board: Board, at: usize, is_mandatory: bool, moves: &mut Vec<After>) {
    for Line { next: over, beyond } in &LINES[at] {
        let Some(to) = beyond.filter(|to| board.is_empty(*to)) else { continue };
        if board.enemy >> over & 1 == 0 {
            continue;
        }
        let board = Board { enemy: board.enemy & !(1 << over), ..board };
        let before = moves.len();
        hops(board, to, is_mandatory, moves);
        if !is_mandatory || moves.len() == before {
            moves.push(Board { own: board.own | 1 << to, ..board }.after(true));
        }
    }
}

/// The points of a set.
fn men(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let highest = set.checked_ilog2()?;
        set &= !(1 << highest);
        Some(highest as usize)
    })
}

/// A way along a line.
struct Line {
    /// The next point.
    next: usize,
    /// The point after it, if it is on the board.
    beyond: Option<usize>,
}

/// The ways along lines from each point. Billions of positions are checked, so they are found once.
static LINES: LazyLock<[Vec<Line>; POINTS]> = LazyLock::new(|| {
    std::array::from_fn(|point| {
        let line = |d| Some(Line { next: along(point, d, 1)?, beyond: along(point, d, 2) });
        directions(point).filter_map(line).collect()
    })
});

/// The directions of the lines that meet at a point, in files and ranks.
fn directions(point: usize) -> impl Iterator<Item = (isize, isize)> {
    let all = (-1..=1isize).flat_map(|files| (-1..=1isize).map(move |ranks| (files, ranks)));
    let has_diagonals = (point % 5 + point / 5).is_multiple_of(2);
    all.filter(move |(files, ranks)| match files.abs() + ranks.abs() {
        1 => true,
        2 => has_diagonals,
        _ => false,
    })
}

/// The point some steps away, if it is on the board.
fn along(from: usize, (files, ranks): (isize, isize), steps: isize) -> Option<usize> {
    let file = (from % 5).checked_add_signed(files * steps).filter(|file| *file < 5)?;
    let rank = (from / 5).checked_add_signed(ranks * steps).filter(|rank| *rank < 5)?;
    Some(5 * rank + file)
}

fn image(point: usize, way: usize) -> usize {
    let (mut file, mut rank) = (point % 5, point / 5);
    if way & 1 != 0 {
        file = 4 - file;
    }
    if way & 2 != 0 {
        (file, rank) = (rank, file);
    }
    if way & 4 != 0 {
        rank = 4 - rank;
    }
    5 * rank + file
}
