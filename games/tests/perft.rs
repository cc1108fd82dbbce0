//! Every position of `*/perft.jsonl`: its result, move list, positions after moves, and perft counts; and the counts
//! from the start position that SPEC has.
//!
//! `perft.md` describes the origin of the files.

use std::collections::BTreeMap;

use leap_core::perft::perft;
use leap_core::{RulesExt, StopFlag};
use leap_games::alquerque::{Alquerque, CaptureRule};
use leap_games::eximo::Eximo;
use leap_games::froglet::Froglet;
use leap_games::games;
use leap_games::sapos::{Placement, Sapos};
use leap_games::tactica::Tactica;
use leap_search::Playable;
use serde::Deserialize;

/// Larger counts are left to the slow run.
const QUICK_NODES: u64 = 3_000_000;

#[derive(Deserialize)]
struct Line {
    fen: String,
    seed: Option<u64>,
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

fn check_positions<R: Playable>() {
    let rules = R::default();
    for line in lines(R::ID) {
        let fen = &line.fen;
        let position = rules.parse_position(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(&rules.print_position(&position), fen);
        let result = rules.outcome(&position).map(|outcome| outcome.result.to_string());
        assert_eq!(result, line.result, "{fen}");
        if let Some(seed) = line.seed {
            assert_eq!(rules.clone().seeded(seed).start(), position, "seed {seed}");
        }
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

fn check_counts<R: Playable>(wanted: fn(u64) -> bool) {
    let rules = R::default();
    for line in lines(R::ID) {
        check_perft(&rules, &rules.parse_position(&line.fen).unwrap(), &line.perft, wanted);
    }
}

fn check_perft<R: Playable>(
    rules: &R,
    position: &R::Position,
    counts: &[u64],
    wanted: fn(u64) -> bool,
) {
    for (depth, count) in (1..).zip(counts).filter(|(_, count)| wanted(**count)) {
        let nodes = perft(rules, position, depth, &StopFlag::default());
        assert_eq!(nodes, *count, "perft {depth} of {}", rules.print_position(position));
    }
}

/// SPEC 11.20, 11.21, 12.23, 13.24, 14.23, 15.24.
fn check_starts(wanted: fn(u64) -> bool) {
    fn check<R: Playable>(rules: &R, counts: &[u64], wanted: fn(u64) -> bool) {
        check_perft(rules, &rules.start(), counts, wanted);
    }
    check(&Alquerque::default(), &[4, 8, 33, 218, 1526, 11_545, 98_183], wanted);
    let mandatory = Alquerque { capture: CaptureRule::Mandatory, ..Alquerque::default() };
    check(&mandatory, &[4, 5, 6, 12, 29, 107, 523, 2521, 12_878, 70_759], wanted);
    check(&Eximo::default(), &[40, 1600, 60_284, 2_093_190, 68_336_644], wanted);
    check(&Sapos::default(), &[30, 884, 25_922, 750_090, 22_352_148], wanted);
    let possible = Sapos { placement: Placement::Possible, ..Sapos::default() };
    check(&possible, &[30, 884, 25_926, 750_646], wanted);
    let without_revisits = Sapos { revisit: false, ..Sapos::default() };
    check(&without_revisits, &[22, 472, 9682, 196_032], wanted);
    check(&Froglet::default(), &[66, 223, 1137, 10_946, 134_134, 2_110_420], wanted);
    check(&Tactica::default(), &[64, 3836, 246_026, 15_073_984, 962_465_784], wanted);
}

#[test]
fn results_moves_and_positions_after_moves_equal_the_data() {
    games!(check_positions());
}

#[test]
fn perft_counts_equal_the_data_and_those_of_spec() {
    games!(check_counts(|count| count <= QUICK_NODES));
    check_starts(|count| count <= QUICK_NODES);
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn large_perft_counts_equal_the_data_and_those_of_spec() {
    games!(check_counts(|count| count > QUICK_NODES));
    check_starts(|count| count > QUICK_NODES);
}
