//! The reference implementation against the data files, the counts that the rules give, and the rules that neither of
//! them shows.

use leap_reference::{Ending, Game, GameId, Options, SplitMix64};
use serde_json::Value;
use std::path::Path;

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
    for (index, count) in line["perft"].as_array().expect("an array").iter().enumerate() {
        let (depth, count) = (index as u32 + 1, count.as_u64().expect("a count"));
        assert_eq!(id.perft(position, depth, &options), count, "perft {depth} of {position}");
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

/// To depths of some 100,000 moves; the deeper counts of the rules are for the engine.
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

#[test]
fn one_route_a_state_finds_the_same_moves_as_all_routes() {
    for id in [GameId::Sapos, GameId::Froglet] {
        for line in lines_of(id).iter().filter(|line| line["result"].is_null()) {
            let position = line["fen"].as_str().expect("a position");
            check_search_by_states(id, position, &Options::default());
        }
    }
    let possible = Options { sapos_placement_possible: true, ..Options::default() };
    for seed in 0..5 {
        let mut game = Game::from_start(GameId::Sapos, &possible);
        let mut random = SplitMix64(seed);
        while game.result().is_none() {
            let moves = game.moves();
            check_search_by_states(GameId::Sapos, &game.position(), &possible);
            game.play(&moves[random.below(moves.len())]);
        }
    }
}

#[test]
fn every_route_of_a_move_is_taken_as_that_move() {
    let mut others = 0;
    for id in GameId::ALL {
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

#[test]
fn illegal_texts_are_routes_of_nothing() {
    let options = Options::default();
    let start = |id: GameId| id.start(&options);
    for (id, text) in [
        (GameId::Alquerque, "c2c3c4"),
        (GameId::Alquerque, "b2c4"),
        (GameId::Eximo, "b3b4@b1@c1"),
        (GameId::Eximo, "c2c4b5"),
        (GameId::Sapos, "d2d4"),
        (GameId::Sapos, "d2d4@d5@c4"),
        (GameId::Sapos, "d2d4@a1"),
        (GameId::Froglet, "xa1"),
        (GameId::Froglet, "a1a3"),
        (GameId::Tactica, "a1a8"),
        (GameId::Tactica, "a1"),
        (GameId::Tactica, "\u{e9}1a2"),
        (GameId::Tactica, ""),
    ] {
        assert_eq!(id.canonical(&start(id), text, &options), None, "{} {text:?}", id.name());
    }
}

/// Plays `texts`, each of which must be legal, and returns the ending after them.
fn ending_after(game: &mut Game, texts: &str) -> Option<Ending> {
    for text in texts.split(' ') {
        let moves = game.moves();
        assert!(moves.iter().any(|legal| legal == text), "{text} not in {moves:?}");
        game.play(text);
    }
    game.result()
}

fn some(score: &'static str, reason: &'static str) -> Option<Ending> {
    Some(Ending { score, reason })
}

#[test]
fn alquerque_ends_by_count_at_the_third_repetition() {
    let there_and_back = "a1a2 e5e4 a2a1 e4e5";
    for (position, score) in [
        ("4m/5/5/5/M4 1 - 0 0", "1/2-1/2"),
        ("4m/5/5/5/M3M 1 - 0 0", "1-0"),
        ("m3m/5/5/5/M4 1 - 0 0", "0-1"),
    ] {
        let mut game = Game::from_position(GameId::Alquerque, &Options::default(), position);
        assert_eq!(ending_after(&mut game, there_and_back), None);
        assert_eq!(game.repetitions(), 2);
        assert_eq!(ending_after(&mut game, there_and_back), some(score, "repetition"));
        assert_eq!(game.moves(), Vec::<String>::new());
        assert!(game.undo());
        assert_eq!(game.result(), None);
    }
}

#[test]
fn alquerque_ends_by_count_at_the_quiet_limit() {
    let options = Options::default();
    let mut game = Game::from_position(GameId::Alquerque, &options, "4m/5/5/5/M3M 1 - 99 99");
    assert_eq!(ending_after(&mut game, "a1a2"), some("1-0", "quiet-limit"));
    assert_eq!(GameId::Alquerque.perft(&game.position(), 1, &options), 0);
    let none = Options { alquerque_quiet_limit: 0, ..options };
    assert_eq!(GameId::Alquerque.result(&game.position(), &none), None);
}

#[test]
fn sapos_is_drawn_at_the_third_repetition() {
    let full = "mmmmmmmm/mmmmmmmm/8/8/8/8/MMMMMMMM/MMMMMMMM 1 1 0 1";
    let possible = Options { sapos_placement_possible: true, ..Options::default() };
    let mut game = Game::from_position(GameId::Sapos, &possible, full);
    assert_eq!(ending_after(&mut game, "a1a3a1 a8a6a8"), None);
    assert_eq!(ending_after(&mut game, "a1a3a1 a8a6a8"), some("1/2-1/2", "repetition"));
    let required = Options::default();
    assert_eq!(GameId::Sapos.result(full, &required), some("0-1", "no-moves"));
}

#[test]
fn tactica_bans_the_move_that_repeats() {
    // Player 2 has one piece that moves, shut in on a7 and a8 by Stops of its own.
    let shut_in = "cC~6/1C~6/C~7/8/8/8/8/7C 1 - 0 0";
    let round = "h1h2 a8a7 h2h1 a7a8";
    for (tactica_repetition, rounds) in [(2, 0), (3, 1), (4, 2)] {
        let options = Options { tactica_repetition, ..Options::default() };
        let mut game = Game::from_position(GameId::Tactica, &options, shut_in);
        for _ in 0..rounds {
            assert_eq!(ending_after(&mut game, round), None);
        }
        assert_eq!(ending_after(&mut game, "h1h2 a8a7 h2h1"), some("1-0", "no-moves"));
        assert_eq!(game.moves(), Vec::<String>::new());
    }
    let never = Options { tactica_repetition: 0, ..Options::default() };
    let mut game = Game::from_position(GameId::Tactica, &never, shut_in);
    assert_eq!(ending_after(&mut game, &[round; 5].join(" ")), None);
}

#[test]
fn every_game_ends_at_max_plies() {
    for (id, position, score) in [
        (GameId::Alquerque, "4m/5/5/5/M3M 1 - 0 400", "1-0"),
        (GameId::Eximo, "1mm5/8/8/8/8/8/8/1M6 1 - 0 400", "1/2-1/2"),
        (GameId::Sapos, "8/3mm3/3mm3/8/8/3MM3/3M4/8 1 1 0 400", "1/2-1/2"),
        (GameId::Froglet, "GG10/12/12/12/12/12/12/12/12/12/12/12 1 3-5 0 400", "0-1"),
        (GameId::Tactica, "c~s6/8/8/8/8/8/8/CH6 1 - 0 400", "1-0"),
    ] {
        let options = Options::default();
        assert_eq!(id.result(position, &options), some(score, "max-plies"));
        assert_eq!(id.moves(position, &options), Vec::<String>::new());
        let game = Game::from_position(id, &options, position);
        assert_eq!(game.result(), some(score, "max-plies"));
        let endless = Options { max_plies: 0, ..options };
        assert_eq!(id.result(position, &endless), None);
    }
}

#[test]
fn a_lack_of_moves_comes_before_any_other_ending() {
    let options = Options::default();
    for (id, position, ending) in [
        (GameId::Alquerque, "5/5/5/5/M4 2 - 100 400", some("1-0", "no-moves")),
        (GameId::Eximo, "8/8/8/8/8/8/8/1M6 2 - 0 400", some("1-0", "no-moves")),
        (GameId::Sapos, "8/8/8/8/8/8/8/MM6 2 1 0 400", some("1-0", "no-moves")),
        (GameId::Froglet, "G11/12/12/12/12/12/12/12/12/12/12/12 1 3-5 0 400", some("0-1", "count")),
        (GameId::Tactica, "c~7/8/8/8/8/8/8/CH6 2 - 0 400", some("1-0", "no-moves")),
    ] {
        assert_eq!(id.result(position, &options), ending);
        assert_eq!(Game::from_position(id, &options, position).result(), ending);
    }
}

#[test]
fn impossible_positions_are_refused() {
    for (id, position) in [
        (GameId::Alquerque, "MMMMM/MMMMM/MMM2/5/5 1 - 0 0"),
        (GameId::Alquerque, "5/5/5/5/6 1 - 0 0"),
        (GameId::Alquerque, "5/5/5/5/32 1 - 0 0"),
        (GameId::Alquerque, "5/5/5/5/05 1 - 0 0"),
        (GameId::Alquerque, "5/5/5/5/5 3 - 0 0"),
        (GameId::Alquerque, "5/5/5/5/5 1 1 0 0"),
        (GameId::Alquerque, "5/5/5/5/5 1 - 00 0"),
        (GameId::Alquerque, "5/5/5/5/5 1 - 0"),
        (GameId::Eximo, "1M6/8/8/8/8/8/8/8 1 - 0 0"),
        (GameId::Eximo, "8/8/8/8/8/8/8/1m6 1 - 0 0"),
        (GameId::Sapos, "mmmmmmmm/mmmmmmmm/m7/8/8/8/8/8 1 1 0 1"),
        (GameId::Sapos, "8/8/8/8/8/8/8/8 1 3 0 1"),
        (GameId::Sapos, "8/8/8/8/8/8/8/M~7 1 1 0 1"),
        (GameId::Froglet, "12/12/12/12/12/12/12/12/12/12/12/12 1 0-0 1 1"),
        (GameId::Froglet, "12/12/12/12/12/12/12/12/12/12/12/12 1 00-0 0 1"),
        (GameId::Froglet, "12/12/12/12/12/12/12/12/12/12/12/g11 1 0-0 0 1"),
        (GameId::Tactica, "CCCCCCCC/C~7/8/8/8/8/8/8 1 - 0 0"),
        (GameId::Tactica, "~8/8/8/8/8/8/8/8 1 - 0 0"),
    ] {
        assert!(id.parse(position).is_err(), "{} takes {position}", id.name());
    }
}

#[test]
fn tactica_captures_diagonal_pairs_only_by_option() {
    let position = "8/8/8/8/c1h5/8/h1c5/1C5C 1 - 0 1";
    let plain = Options::default();
    let all = Options { tactica_pairs_all: true, ..Options::default() };
    let play = |options: &Options| GameId::Tactica.play(position, "b1b3", options);
    assert_eq!(play(&plain), "8/8/8/8/c1h5/1C6/h1c5/7C 2 - 1 2");
    assert_eq!(play(&all), "8/8/8/8/c~1h~5/1C6/h~1c~5/7C 2 - 0 2");
}

#[test]
fn the_first_frog_scores_only_by_option() {
    let scores = Options { froglet_first_frog_scores: true, ..Options::default() };
    for (options, tail) in [(Options::default(), "2 0-0 0 1"), (scores, "2 1-0 0 1")] {
        let start = GameId::Froglet.start(&options);
        assert!(GameId::Froglet.play(&start, "xc1", &options).ends_with(tail));
    }
}

#[test]
fn eximo_drops_as_many_men_as_find_room() {
    let options = Options::default();
    for (position, moves) in [
        ("8/2M5/8/8/8/8/1MMMMMM1/1MMMMMM1 1 - 0 1", ["c7b8", "c7c8", "c7d8"]),
        ("8/2M5/8/8/8/8/1MMMMMM1/1MMMM1M1 1 - 0 1", ["c7b8@f1", "c7c8@f1", "c7d8@f1"]),
        ("8/2M5/8/8/8/8/1MMM1MM1/1MMMM1M1 1 - 0 1", ["c7b8@f1@e2", "c7c8@f1@e2", "c7d8@f1@e2"]),
    ] {
        let found = GameId::Eximo.moves(position, &options);
        assert!(found.ends_with(&moves.map(String::from)), "{found:?}");
    }
    // The square that the man comes from is empty for its own drops.
    let from_zone = "8/2m5/8/2m5/8/2m5/1MMMMMM1/1MMMMMM1 1 - 0 1";
    let found = GameId::Eximo.moves(from_zone, &options);
    assert!(found.contains(&"c2c4c6c8@c2".to_string()), "{found:?}");
}
