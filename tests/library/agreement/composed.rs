//! On boards composed at random, which no game leads to, both agree too, and every search answers with legal moves.

use std::sync::Arc;

use leap_engine::options::Settings;
use leap_engine::{Engine, SearchRequest};
use leap_protocol::payload::{MoveList, Status};
use leap_protocol::{Go, Query, Reply, Start};
use leap_reference::{Game, GameId, Options};
use leap_search::{Control, TranspositionTable};
use leap_toys::boards::Pieces;
use leap_toys::random::below;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::check_ending;
use crate::ask::ask;

/// Positions with more moves are left out: the slow way takes too long.
const MANY_MOVES: usize = 2_000;
/// Searches of one position, by nodes.
const NODES: [u64; 3] = [1, 60, 400];

/// What happened to the boards of a game.
#[derive(Debug, Default)]
struct Seen {
    refused: u32,
    too_many_moves: u32,
    over: u32,
    searches: u32,
}

/// The pieces of a game as the engine describes them.
fn pieces(engine: &dyn Engine) -> Pieces {
    let mut found = Pieces { files: 0, ranks: 0, pieces: Vec::new() };
    for reply in engine.answer(&Query::Board).unwrap() {
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
fn search(
    engine: &mut dyn Engine,
    (settings, table): (&Settings, &Arc<TranspositionTable>),
    nodes: u64,
    text: &str,
) {
    let mut lines = Vec::new();
    let mut hear = |reply| {
        if let Reply::Info(info) = reply {
            lines.push(info.pv);
        }
    };
    engine.set_up(&Start::Fen(text.to_owned()), &[]).unwrap();
    let go = Go { nodes: Some(nodes), ..Go::default() };
    let request =
        SearchRequest { go: &go, settings, table: Arc::clone(table), lag: Arc::default() };
    let reply = engine.search(request).unwrap()(&Control::new(), &mut hear);
    let Reply::BestMove { mv: Some(mv), .. } = reply else { panic!("no move in {text}: {reply}") };
    lines.push(vec![mv]);
    for line in lines {
        let played = engine.set_up(&Start::Fen(text.to_owned()), &line);
        assert_eq!(played, Ok(()), "{text} moves {}", line.join(" "));
    }
}

/// Sets a composed position up in both, compares them and searches it.
fn compare(id: GameId, boards: u64) -> Seen {
    let mut settings = Settings::default();
    settings.set("Game", Some(id.name())).unwrap();
    let (options, table) = (Options::default(), Arc::new(TranspositionTable::new(1).unwrap()));
    let mut engine = leap_engine::new(&settings);
    let pieces = pieces(engine.as_ref());
    let mut seen = Seen::default();
    for seed in 0..boards {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut density = 1 + below(&mut rng, 100);
        let text = loop {
            let text = text(id, &pieces, density, &mut rng);
            let read = id.parse(&text);
            let set_up = engine.set_up(&Start::Fen(text.clone()), &[]);
            assert_eq!(set_up.is_ok(), read.is_ok(), "{text}: {set_up:?}, {read:?}");
            if read.is_ok() {
                break text;
            }
            seen.refused += 1;
            // Sparse boards are allowed in every game.
            density -= density / 4;
        };
        let game = Game::from_position(id, &options, &text);
        let Some(expected) = game.try_moves(MANY_MOVES) else {
            seen.too_many_moves += 1;
            continue;
        };
        let found: MoveList = ask(engine.as_ref(), &Query::Moves { limit: None });
        assert_eq!(found.moves, expected, "{text}");
        check_ending(engine.as_ref(), &game);
        let status: Status = ask(engine.as_ref(), &Query::Status);
        if status.over {
            seen.over += 1;
            continue;
        }
        for nodes in NODES {
            search(engine.as_mut(), (&settings, &table), nodes, &text);
            seen.searches += 1;
        }
    }
    seen
}

macro_rules! games {
    ($($id:ident $rules:ident $title:literal;)*) => {$(
        mod $id {
            use super::{GameId, compare};

            fn id() -> GameId {
                GameId::of(stringify!($id))
            }

            #[test]
            fn composed_boards_are_read_and_searched_as_the_rules_say() {
                let seen = compare(id(), 150);
                assert!(seen.searches > 0, "{seen:?}");
            }

            #[test]
            #[ignore = "slow: run by .ci/run"]
            fn many_composed_boards_are_read_and_searched_as_the_rules_say() {
                println!("{}: {:?}", $title, compare(id(), 9_000));
            }
        }
    )*};
}

leap_games::for_each_game!(games);
