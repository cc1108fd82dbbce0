//! Positions composed for as many moves as possible.

use super::*;
use leap_core::RulesExt;
use leap_core::notation::PartialMove;

fn without_revisits() -> Sapos {
    Sapos { revisit: false, ..Sapos::default() }
}

fn position(text: &str) -> SaposPosition {
    Sapos::default().parse_position(text).unwrap()
}

fn moves(rules: &Sapos, position: &SaposPosition) -> Vec<SaposMove> {
    rules.legal_moves(position)
}

#[test]
fn the_turns_in_a_row_are_part_of_the_identity() {
    let [one, two] = [1, 2].map(|turns| position(&format!("8/8/3m4/8/8/3M4/8/8 1 {turns} 0 0")));
    assert!(!one.repeats(&two) && one.key() != two.key());
}

/// Two pieces, each on its own lattice, and every enemy and friend on an edge of both lattices.
///
/// A search that exchanges squares has found no position with more moves.
const MOST_MOVES: &str =
    "2m1M1M1/1M1m1m1M/M1m1mMm1/1m1M1MMM/M1m1M1m1/1m1M1m1M/m1m1m1M1/1M1m1m2 1 1 0 30";

/// A position composed in the same way, for rules without revisits.
const MOST_PATHS: &str =
    "2m1m1mM/1M1m1m1m/M1M1M1M1/1m1M1m1m/M1M1M1M1/1m1m1m1M/m1M1m1M1/Mm1m1M2 1 1 0 30";

/// A shortest route uses none of the 24 edges of its lattice more than twice.
const LONGEST_ROUTE: usize = 48;

#[test]
fn hostile_positions_have_a_bounded_number_of_moves() {
    for (rules, text, count) in
        [(Sapos::default(), MOST_MOVES, 16_374), (without_revisits(), MOST_PATHS, 4220)]
    {
        let position = position(text);
        let listed = moves(&rules, &position);
        assert_eq!(listed.len(), count);
        assert_eq!(rules.count_moves(&position, &StopFlag::default()), count as u64);
        assert!(rules.has_move(&position));
        let mut routes = listed.iter().map(|mv| rules.route(&position, *mv));
        assert!(routes.all(|route| route.0.len() <= LONGEST_ROUTE));
        assert!(listed.iter().map(|mv| rules.route(&position, *mv)).is_sorted_by(|a, b| a < b));
    }
}

#[test]
fn the_tree_of_a_piece_is_bounded() {
    let (rules, position) = (Sapos::default(), position(MOST_MOVES));
    for from in position.own() {
        let mut tree = Tree::default();
        tree.grow(&Chain::new(&rules, &position, from), usize::MAX);
        assert!(tree.len() <= 1 + (16 << 9), "{}", tree.len());
    }
}

#[test]
fn a_search_looks_at_a_fair_choice_of_moves() {
    for rules in [Sapos::default(), without_revisits()] {
        let position = position(MOST_MOVES);
        let mut candidates = Vec::new();
        rules.shortest_moves(&position, &mut candidates);
        assert!(candidates.len() < 4 * CANDIDATE_ENDS, "{}", candidates.len());
        let from = |square: Square| candidates.iter().filter(|mv| mv.from == square).count();
        let origins = rules.partial_move(&position, None).next().steps;
        assert_eq!(origins.len(), 2);
        assert!(origins.iter().all(|step| from(step.square().unwrap()) >= CANDIDATE_ENDS / 2));
    }
}

/// Step-by-step entry accepts a route that goes to and fro, and one that captures all sixteen.
#[test]
fn every_canonical_route_is_accepted() {
    let (rules, position) = (Sapos::default(), position(MOST_MOVES));
    for mv in moves(&rules, &position).into_iter().step_by(7) {
        let text = rules.print_move(&position, mv);
        assert_eq!(rules.parse_move(&position, &text), Ok(mv), "{text}");
    }
}
