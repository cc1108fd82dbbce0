//! Froglet, a game that is played for the margin.

use super::{HashMap, search_fresh};
use leap_core::notation::Notation;
use leap_core::{BySide, Game, Position, Rules, RulesExt, Side};
use leap_games::froglet::{Froglet, FrogletPosition};
use leap_search::{Limits, Value};

/// Boards with few enough frogs for minimax. The text leaves the points out.
const ENDS: [&str; 3] = [
    "12/12/12/12/12/3GYG6/3RB1Y5/12/5G6/12/12/12",
    "GG1Y8/12/12/12/12/12/12/12/7BR3/7G1Y2/12/12",
    "12/1GRY8/1B1G8/12/12/12/12/9YG1/9GR1/12/12/12",
];

fn position(board: &str, points: &str) -> FrogletPosition {
    Froglet::default().parse_position(&format!("{board} 2 {points} 0 40")).unwrap()
}

/// What the side to move wins from here on, in points, by plain minimax.
fn best_margin(position: &FrogletPosition, solved: &mut HashMap<FrogletPosition, i32>) -> i32 {
    if let Some(margin) = solved.get(position) {
        return *margin;
    }
    let rules = Froglet::default();
    let side = position.side();
    let ahead = |points: BySide<u32>| points[side] as i32 - points[side.other()] as i32;
    let moves = rules.legal_moves(position);
    let value = |mv| {
        let child = rules.after(position, mv);
        ahead(child.points()) - ahead(position.points()) - best_margin(&child, solved)
    };
    let best = moves.into_iter().map(value).max().unwrap_or(0);
    solved.insert(*position, best);
    best
}

fn searched(
    position: FrogletPosition,
    limits: &Limits<<Froglet as Rules>::Move>,
) -> (Value, String) {
    let rules = Froglet::default();
    let (answer, _) = search_fresh(&Game::new(rules.clone(), position), limits);
    (answer.score.value(), rules.print_move(&position, answer.best.unwrap()))
}

#[test]
fn an_end_is_worth_the_margin_of_minimax() {
    for board in ENDS {
        let position = position(board, "10-12");
        let won = best_margin(&position, &mut HashMap::new());
        let (score, _) = searched(position, &Limits::depth(20));
        assert_eq!(score, Value::Cp(100 * (2 + won)), "{board}");
    }
}

#[test]
fn points_won_before_change_the_score_and_not_the_move() {
    for board in ENDS {
        let even = searched(position(board, "0-0"), &Limits::depth(6));
        let Value::Cp(won) = even.0 else { panic!("{even:?}") };
        for (points, ahead) in [("30-9", -2_100), ("9-30", 2_100)] {
            let (score, best) = searched(position(board, points), &Limits::depth(6));
            assert_eq!((score, &best), (Value::Cp(won + ahead), &even.1), "{board} {points}");
        }
        // No score can hold this many points.
        assert_eq!(searched(position(board, "65535-0"), &Limits::depth(6)).1, even.1, "{board}");
    }
}

#[test]
fn a_search_for_a_win_tells_its_distance() {
    let position = position(ENDS[0], "0-50");
    let (score, _) = searched(position, &Limits { mate: Some(10), ..Limits::default() });
    assert!(matches!(score, Value::Mate(moves) if moves > 0), "{score:?}");
    assert_eq!(position.side(), Side::Two);
}
