//! A page at a game by invitation: it takes the messages of the page, and tells it what happens.

use std::sync::Arc;

use super::Meetings;
use super::room::{Deed, Place};
use super::secret::Secret;
use super::wire::{Asked, Incoming, Problem, Said, refusal, text};

/// Who may be at the other end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// Somebody at this machine, who is a host without a secret.
    Owner,
    /// Anybody.
    Stranger,
}

/// A page that is connected.
#[derive(Debug)]
pub struct Visitor {
    meetings: Arc<Meetings>,
    caller: Caller,
    is_host: bool,
    place: Option<Place>,
}

/// The answer to a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The message to the page.
    pub text: String,
    /// Whether the page has shown a secret that opens nothing. Who guesses has to connect again.
    pub is_unknown: bool,
}

/// What a page is told unasked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// The newest state of its game, as a message.
    State(Arc<str>),
    /// Another page has taken its place.
    Taken,
}

impl Visitor {
    /// A page that has said nothing yet.
    #[must_use]
    pub fn new(meetings: Arc<Meetings>, caller: Caller) -> Self {
        Self { meetings, caller, is_host: false, place: None }
    }

    /// Whether the page has shown that it belongs here.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.is_host || self.place.is_some()
    }

    /// Waits for news about the game of the page. A call that is cancelled loses none.
    pub async fn news(&mut self) -> News {
        let Some(place) = &mut self.place else { return std::future::pending().await };
        tokio::select! {
            biased;
            _ = &mut place.taken => News::Taken,
            _ = place.told.changed() => News::State(Arc::clone(&place.told.borrow_and_update())),
        }
    }

    /// Gives the place in a game up, if there is one. The seat stays the person's.
    pub async fn leave(&mut self) {
        if let Some(place) = self.place.take() {
            place.leave().await;
        }
    }

    /// Answers a message.
    pub async fn hear(&mut self, message: &str) -> Answer {
        let (re, done) = match serde_json::from_str::<Incoming>(message) {
            Ok(Incoming { re, asked }) => (re, self.answer(asked, re).await),
            Err(_) => (None, Err(Problem::NoMessage)),
        };
        let is_unknown = matches!(done, Err(Problem::NoSuchLink));
        Answer { text: done.unwrap_or_else(|why| refusal(&why, re)), is_unknown }
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
                match self.is_host {
                    true => Ok(text(Said::Hosting { plain: self.meetings.is_plain() }, re)),
                    false => Err(Problem::NoSuchLink),
                }
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
