//! Questions to an engine, and their answers.

use std::str::FromStr;
use std::time::Duration;

use leap_protocol::payload::{Guide, PayloadError};
use leap_protocol::{Command, Query, Reply};

use super::{Client, ClientError};

impl Client {
    /// Asks a question; `None` if there is no well-formed answer. Plain UGI engines ignore what they do not know.
    pub fn ask_if_known<T: FromStr>(
        &mut self,
        query: Query,
        patience: Duration,
    ) -> Result<Option<T>, ClientError> {
        let lines = self.replies(&query.to_string(), patience)?;
        Ok(lines.iter().find_map(|line| match Reply::parse(line) {
            Reply::Response(body) => body.parse().ok(),
            _ => None,
        }))
    }

    /// Asks a question and returns what follows `response`.
    ///
    /// # Errors
    /// As [`Client::receive`]; [`ClientError::Refused`] if the engine answers with an error.
    pub fn ask(&mut self, query: Query, patience: Duration) -> Result<String, ClientError> {
        self.answer(&Command::Query(query), patience, |reply, _| match reply {
            Reply::Response(body) => Some(body),
            _ => None,
        })
    }

    /// Asks a question and parses the answer as a type of [`leap_protocol::payload`]: `YesNo`, `GameResult`,
    /// `MoveList`, `Status`, `Values` and so on.
    ///
    /// ```no_run
    /// # use std::time::Duration;
    /// # use leap_client::{Client, ClientError};
    /// use leap_protocol::Query;
    /// use leap_protocol::payload::YesNo;
    ///
    /// fn is_over(client: &mut Client) -> Result<bool, ClientError> {
    ///     let YesNo(over) = client.ask_for(Query::GameOver, Duration::from_secs(1))?;
    ///     Ok(over)
    /// }
    /// ```
    ///
    /// # Errors
    /// As [`Client::ask`]; [`ClientError::Payload`] if the answer cannot be parsed.
    pub fn ask_for<T>(&mut self, query: Query, patience: Duration) -> Result<T, ClientError>
    where
        T: FromStr<Err = PayloadError>,
    {
        Ok(self.ask(query, patience)?.parse()?)
    }

    /// Asks for a description of the board: the lines of the answer, without the word `board` (SPEC 4.23).
    ///
    /// # Errors
    /// As [`Client::ask`].
    pub fn ask_board(&mut self, patience: Duration) -> Result<Vec<String>, ClientError> {
        let mut lines = Vec::new();
        self.answer(&Command::Query(Query::Board), patience, |reply, _| {
            match reply {
                Reply::Board(line) => lines.push(line),
                Reply::BoardOk => return Some(()),
                _ => {}
            }
            None
        })?;
        Ok(lines)
    }

    /// Offers a draw to the engine: does it accept (SPEC 4.30)?
    ///
    /// # Errors
    /// As [`Client::ask`]: the engine refuses where the game knows no agreement.
    pub fn offer_draw(&mut self, patience: Duration) -> Result<bool, ClientError> {
        self.answer(&Command::DrawOffer, patience, |reply, _| match reply {
            Reply::Draw { accept } => Some(accept),
            _ => None,
        })
    }

    /// Asks for the rules of the game in play, as told to people, in a language such as `es` (SPEC 4.34).
    ///
    /// # Errors
    /// As [`Client::ask_for`].
    pub fn ask_rules(
        &mut self,
        language: Option<&str>,
        patience: Duration,
    ) -> Result<Guide, ClientError> {
        let mut rules = Guide::default();
        let query = Query::Rules(language.map(str::to_owned));
        self.answer(&Command::Query(query), patience, |reply, _| match reply {
            Reply::Rules(line) => rules.push(&line).err().map(Err),
            Reply::RulesOk => Some(Ok(())),
            _ => None,
        })??;
        Ok(rules)
    }
}
