//! Questions, and their answers.

use std::str::FromStr;

use leap_protocol::payload::{Guide, Legality, MoveList, PayloadError};
use leap_protocol::{Command, Query, Reply};

use super::Session;
use crate::{ClientError, GameState, PositionCommand};

/// The most answers to one exchange.
const MOST_ANSWERS: usize = 100;

impl Session {
    /// Sets up a position and asks for the state of the game, with its text where the engine tells it. There is one wait.
    ///
    /// # Errors
    /// As [`Session::ask_all`]: the engine refuses a position that is not legal. [`ClientError::Unexpected`] if the
    /// answers contradict each other.
    pub fn state(&mut self, position: &PositionCommand) -> Result<GameState, ClientError> {
        self.state_after(position.as_str())
    }

    /// The state of the game after a command such as `move a1a2`.
    ///
    /// # Errors
    /// As [`Session::state`].
    pub fn state_after(&mut self, command: &str) -> Result<GameState, ClientError> {
        let (has_status, has_fen) = (self.supports("status"), self.supports("fen"));
        let mut questions = match has_status {
            true => vec![Query::Status],
            false => vec![Query::GameOver, Query::Result, Query::P1Turn],
        };
        questions.extend(has_fen.then_some(Query::Fen));
        let mut answers = self.ask_all(command, &questions)?;
        let fen = if has_fen { answers.pop() } else { None };
        let state = match (has_status, &answers[..]) {
            (true, [status]) => GameState::of_status(status),
            _ => GameState::of_answers(&answers),
        };
        match state {
            Some(state) => Ok(GameState { fen, ..state }),
            None => {
                let expected = "the state of a game";
                Err(ClientError::Unexpected { expected, found: answers.join(" / ") })
            }
        }
    }

    /// Legal moves, at most `limit`.
    ///
    /// # Errors
    /// As [`Session::ask_for`].
    pub fn moves(&mut self, limit: Option<u64>) -> Result<MoveList, ClientError> {
        self.ask_for(Query::Moves { limit })
    }

    /// Whether a move, or the beginning of one, is legal.
    ///
    /// # Errors
    /// As [`Session::ask_for`].
    pub fn legal(&mut self, mv: &str) -> Result<Legality, ClientError> {
        self.ask_for(Query::Legal(mv.to_owned()))
    }

    /// A description of the board: the lines of the answer, without the word `board` (SPEC 4.23).
    ///
    /// # Errors
    /// As [`Session::ask`].
    pub fn board(&mut self) -> Result<Vec<String>, ClientError> {
        let mut lines = Vec::new();
        self.answer(&Command::Query(Query::Board), "'boardok'", |reply| {
            match reply {
                Reply::Board(line) => lines.push(line),
                Reply::BoardOk => return Some(()),
                _ => {}
            }
            None
        })?;
        Ok(lines)
    }

    /// The rules of the game in play, as told to people, in a language such as `es` (SPEC 4.34).
    ///
    /// # Errors
    /// As [`Session::ask_for`].
    pub fn rules(&mut self, language: Option<&str>) -> Result<Guide, ClientError> {
        let mut rules = Guide::default();
        let query = Query::Rules(language.map(str::to_owned));
        self.answer(&Command::Query(query), "'rulesok'", |reply| match reply {
            Reply::Rules(line) => rules.push(&line).err().map(Err),
            Reply::RulesOk => Some(Ok(())),
            _ => None,
        })??;
        Ok(rules)
    }

    /// Offers a draw to the engine: does it accept (SPEC 4.30)?
    ///
    /// # Errors
    /// As [`Session::ask`]: the engine refuses where the game knows no agreement.
    pub fn offer_draw(&mut self) -> Result<bool, ClientError> {
        self.answer(&Command::DrawOffer, "'draw'", |reply| match reply {
            Reply::Draw { accept } => Some(accept),
            _ => None,
        })
    }

    /// Asks a question and parses the answer as a type of [`leap_protocol::payload`]: `YesNo`, `GameResult`, `MoveList`,
    /// `Status`, `Values` and so on.
    ///
    /// ```no_run
    /// use leap_client::{ClientError, Session};
    /// use leap_protocol::Query;
    /// use leap_protocol::payload::YesNo;
    ///
    /// fn is_over(engine: &mut Session) -> Result<bool, ClientError> {
    ///     let YesNo(over) = engine.ask_for(Query::GameOver)?;
    ///     Ok(over)
    /// }
    /// ```
    ///
    /// # Errors
    /// As [`Session::ask`]; [`ClientError::Payload`] if the answer cannot be parsed.
    pub fn ask_for<T>(&mut self, query: Query) -> Result<T, ClientError>
    where
        T: FromStr<Err = PayloadError>,
    {
        Ok(self.ask(query)?.parse()?)
    }

    /// Asks a question and returns what follows `response`.
    ///
    /// # Errors
    /// As [`Session::receive`]; [`ClientError::Refused`] if the engine answers with an error.
    pub fn ask(&mut self, query: Query) -> Result<String, ClientError> {
        self.answer(&Command::Query(query), "'response'", |reply| match reply {
            Reply::Response(body) => Some(body),
            _ => None,
        })
    }

    /// Asks a question; `None` if there is no well-formed answer. Plain UGI engines ignore what they do not know.
    ///
    /// # Errors
    /// As [`Session::answers`], without refusals.
    pub fn ask_if_known<T: FromStr>(&mut self, query: Query) -> Result<Option<T>, ClientError> {
        match self.answers(&query.to_string()) {
            Ok(answers) => Ok(answers.iter().find_map(|body| body.parse().ok())),
            Err(ClientError::Refused(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Sends commands and questions together, and returns what follows `response`, once for each question.
    ///
    /// # Errors
    /// As [`Session::receive`]; [`ClientError::Refused`] with the first error.
    pub fn ask_all(
        &mut self,
        commands: &str,
        questions: &[Query],
    ) -> Result<Vec<String>, ClientError> {
        let mut lines = commands.to_owned();
        for question in questions {
            if !lines.is_empty() {
                lines.push('\n');
            }
            lines += &question.to_string();
        }
        self.send(&lines)?;
        let (deadline, mut refused) = (self.deadline(), None);
        let mut answers = Vec::with_capacity(questions.len());
        while answers.len() < questions.len() {
            match self.receive(deadline, "'response'")?.0 {
                Reply::Response(body) => answers.push(body),
                // The error of a command comes before all answers.
                Reply::Error(error)
                    if !commands.is_empty() && refused.is_none() && answers.is_empty() =>
                {
                    refused = Some(error);
                }
                Reply::Error(error) => {
                    return Err(ClientError::Refused(refused.unwrap_or(error)));
                }
                reply => self.idle(&reply)?,
            }
        }
        refused.map_or(Ok(answers), |error| Err(ClientError::Refused(error)))
    }

    /// Sends lines that the engine may not know. Returns what follows each `response`.
    ///
    /// # Errors
    /// As [`Session::settle`].
    pub fn answers(&mut self, lines: &str) -> Result<Vec<String>, ClientError> {
        let most = if self.is_strict { MOST_ANSWERS } else { usize::MAX };
        let (mut answers, mut refused) = (Vec::new(), None);
        self.exchange(lines, |_, reply| {
            match reply {
                Reply::Response(_) if answers.len() == most => {
                    return Err(ClientError::Endless("answers"));
                }
                Reply::Response(body) => answers.push(body),
                Reply::Error(error) => refused = refused.take().or(Some(error)),
                _ => {}
            }
            Ok(())
        })?;
        refused.map_or(Ok(answers), |error| Err(ClientError::Refused(error)))
    }

    /// Sends lines that the engine may not know. Returns its lines, errors among them, without `info`.
    ///
    /// # Errors
    /// As [`Session::receive`].
    pub fn replies(&mut self, lines: &str) -> Result<Vec<String>, ClientError> {
        let mut replies = Vec::new();
        self.exchange(lines, |line, reply| {
            if !matches!(reply, Reply::Info(_)) {
                replies.push(line);
            }
            Ok(())
        })?;
        Ok(replies)
    }

    /// Sends lines and then `isready`, and passes on everything before its answer.
    fn exchange(
        &mut self,
        lines: &str,
        mut take: impl FnMut(String, Reply) -> Result<(), ClientError>,
    ) -> Result<(), ClientError> {
        self.settle()?;
        self.pings += 1;
        self.send(&format!("{lines}\nisready"))?;
        let deadline = self.deadline();
        while self.pings > 0 {
            let (line, _) = self.receive_text(deadline, "'readyok'")?;
            let reply = Reply::parse(&line);
            self.idle(&reply)?;
            if reply != Reply::ReadyOk {
                take(line, reply)?;
            }
        }
        Ok(())
    }

    /// Sends a command and reads until `take` accepts a reply or the engine refuses.
    fn answer<T>(
        &mut self,
        command: &Command,
        awaited: &'static str,
        mut take: impl FnMut(Reply) -> Option<T>,
    ) -> Result<T, ClientError> {
        self.send(&command.to_string())?;
        let deadline = self.deadline();
        loop {
            let (reply, _) = self.receive(deadline, awaited)?;
            self.idle(&reply)?;
            if let Reply::Error(error) = reply {
                return Err(ClientError::Refused(error));
            }
            if let Some(found) = take(reply) {
                return Ok(found);
            }
        }
    }
}
