//! Every position of `*/perft.jsonl`: its result, move list, positions after moves, and perft counts.
//!
//! `perft.md` describes the origin of these files.

use std::collections::BTreeMap;

use leap_core::perft::perft;
use leap_core::{GameResult, Outcome, RulesExt, Side, StopFlag};
use leap_search::Playable;
use leap_toys::each_game;
use serde::Deserialize;

/// Larger counts are left to the slow run.
const QUICK_NODES: u64 = 3_000_000;

#[derive(Deserialize)]
struct Line {
    fen: String,
    result: Option<String>,
    perft: Vec<u64>,
    moves: Vec<String>,
    after: BTreeMap<String, String>,
}

fn lines(game: &str) -> Vec<Line> {
    let path = format!("{}/{game}/perft.jsonl", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn result_text(outcome: Option<Outcome>) -> Option<&'static str> {
    Some(match outcome?.result {
        GameResult::Win(Side::One) => "1-0",
        GameResult::Win(Side::Two) => "0-1",
        GameResult::Draw => "1/2-1/2",
    })
}

fn check_positions<R: Playable>(rules: &R) {
    for line in lines(R::ID) {
        let fen = &line.fen;
        let position = rules.parse_position(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(&rules.print_position(&position), fen);
        assert_eq!(result_text(rules.outcome(&position)), line.result.as_deref(), "{fen}");
        let moves = rules.legal_moves(&position);
        let texts: Vec<String> = moves.iter().map(|mv| rules.print_move(&position, *mv)).collect();
        assert_eq!(texts, line.moves, "{fen}");
        for (text, after) in &line.after {
            let mv = rules.parse_move(&position, text).unwrap();
            let mut child = position;
            rules.play_unchecked(&mut child, mv);
            assert_eq!(&rules.print_position(&child), after, "{fen} after {text}");
        }
    }
}

fn check_counts<R: Playable>(rules: &R, wanted: impl Fn(u64) -> bool) {
    for line in lines(R::ID) {
        let position = rules.parse_position(&line.fen).unwrap();
        for (depth, count) in (1..).zip(line.perft).filter(|(_, count)| wanted(*count)) {
            let nodes = perft(rules, &position, depth, &StopFlag::default());
            assert_eq!(nodes, count, "perft {depth} of {}", line.fen);
        }
    }
}

#[test]
fn results_moves_and_positions_after_moves_equal_the_data() {
    each_game!(check_positions);
}

#[test]
fn perft_counts_equal_the_data() {
    each_game!(check_counts, |count| count <= QUICK_NODES);
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn large_perft_counts_equal_the_data() {
    each_game!(check_counts, |count| count > QUICK_NODES);
}
