//! The rest of a game, played at random.

use crate::{Dice, Searchable, Stopped, TimeManager};
use leap_core::{GameResult, RulesExt};

/// The plies after which a playout is cut off. Few random games last this long.
///
/// The game's count then decides, and a game without a count is drawn.
pub(super) const MAX_PLIES: usize = 300;

/// Buffers reused from playout to playout.
pub(super) struct Scratch<'a, M> {
    pub(super) dice: &'a mut Dice,
    pub(super) moves: &'a mut Vec<M>,
}

/// Plays random moves to the end of the game. Repetition is ignored: random play seldom repeats, and then comes to
/// another end.
pub(super) fn play_out<R: Searchable>(
    rules: &R,
    mut position: R::Position,
    scratch: Scratch<'_, R::Move>,
    time: &mut TimeManager<'_>,
) -> Result<GameResult, Stopped> {
    for _ in 0..MAX_PLIES {
        scratch.moves.clear();
        rules.candidates(&position, scratch.moves);
        time.count_work(scratch.moves.len())?;
        let Some(mv) = scratch.dice.pick(scratch.moves) else {
            return Ok(rules.no_moves(&position).result);
        };
        if rules.at_limit(&position) {
            break;
        }
        rules.play_unchecked(&mut position, mv);
    }
    Ok(rules.count(&position))
}
