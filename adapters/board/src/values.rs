//! Exact values: who wins with perfect play.

use std::cmp::Reverse;

use leap_client::ClientError;
use leap_protocol::Query;
use leap_protocol::payload::{Exact, ExactResult, Values};

use super::Game;

impl Game {
    /// What the engine knows exactly of the current position and its moves (SPEC 4.50); `None` if it has no values.
    ///
    /// # Errors
    /// Any failure of the engine.
    pub fn values(&mut self) -> Result<Option<Values>, ClientError> {
        if !self.session.supports("value") {
            return Ok(None);
        }
        self.session.ask_for(Query::Value).map(Some)
    }
}

/// An exact value in words: `white wins, capture or end in 5 plies`. The names are those of the side that has the value,
/// and of the other side.
pub fn exact_text(exact: Exact, own: &str, other: &str) -> String {
    let how = match exact.plies {
        // The game is over.
        Some(0) => String::new(),
        Some(1) => ", capture or end in 1 ply".to_owned(),
        Some(plies) => format!(", capture or end in {plies} plies"),
        None => " by count".to_owned(),
    };
    match exact.result {
        ExactResult::Win => format!("{own} wins{how}"),
        ExactResult::Loss => format!("{other} wins{how}"),
        ExactResult::Draw => format!("draw{how}"),
        ExactResult::Unknown => "not known exactly".to_owned(),
    }
}

/// The known moves with their values, the best first. A winner wants few plies, a loser many.
pub fn best_first(values: Values) -> Vec<(String, Exact)> {
    let mut moves = values.moves;
    moves.sort_by_key(|(_, Exact { result, plies })| match result {
        ExactResult::Win => (0, plies.unwrap_or(u64::MAX), Reverse(0)),
        ExactResult::Draw => (1, 0, Reverse(0)),
        ExactResult::Loss => (2, 0, Reverse(plies.unwrap_or(0))),
        ExactResult::Unknown => (3, 0, Reverse(0)),
    });
    moves
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_names_the_winner_and_how_soon_it_shows() {
        for (result, plies, text) in [
            (ExactResult::Win, Some(5), "white wins, capture or end in 5 plies"),
            (ExactResult::Loss, Some(1), "black wins, capture or end in 1 ply"),
            (ExactResult::Loss, Some(0), "black wins"),
            (ExactResult::Win, None, "white wins by count"),
            (ExactResult::Draw, None, "draw by count"),
            (ExactResult::Draw, Some(2), "draw, capture or end in 2 plies"),
            (ExactResult::Unknown, None, "not known exactly"),
        ] {
            assert_eq!(exact_text(Exact { result, plies }, "white", "black"), text);
        }
    }

    #[test]
    fn short_wins_and_long_losses_come_first() {
        let text =
            "win 3 reach 7 moves 5 a1a2 loss 2 a1b1 win 5 b1b2 loss 8 b1c1 draw - c1c2 win 3";
        let moves = best_first(text.parse().unwrap());
        let order: Vec<&str> = moves.iter().map(|(mv, _)| mv.as_str()).collect();
        assert_eq!(order, ["c1c2", "a1b1", "b1c1", "b1b2", "a1a2"]);
    }
}
