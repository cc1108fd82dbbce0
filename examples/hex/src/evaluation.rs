//! What a position of Hex is worth.

use leap_core::{Position as _, Side};
use leap_search::eval::{Evaluator, Terms};

use super::cells::Cells;
use super::rules::{Board, GOALS, Hex};

/// The value of a stone fewer to a connection, in centipawns.
const STONE: i32 = 100;
/// The value of a cell that lies on a shortest connection: there are other ways to it.
const CHOICE: i32 = 4;

/// How many stones each side needs to connect its edges, and on how many cells of shortest connections it can go on.
#[derive(Clone, Debug, Default)]
pub struct Evaluation;

impl Evaluator<Hex> for Evaluation {
    fn terms(&self, _: &Hex, board: &Board) -> Terms {
        let side = board.side();
        let (own, own_choices) = distance(board, side);
        let (enemy, enemy_choices) = distance(board, side.other());
        Terms::from_iter([
            ("distance", STONE * (enemy - own)),
            ("choices", CHOICE * (own_choices - enemy_choices)),
        ])
    }
}

/// The stones that a side needs at least, and the cells on connections of so many stones.
fn distance(board: &Board, side: Side) -> (i32, i32) {
    let [from, to] = GOALS[side];
    let there = rings(board, side, from);
    let back = rings(board, side, to);
    let needed = there.iter().position(|ring| !(*ring & to).is_empty()).unwrap_or(there.len());
    let on_a_shortest = (0..=needed).map(|stones| {
        // The stone of a cell is counted from both edges.
        let rest = (needed + 1).saturating_sub(stones);
        let ring = |rings: &[Cells], at: usize| rings.get(at).copied().unwrap_or_default();
        let new = ring(&there, stones) & !ring(&there, stones.wrapping_sub(1)) & board.empty();
        (new & ring(&back, rest)).len() as i32
    });
    (needed as i32, on_a_shortest.sum())
}

/// The cells that a side reaches from an edge by 0, 1, 2 ... stones.
fn rings(board: &Board, side: Side, edge: Cells) -> Vec<Cells> {
    let (own, empty) = (board.stones(side), board.empty());
    let mut rings = vec![(edge & own).flood(own)];
    let mut reached = rings[0];
    loop {
        let step =
            if rings.len() == 1 { reached.neighbours() | edge } else { reached.neighbours() };
        let next = (reached | step & empty).flood(own);
        if next == reached {
            return rings;
        }
        rings.push(next);
        reached = next;
    }
}
