//! The WebSockets of games by invitation: one for the game, one for questions about the rules.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{CloseCode, Message, Utf8Bytes, WebSocket, close_code};
use tokio::time::{Instant, interval, timeout};

use super::allowance::Allowance;
use super::room::{Deed, Place};
use super::rules::Desk;
use super::wire::{Asked, Incoming, Problem, Said, Seat, refusal, text};
use super::{Meetings, Room};
use crate::web::link::{DEAD, ENTERS_WITHIN, Link, PING, Reason as End, close, is_line, send};
use crate::web::secret::Secret;
use crate::web::sockets::{Share, Taken};

/// Another page has taken the place of this one.
const TAKEN: CloseCode = 4001;
/// The link leads to no game.
const UNKNOWN: CloseCode = 4002;

/// Who may be at the other end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::web) enum Caller {
    /// Somebody at this machine, who is a host without a secret.
    Owner,
    /// Anybody.
    Stranger,
}

/// Speaks with a page about its game until either side closes. A page without a right secret is left when another one
/// needs its place.
pub(in crate::web) async fn talk(
    mut socket: WebSocket,
    meetings: Arc<Meetings>,
    caller: Caller,
    (share, taken): (Share, Taken),
) {
    let mut visitor = Visitor {
        meetings,
        caller,
        is_host: false,
        place: None,
        allowance: Allowance::of_messages(),
        share,
    };
    let served = async {
        let end = visitor.serve(&mut socket).await;
        visitor.leave().await;
        close(&mut socket, end).await;
    };
    tokio::select! {
        biased;
        () = served => {}
        Ok(()) = taken => {}
    }
    visitor.leave().await;
}

/// A page that is connected.
#[derive(Debug)]
struct Visitor {
    meetings: Arc<Meetings>,
    caller: Caller,
    is_host: bool,
    place: Option<Place>,
    allowance: Allowance,
    share: Share,
}

/// What happens next at the place of a page.
enum News {
    State(Utf8Bytes),
    Taken,
}

async fn news(place: Option<&mut Place>) -> News {
    let Some(place) = place else { return std::future::pending().await };
    tokio::select! {
        biased;
        _ = &mut place.taken => News::Taken,
        _ = place.told.changed() => News::State(place.told.borrow_and_update().clone()),
    }
}

impl Visitor {
    /// Gives the place in a game up, if there is one.
    async fn leave(&mut self) {
        if let Some(place) = self.place.take() {
            place.leave().await;
        }
    }

    async fn serve(&mut self, socket: &mut WebSocket) -> End {
        let mut ping = interval(PING);
        let mut heard = Instant::now();
        let begun = heard;
        loop {
            tokio::select! {
                news = news(self.place.as_mut()) => match news {
                    News::State(state) => send(socket, Message::Text(state)).await?,
                    News::Taken => return Some((TAKEN, "this game was opened elsewhere")),
                },
                message = socket.recv() => {
                    heard = Instant::now();
                    match message?.ok()? {
                        Message::Text(text) => {
                            self.allowance.spend(text.len()).await;
                            self.hear(socket, &text).await?;
                        }
                        Message::Binary(_) => {
                            return Some((close_code::POLICY, "expected text frames"));
                        }
                        Message::Ping(_) | Message::Pong(_) => {}
                        Message::Close(_) => return None,
                    }
                }
                _ = ping.tick() => {
                    let is_stranger = self.place.is_none() && !self.is_host;
                    if is_stranger && begun.elapsed() > ENTERS_WITHIN {
                        return Some((close_code::POLICY, "expected the secret of a link"));
                    }
                    if heard.elapsed() > DEAD {
                        return None;
                    }
                    send(socket, Message::Ping(Vec::new().into())).await?;
                }
            }
        }
    }

    /// Answers a message; `None` if the page has gone.
    async fn hear(&mut self, socket: &mut WebSocket, message: &str) -> Option<()> {
        let (re, done) = match serde_json::from_str::<Incoming>(message) {
            Ok(Incoming { re, asked }) => (re, self.answer(asked, re).await),
            Err(_) => (None, Err(Problem::NoMessage)),
        };
        let is_unknown = matches!(done, Err(Problem::NoSuchLink));
        let answer = done.unwrap_or_else(|why| refusal(&why, re));
        send(socket, Message::Text(answer.into())).await?;
        if is_unknown {
            // Who guesses has to connect again.
            close(socket, Some((UNKNOWN, "no game goes by this link"))).await;
            return None;
        }
        Some(())
    }

    async fn answer(&mut self, asked: Asked, re: Option<u32>) -> Result<String, Problem> {
        match asked {
            Asked::Host { secret } => {
                self.is_host = match secret {
                    None => self.caller == Caller::Owner,
                    Some(text) => {
                        Secret::parse(&text).is_some_and(|secret| self.meetings.is_host(&secret))
                    }
                };
                if !self.is_host {
                    return Err(Problem::NoSuchLink);
                }
                self.share.keep();
                Ok(text(Said::Hosting { plain: self.meetings.is_plain() }, re))
            }
            Asked::Invite(wish) if self.is_host => self.meetings.invite(wish, re).await,
            Asked::Invite(_) => Err(Problem::NotHost),
            Asked::Enter { secret } => self.enter(&secret, re).await,
            Asked::Move { mv, ply } => self.act(Deed::Move { mv, ply }, re).await,
            Asked::Ask { what } => self.act(Deed::Ask(what), re).await,
            Asked::Agree { what } => self.act(Deed::Answer(what, true), re).await,
            Asked::Decline { what } => self.act(Deed::Answer(what, false), re).await,
            Asked::Resign { sure } => self.act(Deed::Resign { is_sure: sure }, re).await,
        }
    }

    async fn enter(&mut self, secret: &str, re: Option<u32>) -> Result<String, Problem> {
        if self.place.is_some() {
            return Err(Problem::Seated);
        }
        let secret = Secret::parse(secret).ok_or(Problem::NoSuchLink)?;
        let (room, seat) = self.meetings.find(&secret).ok_or(Problem::NoSuchLink)?;
        let mut place = room.enter(seat).await?;
        self.share.keep();
        // The state of now is news to this page.
        place.told.mark_changed();
        let took = place.took;
        self.place = Some(place);
        Ok(text(Said::Welcome { seat, took }, re))
    }

    async fn act(&mut self, deed: Deed, re: Option<u32>) -> Result<String, Problem> {
        let place = self.place.as_ref().ok_or(Problem::NotSeated)?;
        place.act(deed).await?;
        Ok(text(Said::Done, re))
    }
}

// ---- questions about the rules

/// Who asks on a connection for lines of the protocol, told by its first line.
pub(in crate::web) enum Asker {
    /// The host, or somebody with the secret of the engine.
    Trusted,
    /// A guest, who may let an engine search.
    Searcher {
        /// The options that are rules.
        rules: Vec<String>,
        /// The name of the game.
        meeting: String,
        seat: Seat,
    },
    /// A guest, who may ask about the rules.
    Guest(Arc<Room>, Seat),
}

/// Reads the first line of a connection, `secret <secret>`, and finds out who asks. A page from elsewhere is let in by
/// the secret of the engine alone.
pub(in crate::web) async fn first_line(
    socket: &mut WebSocket,
    meetings: &Meetings,
    is_foreign: bool,
) -> Option<Asker> {
    let secret = match timeout(ENTERS_WITHIN, socket.recv()).await {
        Ok(Some(Ok(Message::Text(line)))) => line.strip_prefix("secret ").and_then(Secret::parse),
        _ => None,
    };
    let asker = match secret {
        Some(secret) if meetings.lends_to(&secret) => Some(Asker::Trusted),
        _ if is_foreign => None,
        Some(secret) if meetings.is_host(&secret) => Some(Asker::Trusted),
        Some(secret) => match meetings.find(&secret) {
            Some((room, seat)) if room.search => {
                let names = room.answerer.ask(seat.into(), |engine| engine.names()).await;
                let meeting = room.id.clone();
                names.ok().map(|rules| Asker::Searcher { rules, meeting, seat })
            }
            found => found.map(|(room, seat)| Asker::Guest(room, seat)),
        },
        None => None,
    };
    if asker.is_none() {
        close(socket, Some((UNKNOWN, "no game goes by this link"))).await;
    }
    asker
}

/// Answers questions about the rules in place of an engine, line by line.
pub(in crate::web) async fn answer_rules(
    mut link: Link,
    room: Arc<Room>,
    seat: Seat,
    idle: Duration,
) {
    let Ok(permit) = Arc::clone(room.desks(seat)).try_acquire_owned() else {
        return close(&mut link.socket, Some((close_code::AGAIN, "too many pages ask"))).await;
    };
    let end = answer_lines(&mut link.socket, &room, seat, idle).await;
    drop(permit);
    close(&mut link.socket, end).await;
}

async fn answer_lines(socket: &mut WebSocket, room: &Room, seat: Seat, idle: Duration) -> End {
    let mut desk = room.desk();
    let mut allowance = Allowance::of_lines();
    let mut ping = interval(PING);
    let mut heard = Instant::now();
    let mut spoke = heard;
    loop {
        tokio::select! {
            message = socket.recv() => {
                heard = Instant::now();
                match message?.ok()? {
                    Message::Text(line) if is_line(&line) => {
                        spoke = heard;
                        allowance.spend(line.len()).await;
                        let answered = answer_line(room, seat, desk, line).await;
                        let Some((same, answers, took)) = answered else {
                            return Some((close_code::ERROR, "the engine has ended"));
                        };
                        desk = same;
                        for answer in answers {
                            send(socket, Message::Text(answer.into())).await?;
                        }
                        allowance.spend_work(took).await;
                        // The page's pongs have waited too.
                        heard = Instant::now();
                    }
                    Message::Text(_) | Message::Binary(_) => {
                        return Some((close_code::POLICY, "expected one line in a text frame"));
                    }
                    Message::Ping(_) | Message::Pong(_) => {}
                    Message::Close(_) => return None,
                }
            }
            _ = ping.tick() => {
                if heard.elapsed() > DEAD {
                    return None;
                }
                if spoke.elapsed() > idle {
                    return Some((close_code::AWAY, "nothing was said for a long time"));
                }
                send(socket, Message::Ping(Vec::new().into())).await?;
            }
        }
    }
}

/// Lets the engine of a game answer a line of a session. Tells how long the engine has worked on it, too.
async fn answer_line(
    room: &Room,
    seat: Seat,
    mut desk: Desk,
    line: Utf8Bytes,
) -> Option<(Desk, Vec<String>, Duration)> {
    let answered = room.answerer.ask(seat.into(), move |engine| {
        let begun = Instant::now();
        let answers = desk.answer(engine, &line);
        Ok((desk, answers, begun.elapsed()))
    });
    answered.await.ok()
}
