//! Táctica "S": pieces that can move decide the game, which is won by leaving the enemy without a move.
//!
//! - Each piece counts more if fewer are left.
//! - Threats to capture and room to move come second.
//! - The values of pieces by square, and of pieces together, are learned.
//!
//! Weights are in centipawns, chosen by games at depth 2 with captures played out.

use std::sync::{Arc, LazyLock};

use arrayvec::ArrayVec;

use super::slides::{DIAGONAL, ORTHOGONAL};
use super::{Tactica, TacticaMove, TacticaPosition};
use leap_core::{BySide, Position, Rules, Side, Square, SquareSet};
use leap_search::eval::patterns::{Design, Form, Perspective, Shape, Symmetry, Window};
use leap_search::eval::weights::Weights;
use leap_search::eval::{Learned, LearnedEvaluator, Terms};
use leap_search::{
    Chances, HistoryBonus, LateMoves, Reductions, SearchTuning, Searchable, TimePlan,
};

/// The values of the two ways to slide. A cross has the first, a horse the second, and a star both.
const ORTHOGONAL_SLIDER: i32 = 300;
const DIAGONAL_SLIDER: i32 = 200;

/// The penalty of a side with this number of pieces to move.
const SCARCITY: [i32; 9] = [-460, -300, -200, -130, -80, -50, -25, -10, 0];

/// The value of an enemy piece held flipped, in addition to its owner's loss.
const STOP: i32 = 40;

/// The value of a possible slide.
const SLIDE: i32 = 3;

/// The number of enemy pieces at which the other side closes in. Otherwise a won game could last hundreds of plies.
const LAST_PIECES: u32 = 3;

/// The value of a step of one piece towards the nearest of the last enemy pieces.
const PURSUIT: i32 = 8;

/// The divisor of a piece's value that gives the value of a threat to it.
const THREAT_DIVISOR: i32 = 6;

impl Learned for Tactica {
    fn design() -> Design {
        let octant = (0..4).flat_map(|rank| (0..=rank).map(move |file| (file, rank)));
        Design {
            game: "tactica",
            board: Self::GEOMETRY,
            symmetry: Symmetry::Square,
            kinds: "CHSchs123456",
            windows: octant.map(|at| Window { at, size: (1, 1) }).collect(),
            counts: Vec::new(),
            form: Form::Network(Shape { units: 4, buckets: 1 }),
        }
    }

    fn built_in() -> Arc<Weights> {
        static MODEL: LazyLock<Arc<Weights>> = LazyLock::new(|| {
            Weights::built_in::<Tactica>(include_bytes!(env!("LEAPD_WEIGHTS_tactica")))
        });
        Arc::clone(&MODEL)
    }

    #[inline]
    fn perspective(position: &TacticaPosition) -> Perspective {
        let (own, enemy) = (position.side(), position.side().other());
        let (orthogonal, diagonal) = (position.orthogonal(), position.diagonal());
        let ways = [orthogonal & !diagonal, diagonal & !orthogonal, orthogonal & diagonal];
        let sets = [
            position.movers(own),
            position.movers(enemy),
            position.stops(own),
            position.stops(enemy),
        ];
        let by_way = sets.into_iter().flat_map(|set| ways.map(|way| set & way));
        Perspective { kinds: by_way.collect(), counts: ArrayVec::new(), phase: 0 }
    }

    fn by_hand(position: &TacticaPosition) -> Terms {
        let balance = |(name, values): (_, BySide<i32>)| (name, values.balance(position.side()));
        terms(position).into_iter().map(balance).collect()
    }
}

impl Searchable for Tactica {
    type EndgameSolver = ();
    type Evaluator = LearnedEvaluator<Self>;

    const CARELESSNESS: [usize; 2] = [580, 985];
    const CHANCES: Chances = Chances { evaluations: [156, 304, 488, 805, 1381], draws: 0.12 };
    const TUNING: SearchTuning = SearchTuning {
        captures_first: true,
        // From here on, SPSA found the numbers (benches/strength/results.csv).
        gain_weight: 517,
        late_moves: LateMoves { depth: 8, base: 11, per_square: 105 },
        reductions: Reductions { base: 0.56, divisor: 2.1, history: 10_057 },
        history: HistoryBonus { per_square: 18, ..SearchTuning::DEFAULT.history },
        ..SearchTuning::DEFAULT
    };

    /// Games take more moves than this. Matches chose the number of moves to plan for (docs/games/tactica.md).
    fn time_plan(&self, _position: &TacticaPosition) -> TimePlan {
        TimePlan { moves_left: 60 }
    }

    compiled_search!();

    fn from_to(mv: TacticaMove) -> (Square, Square) {
        (mv.from, mv.to)
    }

    /// An enemy piece flipped and a Stop won back count alike.
    fn gain(&self, position: &TacticaPosition, mv: TacticaMove) -> i32 {
        worth(position, mv.flips)
    }
}

/// The terms made by hand, for each player.
fn terms(position: &TacticaPosition) -> [(&'static str, BySide<i32>); 6] {
    let reaches = BySide::from_fn(|side| Reach::new(position, side));
    let threats =
        |side| worth(position, threatened(position, side, reaches[side].squares)) / THREAT_DIVISOR;
    [
        ("movers", BySide::from_fn(|side| worth(position, position.movers(side)))),
        ("scarcity", BySide::from_fn(|side| SCARCITY[count(position.movers(side)) as usize])),
        ("stops", BySide::from_fn(|side| STOP * count(position.stops(side)))),
        ("mobility", BySide::from_fn(|side| SLIDE * reaches[side].slides)),
        ("threats", BySide::from_fn(threats)),
        ("pursuit", BySide::from_fn(|side| pursuit(position, side))),
    ]
}

const fn count(set: SquareSet) -> i32 {
    set.len() as i32
}

/// The value of a set of pieces to the side that may move them.
fn worth(position: &TacticaPosition, set: SquareSet) -> i32 {
    ORTHOGONAL_SLIDER * count(set & position.orthogonal())
        + DIAGONAL_SLIDER * count(set & position.diagonal())
}

/// The slides of a side's pieces.
struct Reach {
    /// The number of slides.
    slides: i32,
    /// The squares where the slides end.
    squares: SquareSet,
}

impl Reach {
    fn new(position: &TacticaPosition, side: Side) -> Self {
        let empty = position.empty();
        let mut reach = Self { slides: 0, squares: SquareSet::EMPTY };
        for (sliders, directions) in position.slides(position.movers(side)) {
            for direction in directions {
                let squares = direction.slide(sliders, empty);
                reach.slides += count(squares);
                reach.squares |= squares;
            }
        }
        reach
    }
}

/// The enemy pieces that a side flips by moving to some square that it reaches (SPEC 15.8, 15.9).
///
/// This is an estimate. It leaves diagonal pairs out, and the moved piece may itself be the one that closes the run.
fn threatened(position: &TacticaPosition, side: Side, reached: SquareSet) -> SquareSet {
    let (own, enemy) = (position.owned(side), position.owned(side.other()));
    let mut threatened = SquareSet::EMPTY;
    for axis in ORTHOGONAL.chunks_exact(2) {
        for (ahead, back) in [(axis[0], axis[1]), (axis[1], axis[0])] {
            let ends = ahead.step(ahead.slide(own, enemy)) & reached;
            threatened |= back.slide(ends, enemy);
        }
        let between = axis[0].step(enemy) & axis[1].step(enemy) & reached;
        threatened |= axis[0].step(between) | axis[1].step(between);
    }
    threatened
}

/// How near a side's pieces are to the last enemy pieces. Counts only for the side with more pieces.
fn pursuit(position: &TacticaPosition, side: Side) -> i32 {
    let (own, enemy) = (position.movers(side), position.movers(side.other()));
    if enemy.len() > LAST_PIECES || own.len() <= enemy.len() {
        return 0;
    }
    let (mut near, mut steps) = (enemy, 0);
    for _ in 1..Tactica::GEOMETRY.files {
        let directions = ORTHOGONAL.iter().chain(&DIAGONAL);
        near |= directions.fold(SquareSet::EMPTY, |all, direction| all | direction.step(near));
        steps += count(own & near);
    }
    PURSUIT * steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use leap_core::notation::Notation;

    fn term(text: &str, name: &str) -> BySide<i32> {
        let terms = terms(&Tactica::default().parse_position(text).unwrap());
        terms.into_iter().find(|term| term.0 == name).unwrap().1
    }

    #[test]
    fn runs_and_pairs_within_reach_are_threatened() {
        // The star reaches e1 and closes the run from b1 to d1. The other side reaches nothing.
        let run = term("8/8/8/8/4S3/8/8/Cchc4 1 - 0 0", "threats");
        assert_eq!(run, BySide::new((300 + 200 + 300) / THREAT_DIVISOR, 0));
        let blocked = term("8/8/8/8/4S3/4S3/4S~3/Cchc4 1 - 0 0", "threats");
        assert_eq!(blocked, BySide::new(0, 0));
        let pair = term("8/8/8/8/8/2c1s3/8/3C4 1 - 0 0", "threats");
        assert_eq!(pair, BySide::new((300 + 500) / THREAT_DIVISOR, 0));
    }

    #[test]
    fn the_last_pieces_are_pursued_by_more_of_them() {
        let far = term("7c/8/8/8/8/8/8/SC6 1 - 0 0", "pursuit");
        let near = term("7c/8/8/4S3/8/8/8/1C6 1 - 0 0", "pursuit");
        assert_eq!(far, BySide::new(PURSUIT * 2, 0), "both seven steps away");
        assert_eq!(near, BySide::new(PURSUIT * (5 + 1), 0), "one is three steps away");
        assert_eq!(term("7c/8/8/8/8/8/8/S7 1 - 0 0", "pursuit"), BySide::new(0, 0));
    }

    #[test]
    fn a_stop_counts_for_its_capturer_and_not_as_a_mover() {
        let text = "8/8/8/8/8/8/8/C1s~4h 1 - 0 0";
        assert_eq!(term(text, "movers"), BySide::new(300, 200));
        assert_eq!(term(text, "stops"), BySide::new(STOP, 0));
    }

    #[test]
    fn gain_is_the_worth_of_what_is_flipped() {
        let rules = Tactica::default();
        let position = rules.parse_position("8/8/8/8/8/8/8/C2S~cS2 1 - 0 0").unwrap();
        let gain = |text| rules.gain(&position, rules.parse_move(&position, text).unwrap());
        assert_eq!(gain("a1c1"), 500 + 300, "a Stop won back and a cross");
        assert_eq!(gain("a1b1"), 0);
    }

    #[test]
    fn the_start_position_is_balanced() {
        let by_hand = Tactica::by_hand(&Tactica::default().start());
        assert!(by_hand.iter().all(|(_, value)| *value == 0));
    }
}
