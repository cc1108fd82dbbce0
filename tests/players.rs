//! The sparring players: legal, reproducible, prompt, and as strong as they should be.

#![allow(clippy::print_stdout, reason = "slow tests say what they saw")]

#[allow(dead_code, reason = "other tests use the rest of it")]
mod support;

use std::sync::Arc;

use leap_protocol::payload::{GameResult, YesNo};
use leap_protocol::{Go, Query, Reply};
use leapd::engine::{self, Engine, SearchRequest};
use leapd::options::{Mover, Settings};
use leapd::search::{Control, Table};

/// Somebody to play against.
#[derive(Clone)]
struct Player {
    mover: Mover,
    nodes: u64,
}

const RANDOM: Player = Player { mover: Mover::Random, nodes: 1 };
const GREEDY: Player = Player { mover: Mover::Greedy, nodes: 1 };

fn mcts(nodes: u64) -> Player {
    Player { mover: Mover::Mcts, nodes }
}

fn settings(game: &str, mover: Mover, seed: u64) -> Settings {
    let mut settings = Settings { mover, seed, hash_mib: 1, ..Settings::default() };
    settings.set("Game", Some(game)).unwrap();
    settings.set("FrogletSeed", Some(&seed.to_string())).unwrap();
    settings
}

fn ask<T: std::str::FromStr>(engine: &dyn Engine, query: &Query) -> T {
    let replies = engine.answer(query).unwrap();
    let [Reply::Response(body)] = &replies[..] else {
        panic!("expected one response: {replies:?}")
    };
    body.parse().unwrap_or_else(|_| panic!("cannot read '{body}'"))
}

struct Played {
    result: GameResult,
    moves: Vec<String>,
}

/// A game of one player against another, whose every move the rules accept.
fn play(game: &str, players: &[Player; 2], seed: u64) -> Played {
    let settings = [0, 1].map(|i| settings(game, players[i].mover, seed));
    let table = Arc::new(Table::new(1).unwrap());
    let mut engine = engine::new(&settings[0]);
    let mut moves = Vec::new();
    while !ask::<YesNo>(engine.as_ref(), &Query::GameOver).0 {
        let turn = usize::from(!ask::<YesNo>(engine.as_ref(), &Query::P1Turn).0);
        let go = Go { nodes: Some(players[turn].nodes), ..Go::default() };
        let table = Arc::clone(&table);
        let request = SearchRequest { go: &go, settings: &settings[turn], table };
        let reply = engine.search(request).unwrap()(&Control::new(), &mut |_| {});
        let Reply::BestMove { mv: Some(mv), .. } = reply else {
            panic!("expected a move, found {reply}")
        };
        engine.play(std::slice::from_ref(&mv)).unwrap();
        moves.push(mv);
    }
    Played { result: ask(engine.as_ref(), &Query::Result), moves }
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

macro_rules! games {
    ($($game:ident)*) => {$(
        mod $game {
            use super::*;

            #[test]
            #[ignore = "a measurement"]
            fn measure() {
                let game = stringify!($game);
                let t = std::time::Instant::now();
                let lens: Vec<usize> = (1..=40).map(|seed| play(game, &[RANDOM, RANDOM], seed).moves.len()).collect();
                println!("{game}: random lengths max {:?} mean {} in {:?}", lens.iter().max(), lens.iter().sum::<usize>() / 40, t.elapsed());
                println!("{game}: greedy-random {:?} of 20", score(game, &GREEDY, &RANDOM, 20));
                for nodes in [20, 100, 300] {
                    let t = std::time::Instant::now();
                    let s = score(game, &mcts(nodes), &RANDOM, 10);
                    println!("{game}: mcts {nodes}-random {s:?} of 10 in {:?}", t.elapsed());
                }
                let t = std::time::Instant::now();
                println!("{game}: mcts 300-greedy {:?} of 10 in {:?}", score(game, &mcts(300), &GREEDY, 10), t.elapsed());
            }
        }
    )*};
}

games! { alquerque eximo sapos froglet tactica }
