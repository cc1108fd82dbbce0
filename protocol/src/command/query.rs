//! The `query` command (SPEC 4).

use std::fmt;

use super::args::{Args, Fault};
use super::words::{COMMANDS, QUESTIONS};
use crate::print::{pair, spaced};
use crate::visible::{OneLine, suggestion};

/// A question about the rules or the game. The variants name the [`payload`](crate::payload) of the `response` that
/// answers it.
///
/// ```
/// use leap_protocol::Query;
///
/// assert_eq!(Query::Legal("a1c3".to_owned()).to_string(), "query legal a1c3");
/// assert_eq!(Query::Moves { limit: None }.to_string(), "query moves");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
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
    /// `query history`: [`History`](crate::payload::History).
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

pub(super) fn parse<'a>(args: &mut Args<'a>) -> Result<Query, Fault<'a>> {
    Ok(match args.required("a question")? {
        "p1turn" => Query::P1Turn,
        "gameover" => Query::GameOver,
        "result" => Query::Result,
        "protocol" => Query::Protocol,
        "games" => Query::Games,
        "game" => Query::Game,
        "fen" => Query::Fen,
        "board" => Query::Board,
        "moves" => Query::Moves { limit: limit(args)? },
        "next" => Query::Next(args.next().map(str::to_owned)),
        "legal" => Query::Legal(args.required("a move")?.to_owned()),
        "effects" => Query::Effects(args.required("a move")?.to_owned()),
        "status" => Query::Status,
        "history" => Query::History,
        "rules" => Query::Rules(args.next().map(str::to_owned)),
        "turn" => Query::Turn(args.next().map(str::to_owned)),
        "problems" => Query::Problems,
        "value" => Query::Value,
        word => return Err(unknown(word)),
    })
}

/// The fault of a word that is no question: the nearest question, or the command of that name.
fn unknown(word: &str) -> Fault<'_> {
    let nearest = suggestion(word, QUESTIONS);
    let fault = Fault::bad_argument(word, "a question");
    if nearest.is_empty() && COMMANDS.contains(&word) {
        return fault.with_hint(&format!(" (did you mean the command '{word}'?)"));
    }
    fault.with_hint(&nearest)
}

fn limit<'a>(args: &mut Args<'a>) -> Result<Option<u64>, Fault<'a>> {
    match args.next() {
        None => Ok(None),
        Some(keyword @ "limit") => args.number_in(1..=MAX_MOVES_LIMIT.into(), keyword).map(Some),
        Some(word) => Err(Fault::bad_argument(word, "'limit' or the end of the line")),
    }
}

/// Prints the line, `query` included.
impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("query ")?;
        match self {
            Self::P1Turn => f.write_str("p1turn"),
            Self::GameOver => f.write_str("gameover"),
            Self::Result => f.write_str("result"),
            Self::Protocol => f.write_str("protocol"),
            Self::Games => f.write_str("games"),
            Self::Game => f.write_str("game"),
            Self::Fen => f.write_str("fen"),
            Self::Board => f.write_str("board"),
            Self::Moves { limit } => {
                f.write_str("moves")?;
                pair(f, "limit", *limit)
            }
            Self::Next(None) => f.write_str("next"),
            Self::Next(Some(partial)) => write!(f, "next {}", OneLine(partial)),
            Self::Legal(mv) => write!(f, "legal {}", OneLine(mv)),
            Self::Effects(mv) => write!(f, "effects {}", OneLine(mv)),
            Self::Status => f.write_str("status"),
            Self::History => f.write_str("history"),
            Self::Rules(language) => {
                f.write_str("rules")?;
                spaced(f, language.as_deref().unwrap_or_default())
            }
            Self::Turn(text) => {
                f.write_str("turn")?;
                spaced(f, text.as_deref().unwrap_or_default())
            }
            Self::Problems => f.write_str("problems"),
            Self::Value => f.write_str("value"),
        }
    }
}
