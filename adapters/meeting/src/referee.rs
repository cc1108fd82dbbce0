//! The referee of a game by invitation: one engine process, asked by everybody at the table. An engine keeps nothing
//! between two questions, so an engine that dies is replaced and nobody notices.

use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, select_biased, unbounded};
use leap_client::{ClientError, EngineCommand, GameState, PositionCommand, Session};
use leap_protocol::payload::{GameInfo, GameResult, Legality, Tokens};
use leap_protocol::{Command, ErrorCode, ErrorReply, Query, Reply};
use thiserror::Error;
use tokio::sync::oneshot;
use tokio::task::spawn_blocking;

use super::table::{Ending, Refusal, Verdict};
use super::wire::Seat;

/// The longest wait for an answer about the rules.
const REPLY_TIMEOUT: Duration = Duration::from_secs(10);
/// How long an engine that nobody asks is kept.
const KEPT_FOR: Duration = Duration::from_secs(60);

/// The position at the start of a game.
pub(super) const START: &str = "position startpos";

/// Rule options with their values.
pub(super) type Rules = Vec<(String, String)>;

/// What an answer depends on: a game with all of its rules, and a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Context {
    /// The id of the game.
    pub(super) game: String,
    /// Every rule option of the game, with its value.
    pub(super) rules: Rules,
    /// The line that sets up the position.
    pub(super) position: String,
}

/// Why there is no answer.
#[derive(Debug, Error)]
pub(super) enum NoAnswer {
    /// What was asked is wrong.
    #[error("{}", .0.text)]
    Refused(ErrorReply),
    /// The engine has failed. The game goes on with a new one.
    #[error("the referee has failed: {0}")]
    Failed(ClientError),
    /// The thread of the referee has ended.
    #[error("the referee has failed")]
    Gone,
}

impl NoAnswer {
    fn because(text: impl Into<String>) -> Self {
        Self::Refused(ErrorReply::new(ErrorCode::BadArgument, text))
    }
}

impl From<ClientError> for NoAnswer {
    fn from(error: ClientError) -> Self {
        match error {
            ClientError::Refused(error) => Self::Refused(error),
            error => Self::Failed(error),
        }
    }
}

impl From<NoAnswer> for ErrorReply {
    fn from(error: NoAnswer) -> Self {
        match error {
            NoAnswer::Refused(error) => error,
            error => Self::new(ErrorCode::Internal, error.to_string()),
        }
    }
}

/// An engine that is started when it is needed.
#[derive(Debug)]
pub(super) struct Engine {
    command: EngineCommand,
    session: Option<Session>,
    /// What the engine was last told.
    told: Option<Context>,
    /// All games with their rules, before anybody has changed one. Asked once.
    games: Vec<(String, Rules)>,
}

impl Engine {
    pub(super) fn new(command: EngineCommand) -> Self {
        Self { command, session: None, told: None, games: Vec::new() }
    }

    fn start(&self) -> Result<Session, ClientError> {
        let mut session = Session::start(&self.command, REPLY_TIMEOUT)?;
        // A referee does not search, and many of them may run.
        session.set_if_known("Hash", "1")?;
        Ok(session)
    }

    /// Speaks with the engine. An engine that fails is let go.
    fn speak<T>(
        &mut self,
        words: impl FnOnce(&mut Session) -> Result<T, ClientError>,
    ) -> Result<T, NoAnswer> {
        let mut session = match self.session.take() {
            Some(session) => session,
            None => {
                self.told = None;
                self.start()?
            }
        };
        let done = words(&mut session);
        if matches!(done, Ok(_) | Err(ClientError::Refused(_))) {
            self.session = Some(session);
        }
        Ok(done?)
    }

    /// Sends lines, and returns everything that the engine answers to them, errors too.
    pub(super) fn replies(&mut self, line: &str) -> Result<Vec<String>, NoAnswer> {
        self.speak(|session| session.replies(line))
    }

    /// Sends commands and questions. Returns what follows each `response`; the first error of the engine is a refusal.
    pub(super) fn answers(&mut self, lines: &[String]) -> Result<Vec<String>, NoAnswer> {
        self.speak(|session| session.answers(&lines.join("\n")))
    }

    /// Lets go of the process. The next question starts another one.
    fn rest(&mut self) {
        self.session = None;
    }

    /// Brings the engine into a context.
    pub(super) fn enter(&mut self, context: &Context) -> Result<(), NoAnswer> {
        if self.session.is_some() && self.told.as_ref() == Some(context) {
            return Ok(());
        }
        // Nobody has checked the rules of a game that was read from a file.
        self.check_rules(&context.rules)?;
        // A new process has been told nothing.
        let told = self.told.take().filter(|_| self.session.is_some());
        self.answers(&way_to(context, told.as_ref()))?;
        self.told = Some(context.clone());
        Ok(())
    }

    /// Notes that the engine is in a context, after a command that has changed its context.
    pub(super) fn note(&mut self, context: &Context) {
        self.told = Some(context.clone());
    }

    /// Forgets what the engine was told: the next question tells it everything.
    pub(super) fn forget(&mut self) {
        self.told = None;
    }

    /// The rules that a game is played by: the given options, and the defaults of all others. The engine must be one to
    /// which no other options were told.
    pub(super) fn rules_of(
        &mut self,
        game: &str,
        options: &[(String, String)],
    ) -> Result<Rules, NoAnswer> {
        self.check_rules(options)?;
        let mut lines = vec![set_option("Game", game)];
        lines.extend(options.iter().map(|(name, value)| set_option(name, value)));
        lines.push(Query::Game.to_string());
        self.told = None;
        let rules = rules_in(&self.answers(&lines)?);
        rules.ok_or_else(|| NoAnswer::because("the engine does not tell its rules"))
    }

    /// Whether all of these options are rules of some game.
    fn check_rules(&mut self, options: &[(String, String)]) -> Result<(), NoAnswer> {
        let known = self.names()?;
        let is_rule = |name: &str| known.iter().any(|known| known.eq_ignore_ascii_case(name));
        match options.iter().find(|(name, _)| !is_rule(name)) {
            Some((name, _)) => {
                Err(NoAnswer::because(format!("expected options of the rules, found {name}")))
            }
            None => Ok(()),
        }
    }

    /// The names of the options that are rules of any game, in lower case.
    pub(super) fn names(&mut self) -> Result<Vec<String>, NoAnswer> {
        self.learn()?;
        let rules = self.games.iter().flat_map(|(_, rules)| rules);
        let mut names: Vec<String> = rules.map(|(name, _)| name.to_ascii_lowercase()).collect();
        names.sort_unstable();
        names.dedup();
        Ok(names)
    }

    /// The rules of a game, as they are without any change; `None` if there is no such game.
    pub(super) fn usual_rules(&mut self, game: &str) -> Result<Option<Rules>, NoAnswer> {
        self.learn()?;
        let found = self.games.iter().find(|(id, _)| id == game);
        Ok(found.map(|(_, rules)| rules.clone()))
    }

    /// Asks a new process for all games and their rules.
    fn learn(&mut self) -> Result<(), NoAnswer> {
        if !self.games.is_empty() {
            return Ok(());
        }
        self.rest();
        let games: Option<Tokens> = self.speak(|session| session.ask_if_known(Query::Games))?;
        for game in games.map_or_else(Vec::new, |Tokens(games)| games) {
            let rules = match self.answers(&[set_option("Game", &game), Query::Game.to_string()]) {
                Ok(answers) => rules_in(&answers).unwrap_or_default(),
                Err(NoAnswer::Refused(_)) => Rules::default(),
                Err(error) => return Err(error),
            };
            self.games.push((game, rules));
        }
        Ok(())
    }

    /// What the referee says about a position.
    pub(super) fn verdict(&mut self, context: &Context) -> Result<Verdict, NoAnswer> {
        self.enter(context)?;
        verdict_in(self.answers(&[Query::Status.to_string()])?.first())
    }

    /// Whether people may agree on a draw in this game (SPEC 4.32).
    pub(super) fn knows_draws(&mut self, context: &Context) -> Result<bool, NoAnswer> {
        self.enter(context)?;
        let replies = self.replies(&Command::DrawOffer.to_string())?;
        Ok(replies.iter().any(|line| matches!(Reply::parse(line), Reply::Draw { .. })))
    }

    /// Judges a move in a context. Returns the move in the engine's own text, and what it leads to.
    pub(super) fn judge(
        &mut self,
        context: &Context,
        mv: &str,
    ) -> Result<Result<(String, Verdict), Refusal>, NoAnswer> {
        self.enter(context)?;
        let answers = self.answers(&[Query::Legal(mv.to_owned()).to_string()])?;
        match answers.first().and_then(|answer| answer.parse().ok()) {
            Some(Legality::Legal) => {}
            Some(Legality::Illegal { reason, at, text }) => {
                return Ok(Err(Refusal::Illegal { reason, at, text }));
            }
            None => return Err(NoAnswer::because("the engine judges no moves")),
        }
        // From here on the engine is in another context, unless the caller notes it.
        self.forget();
        let mv = Command::Move(vec![mv.to_owned()]);
        let questions = [Query::Status, Query::History].map(|query| query.to_string());
        let answers = self.answers(&[&[mv.to_string()], &questions[..]].concat())?;
        let written = answers.get(1).and_then(|history| history.split_whitespace().last());
        let written = written.ok_or_else(|| NoAnswer::because("the engine tells no moves"))?;
        Ok(Ok((written.to_owned(), verdict_in(answers.first())?)))
    }
}

/// The command that sets an option.
pub(super) fn set_option(name: &str, value: &str) -> String {
    Command::SetOption { name: name.to_owned(), value: Some(value.to_owned()) }.to_string()
}

/// The line that sets up a position.
pub(super) fn position(start: Option<&str>, moves: &[String]) -> String {
    PositionCommand::new(start, moves).to_string()
}

/// The lines that bring an engine from one context to another one. The moves are taken back before a rule changes.
fn way_to(context: &Context, told: Option<&Context>) -> Vec<String> {
    let mut lines = Vec::new();
    let is_same_game = told.is_some_and(|told| told.game == context.game);
    let are_same_rules = is_same_game && told.is_some_and(|told| told.rules == context.rules);
    if !is_same_game {
        lines.push(set_option("Game", &context.game));
    }
    if !are_same_rules {
        lines.push(START.to_owned());
        lines.extend(context.rules.iter().map(|(name, value)| set_option(name, value)));
    }
    lines.push(context.position.clone());
    lines
}

/// The answer to `query game`, which is the last one.
pub(super) fn rules_in(answers: &[String]) -> Option<Rules> {
    let GameInfo { options, .. } = answers.last()?.parse().ok()?;
    Some(options.0)
}

fn verdict_in(status: Option<&String>) -> Result<Verdict, NoAnswer> {
    let state = status.and_then(|status| GameState::of_status(status));
    let Some(GameState { result, rule, turn, .. }) = state else {
        return Err(NoAnswer::because("the engine does not tell the state of the game"));
    };
    let ending = (result != GameResult::None).then(|| Ending {
        result: result.as_str().to_owned(),
        reason: rule.unwrap_or_default(),
        rule: true,
    });
    Ok(Verdict { turn: turn.into(), ending })
}

type Job = Box<dyn FnOnce(&mut Engine) + Send>;

/// An engine that does one job after the other, beside everything else. When this is dropped the engine ends, and nobody
/// waits for it.
#[derive(Debug)]
pub(super) struct Referee {
    players: Sender<Job>,
    spectators: Sender<Job>,
}

impl Referee {
    /// Starts to take jobs. The engine starts with the first one, and ends when nobody has asked for a while. The runtime
    /// ends only after the engine.
    pub(super) fn start(command: EngineCommand) -> Self {
        let (players, of_players) = unbounded();
        let (spectators, of_spectators) = unbounded();
        spawn_blocking(move || work(Engine::new(command), &of_players, &of_spectators));
        Self { players, spectators }
    }

    /// Lets the engine answer somebody at this seat. Questions of players come before those of spectators.
    pub(super) async fn ask<T: Send + 'static>(
        &self,
        seat: Seat,
        job: impl FnOnce(&mut Engine) -> Result<T, NoAnswer> + Send + 'static,
    ) -> Result<T, NoAnswer> {
        let (answer, answered) = oneshot::channel();
        let job: Job = Box::new(move |engine| {
            // Who has asked may be gone.
            if !answer.is_closed() {
                let _ = answer.send(job(engine));
            }
        });
        let jobs = if seat == Seat::Spectator { &self.spectators } else { &self.players };
        jobs.send(job).map_err(|_| NoAnswer::Gone)?;
        answered.await.map_err(|_| NoAnswer::Gone)?
    }
}

fn work(mut engine: Engine, players: &Receiver<Job>, spectators: &Receiver<Job>) {
    loop {
        let job = select_biased! {
            recv(players) -> job => job,
            recv(spectators) -> job => job,
            default(KEPT_FOR) => {
                engine.rest();
                continue;
            }
        };
        match job {
            Ok(job) => job(&mut engine),
            Err(_) => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn questions_of_players_are_answered_first_and_each_in_its_turn() {
        let (players, of_players) = unbounded::<Job>();
        let (spectators, of_spectators) = unbounded();
        let (done, order) = unbounded();
        for (jobs, names) in [(&spectators, ["s1", "s2"]), (&players, ["p1", "p2"])] {
            for name in names {
                let done = done.clone();
                jobs.send(Box::new(move |_| done.send(name).unwrap())).unwrap();
            }
        }
        let engine = Engine::new(EngineCommand::new("none"));
        let worker = thread::spawn(move || work(engine, &of_players, &of_spectators));
        let order: Vec<&str> = order.iter().take(4).collect();
        assert_eq!(order, ["p1", "p2", "s1", "s2"]);
        drop((players, spectators));
        worker.join().unwrap();
    }

    #[test]
    fn rules_of_a_file_that_are_options_of_no_game_reach_no_engine() {
        let mut engine = Engine::new(EngineCommand::new("none"));
        engine.games = vec![("race".to_owned(), vec![("MaxPlies".to_owned(), "9".to_owned())])];
        for name in ["EvalFile", "Hash", "MaxPlies value 1 setoption name Hash", ""] {
            let rules = vec![(name.to_owned(), "1".to_owned())];
            let context = Context { game: "race".to_owned(), rules, position: START.to_owned() };
            assert!(matches!(engine.enter(&context), Err(NoAnswer::Refused(_))), "{name}");
        }
    }
}
