//! The rules of Alquerque, as literally as they read (SPEC 11.2, 11.6 to 11.11). They share nothing with the engine but
//! the type of the men.

use std::sync::LazyLock;

use leap_tables::Men;

/// Points of the board, numbered from a1 by rows.
pub const POINTS: usize = 25;

/// A position after a move, seen by the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct After {
    /// The men; `own` are those of the side that moves next.
    pub men: Men,
    /// Whether the move captured.
    pub is_capture: bool,
}

fn is_empty(men: Men, point: usize) -> bool {
    (men.own | men.enemy) >> point & 1 == 0
}

/// The men after a move, turned to the other side.
fn after(men: Men, is_capture: bool) -> After {
    After { men: Men { own: men.enemy, enemy: men.own }, is_capture }
}

/// The positions after all legal moves. One that several routes lead to may come several times.
#[must_use]
pub fn moves(men: Men, is_mandatory: bool) -> Vec<After> {
    let mut moves = Vec::new();
    for from in points(men.own) {
        let lifted = Men { own: men.own & !(1 << from), ..men };
        hops(lifted, from, is_mandatory, &mut moves);
    }
    if is_mandatory && !moves.is_empty() {
        return moves;
    }
    for from in points(men.own) {
        for Line { next, .. } in &LINES[from] {
            if is_empty(men, *next) {
                let own = men.own & !(1 << from) | 1 << next;
                moves.push(after(Men { own, ..men }, false));
            }
        }
    }
    moves
}

/// Adds the moves that go on with a hop of the man on `at`, who is lifted from the board.
fn hops(men: Men, at: usize, is_mandatory: bool, moves: &mut Vec<After>) {
    for Line { next: over, beyond } in &LINES[at] {
        let Some(to) = beyond.filter(|to| is_empty(men, *to)) else { continue };
        if men.enemy >> over & 1 == 0 {
            continue;
        }
        let men = Men { enemy: men.enemy & !(1 << over), ..men };
        let before = moves.len();
        hops(men, to, is_mandatory, moves);
        if !is_mandatory || moves.len() == before {
            moves.push(after(Men { own: men.own | 1 << to, ..men }, true));
        }
    }
}

/// The men turned or mirrored in one of eight ways.
#[must_use]
pub fn image(men: Men, way: usize) -> Men {
    let set = |set| points(set).map(|point| 1 << point_image(point, way)).sum();
    Men { own: set(men.own), enemy: set(men.enemy) }
}

/// The points of a set.
fn points(mut set: u32) -> impl Iterator<Item = usize> {
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

fn point_image(point: usize, way: usize) -> usize {
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
