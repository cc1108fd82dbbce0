//! A match runner that knows no rule, and only the lines that UGI runners really use (SPEC 17).
//!
//! It sends the whole game before each question, and reads exactly two words of `bestmove`. A game ends when both
//! engines say so.

use std::path::{Path, PathBuf};
use std::process::{ExitCode, Stdio};
use std::time::{Duration, Instant};

use leap_client::{Client, EngineCommand};
use leap_conformance::replay;
use leap_engine::Engines;
use leap_engine::options::OptionRow;
use leap_games::IDS;
use leap_search::option::Kind;

use crate::process::LEAPD;

const PATIENCE: Duration = Duration::from_secs(30);

/// Speaks UGI by plain lines.
struct Player {
    client: Client,
}

impl Player {
    fn start(command: &EngineCommand, game: &str, options: &[(String, String)]) -> Self {
        let mut player = Self { client: Client::start(command, Stdio::inherit()).unwrap() };
        player.say("ugi");
        while player.hear() != "ugiok" {}
        player.say(&format!("setoption name Game value {game}"));
        for (name, value) in options {
            player.say(&format!("setoption name {name} value {value}"));
        }
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
    /// How long each move took.
    times: Vec<Duration>,
}

fn play(players: &mut [Player; 2], limits: &str) -> Played {
    let mut moves: Vec<String> = Vec::new();
    let mut times = Vec::new();
    loop {
        let over = [0, 1].map(|i| players[i].query(&moves, "gameover"));
        assert_eq!(over[0], over[1], "after {moves:?}");
        if over[0] == "true" {
            break;
        }
        let agent = if players[0].query(&moves, "p1turn") == "true" { 0 } else { 1 };
        let (mv, took) = players[agent].go(&moves, limits);
        times.push(took);
        let opinion = players[1 - agent].query(&moves, &format!("legal {mv}"));
        assert_eq!(opinion, "true", "{mv} after {moves:?}");
        moves.push(mv);
    }
    let results = [0, 1].map(|i| players[i].query(&moves, "result"));
    assert_eq!(results[0], results[1], "after {moves:?}");
    assert!(["p1win", "p2win", "draw"].contains(&&*results[0]), "{}", results[0]);
    Played { result: results[0].clone(), moves, times }
}

fn leapd() -> EngineCommand {
    EngineCommand::new(LEAPD)
}

fn play_games(game: &str, games: usize, limits: &str) -> Vec<Played> {
    let players = [(); 2].map(|()| Player::start(&leapd(), game, &[]));
    play_games_of(players, games, limits)
}

fn play_games_of(mut players: [Player; 2], games: usize, limits: &str) -> Vec<Played> {
    let played: Vec<Played> = (0..games).map(|_| play(&mut players, limits)).collect();
    assert!(played.iter().all(|game| !game.moves.is_empty()));
    for player in players {
        assert!(player.client.quit(PATIENCE).unwrap());
    }
    played
}

/// leapd behind `leap record`, which is built beside it.
fn recorded_leapd(transcript: &Path) -> EngineCommand {
    let leapd = Path::new(LEAPD);
    let leap = leapd.with_file_name(format!("leap{}", std::env::consts::EXE_SUFFIX));
    assert!(leap.exists(), "expected {}: test the whole workspace", leap.display());
    let words =
        ["record", "--force", "-o", transcript.to_str().unwrap(), "--", leapd.to_str().unwrap()];
    words.into_iter().fold(EngineCommand::new(leap), EngineCommand::arg)
}

/// Records both engines of a match, and has each say all of it again.
fn recordings_are_repeated(game: &str, options: &[(String, String)]) {
    let folder = tempfile::tempdir().unwrap();
    let files: [PathBuf; 2] = ["1.ugt", "2.ugt"].map(|name| folder.path().join(name));
    let players = [0, 1].map(|i| Player::start(&recorded_leapd(&files[i]), game, options));
    play_games_of(players, leap_testing::tried(2) as usize, "nodes 20");
    let replayed = replay::run(replay::ReplayArgs {
        files: files.to_vec(),
        update: false,
        unpinned: false,
        timeout: PATIENCE,
        jobs: None,
        format: replay::Format::Human,
        junit: None,
        referee: None,
        engine: vec![LEAPD.to_owned()],
    });
    assert_eq!(replayed.unwrap(), ExitCode::SUCCESS, "the report above says what differs");
}

/// How many games the slow test plays; `LEAP_GAMES=100` for a measurement.
fn games_by_the_clock() -> usize {
    std::env::var("LEAP_GAMES").map_or(2, |games| games.parse().unwrap())
}

fn report(game: &str, played: &[Played]) {
    let count = |result: &str| played.iter().filter(|game| game.result == result).count();
    let results = ["p1win", "p2win", "draw"].map(count);
    let mut times: Vec<Duration> = played.iter().flat_map(|game| game.times.clone()).collect();
    times.sort_unstable();
    let at = |share: usize| times[(times.len() - 1) * share / 1000];
    println!(
        "{game}: p1 wins, p2 wins, draws {results:?}; {} moves, half of them within {:?}, 99.9 % within {:?}, all within {:?}",
        times.len(),
        at(500),
        at(999),
        at(1000)
    );
}

/// A value other than the default for each option of a game's rules.
fn switched(game: &str) -> Vec<(String, String)> {
    let engines = Engines::new(leapd::GAMES);
    let rules = engines.options().filter(|row| row.scope.rules_of(game));
    let changed = |row: &OptionRow| {
        let default = &row.default;
        let value = match &row.kind {
            Kind::Check => (default != "true").to_string(),
            Kind::Combo(words) => words.iter().find(|word| *word != default).unwrap().to_string(),
            Kind::Spin(..) => (default.parse::<u32>().unwrap() / 5).max(2).to_string(),
            Kind::Text => "7".to_owned(),
            Kind::Button => String::new(),
        };
        (row.name.to_string(), value)
    };
    rules.map(changed).collect()
}

/// With so few nodes some games last as long as `MaxPlies` allows, and all plies are sent before each question.
#[test]
fn a_recorded_match_of_each_game_is_repeated() {
    for game in IDS {
        recordings_are_repeated(game, &[("MaxPlies".to_owned(), "120".to_owned())]);
    }
}

#[test]
fn a_recorded_match_of_each_game_with_switched_options_is_repeated() {
    for game in IDS {
        recordings_are_repeated(game, &switched(game));
    }
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn games_by_the_clock_end_without_a_fault() {
    for game in IDS {
        report(game, &play_games(game, games_by_the_clock(), "movetime 20"));
    }
}
