//! Random games, for laws that hold at every position.

use std::collections::BTreeMap;

use leap_core::Game;
use leap_core::Square;
use leap_core::notation::{Glyph, Notation};
use leap_core::record::Record;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

const GAMES: u64 = 12;
const MAX_PLIES: usize = 300;

/// A random number below a bound.
pub fn below(rng: &mut ChaCha8Rng, bound: usize) -> usize {
    (rng.next_u64() % bound as u64) as usize
}

/// Plays random games and calls `law` at every position that is not over.
pub fn along_random_games<G: Game>(
    game: &G,
    law: impl Fn(&Record<G>, &[G::Move], &mut ChaCha8Rng),
) {
    for seed in 0..GAMES {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut record = Record::new(game.clone(), game.start());
        for _ in 0..MAX_PLIES {
            let moves = record.legal_moves();
            assert_eq!(moves.is_empty(), record.outcome().is_some());
            if moves.is_empty() {
                break;
            }
            law(&record, &moves, &mut rng);
            record.push(moves[below(&mut rng, moves.len())]);
        }
    }
}

/// What stands on the board.
pub fn pieces<G: Notation>(game: &G, position: &G::Position) -> BTreeMap<Square, Glyph> {
    let squares = (0..G::BOARD.squares()).map(Square::new);
    squares.filter_map(|square| Some((square, game.glyph(position, square)?))).collect()
}
