//! The reference implementation against the data files and the counts that the rules give.

mod reference;

use reference::{Ending, GameId, Match, Options, SplitMix64};
use serde_json::Value;
use std::path::Path;

/// perft counts up to this are recomputed: all the files in some seconds. Greater counts are for
/// the engine alone.
const NODES: u64 = 300_000;

fn lines_of(id: GameId) -> Vec<Value> {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/perft/{}.jsonl", id.name()));
    let text = std::fs::read_to_string(path).expect("the data file");
    text.lines().map(|line| serde_json::from_str(line).expect("a JSON line")).collect()
}

/// The strings of a JSON array.
fn strings(value: &Value) -> Vec<&str> {
    value.as_array().expect("an array").iter().map(|item| item.as_str().expect("text")).collect()
}

fn check_line(id: GameId, line: &Value) {
    let options = Options::default();
    let position = line["fen"].as_str().expect("a position");
    assert_eq!(id.parse(position).as_deref(), Ok(position));
    let score = id.result(position, &options).map(|ending| ending.score);
    assert_eq!(score, line["result"].as_str(), "result of {position}");
    assert_eq!(id.moves(position, &options), strings(&line["moves"]), "moves of {position}");
    for (text, after) in line["after"].as_object().expect("an object") {
        let found = id.play(position, text, &options);
        assert_eq!(Some(found.as_str()), after.as_str(), "{position} after {text}");
    }
    for (index, count) in line["perft"].as_array().expect("an array").iter().enumerate() {
        let (depth, count) = (index as u32 + 1, count.as_u64().expect("a count"));
        if count <= NODES {
            assert_eq!(id.perft(position, depth, &options), count, "perft {depth} of {position}");
        }
    }
}

#[test]
fn alquerque_agrees_with_the_data_file() {
    lines_of(GameId::Alquerque).iter().for_each(|line| check_line(GameId::Alquerque, line));
}

#[test]
fn eximo_agrees_with_the_data_file() {
    lines_of(GameId::Eximo).iter().for_each(|line| check_line(GameId::Eximo, line));
}

#[test]
fn sapos_agrees_with_the_data_file() {
    lines_of(GameId::Sapos).iter().for_each(|line| check_line(GameId::Sapos, line));
}

#[test]
fn froglet_agrees_with_the_data_file() {
    lines_of(GameId::Froglet).iter().for_each(|line| check_line(GameId::Froglet, line));
}

#[test]
fn tactica_agrees_with_the_data_file() {
    lines_of(GameId::Tactica).iter().for_each(|line| check_line(GameId::Tactica, line));
}

fn check_start(id: GameId, options: &Options, counts: &[u64]) {
    let start = id.start(options);
    for (index, &count) in counts.iter().enumerate() {
        let depth = index as u32 + 1;
        assert_eq!(id.perft(&start, depth, options), count, "{} perft {depth}", id.name());
    }
}

#[test]
fn counts_from_the_start_are_those_of_the_rules() {
    let plain = Options::default();
    check_start(GameId::Alquerque, &plain, &[4, 8, 33, 218, 1526, 11545, 98183]);
    check_start(GameId::Eximo, &plain, &[40, 1600, 60284]);
    check_start(GameId::Sapos, &plain, &[30, 884, 25922, 750_090]);
    check_start(GameId::Froglet, &plain, &[66, 223, 1137, 10946, 134_134]);
    check_start(GameId::Tactica, &plain, &[64, 3836, 246_026]);
}

#[test]
fn counts_from_the_start_follow_the_options() {
    let mandatory = Options { alquerque_mandatory: true, ..Options::default() };
    let counts = [4, 5, 6, 12, 29, 107, 523, 2521, 12878, 70759];
    check_start(GameId::Alquerque, &mandatory, &counts);
    let possible = Options { sapos_placement_possible: true, ..Options::default() };
    check_start(GameId::Sapos, &possible, &[30, 884, 25926, 750_646]);
    let once = Options { sapos_revisit: false, ..Options::default() };
    check_start(GameId::Sapos, &once, &[22, 472, 9682, 196_032]);
}

#[test]
fn froglet_seeds_pick_the_given_starts() {
    for line in &lines_of(GameId::Froglet)[..3] {
        let froglet_seed = line["seed"].as_u64().expect("a seed");
        let options = Options { froglet_seed, ..Options::default() };
        assert_eq!(Some(GameId::Froglet.start(&options).as_str()), line["fen"].as_str());
    }
}
