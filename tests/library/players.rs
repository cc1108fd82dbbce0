//! The sparring players: legal, reproducible, prompt, and as strong as they should be.

use std::sync::Arc;

use leap_engine::SearchRequest;
use leap_engine::options::{Agent, Settings};
use leap_protocol::payload::{GameResult, YesNo};
use leap_protocol::{Go, Query, Reply};
use leap_search::{Control, TranspositionTable};

use crate::ask::ask;

/// An opponent.
#[derive(Clone)]
struct Player {
    agent: Agent,
    nodes: u64,
}

const RANDOM: Player = Player { agent: Agent::Random, nodes: 1 };
const GREEDY: Player = Player { agent: Agent::Greedy, nodes: 1 };

fn mcts(nodes: u64) -> Player {
    Player { agent: Agent::Mcts, nodes }
}

fn settings(game: &str, agent: Agent, seed: u64) -> Settings {
    let mut settings = Settings { agent, seed, hash_mib: 1, ..Settings::default() };
    settings.set("Game", Some(game)).unwrap();
    settings.set("FrogletSeed", Some(&seed.to_string())).unwrap();
    settings
}

struct Played {
    result: GameResult,
    moves: Vec<String>,
}

/// A game of one player against another, whose every move the rules accept.
fn play(game: &str, players: &[Player; 2], seed: u64) -> Played {
    let settings = [0, 1].map(|i| settings(game, players[i].agent, seed));
    let table = Arc::new(TranspositionTable::new(1).unwrap());
    let mut engine = leap_engine::new(&settings[0]);
    let mut moves = Vec::new();
    while !ask::<YesNo>(engine.as_ref(), &Query::GameOver).0 {
        let turn = usize::from(!ask::<YesNo>(engine.as_ref(), &Query::P1Turn).0);
        let go = Go { nodes: Some(players[turn].nodes), ..Go::default() };
        let table = Arc::clone(&table);
        let (settings, lag) = (&settings[turn], Arc::default());
        let request = SearchRequest { go: &go, settings, table, lag };
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

/// Checks that the first player wins all of these games.
#[track_caller]
fn assert_beats(game: &str, first: &Player, second: &Player, games: u64) {
    let [won, drawn] = score(game, first, second, games);
    assert_eq!(won, games, "{game}: {drawn} of the others drawn");
}

macro_rules! games {
    ($($game:ident $rules:ident $title:literal;)*) => {$(
        mod $game {
            use super::*;

            const GAME: &str = stringify!($game);

            #[test]
            fn each_player_plays_whole_games_reproducibly() {
                for player in [RANDOM, GREEDY, mcts(10)] {
                    let moves = |seed| play(GAME, &[player.clone(), player.clone()], seed).moves;
                    let first = moves(1);
                    assert_eq!(first, moves(1), "{:?}", player.agent);
                    assert_ne!(first, moves(2), "{:?}", player.agent);
                }
            }

            #[test]
            fn tree_search_beats_random_from_both_sides() {
                assert_beats(GAME, &mcts(100), &RANDOM, 2);
            }

            #[test]
            #[ignore = "slow: run by .ci/run"]
            fn tree_search_beats_random_in_six_games() {
                assert_beats(GAME, &mcts(100), &RANDOM, 6);
            }
        }
    )*};
}

leap_games::for_each_game!(games);

#[test]
fn greedy_beats_random_where_captures_decide() {
    for game in ["alquerque", "froglet", "tactica"] {
        assert_beats(game, &GREEDY, &RANDOM, 6);
    }
}
