//! What the engine knows exactly.

use leap_board::{best_first, capital, exact_text};
use leap_client::ClientError;
use leap_protocol::payload::ExactResult;

use super::App;
use crate::scene::ExactValues;

impl App {
    /// Shows the exact value of the position, and that of each move.
    pub(super) fn show_values(&mut self) -> Result<(), ClientError> {
        if self.game.is_thinking() {
            return self.say("values are shown when the engine has moved");
        }
        let Some(values) = self.game.values()? else {
            return self.say("this engine knows no exact values");
        };
        let mover = self.game.status().turn;
        let [own, other] = [mover, mover.other()].map(|side| self.game.board().colour(side));
        let is_known = values.position.result != ExactResult::Unknown;
        let title = capital(&exact_text(values.position, own, other));
        if values.moves.is_empty() {
            return match (is_known, values.reach) {
                (true, _) => self.say(title),
                (false, 0) => self.say("not known exactly: there are no tables of this game"),
                (false, reach) => self.say(format!(
                    "not known exactly: positions with at most {reach} men on the board are known"
                )),
            };
        }
        let rows = best_first(values).into_iter();
        let rows = rows.map(|(mv, exact)| [mv, exact_text(exact, own, other)]).collect();
        self.values = Some(ExactValues { title, rows });
        Ok(())
    }
}
