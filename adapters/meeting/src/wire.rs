//! The messages between page and server, as JSON. docs/web-messages.md describes them.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::saved::Invitation;
use super::table::{Control, Person, Refusal, Request, Side, Snapshot};

/// A message of a page, with the number that its answer repeats.
#[derive(Deserialize)]
pub(super) struct Incoming {
    #[serde(default)]
    pub(super) re: Option<u32>,
    #[serde(flatten)]
    pub(super) asked: Asked,
}

/// What a page asks for. It has no `Debug`, since it may hold a secret.
#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
pub(super) enum Asked {
    /// To be the host: without a secret only at this machine.
    Host { secret: Option<String> },
    /// To invite somebody to a game.
    Invite(Wish),
    /// To enter a game by the secret of a link.
    Enter { secret: String },
    /// To make a move.
    Move {
        #[serde(rename = "move")]
        mv: String,
        ply: usize,
    },
    /// To ask the other person.
    Ask { what: Request },
    /// To agree to what the other person has asked.
    Agree { what: Request },
    /// To decline that, or to take back an own question.
    Decline { what: Request },
    /// To resign.
    Resign {
        #[serde(default)]
        sure: bool,
    },
}

/// The game that a host wants to play.
#[derive(Deserialize)]
pub(super) struct Wish {
    pub(super) game: String,
    #[serde(default)]
    pub(super) options: Vec<(String, String)>,
    #[serde(default)]
    pub(super) start: Option<String>,
    #[serde(default)]
    pub(super) clock: Option<Control>,
    /// The side of the host.
    pub(super) side: Side,
    #[serde(default)]
    pub(super) search: bool,
}

/// A message to a page.
#[derive(Serialize)]
#[serde(tag = "say", rename_all = "lowercase")]
pub(super) enum Said<'s> {
    /// The page is the host's. `plain` tells that links lead over a connection without encryption.
    Hosting { plain: bool },
    /// A game waits for the other person.
    Invited { meeting: &'s str, own: String, guest: Link, spectators: Link },
    /// The page has entered a game. `took` tells that it has taken the place of another page.
    Welcome { seat: Seat, took: bool },
    /// The whole game, after each change.
    Game {
        meeting: &'s str,
        #[serde(flatten)]
        invitation: &'s Invitation,
        watching: usize,
        #[serde(flatten)]
        table: Snapshot<'s>,
    },
    /// What was asked is done.
    Done,
    /// What was asked is refused.
    Refused {
        #[serde(flatten)]
        why: &'s Problem,
        text: String,
    },
}

/// An answer, with the number of the question.
#[derive(Serialize)]
pub(super) struct Answer<'s> {
    #[serde(flatten)]
    pub(super) said: Said<'s>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) re: Option<u32>,
}

/// A link, and its QR code as an SVG picture.
#[derive(Serialize)]
pub(super) struct Link {
    pub(super) link: String,
    pub(super) code: String,
}

/// Where somebody sits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Seat {
    /// That of the person who has invited.
    Host,
    /// That of the person who was invited.
    Guest,
    /// That of everybody who watches.
    Spectator,
}

impl Seat {
    /// The person who may play from this seat.
    pub(super) fn person(self) -> Option<Person> {
        match self {
            Self::Host => Some(Person::Host),
            Self::Guest => Some(Person::Guest),
            Self::Spectator => None,
        }
    }
}

/// Why a message is refused.
#[derive(Debug, Error, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(super) enum Problem {
    #[error("expected a message as docs/web-messages.md describes them")]
    NoMessage,
    #[error("only the host may do this")]
    NotHost,
    #[error("no game goes by this link")]
    NoSuchLink,
    #[error("enter a game first")]
    NotSeated,
    #[error("this page has entered a game already")]
    Seated,
    #[error("spectators only watch")]
    Watching,
    #[error("too many people watch this game")]
    Crowded,
    #[error("too many games are being played; finish one first")]
    Full,
    #[error("{why}")]
    BadGame { why: String },
    #[error("the referee has failed; try again")]
    NoReferee,
    #[serde(untagged)]
    #[error("{0}")]
    Table(#[from] Refusal),
}

/// A message as text.
pub(super) fn text(said: Said<'_>, re: Option<u32>) -> String {
    // Nothing here fails to be written as JSON.
    serde_json::to_string(&Answer { said, re }).unwrap_or_default()
}

/// A refusal as text.
pub(super) fn refusal(why: &Problem, re: Option<u32>) -> String {
    text(Said::Refused { why, text: why.to_string() }, re)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_as_documented() {
        for text in [
            r#"{"do":"host"}"#,
            r#"{"do":"invite","game":"eximo","side":"p2"}"#,
            r#"{"do":"invite","game":"eximo","options":[["MaxPlies","9"]],"start":"x 1","side":"p1","clock":{"base":1,"increment":0},"search":true,"re":1}"#,
            r#"{"do":"enter","secret":"0"}"#,
            r#"{"re":4,"do":"move","move":"a1a2","ply":0}"#,
            r#"{"do":"ask","what":"takeback"}"#,
            r#"{"do":"resign","sure":true}"#,
        ] {
            assert!(serde_json::from_str::<Incoming>(text).is_ok(), "{text}");
        }
        for text in ["", "1", "{}", r#"{"do":"quit"}"#, r#"{"do":"move","move":1,"ply":0}"#] {
            assert!(serde_json::from_str::<Incoming>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_refusal_names_its_kind_and_its_details() {
        assert_eq!(
            refusal(&Problem::Watching, Some(3)),
            r#"{"say":"refused","kind":"watching","text":"spectators only watch","re":3}"#
        );
        assert_eq!(
            refusal(&Refusal::Stale { ply: 4 }.into(), None),
            r#"{"say":"refused","kind":"stale","ply":4,"text":"this is about another position: 4 moves have been made"}"#
        );
    }
}
