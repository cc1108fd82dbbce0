//! The sparring players: legal, reproducible, prompt, and as strong as they should be.

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::sync::Arc;

use leap_engine::options::{Mover, Settings};
use leap_engine::{Engine, SearchRequest};
use leap_protocol::payload::{GameResult, YesNo};
use leap_protocol::{Go, Query, Reply};
use leap_search::{Control, Table};

/// An opponent.
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
                    assert_eq!(moves(1), moves(1), "{:?}", player.mover);
                    assert_ne!(moves(1), moves(2), "{:?}", player.mover);
                }
            }

            #[test]
            fn tree_search_beats_random() {
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

#[test]
fn the_process_names_its_player_and_has_only_its_options() {
    let says = |player: &str, line: &str| {
        let mut leapd = Command::new(env!("CARGO_BIN_EXE_leapd"));
        leapd.args(["--player", player]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = leapd.spawn().unwrap();
        writeln!(child.stdin.take().unwrap(), "{line}").unwrap();
        String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
    };
    let greeting = says("greedy", "ugi");
    assert!(greeting.contains(" greedy\n"), "{greeting}");
    assert!(greeting.contains("option name Seed type spin default 1 min 0 max 2147483647\n"));
    assert!(!greeting.contains("option name Hash"), "{greeting}");
    assert!(says("mcts", "ugi").contains("option name Hash"));
    assert!(says("random", "setoption name Hash value 8").starts_with("error no-such-option"));
    let best = says("mcts", "go nodes 500");
    assert!(best.contains("info depth") && best.contains("\nbestmove "), "{best}");
}
