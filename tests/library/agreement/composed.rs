//! On boards composed at random, which no game leads to, both agree too, and every search answers with legal moves.

use std::sync::Arc;

use leap_engine::Engines;
use leap_protocol::payload::{MoveList, Status};
use leap_protocol::{Go, Query, Reply, Start};
use leap_reference::{Game, GameId, Options};
use leap_search::{Control, TranspositionTable};
use leap_toys::boards::Pieces;
use leap_toys::random::below;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::{Values, check_ending, rule_options, variants, with_options};
use crate::ask::ask;

/// Positions with more moves are left out: the slow way takes too long.
const MANY_MOVES: usize = 2_000;
/// Searches of one position, by nodes.
const NODES: [u64; 3] = [1, 60, 400];

/// What happened to the boards of a game.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    refused: u32,
    too_many_moves: u32,
    over: u32,
    searches: u32,
}

/// The pieces of a game as the engine describes them.
fn pieces(engines: &Engines) -> Pieces {
    let mut found = Pieces { files: 0, ranks: 0, pieces: Vec::new() };
    for reply in engines.answer(&Query::Board).unwrap() {
        let Reply::Board(line) = reply else { continue };
        match *line.split(' ').collect::<Vec<_>>() {
            ["files", files, "ranks", ranks, ..] => {
                (found.files, found.ranks) = (files.parse().unwrap(), ranks.parse().unwrap());
            }
            ["piece", piece, ..] => found.pieces.push(piece.to_owned()),
            _ => {}
        }
    }
    found
}

/// The text of a random position. `density` is the share of squares that are taken, in per cent.
///
/// The game may refuse the position.
fn text(id: GameId, pieces: &Pieces, density: usize, rng: &mut ChaCha8Rng) -> String {
    let board = pieces.board(rng, density);
    let side = 1 + below(rng, 2);
    let start = id.start(&Options::default());
    // The extra field has the form that it has in the start position.
    let extra = match start.split(' ').nth(2).unwrap() {
        "-" => "-".to_owned(),
        points if points.contains('-') => format!("{}-{}", below(rng, 300), below(rng, 300)),
        _ => (1 + below(rng, 2)).to_string(),
    };
    // A game that refuses quiet plies at the start counts none.
    let counts_quiet = id.parse(&start.replace(" 0 0", " 1 1")).is_ok();
    let quiet = if counts_quiet { below(rng, 120) } else { 0 };
    format!("{board} {side} {extra} {quiet} {}", quiet + below(rng, 300))
}

/// Searches a position, and checks that the move and all lines are legal.
fn search(engines: &mut Engines, table: &Arc<TranspositionTable>, nodes: u64, text: &str) {
    let mut lines = Vec::new();
    let mut hear = |reply| {
        if let Reply::Info(info) = reply {
            lines.push(info.pv);
        }
    };
    engines.engine_mut().set_up(&Start::Fen(text.to_owned()), &[]).unwrap();
    let go = Go { nodes: Some(nodes), ..Go::default() };
    let job = engines.engine().search(&go, &engines.settings, Arc::clone(table), Arc::default());
    let reply = job.unwrap()(&Control::new(), &mut hear);
    let Reply::BestMove { mv: Some(mv), .. } = reply else { panic!("no move in {text}: {reply}") };
    lines.push(vec![mv]);
    for line in lines {
        let played = engines.engine_mut().set_up(&Start::Fen(text.to_owned()), &line);
        assert_eq!(played, Ok(()), "{text} moves {}", line.join(" "));
    }
}

/// Sets composed positions up in both, compares them and searches them. The values of the game's options take turns.
pub(crate) fn compare(id: GameId, boards: u64) -> Seen {
    // `MaxPlies` would end most of the games.
    let is_of_game = |values: &Values| values.iter().all(|(name, _)| name != "MaxPlies");
    let variants = variants(&rule_options(id.name())).into_iter().filter(is_of_game);
    let set = |values| {
        let (engines, options) = with_options(id.name(), values);
        (engines, options, Arc::new(TranspositionTable::new(1).unwrap()))
    };
    let mut sets: Vec<_> = variants.map(set).collect();
    let (pieces, count) = (pieces(&sets[0].0), sets.len() as u64);
    let mut seen = Seen::default();
    for seed in 0..boards {
        let (engines, options, table) = &mut sets[(seed % count) as usize];
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut density = 1 + below(&mut rng, 100);
        let text = loop {
            let text = text(id, &pieces, density, &mut rng);
            let read = id.parse(&text);
            let set_up = engines.engine_mut().set_up(&Start::Fen(text.clone()), &[]);
            assert_eq!(set_up.is_ok(), read.is_ok(), "{text}: {set_up:?}, {read:?}");
            if read.is_ok() {
                break text;
            }
            seen.refused += 1;
            // Sparse boards are allowed in every game.
            density -= density / 4;
        };
        let game = Game::from_position(id, options, &text);
        let Some(expected) = game.try_moves(MANY_MOVES) else {
            seen.too_many_moves += 1;
            continue;
        };
        let found: MoveList = ask(engines.engine(), &Query::Moves { limit: None });
        assert_eq!(found.moves, expected, "{text}");
        check_ending(engines.engine(), &game);
        let status: Status = ask(engines.engine(), &Query::Status);
        if status.over {
            seen.over += 1;
            continue;
        }
        for nodes in NODES {
            search(engines, table, nodes, &text);
            seen.searches += 1;
        }
    }
    seen
}

#[test]
fn composed_boards_are_read_and_searched_as_the_rules_say() {
    for &id in GameId::ALL {
        let seen = compare(id, 150);
        assert!(seen.searches > 0, "{}: {seen:?}", id.name());
    }
}
