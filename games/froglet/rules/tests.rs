//! Positions whose moves are too many to count (SPEC 14.19). A function that must look at all of them never ends.

use std::collections::HashSet;

use super::*;
use leap_core::RulesExt;
use leap_core::notation::PartialMove;
use leap_core::perft::perft;

fn rules() -> Froglet {
    Froglet::default()
}

fn position(text: &str) -> FrogletPosition {
    rules().parse_position(text).unwrap()
}

fn resolve(position: &FrogletPosition, text: &str) -> FrogletMove {
    rules().parse_move(position, text).unwrap()
}

const FEW: &str = "12/12/12/12/12/12/12/12/2R9/12/1B10/GYG9 2 7-8 0 21";

#[test]
fn side_and_points_are_part_of_the_identity_and_counters_are_not() {
    let [base, side, points, ply] = ["1 7-8 0 21", "2 7-8 0 21", "1 8-7 0 21", "1 7-8 0 22"]
        .map(|rest| position(&FEW.replace("2 7-8 0 21", rest)));
    assert!(base.repeats(&ply) && base.key() == ply.key());
    for other in [side, points] {
        assert!(!base.repeats(&other) && base.key() != other.key());
    }
}

/// Holes on all squares of the given classes, except for frogs on the given cells. All other squares have frogs.
fn holes(classes: &[usize], occupied: &[usize]) -> FrogletPosition {
    let mut position = FrogletPosition::EMPTY;
    for square in (0..144).map(Square::new) {
        let Place { class, cell } = Place::of(square);
        if !classes.contains(&class) || occupied.contains(&cell) {
            position.put(square, square.index() * 5 / 3 % 4);
        }
    }
    position
}

/// One frog in the middle, one in a corner, several frogs, and two lattices that share their edges.
fn positions() -> [FrogletPosition; 4] {
    let several = [0, 5, 14, 22, 27, 35];
    [holes(&[0], &[14]), holes(&[3], &[0]), holes(&[1], &several), holes(&[0, 3], &several)]
}

/// Walks through [`PartialMove::next`] until no hop is left. The lattice has enough frogs for a long walk.
fn long_move(position: &FrogletPosition, seed: u64) -> (Steps, FrogletMove) {
    let rules = rules();
    let mut random = SplitMix64::new(seed);
    let mut turn = rules.partial_move(position, None);
    let mut route = Steps::default();
    loop {
        let steps = turn.next().steps;
        let Some(step) = steps.get((random.draw() >> 33) as usize % steps.len().max(1)) else {
            return (route, turn.finish().unwrap());
        };
        turn.take(*step).unwrap();
        route.0.push(*step);
    }
}

#[test]
fn long_moves_are_entered_and_written_at_once() {
    let mut longest = 0;
    for position in positions() {
        for seed in 0..200 {
            let (walked, mv) = long_move(&position, seed);
            let route = rules().route(&position, mv);
            assert_eq!(route.0.len(), walked.0.len());
            assert!(route <= walked);
            let text = route.text(Froglet::GEOMETRY);
            assert_eq!(resolve(&position, &text), mv);
            longest = longest.max(route.0.len());
            let mut child = position;
            rules().play_unchecked(&mut child, mv);
            assert_eq!(child.key(), child.fresh_key());
            assert_eq!(child.frogs() as usize, position.frogs() as usize + 1 - route.0.len());
        }
    }
    assert!(longest > 40, "{longest}");
}

#[test]
fn the_first_moves_are_listed_in_order_and_canonical() {
    for position in positions() {
        let moves = rules().first_moves(&position, 10_000);
        assert_eq!(moves.len(), 10_000);
        let routes: Vec<Steps> = moves.iter().map(|mv| rules().route(&position, *mv)).collect();
        assert!(routes.is_sorted_by(|a, b| a < b));
        assert!(rules().has_move(&position));
        assert_eq!(rules().outcome(&position), None);
    }
}

#[test]
fn counting_ends_when_it_is_cancelled() {
    let stop = StopFlag::default();
    std::thread::scope(|scope| {
        let counts = scope.spawn(|| positions().map(|p| rules().count_moves(&p, &stop)));
        std::thread::sleep(std::time::Duration::from_millis(20));
        assert!(!counts.is_finished(), "the moves are too many to be counted by now");
        stop.raise();
        counts.join().unwrap();
    });
    assert_eq!(perft(&rules(), &positions()[0], 3, &stop), 0);
}

#[test]
fn candidates_are_bounded_distinct_and_fair() {
    for position in positions() {
        let mut moves = Vec::new();
        rules().chosen_moves(&position, &mut moves);
        assert!((200..=1300).contains(&moves.len()), "{}", moves.len());
        assert_eq!(moves.iter().collect::<HashSet<_>>().len(), moves.len());
        for mv in &moves {
            let text = rules().print_move(&position, *mv);
            assert_eq!(resolve(&position, &text), *mv);
        }
        let origins: HashSet<Square> = moves.iter().map(|mv| mv.from).collect();
        assert!(squares(position.movers()).all(|square| origins.contains(&square)));
        let most = moves.iter().map(|mv| position.points_of_hops(*mv)).max().unwrap();
        assert!(most > 30 && most >= position.best_gain(), "{most}");
    }
}

#[test]
fn candidates_are_all_moves_where_these_are_few() {
    let position = position(FEW);
    let mut moves = Vec::new();
    rules().chosen_moves(&position, &mut moves);
    assert_eq!(moves, rules().legal_moves(&position));
}

#[test]
fn the_best_gain_is_that_of_the_best_move() {
    let text = "YYGYYGGYRRGY/GYGGYYYYGRGG/YGGGYGRGGYGG/GYRYRYYYYBGY/RGYGGGGGRYRG/GGGGG1YGRGGG/GGGY1GY2GYG/RRYG1YYGRGRG/YRGGYYBGGYBY/YRYGGYYGYGYG/YYGYYRYBYGYG/GYYRGBRGRYGB 2 4-2 0 5";
    let mut position = position(text);
    for _ in 0..20 {
        let moves = rules().legal_moves(&position);
        let best = moves.iter().max_by_key(|mv| position.points_of_hops(**mv)).unwrap();
        assert_eq!(position.best_gain(), position.points_of_hops(*best));
        rules().play_unchecked(&mut position, *best);
    }
}
