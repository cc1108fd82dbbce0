//! Questions about the rules from guests. The page of a guest speaks the protocol as the page of the host does, and may
//! set up any position and ask about it. All of these sessions share the engine of their game.

use std::sync::Arc;
use std::time::{Duration, Instant};

use leap_protocol::{Command, Dialect, ErrorCode, ErrorReply, Query, Reply};
use tokio::sync::OwnedSemaphorePermit;

use super::referee::{Context, Engine, START, rules_in, set_option};
use super::room::Room;
use super::wire::Seat;
use crate::check_characters;

/// The longest list of moves of a session, in bytes.
const MOST_BYTES: usize = 1 << 18;
/// The most moves that a list has for a guest. A list of a hundred thousand takes an engine seconds.
const MOST_LISTED: u64 = 1000;
const ALONE: &str =
    "guests may ask about the rules alone: position, move, undo, query, and options of the rules";

/// The session of a guest who asks about the rules, as with an engine of its own.
#[derive(Debug)]
pub struct RulesSession {
    room: Arc<Room>,
    seat: Seat,
    /// `None` once the engine has failed.
    desk: Option<Desk>,
    _permit: OwnedSemaphorePermit,
}

impl RulesSession {
    /// Begins in the game that is played in a room, at its start. `None` if too many pages ask.
    pub(super) fn open(room: Arc<Room>, seat: Seat) -> Option<Self> {
        let permit = room.desk(seat)?;
        let desk = Some(Desk::new(room.rules.clone()));
        Some(Self { room, seat, desk, _permit: permit })
    }

    /// Lets the engine of the game answer a line. Returns how long the engine has worked on it, too; `None` if the engine
    /// has ended.
    pub async fn answer(&mut self, line: String) -> Option<(Vec<String>, Duration)> {
        let mut desk = self.desk.take()?;
        let answered = self.room.answerer.ask(self.seat, move |engine| {
            let begun = Instant::now();
            let answers = desk.answer(engine, &line);
            Ok((desk, answers, begun.elapsed()))
        });
        let (desk, answers, took) = answered.await.ok()?;
        self.desk = Some(desk);
        Some((answers, took))
    }
}

/// What the engine of one page would be told.
#[derive(Clone, Debug)]
struct Desk {
    /// The game that is played here, at its start.
    own: Context,
    context: Context,
}

impl Desk {
    /// A session that begins in the game that is played here, at its start.
    fn new(context: Context) -> Self {
        let own = Context { position: START.to_owned(), ..context };
        Self { context: own.clone(), own }
    }

    /// Answers a line in place of an engine.
    fn answer(&mut self, engine: &mut Engine, line: &str) -> Vec<String> {
        match self.try_answer(engine, line) {
            Ok(answers) => answers,
            Err(refusal) => vec![refusal.to_string()],
        }
    }

    fn try_answer(&mut self, engine: &mut Engine, line: &str) -> Result<Vec<String>, ErrorReply> {
        check_characters(line)?;
        let Some(command) = Command::parse(line)? else { return Ok(Vec::new()) };
        match command {
            Command::IsReady => Ok(vec!["readyok".to_owned()]),
            Command::Hello(Dialect::Ugi) => self.greet(engine),
            Command::NewGame(Dialect::Ugi) => {
                self.context.position = START.to_owned();
                Ok(Vec::new())
            }
            Command::SetOption { name, value } => self.set(engine, &name, value.as_deref()),
            Command::Position { .. } => {
                let context = Context { position: command.to_string(), ..self.context.clone() };
                engine.enter(&context)?;
                self.context = context;
                Ok(Vec::new())
            }
            Command::Move(_) | Command::Undo(_) => self.move_on(engine, &command),
            // Exact values are no rules, but advice.
            Command::Query(query) if query != Query::Value => {
                engine.enter(&self.context)?;
                Ok(engine.replies(&limited(query).to_string())?)
            }
            _ => Err(ErrorReply::new(ErrorCode::UnknownCommand, ALONE)),
        }
    }

    /// Names the engine, and the options that are rules.
    fn greet(&self, engine: &mut Engine) -> Result<Vec<String>, ErrorReply> {
        engine.enter(&self.context)?;
        let names = engine.names()?;
        let lines = engine.replies(&Dialect::Ugi.to_string())?;
        let is_shown = |line: &String| match Reply::parse(line) {
            Reply::Option(option) => is_rule(&names, &option.name),
            _ => true,
        };
        Ok(lines.into_iter().filter(is_shown).collect())
    }

    fn set(
        &mut self,
        engine: &mut Engine,
        name: &str,
        value: Option<&str>,
    ) -> Result<Vec<String>, ErrorReply> {
        let value = value.unwrap_or_default();
        if name.eq_ignore_ascii_case("Game") {
            return self.choose(engine, value);
        }
        let is_rule = |(rule, _): &(String, String)| rule.eq_ignore_ascii_case(name);
        if !self.context.rules.iter().any(is_rule) {
            return Err(ErrorReply::new(ErrorCode::NoSuchOption, ALONE));
        }
        if engine.enter(&self.context).is_err() {
            // An earlier change of the rules may have made the position impossible.
            self.context.position = START.to_owned();
            engine.enter(&self.context)?;
        }
        engine.forget();
        let answers = engine.answers(&[set_option(name, value), Query::Game.to_string()])?;
        if let Some(rules) = rules_in(&answers) {
            self.context.rules = rules;
        }
        Ok(Vec::new())
    }

    /// Chooses a game, with the rules of the game that is played here or with its usual rules. What other sessions have set
    /// must not show.
    fn choose(&mut self, engine: &mut Engine, game: &str) -> Result<Vec<String>, ErrorReply> {
        let Some(rules) = engine.usual_rules(game)? else {
            return Err(ErrorReply::new(ErrorCode::NoSuchGame, "expected a game of the engine"));
        };
        let position = START.to_owned();
        self.context = match game {
            game if game == self.context.game => Context { position, ..self.context.clone() },
            game if game == self.own.game => self.own.clone(),
            game => Context { game: game.to_owned(), rules, position },
        };
        Ok(Vec::new())
    }

    /// Makes moves or takes some back. The position is written anew, from the engine's own account of the moves.
    fn move_on(
        &mut self,
        engine: &mut Engine,
        command: &Command,
    ) -> Result<Vec<String>, ErrorReply> {
        engine.enter(&self.context)?;
        engine.forget();
        let answers = engine.answers(&[command.to_string(), Query::History.to_string()])?;
        let history = answers.last().map_or("", String::as_str);
        let (count, moves) = history.split_once(' ').unwrap_or((history, ""));
        if count.ends_with('+') || moves.len() > MOST_BYTES {
            return Err(ErrorReply::new(ErrorCode::TooLong, "the game has too many moves"));
        }
        let start = self.context.position.split(" moves ").next().unwrap_or_default();
        self.context.position = match moves {
            "" => start.to_owned(),
            moves => format!("{start} moves {moves}"),
        };
        engine.note(&self.context);
        Ok(Vec::new())
    }
}

/// A question as guests may ask it. An answer that is cut says so (SPEC 4.12).
fn limited(query: Query) -> Query {
    match query {
        Query::Moves { limit } => {
            Query::Moves { limit: Some(limit.unwrap_or(MOST_LISTED).min(MOST_LISTED)) }
        }
        query => query,
    }
}

fn is_rule(names: &[String], name: &str) -> bool {
    name.eq_ignore_ascii_case("Game") || names.contains(&name.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guests_get_short_lists_of_moves() {
        for (asked, sent) in [
            ("query moves", "query moves limit 1000"),
            ("query moves limit 100000", "query moves limit 1000"),
            ("query moves limit 2", "query moves limit 2"),
            ("query next", "query next"),
        ] {
            let Ok(Some(Command::Query(query))) = Command::parse(asked) else { panic!("{asked}") };
            assert_eq!(limited(query).to_string(), sent);
        }
    }
}
