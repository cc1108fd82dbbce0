//! The state of a game, as an engine tells it.

use leap_protocol::payload::{GameResult, Side, Status, YesNo};

/// The state of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameState {
    /// `GameResult::None` while the game goes on.
    pub result: GameResult,
    /// Why the game is over, in the engine's word.
    pub rule: Option<String>,
    /// The player to move.
    pub turn: Side,
    /// The position text, if it was asked for.
    pub fen: Option<String>,
}

impl GameState {
    /// The answer to `query status`; `None` if it contradicts itself.
    pub fn of_status(answer: &str) -> Option<Self> {
        let Status { over, result, reason, turn, .. } = answer.parse().ok()?;
        let rule = over.then_some(reason);
        Self::checked(over, Self { result, rule, turn, fen: None })
    }

    /// The answers to `query gameover`, `query result` and `query p1turn`, which every UGI engine knows; `None` if they
    /// contradict each other. Further answers are skipped.
    pub fn of_answers(answers: &[String]) -> Option<Self> {
        let [over, result, p1turn, ..] = answers else { return None };
        let (YesNo(over), YesNo(p1turn)) = (over.parse().ok()?, p1turn.parse().ok()?);
        let turn = if p1turn { Side::P1 } else { Side::P2 };
        let result: GameResult = result.parse().ok()?;
        Self::checked(over, Self { result, rule: None, turn, fen: None })
    }

    /// An engine that claims the end of the game must name its result.
    fn checked(over: bool, state: Self) -> Option<Self> {
        (over == (state.result != GameResult::None)).then_some(state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_contradicts_itself_is_none() {
        let words = |words: [&str; 3]| GameState::of_answers(&words.map(str::to_owned));
        assert_eq!(words(["true", "p1win", "false"]).unwrap().result, GameResult::P1Win);
        assert_eq!(words(["false", "p1win", "false"]), None);
        assert_eq!(words(["true", "none", "false"]), None);
        let status = "over true result draw reason repetition turn p1 ply 9 quiet 0 repetitions 3";
        assert_eq!(GameState::of_status(status).unwrap().rule.as_deref(), Some("repetition"));
    }
}
