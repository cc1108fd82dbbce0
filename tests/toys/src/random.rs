//! Random games, for laws that hold at every position.

use std::collections::BTreeMap;

use leap_core::notation::{Notation, Piece};
use leap_core::{Game, Rules, Square};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

const GAMES: u64 = 12;
const MAX_PLIES: usize = 300;

/// A random number below a bound.
pub fn below(rng: &mut ChaCha8Rng, bound: usize) -> usize {
    (rng.next_u64() % bound as u64) as usize
}

/// Plays random games and calls `law` at every position that is not over.
pub fn along_random_games<R: Rules>(
    rules: &R,
    law: impl Fn(&Game<R>, &[R::Move], &mut ChaCha8Rng),
) {
    for seed in 0..GAMES {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut game = Game::start(rules.clone());
        for _ in 0..MAX_PLIES {
            let moves = game.legal_moves();
            assert_eq!(moves.is_empty(), game.outcome().is_some());
            if moves.is_empty() {
                break;
            }
            law(&game, &moves, &mut rng);
            game.push(moves[below(&mut rng, moves.len())]);
        }
    }
}

/// What stands on the board.
pub fn pieces<R: Notation>(rules: &R, position: &R::Position) -> BTreeMap<Square, Piece> {
    let squares = (0..R::GEOMETRY.squares()).map(Square::new);
    squares.filter_map(|square| Some((square, rules.piece(position, square)?))).collect()
}
