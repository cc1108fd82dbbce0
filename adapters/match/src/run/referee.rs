//! Deciding which moves are legal and when a game is over: by a separate engine, or by both players together.

use leap_client::{GameState, PositionCommand};
use leap_protocol::payload::{GameResult, YesNo};
use leap_protocol::{ErrorReply, Query, shown};

use super::engine::{AskError, Engine, EngineError};
use crate::events::Reason;

/// The verdict on a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The move was made, and this is the new state.
    Made(GameState),
    /// The move is illegal, for this reason.
    Illegal(String),
    /// The players do not agree.
    Disagree(String),
}

impl Engine {
    /// As a referee: sets up a position.
    pub(crate) fn begin(&mut self, position: &PositionCommand) -> Result<GameState, EngineError> {
        self.view(position.as_str()).map_err(|error| match error {
            AskError::Refused(error) => {
                referee(format!("the referee refuses the opening: {error}"))
            }
            AskError::Failed(error) => error,
        })
    }

    /// As a referee: judges a move and makes it. `position` is the one before it.
    pub(crate) fn judge(
        &mut self,
        position: &PositionCommand,
        mv: &str,
    ) -> Result<Verdict, EngineError> {
        let command =
            if self.has("move") { format!("move {mv}") } else { position.with(mv).to_string() };
        match self.view(&command) {
            Ok(view) => Ok(Verdict::Made(view)),
            // Whatever the error code: a move's text need not be a valid word of the protocol.
            Err(AskError::Refused(error)) => Ok(Verdict::Illegal(shown(&error.to_string()))),
            Err(AskError::Failed(error)) => Err(error),
        }
    }

    /// The state of the game after a command.
    fn view(&mut self, command: &str) -> Result<GameState, AskError> {
        let status = self.has("status");
        let mut questions = match status {
            true => vec![Query::Status],
            false => vec![Query::GameOver, Query::Result, Query::P1Turn],
        };
        if self.has("fen") {
            questions.push(Query::Fen);
        }
        let answers = self.ask(command, &questions)?;
        let fen = self.has("fen").then(|| answers.last().cloned()).flatten();
        let view = if status {
            GameState::of_status(&answers[0])
        } else {
            GameState::of_answers(&answers)
        };
        match view {
            Some(view) => Ok(GameState { fen, ..view }),
            None => Err(referee(format!("the referee does not make sense: {answers:?}")).into()),
        }
    }

    /// Why no game can begin in a position; `None` if one can, or if the engine does not say.
    pub(crate) fn refusal(
        &mut self,
        position: &PositionCommand,
    ) -> Result<Option<String>, EngineError> {
        match self.opinion(position) {
            Ok(Some(GameState { result, .. })) if result != GameResult::None => {
                Ok(Some(format!("the game is over there: {result}")))
            }
            Ok(_) => Ok(None),
            Err(AskError::Refused(error)) => Ok(Some(in_words(&error))),
            Err(AskError::Failed(error)) => Err(error),
        }
    }

    /// As a player asked for its view: the state of the game, `None` if it does not report it.
    fn opinion(&mut self, position: &PositionCommand) -> Result<Option<GameState>, AskError> {
        let questions = [Query::GameOver, Query::Result, Query::P1Turn];
        let questions = questions.map(|question| question.to_string()).join("\n");
        Ok(GameState::of_answers(&self.ask_if_known(&format!("{position}\n{questions}"))?))
    }

    /// As a player asked for the result of a game: its word in the form of [`claim`], or its error. `None` if it cannot
    /// be asked.
    pub(crate) fn claim(
        &mut self,
        position: &PositionCommand,
    ) -> Result<Option<String>, EngineError> {
        if !self.answers() {
            return Ok(None);
        }
        let questions = format!("{position}\n{}\n{}", Query::GameOver, Query::Result);
        let answers = match self.ask_if_known(&questions) {
            Ok(answers) => answers,
            Err(AskError::Refused(error)) => return Ok(Some(shown(&error.to_string()))),
            Err(AskError::Failed(error)) => return Err(error),
        };
        Ok(match &answers[..] {
            [] => None,
            [over, result] => Some(match (over.parse(), result.parse()) {
                (Ok(YesNo(over)), Ok(result)) => claim(over, result),
                _ => shown(&answers.join(" / ")),
            }),
            _ => Some(shown(&answers.join(" / "))),
        })
    }
}

/// An engine's error for a person: what is wrong, and with which move.
fn in_words(error: &ErrorReply) -> String {
    let text = error.text.as_str();
    shown(&match (error.field("index"), error.field("move")) {
        _ if text.is_empty() => error.to_string(),
        (Some(index), Some(mv)) if !text.contains(mv) => format!("move {index}, {mv}: {text}"),
        _ => text.to_owned(),
    })
}

/// A player's claim about the result.
pub(crate) fn claim(over: bool, result: GameResult) -> String {
    format!("over {over} result {result}")
}

pub(crate) fn referee(text: String) -> EngineError {
    EngineError::new(Reason::Referee, shown(&text))
}

/// Without a referee: asks both players for the state of the game.
///
/// # Errors
/// If a player fails; its index comes with the error.
pub(crate) fn agree(
    players: &mut [Engine; 2],
    position: &PositionCommand,
) -> Result<Verdict, (usize, EngineError)> {
    let mut ask = |player: usize| match players[player].opinion(position) {
        Ok(Some(view)) => {
            let text = format!("result {}, {} to move", view.result, view.turn);
            Ok((Some(view), text))
        }
        Ok(None) => Ok((None, "nothing that makes sense".to_owned())),
        Err(AskError::Refused(error)) => Ok((None, shown(&error.to_string()))),
        Err(AskError::Failed(error)) => Err((player, error)),
    };
    let [(p1, p1_says), (p2, p2_says)] = [ask(0)?, ask(1)?];
    Ok(match p1 {
        Some(view) if p2.as_ref() == Some(&view) => Verdict::Made(view),
        _ => Verdict::Disagree(format!("p1 says '{p1_says}', p2 says '{p2_says}'")),
    })
}
