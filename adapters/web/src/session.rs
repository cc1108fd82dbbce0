//! The session of a page and its engine: one line per text frame.
//!
//! A page may say `keep` ([`Sessions`]). It then gets a token, and a cut connection does not end its session.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{CloseCode, Message, WebSocket, close_code};
use tokio::time::{Instant, interval, sleep, timeout};

use super::engine::{ENDED, Engine};
use super::engines::EngineShare;
use super::gate::Gate;
use super::link::{DEAD, ENTERS_WITHIN, Link, PING, Reason, close, is_line, send};
use super::sessions::{Kept, Sessions, Visit};
use leap_meeting::Secret;

/// The word by which a page asks to be let in again after a cut.
const KEEP: &str = "keep";
/// There is no session with this token.
const IS_GONE: Reason = Some((4004, "no session goes by this token"));

/// How a connection of a session ends.
enum End {
    /// The session is over.
    Over(Reason),
    /// The connection has broken.
    Cut,
    /// The page has come back by another connection.
    Back(Visit),
}

const HAS_ENDED: End = over(close_code::ERROR, ENDED);

const fn over(code: CloseCode, why: &'static str) -> End {
    End::Over(Some((code, why)))
}

/// What happens next in a session.
enum News {
    Line(String),
    Message(Message),
    Tick,
}

/// A page and its engine.
pub(super) struct Session {
    engine: Engine,
    gate: Gate,
    sessions: Arc<Sessions>,
    /// How long the page may be silent.
    idle: Duration,
    /// When it last said something.
    spoke: Instant,
    /// What its page needs to come back, once it has asked for it.
    kept: Option<Kept>,
    /// The share of the engines that may be started. It is free again when the engine has ended.
    share: EngineShare,
}

impl Session {
    pub(super) fn new(
        (engine, share): (Engine, EngineShare),
        gate: Gate,
        sessions: &Arc<Sessions>,
        idle: Duration,
    ) -> Self {
        let (sessions, spoke) = (Arc::clone(sessions), Instant::now());
        Self { engine, gate, sessions, idle, spoke, kept: None, share }
    }

    /// Passes lines until either side ends the session.
    pub(super) async fn run(mut self, link: Link) {
        let mut visit = Visit { link: Box::new(link), got: 0 };
        let (link, reason) = loop {
            let Visit { mut link, got } = visit;
            link.keep();
            let Err(end) = self.talk(&mut link.socket, got).await;
            visit = match end {
                End::Over(reason) => break (Some(link), reason),
                End::Back(visit) => visit,
                End::Cut => {
                    drop(link);
                    match self.wait().await {
                        Ok(visit) => visit,
                        Err(reason) => break (None, reason),
                    }
                }
            };
        };
        let Self { engine, kept, share, .. } = self;
        drop(kept);
        engine.end(matches!(reason, Some((_, ENDED)))).await;
        drop(share);
        if let Some(mut link) = link {
            close(&mut link.socket, reason).await;
        }
    }

    /// Passes lines until the connection ends. The page has got so many of them already.
    async fn talk(&mut self, socket: &mut WebSocket, got: u64) -> Result<Infallible, End> {
        let mut ping = interval(PING);
        let mut heard = Instant::now();
        self.catch_up(socket, got).await?;
        loop {
            // A page that sends more than the engine reads has to wait until the engine catches up. The engine may be
            // blocked on its output, so its lines are passed on meanwhile.
            let is_full = self.engine.input.capacity() == 0;
            let has_room = !is_full && self.gate.has_room();
            let news = tokio::select! {
                line = self.engine.output.next() => News::Line(line.ok_or(HAS_ENDED)?),
                room = self.engine.input.reserve(), if is_full => match room {
                    Ok(_) => continue,
                    Err(_) => return Err(HAS_ENDED),
                },
                Some(visit) = next_visit(&mut self.kept) => return Err(End::Back(visit)),
                message = socket.recv(), if has_room => {
                    News::Message(message.and_then(Result::ok).ok_or(End::Cut)?)
                }
                _ = ping.tick() => News::Tick,
            };
            match news {
                News::Line(line) => self.pass_on(socket, line).await?,
                News::Message(message) => {
                    heard = Instant::now();
                    self.hear(socket, message).await?;
                }
                // The page's answers to pings wait behind lines that the engine does not read.
                News::Tick if !has_room => {
                    heard = Instant::now();
                    self.ping(socket).await?;
                }
                News::Tick if heard.elapsed() > DEAD => return Err(End::Cut),
                News::Tick => self.ping(socket).await?,
            }
        }
    }

    /// Pings the page, unless it has said nothing for too long.
    async fn ping(&mut self, socket: &mut WebSocket) -> Result<(), End> {
        if self.spoke.elapsed() > self.idle {
            return Err(over(close_code::AWAY, "nothing was said for a long time"));
        }
        let question = self.kept.as_mut().map(|kept| kept.outbox.question()).unwrap_or_default();
        tell(&mut self.kept, socket, Message::Ping(question.into())).await
    }

    /// Handles a message of the page.
    async fn hear(&mut self, socket: &mut WebSocket, message: Message) -> Result<(), End> {
        match message {
            Message::Text(line) if is_line(&line) => {
                self.spoke = Instant::now();
                self.take(socket, &line).await
            }
            Message::Text(_) | Message::Binary(_) => {
                Err(over(close_code::POLICY, "expected one line in a text frame"))
            }
            Message::Pong(answer) => {
                if let Some(kept) = &mut self.kept {
                    kept.outbox.confirm(&answer);
                }
                Ok(())
            }
            Message::Ping(_) => Ok(()),
            Message::Close(_) => Err(End::Over(None)),
        }
    }

    /// Takes a line of the page.
    async fn take(&mut self, socket: &mut WebSocket, line: &str) -> Result<(), End> {
        if line == KEEP
            && self.kept.is_none()
            && let Some((kept, token)) = self.sessions.keep(self.share.user())
        {
            let answer = format!("session {} {}", token.reveal(), self.sessions.keep.as_secs());
            self.kept = Some(kept);
            return tell(&mut self.kept, socket, Message::Text(answer.into())).await;
        }
        self.engine.input.try_send(self.gate.pass_to_engine(line)).map_err(|_| HAS_ENDED)?;
        if let Some(kept) = &mut self.kept {
            kept.heard += 1;
        }
        Ok(())
    }

    /// Passes a line of the engine on to the page.
    async fn pass_on(&mut self, socket: &mut WebSocket, line: String) -> Result<(), End> {
        let line = self.gate.pass_to_page(line);
        let Some(kept) = &mut self.kept else {
            return tell(&mut self.kept, socket, Message::Text(line.into())).await;
        };
        kept.outbox.push(line.clone());
        let question = kept.outbox.should_ask().then(|| kept.outbox.question());
        tell(&mut self.kept, socket, Message::Text(line.into())).await?;
        match question {
            Some(question) => tell(&mut self.kept, socket, Message::Ping(question.into())).await,
            None => Ok(()),
        }
    }

    /// Tells a page that has come back how many lines each side has, and the lines that it has missed.
    async fn catch_up(&mut self, socket: &mut WebSocket, got: u64) -> Result<(), End> {
        let Some(kept) = &mut self.kept else { return Ok(()) };
        kept.note_cut(false);
        let (before, lines) = kept.outbox.missed(got).ok_or(End::Over(IS_GONE))?;
        let first = format!("resumed {before} {}", kept.heard);
        for line in [first].into_iter().chain(lines) {
            tell(&mut self.kept, socket, Message::Text(line.into())).await?;
        }
        Ok(())
    }

    /// Waits for the page to come back. The engine goes on meanwhile. If the page does not come, tells why.
    async fn wait(&mut self) -> Result<Visit, Reason> {
        let Self { engine, gate, kept, sessions, .. } = self;
        let kept = kept.as_mut().ok_or(None)?;
        kept.note_cut(true);
        let over = sleep(sessions.keep);
        tokio::pin!(over);
        loop {
            let is_full = kept.outbox.is_full();
            tokio::select! {
                // If the channel is closed, the engine is given up for another page.
                visit = kept.visits.recv() => return visit.ok_or(None),
                line = engine.output.next(), if !is_full => {
                    let line = line.ok_or(Some((close_code::ERROR, ENDED)))?;
                    kept.outbox.push(gate.pass_to_page(line));
                }
                () = &mut over => return Err(None),
            }
        }
    }
}

/// The next visit of a page that may come back.
async fn next_visit(kept: &mut Option<Kept>) -> Option<Visit> {
    kept.as_mut()?.visits.recv().await
}

/// Sends a message of a session. A page that comes back does not wait for its broken connection.
async fn tell(
    kept: &mut Option<Kept>,
    socket: &mut WebSocket,
    message: Message,
) -> Result<(), End> {
    tokio::select! {
        biased;
        sent = send(socket, message) => sent.ok_or(End::Cut),
        Some(visit) = next_visit(kept) => Err(End::Back(visit)),
    }
}

/// Lets a page come back to its session. Its first line is `resume TOKEN N`, where N is the number of lines it has got.
pub(super) async fn come_back(mut link: Link, sessions: &Sessions) {
    let line = match timeout(ENTERS_WITHIN, link.socket.recv()).await {
        Ok(Some(Ok(Message::Text(line)))) => line,
        _ => return close(&mut link.socket, Some((close_code::POLICY, "expected a token"))).await,
    };
    let visit = Visit { got: 0, link: Box::new(link) };
    let done = match token_in(&line) {
        Some((token, got)) => sessions.visit(&token, Visit { got, ..visit }),
        None => Err(visit),
    };
    if let Err(mut visit) = done {
        close(&mut visit.link.socket, IS_GONE).await;
    }
}

fn token_in(line: &str) -> Option<(Secret, u64)> {
    let (token, got) = line.strip_prefix("resume ")?.split_once(' ')?;
    Some((Secret::parse(token)?, got.parse().ok()?))
}
