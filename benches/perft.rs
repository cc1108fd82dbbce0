//! Move generation: perft of every game, one thread, counted in moves at the last ply. `cargo bench --bench perft`;
//! `benches/perft-ratio` compares with a C++ anchor.

use divan::Bencher;
use divan::counter::ItemsCount;
use leap_core::StopFlag;
use leap_core::perft::perft;
use leap_games::alquerque::Alquerque;
use leap_games::eximo::Eximo;
use leap_games::froglet::Froglet;
use leap_games::sapos::Sapos;
use leap_games::tactica::Tactica;
use leap_search::Playable;
use serde_json::Value;

fn main() {
    divan::main();
}

/// Every position of the game's data file, to the depth to which the file counts.
#[divan::bench(types = [Alquerque, Eximo, Sapos, Froglet, Tactica])]
fn data_file<R: Playable>(bencher: Bencher<'_, '_>) {
    let (game, cancel) = (R::default(), StopFlag::default());
    let path = format!("{}/games/{}/perft.jsonl", env!("CARGO_MANIFEST_DIR"), R::ID);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let positions: Vec<_> = lines
        .map(|line| {
            let depth = line["perft"].as_array().unwrap().len() as u32;
            (game.parse_position(line["fen"].as_str().unwrap()).unwrap(), depth)
        })
        .collect();
    let count = || -> u64 {
        positions.iter().map(|(position, depth)| perft(&game, position, *depth, &cancel)).sum()
    };
    bencher.counter(ItemsCount::new(count())).bench(count);
}
