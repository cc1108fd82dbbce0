//! A match runner that knows no rule and nothing but the lines that UGI runners really use (SPEC 17): it sends the whole
//! game before each question, reads exactly two words of `bestmove`, and ends a game when both engines say so.

#![allow(clippy::print_stdout, reason = "slow tests say what they saw")]

use std::process::Stdio;
use std::time::{Duration, Instant};

use leap_adapters::client::{Client, EngineCommand};

const PATIENCE: Duration = Duration::from_secs(30);

/// Speaks UGI by plain lines.
struct Player {
    client: Client,
}

impl Player {
    fn start(game: &str) -> Player {
        let command = EngineCommand::new(env!("CARGO_BIN_EXE_leapd"));
        let mut player = Player { client: Client::start(&command, Stdio::inherit()).unwrap() };
        player.say("ugi");
        while player.hear() != "ugiok" {}
        player.say(&format!("setoption name Game value {game}"));
        player.say("isready");
        assert_eq!(player.hear(), "readyok");
        player.say("uginewgame");
        player
    }

    fn say(&mut self, line: &str) {
        self.client.send_line(line).unwrap();
    }

    fn hear(&mut self) -> String {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let line = self.client.receive(deadline).unwrap().0.to_string();
            assert!(!line.starts_with("error"), "{line}");
            if !line.starts_with("info") {
                return line;
            }
        }
    }

    fn query(&mut self, moves: &[String], what: &str) -> String {
        self.position(moves);
        self.say(&format!("query {what}"));
        self.hear().strip_prefix("response ").unwrap().to_owned()
    }

    fn position(&mut self, moves: &[String]) {
        let list =
            if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        self.say(&format!("position startpos{list}"));
    }

    /// The move, and how long the answer took.
    fn go(&mut self, moves: &[String], limits: &str) -> (String, Duration) {
        self.position(moves);
        self.say("isready");
        assert_eq!(self.hear(), "readyok");
        let started = Instant::now();
        self.say(&format!("go {limits}"));
        let line = self.hear();
        let took = started.elapsed();
        let words: Vec<&str> = line.split(' ').collect();
        assert!(matches!(words[..], ["bestmove", mv] if mv != "none"), "{line}");
        (words[1].to_owned(), took)
    }
}

struct Played {
    result: String,
    moves: Vec<String>,
    slowest: Duration,
}

fn play(players: &mut [Player; 2], limits: &str) -> Played {
    let mut moves: Vec<String> = Vec::new();
    let mut slowest = Duration::ZERO;
    loop {
        let over = [0, 1].map(|i| players[i].query(&moves, "gameover"));
        assert_eq!(over[0], over[1], "after {moves:?}");
        if over[0] == "true" {
            break;
        }
        let mover = if players[0].query(&moves, "p1turn") == "true" { 0 } else { 1 };
        let (mv, took) = players[mover].go(&moves, limits);
        slowest = slowest.max(took);
        let opinion = players[1 - mover].query(&moves, &format!("legal {mv}"));
        assert_eq!(opinion, "true", "{mv} after {moves:?}");
        moves.push(mv);
    }
    let results = [0, 1].map(|i| players[i].query(&moves, "result"));
    assert_eq!(results[0], results[1], "after {moves:?}");
    assert!(["p1win", "p2win", "draw"].contains(&&*results[0]), "{}", results[0]);
    Played { result: results[0].clone(), moves, slowest }
}

fn play_games(game: &str, games: usize, limits: &str) -> Vec<Played> {
    let mut players = [Player::start(game), Player::start(game)];
    let played = (0..games).map(|_| play(&mut players, limits)).collect();
    for player in players {
        assert!(player.client.quit(PATIENCE).unwrap());
    }
    played
}

/// How many games the slow test plays; `LEAP_GAMES=100` for a measurement.
fn games_by_the_clock() -> usize {
    std::env::var("LEAP_GAMES").map_or(2, |games| games.parse().unwrap())
}

fn report(game: &str, played: &[Played]) {
    let count = |result: &str| played.iter().filter(|game| game.result == result).count();
    let results = ["p1win", "p2win", "draw"].map(count);
    let plies: usize = played.iter().map(|game| game.moves.len()).sum();
    let slowest = played.iter().map(|game| game.slowest).max().unwrap_or_default();
    println!(
        "{game}: p1 wins, p2 wins, draws {results:?}; {plies} plies, slowest move {slowest:?}"
    );
}

macro_rules! games {
    ($($game:ident)*) => {$(
        mod $game {
            use super::*;

            #[test]
            fn a_runner_that_knows_no_rule_plays_it_to_the_end() {
                let played = play_games(stringify!($game), 2, "nodes 300");
                assert!(played.iter().all(|game| !game.moves.is_empty()));
            }

            #[test]
            #[ignore = "slow: run by .ci/run"]
            fn games_by_the_clock_end_without_a_fault() {
                let played = play_games(stringify!($game), games_by_the_clock(), "movetime 20");
                report(stringify!($game), &played);
            }
        }
    )*};
}

games! { alquerque eximo sapos froglet tactica }
