//! Move generation: perft of every game, one thread, counted in moves at the last ply. `cargo bench --bench perft`;
//! `benches/perft-ratio` compares with a C++ anchor.

use std::sync::LazyLock;

use divan::Bencher;
use divan::counter::ItemsCount;
use leap_core::Cancel;
use leap_core::notation::Notation;
use leap_core::perft::perft;
use leap_games::{alquerque, eximo, froglet, sapos, tactica};

fn main() {
    divan::main();
}

fn bench<G: Notation>(bencher: Bencher<'_, '_>, game: &G, text: Option<&str>, depth: u32) {
    let position = text.map_or_else(|| game.start(), |text| game.parse_position(text).unwrap());
    let cancel = Cancel::default();
    let nodes = perft(game, &position, depth, &cancel);
    bencher.counter(ItemsCount::new(nodes)).bench(|| perft(game, &position, depth, &cancel));
}

#[divan::bench]
fn alquerque_start_9(bencher: Bencher<'_, '_>) {
    bench(bencher, &alquerque::Alquerque::default(), None, 9);
}

#[divan::bench]
fn eximo_start_4(bencher: Bencher<'_, '_>) {
    bench(bencher, &eximo::Eximo::default(), None, 4);
}

#[divan::bench]
fn sapos_start_4(bencher: Bencher<'_, '_>) {
    bench(bencher, &sapos::Sapos::default(), None, 4);
}

#[divan::bench]
fn tactica_start_4(bencher: Bencher<'_, '_>) {
    bench(bencher, &tactica::Tactica::default(), None, 4);
}

/// A position with a hole in the middle of the board, as after 38 moves.
static FROGLET_MIDDLE: LazyLock<String> = LazyLock::new(|| {
    let rows = "YYG1Y2GGRGG/R1G7GY/B5GB3Y/3Y7G/10GG/GYGG2GG3Y/YYY4R1YGG/RRRG3Y2GG/RYRGRBGGY2G/GYYYGGYRYYGY/YYGGGGBYYGGY/GYGGGGRGGYGG";
    format!("{rows} 1 45-58 0 38")
});

#[divan::bench]
fn froglet_middle_3(bencher: Bencher<'_, '_>) {
    bench(bencher, &froglet::Froglet::default(), Some(&FROGLET_MIDDLE), 3);
}
