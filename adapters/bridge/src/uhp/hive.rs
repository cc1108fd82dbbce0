//! Where the pieces of Hive are, so that each move has one text.
//!
//! A MoveString names a piece that the destination touches, and an engine may choose any. Here it is the one whose name
//! comes first. A destination that is occupied is named by the piece on top.

use std::collections::HashMap;

/// A cell, in axial coordinates.
type Cell = (i32, i32);

/// The neighbours of a cell: where the mark stands, which mark, and the direction from the named piece. `wQ-` is to the
/// right of wQ, `-wQ` to its left.
const SIDES: [(bool, char, Cell); 6] = [
    (false, '-', (1, 0)),
    (false, '/', (1, -1)),
    (false, '\\', (0, 1)),
    (true, '-', (-1, 0)),
    (true, '/', (-1, 1)),
    (true, '\\', (0, -1)),
];

/// The stacks of pieces, each from the lowest piece to the top.
#[derive(Clone, Debug, Default)]
pub(super) struct Hive {
    stacks: HashMap<Cell, Vec<String>>,
}

impl Hive {
    /// The position after these moves.
    pub(super) fn after(moves: &[String]) -> Self {
        let mut hive = Self::default();
        moves.iter().for_each(|mv| hive.play(mv));
        hive
    }

    /// Makes a move that the engine has accepted. A move that makes no sense changes nothing.
    pub(super) fn play(&mut self, mv: &str) {
        let Some((piece, to)) = self.read(mv) else { return };
        if let Some(from) = self.cell(piece)
            && let Some(stack) = self.stacks.get_mut(&from)
        {
            stack.retain(|other| other != piece);
            if stack.is_empty() {
                self.stacks.remove(&from);
            }
        }
        self.stacks.entry(to).or_default().push(piece.to_owned());
    }

    /// The text of a move: of its destination's neighbours the one whose name comes first. A text that makes no sense
    /// is returned as it is.
    pub(super) fn canonical(&self, mv: &str) -> String {
        let Some((piece, to)) = self.read(mv) else { return mv.to_owned() };
        let top = |cell: &Cell| {
            let stack = self.stacks.get(cell)?;
            stack.iter().rev().find(|other| *other != piece)
        };
        if let Some(under) = top(&to) {
            return format!("{piece}_{under}");
        }
        let named = SIDES.iter().filter_map(|(is_before, mark, (q, r))| {
            let name = top(&(to.0 - q, to.1 - r))?;
            let place = if *is_before { format!("{mark}{name}") } else { format!("{name}{mark}") };
            Some((name, place))
        });
        named.min().map_or_else(|| piece.to_owned(), |(_, place)| format!("{piece}_{place}"))
    }

    /// The piece of a move and its destination.
    fn read<'a>(&self, mv: &'a str) -> Option<(&'a str, Cell)> {
        let Some((piece, place)) = mv.split_once('_') else {
            let is_first = self.stacks.is_empty() && mv.starts_with(['w', 'b']);
            return is_first.then_some((mv, (0, 0)));
        };
        let named = place.trim_matches(|mark| "-/\\".contains(mark));
        let (q, r) = self.cell(named)?;
        if named.len() == place.len() {
            return Some((piece, (q, r)));
        }
        let is_before = place.ends_with(named);
        let mark = if is_before { place.chars().next() } else { place.chars().last() };
        let side = SIDES.iter().find(|side| side.0 == is_before && Some(side.1) == mark)?;
        Some((piece, (q + side.2.0, r + side.2.1)))
    }

    fn cell(&self, piece: &str) -> Option<Cell> {
        let holds = |stack: &Vec<String>| stack.iter().any(|other| other == piece);
        self.stacks.iter().find(|(_, stack)| holds(stack)).map(|(cell, _)| *cell)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(moves: &str) -> Hive {
        Hive::after(&moves.split(' ').map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn the_neighbour_whose_name_comes_first_is_named() {
        // wQ lies to the right of wG1, bG1 to its left; the cell above both is touched by wG1 and wQ.
        let hive = after("wG1 bG1_-wG1 wQ_wG1-");
        for text in ["bA1_wG1/", "bA1_\\wQ"] {
            assert_eq!(hive.canonical(text), "bA1_wG1/", "{text}");
        }
        assert_eq!(hive.canonical("bA1_-bG1"), "bA1_-bG1");
    }

    #[test]
    fn a_piece_that_climbs_is_named_on_what_it_covers() {
        let mut hive = after("wB1 bQ_wB1-");
        assert_eq!(hive.canonical("wB1_bQ"), "wB1_bQ");
        assert_eq!(hive.canonical("wB1_wB1-"), "wB1_bQ");
        hive.play("wB1_bQ");
        // The stack is named by its top.
        assert_eq!(hive.canonical("bA1_bQ-"), "bA1_wB1-");
        // From the top the beetle goes down beside the queen, which is free then.
        assert_eq!(hive.canonical("wB1_-bQ"), "wB1_-bQ");
    }

    #[test]
    fn what_makes_no_sense_changes_nothing() {
        let mut hive = after("wG1 bG1_-wG1");
        for text in ["pass", "", "_", "wG1_", "x_y", "wQ_wG9-", "wQ_*wG1"] {
            let before = hive.stacks.clone();
            assert_eq!(hive.canonical(text), text);
            hive.play(text);
            assert_eq!(hive.stacks, before, "{text}");
        }
    }
}
