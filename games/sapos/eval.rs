//! Sapos: the last to move wins.
//!
//! - The player who will place the last piece has the tempo, and nearly always wins.
//! - The other player must block the enemy before, so the evaluation counts the jumps that a side has left.
//! - Pieces on the board are turns spent: with an empty reserve only captures are legal.
//!
//! Weights are in centipawns, chosen by matches (docs/games/sapos.md).

use super::{PIECES, Placement, Sapos, SaposMove, SaposPosition};
use leap_core::{BySide, Position, Side, Square};
use leap_search::eval::{Evaluator, Terms};
use leap_search::{Chances, SearchTuning, Searchable};

/// The value of a side without a jumper.
///
/// Each jumper adds 1 to the divisor of this value, and each of its jumps over a friend adds ½. The last jumps therefore
/// count most. Solved boards of 4x4 and 4x5 squares show that captures count less (docs/games/sapos.md).
///
/// The mover counts a jumper more: it jumps before the enemy can block it.
const BLOCKED: i32 = -8000;

/// The value of a full board and an empty reserve. With fewer pieces it falls with the square of their number.
const FULL_BOARD: i32 = -800;

/// The value of having a piece left to place when the other side has none.
///
/// In self-play such a side nearly always won (docs/measured/sapos.md).
const TEMPO: i32 = 300;

/// The value of a captured piece.
const CAPTURE: i32 = 100;

impl Searchable for Sapos {
    type Evaluator = SaposEvaluator;
    type EndgameSolver = ();

    const CARELESSNESS: [usize; 2] = [800, 800];
    const CHANCES: Chances = Chances { evaluations: [14, 30, 50, 83, 142], draws: 0.0 };

    /// A capture gives the enemy further turns. Tried first, captures were usually wrong. Without a weight for them,
    /// far more nodes fail high on the first move.
    ///
    /// A capture wins room to move, but it refills the enemy's reserve. In self-play, playing captures out changed no
    /// result and took much longer.
    const TUNING: SearchTuning =
        SearchTuning { gain_weight: 0, quiescence: false, ..SearchTuning::DEFAULT };

    compiled_search!();

    /// The visit does not tell whether moves were left out.
    fn candidates(&self, position: &SaposPosition, moves: &mut Vec<SaposMove>) -> bool {
        self.shortest_moves(position, moves);
        false
    }

    fn from_to(mv: SaposMove) -> (Square, Square) {
        (mv.from, mv.to)
    }

    fn gain(&self, _: &SaposPosition, mv: SaposMove) -> i32 {
        CAPTURE * mv.captured.len() as i32
    }
}

/// The evaluation of Sapos, made by hand.
#[derive(Clone, Debug, Default)]
pub struct SaposEvaluator;

impl Evaluator<Sapos> for SaposEvaluator {
    fn terms(&self, rules: &Sapos, position: &SaposPosition) -> Terms {
        let balance = |(name, values): (_, BySide<i32>)| (name, values.balance(position.side()));
        rules.terms(position).into_iter().map(balance).collect()
    }
}

impl Sapos {
    /// The terms of the evaluation, for each player.
    fn terms(&self, position: &SaposPosition) -> [(&'static str, BySide<i32>); 3] {
        let mobility = BySide::from_fn(|side| {
            let jumpers = position.jumpers(side).len() + u32::from(side == position.side());
            let may_end = self.may_end_quietly(position, side);
            let jumps = if may_end { position.friendly_jumps(side) } else { 0 };
            2 * BLOCKED / (2 + 2 * jumpers + jumps) as i32
        });
        let crowding = BySide::from_fn(|side| {
            let pieces = position.pieces(side).len();
            FULL_BOARD * (pieces * pieces) as i32 / (PIECES * PIECES) as i32
        });
        [("mobility", mobility), ("crowding", crowding), ("tempo", self.tempo(position))]
    }

    /// Whether a turn without a capture can be legal: it places a piece from the reserve (SPEC 13.12, 13.13).
    fn may_end_quietly(&self, position: &SaposPosition, side: Side) -> bool {
        position.reserve(side) > 0 || self.placement == Placement::Possible
    }

    /// The side that will have a piece left to place when the other has none, if both place one a turn (SPEC 13.11,
    /// 13.12).
    ///
    /// Capturing one piece changes nothing: the turn spends no piece of the reserve, and the other's reserve grows by
    /// one.
    fn tempo(&self, position: &SaposPosition) -> BySide<i32> {
        if self.placement == Placement::Possible {
            return BySide::default();
        }
        let mover = position.side();
        // A side that has two turns in a row spends them together (SPEC 13.5, 13.6).
        let left = position.reserve(mover) + position.next_turns();
        let needed = position.reserve(mover.other()) + position.turns() + 1;
        let ahead = if left >= needed { mover } else { mover.other() };
        BySide::from_fn(|side| if side == ahead { TEMPO } else { 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use leap_core::Rules;
    use leap_core::notation::Notation;

    /// One term of the evaluation of a position text, for each player.
    fn term(rules: &Sapos, text: &str, name: &str) -> BySide<i32> {
        let terms = rules.terms(&rules.parse_position(text).unwrap());
        terms.into_iter().find(|term| term.0 == name).unwrap().1
    }

    #[test]
    fn whoever_places_last_is_ahead() {
        let rules = Sapos::default();
        let ahead = |text: &str| {
            let values = term(&rules, text, "tempo");
            assert_eq!(values[Side::One] + values[Side::Two], TEMPO, "{text}");
            if values[Side::One] > 0 { Side::One } else { Side::Two }
        };
        assert_eq!(ahead("8/3mm3/3mm3/8/8/3MM3/3MM3/8 1 1 2 20"), Side::Two, "each places 12");
        assert_eq!(ahead("8/3mm3/3mm3/8/8/3MM3/3MM3/8 1 1 0 0"), Side::One, "two at once later");
        assert_eq!(ahead("8/3mm3/3mm3/8/8/3MM3/3M4/8 1 1 2 20"), Side::One, "13 against 12");
        assert_eq!(ahead("8/3mm3/3mm3/8/8/3MM3/3MM3/8 2 1 2 20"), Side::One, "each places 12");
        assert_eq!(
            ahead("8/3mm3/3mm3/3M4/8/3MM3/3MM3/8 2 2 1 1"),
            Side::One,
            "12, two at once, against 11"
        );
    }

    #[test]
    fn a_turn_that_need_not_place_has_no_tempo() {
        let rules = Sapos { placement: Placement::Possible, ..Sapos::default() };
        let start = rules.print_position(&rules.start());
        assert_eq!(term(&rules, &start, "tempo"), BySide::new(0, 0));
    }

    #[test]
    fn the_last_jumps_count_most() {
        let rules = Sapos::default();
        let of = |text: &str| term(&rules, text, "mobility")[Side::One];
        assert_eq!(of("8/8/8/8/8/8/8/M6M 2 1 1 3"), BLOCKED, "nothing to jump over");
        let one = of("8/8/8/8/3m4/3M4/8/8 2 1 1 3");
        // d3 can jump up and to the left, and c3 to the right. Two of these jumps are over friends.
        let three = of("8/8/8/8/3m4/2MM4/8/8 2 1 1 3");
        assert_eq!((one, three), (2 * BLOCKED / (2 + 2), 2 * BLOCKED / (2 + 4 + 2)));
        assert!(one - BLOCKED > three - one, "the first jump counts more than two others");
    }

    #[test]
    fn jumps_over_friends_count_where_they_may_end_a_turn() {
        // With all pieces on the board, player 1 must capture (SPEC 13.12).
        let text = "8/MMMMMMMM/MMMMMMMM/8/8/8/8/m7 2 1 20 30";
        let of = |placement| {
            let rules = Sapos { placement, ..Sapos::default() };
            term(&rules, text, "mobility")[Side::One]
        };
        assert_eq!(of(Placement::Required), 2 * BLOCKED / (2 + 2 * 16));
        assert_eq!(of(Placement::Possible), 2 * BLOCKED / (2 + 2 * 16 + 16));
    }

    #[test]
    fn the_mover_counts_a_jumper_more() {
        let rules = Sapos::default();
        let mobility = term(&rules, "8/8/3m4/3m4/3M4/3M4/8/8 1 1 1 3", "mobility");
        // Each side has a piece that can jump back over its friend.
        assert_eq!(mobility, BySide::new(2 * BLOCKED / (2 + 4 + 1), 2 * BLOCKED / (2 + 2 + 1)));
    }
}
