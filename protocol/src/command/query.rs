//! The `query` command (SPEC 4).

use std::fmt;

use nom::combinator::opt;
use nom::{Err, Parser};
use strum::{EnumString, IntoStaticStr, VariantNames};

use super::argument::{Fault, Parsed, number_in, required};
use crate::print::{pair, spaced};
use crate::scan::word;
use crate::visible::suggestion;

/// A question about the rules or the game. The variants name the [`payload`](crate::payload) of the `response` that
/// answers it.
///
/// ```
/// use leap_protocol::Query;
///
/// assert_eq!(Query::Legal("a1c3".to_owned()).to_string(), "query legal a1c3");
/// assert_eq!(Query::Moves { limit: None }.to_string(), "query moves");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, EnumString, IntoStaticStr, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum Query {
    /// `query p1turn`: is player 1 to move? [`YesNo`](crate::payload::YesNo).
    P1Turn,
    /// `query gameover`: is the game over? [`YesNo`](crate::payload::YesNo).
    GameOver,
    /// `query result`: [`GameResult`](crate::payload::GameResult).
    Result,
    /// `query protocol`: [`ProtocolInfo`](crate::payload::ProtocolInfo).
    Protocol,
    /// `query games`: the ids of the games, [`Tokens`](crate::payload::Tokens).
    Games,
    /// `query game`: the game in play and its rule options, [`GameInfo`](crate::payload::GameInfo).
    Game,
    /// `query fen`: the position text, unparsed.
    Fen,
    /// `query board`: [`Reply::Board`](crate::Reply::Board) lines, ended by `boardok`.
    Board,
    /// `query moves [limit N]`: the legal moves, [`MoveList`](crate::payload::MoveList).
    Moves {
        /// List at most this many, from 1 to [`MAX_MOVES_LIMIT`]; 10,000 if left out.
        limit: Option<u64>,
    },
    /// `query next [partial move]`: the steps that may follow a partly entered move (a word), or the origins of all
    /// moves; [`Tokens`](crate::payload::Tokens).
    Next(Option<String>),
    /// `query legal <move>`: [`Legality`](crate::payload::Legality). The move is a word.
    Legal(String),
    /// `query effects <move>`: what the move does, [`Effects`](crate::payload::Effects). The move is a word.
    Effects(String),
    /// `query status`: [`Status`](crate::payload::Status).
    Status,
    /// `query history`: [`MoveList`](crate::payload::MoveList).
    History,
    /// `query rules [language]`: [`Reply::Rules`](crate::Reply::Rules) lines, ended by `rulesok`, which make up
    /// [`Guide`](crate::payload::Guide). The language is a tag, a word.
    Rules(Option<String>),
    /// `query turn [text]`: what a move entered so far does, and what may follow; [`Turn`](crate::payload::Turn). The
    /// text is a word.
    Turn(Option<String>),
    /// `query problems`: [`Reply::Problems`](crate::Reply::Problems) lines, ended by `problemsok`, each a
    /// [`Problem`](crate::payload::Problem).
    Problems,
    /// `query value`: exact values of the position and of its moves, [`Values`](crate::payload::Values).
    Value,
}

/// The greatest limit that `query moves` takes (SPEC 4.12).
pub const MAX_MOVES_LIMIT: u64 = 100_000;

impl Query {
    /// The word after `query`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.into()
    }

    /// The words of all questions.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Self::VARIANTS.iter().copied()
    }
}

/// Parses what follows the word `query`. `is_command` tells commands apart, for the message about an unknown question.
pub(super) fn parse(input: &str, is_command: fn(&str) -> bool) -> Parsed<'_, Query> {
    let (rest, name) = required("a question", word).parse(input)?;
    let text = opt(word).map(|text| text.map(str::to_owned));
    let mv = required("a move", word).map(str::to_owned);
    // A name makes a question without its arguments.
    match name.parse().map_err(|_| Err::Failure(unknown(name, is_command)))? {
        Query::Moves { .. } => limit.map(|limit| Query::Moves { limit }).parse(rest),
        Query::Next(_) => text.map(Query::Next).parse(rest),
        Query::Rules(_) => text.map(Query::Rules).parse(rest),
        Query::Turn(_) => text.map(Query::Turn).parse(rest),
        Query::Legal(_) => mv.map(Query::Legal).parse(rest),
        Query::Effects(_) => mv.map(Query::Effects).parse(rest),
        query => Ok((rest, query)),
    }
}

/// The fault of a word that is no question: the nearest question, or the command of that name.
fn unknown(word: &str, is_command: fn(&str) -> bool) -> Fault<'_> {
    let nearest = suggestion(word, Query::names());
    let fault = Fault::bad_argument(word, "a question");
    if nearest.is_empty() && is_command(word) {
        return fault.with_hint(&format!(" (did you mean the command '{word}'?)"));
    }
    fault.with_hint(&nearest)
}

fn limit(input: &str) -> Parsed<'_, Option<u64>> {
    match opt(word).parse(input)? {
        (rest, None) => Ok((rest, None)),
        (rest, Some(keyword @ "limit")) => {
            number_in(1..=MAX_MOVES_LIMIT.into(), keyword).map(Some).parse(rest)
        }
        (_, Some(word)) => {
            let expected = "'limit' or the end of the line";
            Err(Err::Failure(Fault::bad_argument(word, expected)))
        }
    }
}

/// Prints the line, `query` included.
impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "query {}", self.name())?;
        match self {
            Self::Moves { limit } => pair(f, "limit", *limit),
            Self::Legal(text) | Self::Effects(text) => spaced(f, text),
            Self::Next(text) | Self::Rules(text) | Self::Turn(text) => {
                spaced(f, text.as_deref().unwrap_or_default())
            }
            _ => Ok(()),
        }
    }
}
