//! The rules of a game by its id, with options as an engine takes them.

use leap_core::{Geometry, Rules};
use leap_engine::{AnyGame, Engines, game, rules};
use leap_protocol::{Command, ErrorReply, Reply};
use leap_search::Playable;

use crate::play::{AnyPlay, Play};

/// The games, in the order of their announcement.
const GAMES: [AnyGame; 5] = leap_games::games!(game());

/// The rules of each of [`GAMES`], with options.
const RULES: [MakeRules; 5] = leap_games::games!(maker());

type MakeRules = fn(&[(String, String)]) -> Result<Box<dyn AnyRules>, ErrorReply>;

/// The rules of a game.
pub(crate) trait AnyRules: Send + Sync {
    fn geometry(&self) -> Geometry;

    /// A game that begins at a position text, or at the start position.
    fn play(&self, fen: Option<&str>) -> Result<Box<dyn AnyPlay>, ErrorReply>;
}

impl<R: Playable> AnyRules for R {
    fn geometry(&self) -> Geometry {
        <Self as Rules>::GEOMETRY
    }

    fn play(&self, fen: Option<&str>) -> Result<Box<dyn AnyPlay>, ErrorReply> {
        Ok(Box::new(Play::new(self.clone(), fen)?))
    }
}

const fn maker<R: Playable>() -> MakeRules {
    |options| {
        let named = options.iter().map(|(name, value)| (&**name, Some(&**value)));
        Ok(Box::new(rules::<R>(named)?))
    }
}

/// Engines with this game in play and these options.
///
/// # Errors
/// What is wrong with the game or an option.
pub(crate) fn engines(id: &str, options: &[(String, String)]) -> Result<Engines, ErrorReply> {
    let mut engines = Engines::new(GAMES);
    engines.set("Game", Some(id))?;
    for (name, value) in options {
        engines.set(name, Some(value))?;
    }
    Ok(engines)
}

/// The rules in force in the game in play.
///
/// # Errors
/// None: the engines have these values.
pub(crate) fn in_force(engines: &Engines) -> Result<Box<dyn AnyRules>, ErrorReply> {
    let info = engines.engine().rules_in_force();
    let index = GAMES.iter().position(|game| game.id == info.game).unwrap_or_default();
    RULES[index](&info.options.0)
}

/// The lines that answer a question, such as `board`.
///
/// # Errors
/// The question is none, or is refused.
pub(crate) fn answer(engines: &Engines, question: &str) -> Result<Vec<Reply>, ErrorReply> {
    match Command::parse(&format!("query {question}"))? {
        Some(Command::Query(query)) => engines.answer(&query),
        _ => Ok(Vec::new()),
    }
}
