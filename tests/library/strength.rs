//! The engine beats a player who moves at random, from both sides, except at its weakest.

use std::sync::Arc;

use leap_engine::{Engine, Engines};
use leap_games::IDS;
use leap_protocol::payload::{GameResult, MoveList, YesNo};
use leap_protocol::{Go, Query, Reply};
use leap_search::strength::{FULL, LOWEST};
use leap_search::{Control, TranspositionTable};
use leap_testing::sample;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::ask::{ask, engines};

fn random_move(engine: &dyn Engine, rng: &mut ChaCha8Rng) -> String {
    let list: MoveList = ask(engine, &Query::Moves { limit: None });
    list.moves[(rng.next_u64() % list.moves.len() as u64) as usize].clone()
}

fn best_move(engines: &Engines, table: &Arc<TranspositionTable>, go: &Go) -> String {
    let job = engines.engine().search(go, &engines.settings, Arc::clone(table), Arc::default());
    match job.unwrap()(&Control::new(), &mut |_| {}) {
        Reply::BestMove { mv: Some(mv), .. } => mv,
        reply => panic!("expected a move, found {reply}"),
    }
}

/// Whether the engine, playing this side, wins a game against random moves.
fn wins(game: &str, engine_is_p1: bool, seed: u64, strength: i32, go: &Go) -> bool {
    let mut engines = engines(game);
    (engines.settings.strength, engines.settings.seed) = (strength, seed);
    engines.set("FrogletSeed", Some(&(seed + 1).to_string())).unwrap();
    engines.engine_mut().start();
    let table = Arc::new(TranspositionTable::new(1).unwrap());
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    while !ask::<YesNo>(engines.engine(), &Query::GameOver).0 {
        let p1_moves = ask::<YesNo>(engines.engine(), &Query::P1Turn).0;
        let mv = if p1_moves == engine_is_p1 {
            best_move(&engines, &table, go)
        } else {
            random_move(engines.engine(), &mut rng)
        };
        engines.engine_mut().play(&[mv]).unwrap();
    }
    let wanted = if engine_is_p1 { GameResult::P1Win } else { GameResult::P2Win };
    ask::<GameResult>(engines.engine(), &Query::Result) == wanted
}

fn count_wins(game: &str, games: u64, strength: i32, go: &Go) -> u64 {
    (0..games).filter(|seed| wins(game, seed % 2 == 0, *seed, strength, go)).count() as u64
}

#[test]
fn random_play_is_beaten() {
    let go = Go { nodes: Some(2_000), ..Go::default() };
    for game in IDS {
        assert_eq!(count_wins(game, 4, FULL, &go), 4, "{game}");
    }
}

#[test]
fn random_play_is_beaten_at_strength_0() {
    let go = Go { nodes: Some(2_000), ..Go::default() };
    for game in IDS {
        let won = count_wins(game, 10, 0, &go);
        assert!(won >= 7, "{game}: {won} of 10");
    }
}

#[test]
fn random_play_wins_some_games_at_the_lowest_strength() {
    for game in sample(&IDS) {
        let won = count_wins(game, 50, LOWEST, &Go::default());
        assert!((10..=40).contains(&won), "{game}: {won} of 50");
    }
}

/// Run by hand.
mod by_hand {
    use super::*;

    #[test]
    #[ignore = "very slow, five minutes or more a game: run by hand"]
    fn random_play_is_beaten_in_99_of_100_games_at_50_ms() {
        let go = Go { movetime: Some(50), ..Go::default() };
        for game in IDS {
            let won = count_wins(game, 100, FULL, &go);
            println!("{game}: {won} of 100");
            assert!(won >= 99, "{game}");
        }
    }
}
