//! The rest of a game, played at random.

use crate::{Dice, Searchable};
use leap_core::{GameResult, RulesExt};

/// The plies after which a playout is cut off. Few random games last this long.
///
/// The game's count then decides, and a game without a count is drawn.
pub(crate) const MAX_PLIES: usize = 300;

/// Plays random moves to the end of the game. Repetition is ignored: random play seldom repeats, and then comes to
/// another end.
///
/// `moves` is room for the moves of a position. `count_work` learns how many they are, and may end the playout.
///
/// # Errors
/// Those of `count_work`.
pub(crate) fn play_out<R: Searchable, E>(
    rules: &R,
    mut position: R::Position,
    dice: &mut Dice,
    moves: &mut Vec<R::Move>,
    mut count_work: impl FnMut(usize) -> Result<(), E>,
) -> Result<GameResult, E> {
    for _ in 0..MAX_PLIES {
        moves.clear();
        rules.candidates(&position, moves);
        count_work(moves.len())?;
        let Some(mv) = dice.pick(moves) else {
            return Ok(rules.no_moves(&position).result);
        };
        if rules.at_limit(&position) {
            break;
        }
        rules.play_unchecked(&mut position, mv);
    }
    Ok(rules.count(&position))
}
