//! Deciding which moves are legal and when a game is over: by a separate engine, or by both players together.

use std::process::Stdio;

use leap_client::{ClientError, GameState, PositionCommand, Session};
use leap_protocol::payload::{GameResult, YesNo};
use leap_protocol::{ErrorReply, Query, shown};

use super::engine::{Engine, EngineError};
use super::wire::WireLog;
use crate::events::Reason;
use crate::plan::config::{Config, EngineConfig};

/// The number of the referee in file names.
pub(crate) const REFEREE: &str = "referee";

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
        self.view(position.as_str())?
            .map_err(|error| referee(format!("the referee refuses the opening: {error}")))
    }

    /// As a referee: judges a move and makes it. `position` is the one before it.
    pub(crate) fn judge(
        &mut self,
        position: &PositionCommand,
        mv: &str,
    ) -> Result<Verdict, EngineError> {
        let command =
            if self.has("move") { format!("move {mv}") } else { position.with(mv).to_string() };
        Ok(match self.view(&command)? {
            Ok(view) => Verdict::Made(view),
            // Whatever the error code: a move's text need not be a valid word of the protocol.
            Err(error) => Verdict::Illegal(shown(&error.to_string())),
        })
    }

    /// The state of the game after a command.
    fn view(&mut self, command: &str) -> Result<Result<GameState, ErrorReply>, EngineError> {
        let mut senseless = None;
        let view = self.try_to(|session| match session.state_after(command) {
            Err(ClientError::Unexpected { found, .. }) => {
                senseless = Some(found);
                Ok(None)
            }
            view => view.map(Some),
        })?;
        let is_senseless = |found| referee(format!("the referee does not make sense: {found}"));
        match view {
            Ok(None) => Err(is_senseless(senseless.unwrap_or_default())),
            Ok(Some(view)) => Ok(Ok(view)),
            Err(error) => Ok(Err(error)),
        }
    }

    /// Why no game can begin in a position; `None` if one can, or if the engine does not say.
    pub(crate) fn refusal(
        &mut self,
        position: &PositionCommand,
    ) -> Result<Option<String>, EngineError> {
        Ok(match self.opinion(position)? {
            Ok(Some(GameState { result, .. })) if result != GameResult::None => {
                Some(format!("the game is over there: {result}"))
            }
            Ok(_) => None,
            Err(error) => Some(in_words(&error)),
        })
    }

    /// As a player asked for its view: the state of the game, `None` if it does not report it.
    fn opinion(
        &mut self,
        position: &PositionCommand,
    ) -> Result<Result<Option<GameState>, ErrorReply>, EngineError> {
        let questions = [Query::GameOver, Query::Result, Query::P1Turn];
        let answers = self.try_to(|session| answers(session, position, &questions))?;
        Ok(answers.map(|answers| GameState::of_answers(&answers)))
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
        let questions = [Query::GameOver, Query::Result];
        Ok(match self.try_to(|session| answers(session, position, &questions))?.as_deref() {
            Err(error) => Some(shown(&error.to_string())),
            Ok([]) => None,
            Ok(answers) => Some(match answers {
                [over, result] => match (over.parse(), result.parse()) {
                    (Ok(YesNo(over)), Ok(result)) => claim(over, result),
                    _ => shown(&answers.join(" / ")),
                },
                _ => shown(&answers.join(" / ")),
            }),
        })
    }
}

/// The answers of an engine that may know none of these questions.
fn answers(
    session: &mut Session,
    position: &PositionCommand,
    questions: &[Query],
) -> Result<Vec<String>, ClientError> {
    let questions = questions.iter().map(|question| format!("\n{question}"));
    session.answers(&(position.to_string() + &questions.collect::<String>()))
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

/// What a player says of a game if it knows none of the questions.
const NO_ANSWER: &str =
    "nothing to 'query gameover', 'result' and 'p1turn': such players need a referee";

/// Without a referee: asks both players for the state of the game.
///
/// # Errors
/// If a player fails; its index comes with the error.
pub(crate) fn agree(
    players: &mut [Engine; 2],
    position: &PositionCommand,
) -> Result<Verdict, (usize, EngineError)> {
    let mut ask = |player: usize| match players[player].opinion(position) {
        Ok(Ok(Some(view))) => {
            let text = format!("result {}, {} to move", view.result, view.turn);
            Ok((Some(view), text))
        }
        Ok(Ok(None)) => Ok((None, NO_ANSWER.to_owned())),
        Ok(Err(error)) => Ok((None, shown(&error.to_string()))),
        Err(error) => Err((player, error)),
    };
    let [(p1, p1_says), (p2, p2_says)] = [ask(0)?, ask(1)?];
    Ok(match p1 {
        Some(view) if p2.as_ref() == Some(&view) => Verdict::Made(view),
        _ => Verdict::Disagree(format!("p1 says '{p1_says}', p2 says '{p2_says}'")),
    })
}

/// Starts an engine as a referee.
pub(crate) fn start_referee(
    engine: &EngineConfig,
    config: &Config,
    stderr: Stdio,
    wire: &WireLog,
) -> Result<Engine, EngineError> {
    let named = EngineConfig { name: REFEREE.to_owned(), ..engine.clone() };
    let started = Engine::start(&named, config, stderr, wire)
        .map_err(|error| EngineError { kind: Reason::Referee, ..error })?;
    match started.has("move") || started.has("legal") {
        true => Ok(started),
        false => Err(referee(format!(
            "{} cannot be the referee: it does not announce that it knows legal moves",
            engine.cmd.display()
        ))),
    }
}
