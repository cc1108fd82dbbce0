//! Froglet: points, and the score of the best next move.
//!
//! The players take the best moves in turn, so the side to move comes out ahead by about half of the best move. At
//! fixed depth this does much better than points alone, and as well as three quarters of the best move.

mod endings;

use endings::Endings;

use super::{Froglet, FrogletMove, FrogletPosition};
use leap_core::{Key, Position, Rules, Side, Square, keys};
use leap_search::eval::{Evaluator, Terms};
use leap_search::{
    Chances, EndgameSolver, LateMoves, Margin, ProbCut, SearchTuning, Searchable, TimePlan,
};

const POINT: i32 = 100;

/// With this few frogs, a search solves the rest in about a second.
const SOLVED_FROGS: u32 = 30;
/// The clock keeps time for this many moves after that.
const LAST_MOVES: u32 = 4;
/// The number of frogs for each further planned move. A move of both sides takes somewhat fewer
/// (docs/measured/froglet.md).
const FROGS_PER_MOVE: u32 = 4;

/// The error of a search with many frogs, in centipawns. Fewer frogs add to it, and depth reduces it. The constants fit
/// the scores of 582 positions of games at all depths to 14 (docs/measured/froglet.md). The depth of the deep search
/// adds nothing.
const PROBE_ERROR: i32 = 65;
const CROWDED: u32 = 90;
const LEAST_ERROR: i32 = 25;

/// The most single hops of an ending. With more hops, or more frogs, a node can seldom solve the ending.
const MAX_HOPS: u64 = 5;
const MAX_FROGS: u32 = 40;

impl Searchable for Froglet {
    type Evaluator = FrogletEvaluator;
    type EndgameSolver = Endings;

    const CARELESSNESS: [usize; 2] = [70, 975];
    const CHANCES: Chances = Chances { evaluations: [35, 72, 122, 201, 307], draws: 0.45 };
    const BY_MARGIN: bool = true;
    const TUNING: SearchTuning = SearchTuning {
        // Every move except the first captures, so no position is quiet.
        quiescence: false,
        reverse_futility: Margin { depth: 6, per_ply: 60 },
        late_moves: LateMoves { depth: 12, base: 5, per_square: 50 },
        probcut: ProbCut { depth: 5, share: 50, confidence: 130 },
        ..SearchTuning::DEFAULT
    };

    fn banked(&self, position: &FrogletPosition, side: Side) -> i32 {
        position.points().map(|points| POINT * points as i32).balance(side)
    }

    fn unrealised_key(&self, position: &FrogletPosition) -> Key {
        position.frogs_key() ^ keys::side(position.side())
    }

    fn time_plan(&self, position: &FrogletPosition) -> TimePlan {
        let unsolved = position.frogs().saturating_sub(SOLVED_FROGS);
        TimePlan { moves_left: LAST_MOVES + unsolved / FROGS_PER_MOVE }
    }

    fn probcut_error(&self, position: &FrogletPosition, shallow: i32, _: i32) -> Option<i32> {
        // In endings an exact score is worth more, and a node that is left has none.
        if position.frogs() <= MAX_FROGS {
            return None;
        }
        let gone = CROWDED.saturating_sub(position.frogs()) as i32;
        Some((PROBE_ERROR + gone / 4 - shallow * 5 / 2).max(LEAST_ERROR))
    }

    compiled_search!();

    fn candidates(&self, position: &FrogletPosition, moves: &mut Vec<FrogletMove>) -> bool {
        self.chosen_moves(position, moves)
    }

    fn from_to(mv: FrogletMove) -> (Square, Square) {
        (mv.from, mv.to)
    }

    fn gain(&self, position: &FrogletPosition, mv: FrogletMove) -> i32 {
        POINT * position.points_of_hops(mv) as i32
    }
}

impl EndgameSolver<Froglet> for Endings {
    fn covers(rules: &Froglet, position: &FrogletPosition) -> bool {
        let frogs = position.frogs();
        // Every move takes a frog away. The game ends before a limit that is further away.
        let is_unlimited =
            rules.ply_limit(position).is_none_or(|ply_limit| ply_limit.plies >= frogs);
        frogs <= MAX_FROGS && position.hops() <= MAX_HOPS && is_unlimited
    }

    fn solve(&mut self, position: &FrogletPosition) -> Option<i32> {
        Some(POINT * self.margin(position)?)
    }
}

/// The evaluation of Froglet, made by hand.
#[derive(Clone, Debug, Default)]
pub struct FrogletEvaluator;

impl Evaluator<Froglet> for FrogletEvaluator {
    fn terms(&self, rules: &Froglet, position: &FrogletPosition) -> Terms {
        let points = rules.banked(position, position.side());
        Terms::from_iter([("points", points), ("turn", self.unrealised(rules, position))])
    }

    /// The margin by which the side to move comes out ahead from here on.
    fn unrealised(&self, _: &Froglet, position: &FrogletPosition) -> i32 {
        POINT * position.best_gain() as i32 / 2
    }
}
