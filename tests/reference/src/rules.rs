//! What a game is here: its rules on positions and turns.

use super::common::{Ending, Options, Position, Turn, list};
use super::routes::Walk;

/// The rules of one game, without its history.
pub(crate) trait Rules: Sync {
    /// The id on the wire.
    fn name(&self) -> &'static str;

    /// Files, which are as many as the ranks.
    fn files(&self) -> usize {
        8
    }

    /// The text of the start position.
    fn start(&self, options: &Options) -> String;

    /// Reads a position text; the error says why it is refused.
    fn parse(&self, text: &str) -> Result<Position, String>;

    /// Every whole turn of the piece on `origin`, by every route within the bounds of `walk`.
    fn walk_from(&self, position: &Position, options: &Options, origin: usize, walk: &mut Walk);

    /// The position after a turn, which is not checked.
    fn play(&self, position: &Position, options: &Options, turn: &Turn) -> Position;

    /// Every route of every piece within the bounds of `walk`, then one for each move.
    fn turns_by_routes(
        &self,
        position: &Position,
        options: &Options,
        mut walk: Walk,
    ) -> Option<Vec<Turn>> {
        for origin in position.squares() {
            self.walk_from(position, options, origin, &mut walk);
        }
        walk.is_complete().then(|| list(walk.turns))
    }

    /// The moves where the game is not over; None where there are more than about `limit`.
    fn turns(&self, position: &Position, options: &Options, _limit: usize) -> Option<Vec<Turn>> {
        self.turns_by_routes(position, options, Walk::everything())
    }

    /// Whether there is a move where the game is not over.
    fn has_turn(&self, position: &Position, options: &Options) -> bool {
        let turns = self.turns(position, options, super::MAX_MOVES);
        turns.is_none_or(|turns| !turns.is_empty())
    }

    /// Who wins by count. A game without a count is drawn.
    fn count(&self, _position: &Position, reason: &'static str) -> Ending {
        Ending { score: "1/2-1/2", reason }
    }

    /// The ending where the side to move has no move.
    fn without_moves(&self, position: &Position) -> Ending {
        Ending::loss_of(position.side, "no-moves")
    }

    /// Whether the game ends when a position occurs for the third time.
    fn ends_at_repetition(&self) -> bool {
        false
    }

    /// The quiet plies after which the game ends; 0 = never.
    fn quiet_limit(&self, _options: &Options) -> u64 {
        0
    }

    /// No move may make a position occur for this time; 0 = every move may.
    fn banned_repetition(&self, _options: &Options) -> u64 {
        0
    }
}
