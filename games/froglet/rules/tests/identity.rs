//! The moves against a second generator. It follows every route square by square, and remembers what it has seen.

use leap_core::RulesExt;
use std::collections::{BTreeMap, BTreeSet};

use super::*;

/// Boards with more routes than this are skipped.
const MAX_ROUTES: usize = 20_000;

/// Every route of a position, by the identity of its move.
struct Routes {
    frogs: BTreeSet<Square>,
    smallest: BTreeMap<(Square, Square, BTreeSet<Square>), Vec<Square>>,
    found: usize,
}

impl Routes {
    fn of(position: &FrogletPosition) -> Option<Vec<Vec<Square>>> {
        let frogs: BTreeSet<Square> = squares(position.frogs).collect();
        let mut routes = Self { frogs: frogs.clone(), smallest: BTreeMap::new(), found: 0 };
        for from in frogs {
            routes.frogs.remove(&from);
            routes.follow(&mut vec![from], &mut BTreeSet::new());
            routes.frogs.insert(from);
        }
        let mut smallest: Vec<_> = routes.smallest.into_values().collect();
        smallest.sort();
        (routes.found <= MAX_ROUTES).then_some(smallest)
    }

    fn follow(&mut self, route: &mut Vec<Square>, jumped: &mut BTreeSet<Square>) {
        let at = route[route.len() - 1];
        for (files, ranks) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            let Some(to) = Froglet::GEOMETRY.offset(at, 2 * files, 2 * ranks) else { continue };
            let Some(over) = Froglet::GEOMETRY.offset(at, files, ranks) else { continue };
            if self.found > MAX_ROUTES || self.frogs.contains(&to) || !self.frogs.remove(&over) {
                continue;
            }
            self.found += 1;
            route.push(to);
            jumped.insert(over);
            let smallest =
                self.smallest.entry((route[0], to, jumped.clone())).or_insert(route.clone());
            if *route < *smallest {
                smallest.clone_from(route);
            }
            self.follow(route, jumped);
            jumped.remove(&over);
            route.pop();
            self.frogs.insert(over);
        }
    }
}

/// Frogs on `files` x `ranks` squares in the corner of an empty board.
///
/// Where both coordinates are even, a square stays empty with probability `holes`/8. Elsewhere it has a frog with
/// probability `frogs`/8.
fn random_board(
    random: &mut SplitMix64,
    [files, ranks, holes, frogs]: [usize; 4],
) -> FrogletPosition {
    let mut below = |bound: u64| (random.draw() >> 32) % bound;
    let squares = (0..files * ranks).map(|i| Square::new(i / files * 12 + i % files));
    let chosen = squares.filter_map(|square| {
        let is_crossing = Place::of(square).class == 0;
        let chance = if is_crossing { 8 - holes } else { frogs };
        (below(8) < chance as u64).then(|| (square, below(4) as usize))
    });
    placed(chosen)
}

fn routes_by_engine(position: &FrogletPosition) -> Vec<Vec<Square>> {
    let moves = rules().legal_moves(position);
    let routes = moves.iter().map(|mv| rules().route(position, *mv));
    routes.map(|route| route.0.iter().map(|step| step.square().unwrap()).collect()).collect()
}

#[test]
fn moves_equal_those_found_by_following_every_route() {
    let mut random = SplitMix64::new(14);
    let (mut compared, mut crossing) = (0, 0);
    for shape in [
        [12, 12, 4, 4],
        [12, 12, 3, 5],
        [12, 12, 5, 3],
        [9, 9, 5, 6],
        [7, 7, 6, 6],
        [7, 5, 7, 7],
        [5, 5, 7, 8],
        [6, 6, 7, 7],
        [5, 7, 7, 8],
        [7, 7, 7, 6],
        [12, 5, 7, 6],
    ] {
        for _ in 0..60 {
            let position = random_board(&mut random, shape);
            let Some(expected) = Routes::of(&position) else { continue };
            let routes = routes_by_engine(&position);
            assert_eq!(routes, expected, "{}", rules().print_position(&position));
            let count = rules().count_moves(&position, &StopFlag::default());
            assert_eq!(count, expected.len() as u64);
            compared += 1;
            crossing += usize::from(expected.iter().any(|route| has_repeat(route)));
        }
    }
    assert!(compared > 300 && crossing > 100, "{compared} boards, {crossing} of them with rounds");
}

fn has_repeat(route: &[Square]) -> bool {
    route.iter().collect::<BTreeSet<_>>().len() < route.len()
}

/// Two rounds that share a cell can be walked in eight ways. Such figures need the whole check.
#[test]
fn a_figure_of_eight_is_one_move() {
    let eight = "12/12/12/12/12/12/12/3G8/2G1G7/1G1G8/G1G9/GG10 1 0-0 0 1";
    let position = position(eight);
    let mv = resolve(&position, "a1a3c3c5e5e3c3c1a1");
    assert_eq!(rules().print_move(&position, mv), "a1c1c3e3e5c5c3a3a1");
    let listed = listed(&position);
    let whole = listed.iter().filter(|text| text.len() == 18).collect::<Vec<_>>();
    assert_eq!(whole, ["a1c1c3e3e5c5c3a3a1"]);
}
