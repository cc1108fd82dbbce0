//! Searches below full strength.

use super::{alquerque, random_records, search_fresh};
use leap_core::Game;
use leap_core::notation::Notation;
use leap_games::alquerque::{Alquerque, AlquerqueMove, CaptureRule};
use leap_games::eximo::Eximo;
use leap_search::strength::{FULL, LOWEST, noticed};
use leap_search::{Limits, TranspositionTable, search_quietly};

fn weak(strength: i32, seed: u64) -> Limits<AlquerqueMove> {
    Limits { strength, seed, ..Limits::default() }
}

fn best(game: &Game<Alquerque>, strength: i32, seed: u64) -> AlquerqueMove {
    search_fresh(game, &weak(strength, seed)).0.best.unwrap()
}

fn at(text: &str) -> Game<Alquerque> {
    let rules = alquerque(CaptureRule::Optional);
    let position = rules.parse_position(text).unwrap();
    Game::new(rules, position)
}

#[test]
fn a_weak_move_is_legal_and_depends_on_no_earlier_search() {
    let table = TranspositionTable::new(4).unwrap();
    for game in random_records(&alquerque(CaptureRule::Optional), 10) {
        let in_table = |limits: &Limits<_>| search_quietly(&game, limits, &table);
        in_table(&Limits::nodes(5_000));
        for strength in [LOWEST, -10, 0, 30, 99] {
            let again = in_table(&Limits { threads: 3, ..weak(strength, 1) });
            assert_eq!(again, search_fresh(&game, &weak(strength, 1)).0);
            assert!(game.legal_moves().contains(&again.best.unwrap()));
        }
    }
}

#[test]
fn a_win_in_one_is_overlooked_by_the_weakest_players_alone() {
    // Among many moves, one captures the last man, or the quiet b2a3 shuts it in.
    for text in ["5/1M3/2m2/1M3/M3M 1 - 0 0", "mMM2/MM3/2M2/1M3/MMMMM 1 - 0 0"] {
        let is_won = |strength, seed| {
            let mut game = at(text);
            game.push(best(&game, strength, seed));
            game.outcome().is_some()
        };
        for (strength, seed) in (-10..FULL).zip(0..) {
            assert!(is_won(strength, seed), "{text}, strength {strength}");
        }
        let won = |strength| (0..100).filter(|seed| is_won(strength, *seed)).count();
        let counts = [LOWEST, -15].map(won);
        assert!(0 < counts[0] && counts[0] < counts[1] && counts[1] < 100, "{text}: {counts:?}");
    }
}

#[test]
fn a_man_that_can_be_taken_is_seldom_left_and_never_by_a_strong_player() {
    let game = at("M1m1m/1m3/1M3/4M/M2MM 1 - 0 0");
    let is_taken = |strength, seed| !best(&game, strength, seed).captured().is_empty();
    let taken = |strength| (0..100).filter(|seed| is_taken(strength, *seed)).count();
    let counts = [LOWEST, -10, 0, 25, 50, 75, 99].map(taken);
    assert!(counts.is_sorted() && counts[0] < 40, "{counts:?}");
    assert!(counts[2] > 60 && counts[4] > 80 && counts[6] == 100, "{counts:?}");
}

#[test]
fn a_stronger_search_visits_more_nodes_up_to_a_bound_whatever_the_limits() {
    let rules = Eximo::default();
    let game = Game::start(rules.clone());
    let nodes = |limits: Limits<_>| search_fresh(&game, &limits).0.nodes;
    let weak = |strength| Limits { strength, ..Limits::default() };
    let counts = [LOWEST, 0, 5, 10, 50, 99].map(|strength| nodes(weak(strength)));
    assert_eq!(counts, [20, 20, 30, 40, 640, 19_456]);
    assert_eq!(nodes(Limits { infinite: true, nodes: Some(50_000), ..weak(50) }), 640);
    assert_eq!(nodes(Limits { nodes: Some(100), ..weak(50) }), 100);
}

#[test]
fn a_higher_strength_notices_all_that_a_lower_one_does() {
    let rules = Eximo::default();
    let game = Game::start(rules.clone());
    let noticed = |seed, strength| noticed(&game, &Limits { strength, seed, ..Limits::default() });
    for seed in 0..10 {
        for strength in 0..FULL {
            let (lower, higher) = (noticed(seed, strength), noticed(seed, strength + 1));
            assert!(!lower.is_empty() && lower.iter().all(|mv| higher.contains(mv)));
        }
        assert_eq!(noticed(seed, FULL).len(), game.legal_moves().len());
    }
}
