//! The sparring players: legal, reproducible, prompt, and as strong as they should be.

use std::sync::Arc;

use leap_engine::options::{Agent, Settings};
use leap_games::IDS;
use leap_protocol::payload::{GameResult, YesNo};
use leap_protocol::{Go, Query, Reply};
use leap_search::{Control, TranspositionTable};
use leap_testing::sample;

use crate::ask::{ask, engines};

/// An opponent.
#[derive(Clone)]
pub(crate) struct Player {
    agent: Agent,
    nodes: u64,
}

pub(crate) const RANDOM: Player = Player { agent: Agent::Random, nodes: 1 };
const GREEDY: Player = Player { agent: Agent::Greedy, nodes: 1 };

pub(crate) fn mcts(nodes: u64) -> Player {
    Player { agent: Agent::Mcts, nodes }
}

fn settings(agent: Agent, seed: u64) -> Settings {
    Settings { agent, seed, hash_mib: 1, ..Settings::default() }
}

struct Played {
    result: GameResult,
    moves: Vec<String>,
}

/// A game of one player against another, whose every move the rules accept.
fn play(game: &str, players: &[Player; 2], seed: u64) -> Played {
    let settings = [0, 1].map(|i| settings(players[i].agent, seed));
    let table = Arc::new(TranspositionTable::new(1).unwrap());
    let mut engines = engines(game);
    engines.set("FrogletSeed", Some(&seed.to_string())).unwrap();
    let engine = engines.engine_mut();
    engine.start();
    let mut moves = Vec::new();
    while !ask::<YesNo>(engine, &Query::GameOver).0 {
        let turn = usize::from(!ask::<YesNo>(engine, &Query::P1Turn).0);
        let go = Go { nodes: Some(players[turn].nodes), ..Go::default() };
        let table = Arc::clone(&table);
        let job = engine.search(&go, &settings[turn], table, Arc::default()).unwrap();
        let reply = job(&Control::new(), &mut |_| {});
        let Reply::BestMove { mv: Some(mv), .. } = reply else {
            panic!("expected a move, found {reply}")
        };
        engine.play(std::slice::from_ref(&mv)).unwrap();
        moves.push(mv);
    }
    Played { result: ask(engine, &Query::Result), moves }
}

/// Wins and draws of the first player, who begins every other game.
fn score(game: &str, first: &Player, second: &Player, games: u64) -> [u64; 2] {
    let mut score = [0; 2];
    for seed in 1..=games {
        let is_p1 = seed % 2 == 1;
        let pair = [first.clone(), second.clone()];
        let pair = if is_p1 {
            pair
        } else {
            let [a, b] = pair;
            [b, a]
        };
        let win = if is_p1 { GameResult::P1Win } else { GameResult::P2Win };
        let result = play(game, &pair, seed).result;
        score[0] += u64::from(result == win);
        score[1] += u64::from(result == GameResult::Draw);
    }
    score
}

/// Checks that the first player wins all of these games.
#[track_caller]
pub(crate) fn assert_beats(game: &str, first: &Player, second: &Player, games: u64) {
    let [won, drawn] = score(game, first, second, games);
    assert_eq!(won, games, "{game}: {drawn} of the others drawn");
}

#[test]
fn each_player_plays_whole_games_reproducibly() {
    for game in IDS {
        for player in [RANDOM, GREEDY, mcts(10)] {
            let moves = |seed| play(game, &[player.clone(), player.clone()], seed).moves;
            let first = moves(1);
            assert_eq!(first, moves(1), "{game}, {:?}", player.agent);
            assert_ne!(first, moves(2), "{game}, {:?}", player.agent);
        }
    }
}

#[test]
fn tree_search_beats_random_from_both_sides() {
    for game in sample(&IDS) {
        assert_beats(game, &mcts(100), &RANDOM, 2);
    }
}

#[test]
fn greedy_beats_random_where_captures_decide() {
    for game in ["alquerque", "froglet", "tactica"] {
        assert_beats(game, &GREEDY, &RANDOM, 6);
    }
}
