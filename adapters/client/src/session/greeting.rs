//! The greeting, which finds out whether an engine speaks the dialect asked for.

use std::time::{Duration, Instant};

use leap_protocol::payload::Tokens;
use leap_protocol::{Command, Dialect, Query, Reply};

use super::Session;
use crate::ClientError;

/// How long an engine may leave the greeting unanswered before it is asked whether it is there.
const SILENCE: Duration = Duration::from_secs(1);
/// The most options that an engine may declare.
const MOST_OPTIONS: usize = 10_000;

impl Session {
    /// Greets the engine and waits for `ugiok` or `uciok`.
    ///
    /// An engine that does not know `ugi` is silent, or complains in words of its own. An engine that starts slowly is
    /// silent too. `isready` tells them apart: engines answer in order, so a `readyok` before `ugiok` shows that the
    /// greeting was ignored. Then the other dialect is tried, and the error names the one that works.
    ///
    /// # Errors
    /// As [`Session::receive`]; [`ClientError::Speaks`] if the engine answers only the other greeting,
    /// [`ClientError::Ignored`] if it answers neither.
    pub fn greet(&mut self) -> Result<(), ClientError> {
        let begun = Instant::now();
        let deadline = begun + self.reply_timeout;
        let (awaited, other) = match self.dialect {
            Dialect::Ugi => ("'ugiok'", Dialect::Uci),
            Dialect::Uci => ("'uciok'", Dialect::Ugi),
        };
        self.send(&Command::Hello(self.dialect).to_string())?;
        let early = begun + SILENCE.min(self.reply_timeout / 2);
        while let Some(reply) = self.before(early, awaited)? {
            if self.announced(reply)? {
                return Ok(());
            }
        }
        self.send(&Command::IsReady.to_string())?;
        let mut is_greeted = false;
        loop {
            match self.before(deadline, awaited)? {
                None => return Err(ClientError::Timeout(self.reply_timeout)),
                Some(Reply::ReadyOk) if is_greeted => return Ok(()),
                Some(Reply::ReadyOk) => break,
                Some(reply) => is_greeted |= self.announced(reply)?,
            }
        }
        self.send(&Command::Hello(other).to_string())?;
        while let Some(reply) = self.before(deadline, awaited)? {
            if matches!(reply, Reply::HelloOk(found) if found == other) {
                return Err(ClientError::Speaks(other));
            }
        }
        Err(ClientError::Ignored(self.dialect))
    }

    /// The next line; `None` at the deadline.
    fn before(
        &mut self,
        deadline: Instant,
        awaited: &'static str,
    ) -> Result<Option<Reply>, ClientError> {
        match self.receive(deadline, awaited) {
            Ok((reply, _)) => Ok(Some(reply)),
            Err(ClientError::Timeout(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Notes a line of the greeting; returns whether it was the last one.
    fn announced(&mut self, reply: Reply) -> Result<bool, ClientError> {
        let is_full = self.info.options.len() >= MOST_OPTIONS;
        if self.is_strict && is_full && matches!(reply, Reply::Option(_)) {
            return Err(ClientError::Endless("options"));
        }
        Ok(self.info.note(reply, self.dialect))
    }

    /// Asks the engine for its extensions and games. Some engines take no more options after that.
    ///
    /// # Errors
    /// As [`Session::answers`], without refusals.
    pub fn discover(&mut self) -> Result<(), ClientError> {
        self.info.games = self.info.game_values().map(<[String]>::to_vec).unwrap_or_default();
        self.info.protocol = self.ask_if_known(Query::Protocol)?;
        if self.supports("games")
            && let Some(Tokens(games)) = self.ask_if_known(Query::Games)?
        {
            self.info.games = games;
        }
        Ok(())
    }
}
