//! The reference implementation against the data file of each game, and against itself. Its own tests have the rules
//! that a data file does not show.

use leap_reference::{Game, GameId, Options, SplitMix64};
use serde_json::Value;
use std::path::Path;

/// Larger counts are left to the slow run.
const QUICK_NODES: u64 = 20_000;

fn lines_of(id: GameId) -> Vec<Value> {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("games/{}/perft.jsonl", id.name()));
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
}

/// Compares the counts that are wanted.
pub(crate) fn check_counts(id: GameId, wanted: impl Fn(u64) -> bool) {
    for line in lines_of(id) {
        let position = line["fen"].as_str().expect("a position");
        let counts = line["perft"].as_array().expect("an array").iter();
        let counts = counts.map(|count| count.as_u64().expect("a count"));
        for (depth, count) in (1..).zip(counts).filter(|(_, count)| wanted(*count)) {
            let found = id.perft(position, depth, &Options::default());
            assert_eq!(found, count, "perft {depth} of {position}");
        }
    }
}

#[test]
fn the_reference_agrees_with_the_data_file() {
    for &id in GameId::ALL {
        lines_of(id).iter().for_each(|line| check_line(id, line));
        check_counts(id, |count| count <= QUICK_NODES);
    }
}

#[test]
fn one_route_a_state_finds_the_same_moves_as_all_routes() {
    GameId::ALL.iter().copied().for_each(check_moves_by_routes);
}

#[test]
fn froglet_seeds_pick_the_given_starts() {
    let froglet = GameId::of("froglet");
    for line in &lines_of(froglet)[..3] {
        let seed = line["seed"].as_u64().expect("a seed").to_string();
        let start = froglet.start(&Options::default().with("FrogletSeed", &seed));
        assert_eq!(Some(start.as_str()), line["fen"].as_str());
    }
}

#[test]
fn the_reference_has_the_games_of_leapd_in_their_order() {
    let names = GameId::ALL.iter().map(|id| id.name());
    assert!(names.eq(leap_games::IDS));
}

/// Squares in a move text.
fn squares(text: &str) -> usize {
    text.split('@')
        .next()
        .map_or(0, |route| route.matches(|c: char| c.is_ascii_lowercase()).count())
}

fn check_search_by_states(id: GameId, position: &str, options: &Options) {
    let moves = id.moves(position, options);
    let longest = moves.iter().map(|text| squares(text)).max().unwrap_or(0);
    let by_routes = id.moves_by_routes_within(position, options, longest.max(2));
    assert_eq!(by_routes.as_ref(), Some(&moves), "{} {position}", id.name());
}

fn check_moves_by_routes(id: GameId) {
    for line in lines_of(id).iter().filter(|line| line["result"].is_null()) {
        let position = line["fen"].as_str().expect("a position");
        check_search_by_states(id, position, &Options::default());
    }
}

#[test]
fn one_route_a_state_finds_the_same_moves_along_games_with_an_option() {
    let sapos = GameId::of("sapos");
    let possible = Options::default().with("SaposPlacement", "possible");
    for seed in 0..5 {
        let mut game = Game::from_start(sapos, &possible);
        let mut random = SplitMix64(seed);
        while game.result().is_none() {
            let moves = game.moves();
            check_search_by_states(sapos, &game.position(), &possible);
            game.play(&moves[random.below(moves.len())]);
        }
    }
}

#[test]
fn every_route_of_a_move_is_taken_as_that_move() {
    let mut others = 0;
    for &id in GameId::ALL {
        let options = Options::default();
        let mut game = Game::from_start(id, &options);
        let mut random = SplitMix64(7);
        for _ in 0..40 {
            let position = game.position();
            let Some(moves) = game.try_moves(5_000).filter(|moves| !moves.is_empty()) else {
                break;
            };
            let chosen = &moves[random.below(moves.len())];
            let routes = id.routes(&position, chosen, &options, squares(chosen) + 2, 50);
            assert!(routes.contains(chosen), "{chosen} of {position}: {routes:?}");
            let after = id.play(&position, chosen, &options);
            for route in &routes {
                let canonical = id.canonical(&position, route, &options);
                assert_eq!(canonical.as_ref(), Some(chosen), "{route} in {position}");
                assert_eq!(id.play(&position, route, &options), after, "{route} in {position}");
                others += usize::from(route != chosen);
            }
            game.play(chosen);
        }
    }
    assert!(others > 0, "no move had a second route");
}
