//! Parsing of replies. `None` stands for a line that is not understood.

use nom::Parser;
use nom::combinator::{map_opt, opt, success};
use nom::error::Error;
use nom::sequence::preceded;

use super::Reply;
use crate::command::Dialect;
use crate::error::ErrorReply;
use crate::info::Info;
use crate::option::OptionDecl;
use crate::scan::{Parsed, keyword, number, owned, text, whole, word};

/// The word for the absence of a move.
pub(super) const NO_MOVE: &str = "none";

/// How some chess engines write [`NO_MOVE`].
const NO_MOVE_UCI: &str = "(none)";

pub(super) fn draw_word(accept: bool) -> &'static str {
    if accept { "accept" } else { "decline" }
}

pub(super) fn reply(line: &str) -> Option<Reply> {
    let (rest, first) = word::<Error<_>>(line).ok()?;
    let alone = |reply| whole(success(reply), rest);
    let rest_of_line = |reply: fn(String) -> Reply| whole(text.map(str::to_owned).map(reply), rest);
    match first {
        "info" => {
            whole(perft_move, rest).or_else(|| whole(Info::parse_body.map(Reply::Info), rest))
        }
        // The second word is the move, whatever follows it (SPEC 17.6).
        "bestmove" => best_move(rest).ok().map(|(_, reply)| reply),
        "response" => rest_of_line(Reply::Response),
        "error" => whole(ErrorReply::parse_body.map(Reply::Error), rest),
        "readyok" => alone(Reply::ReadyOk),
        "id" => whole(id, rest),
        "option" => whole(OptionDecl::parse_body.map(Reply::Option), rest),
        "ugiok" => alone(Reply::HelloOk(Dialect::Ugi)),
        "uciok" => alone(Reply::HelloOk(Dialect::Uci)),
        "perft" => whole(perft_total, rest),
        "draw" => whole(draw, rest),
        "board" => rest_of_line(Reply::Board),
        "boardok" => alone(Reply::BoardOk),
        "rules" => rest_of_line(Reply::Rules),
        "problems" => rest_of_line(Reply::Problems),
        "problemsok" => alone(Reply::ProblemsOk),
        "rulesok" => alone(Reply::RulesOk),
        _ => None,
    }
}

fn id(input: &str) -> Parsed<'_, Reply> {
    let key = map_opt(word, |key: &str| key.parse().ok());
    (key, text).map(|(key, value)| Reply::Id { key, value: value.to_owned() }).parse(input)
}

fn best_move(input: &str) -> Parsed<'_, Reply> {
    let a_move = |word: String| Some(word).filter(|word| word != NO_MOVE && word != NO_MOVE_UCI);
    let ponder = opt(preceded(keyword("ponder"), owned)).map(|word| word.and_then(a_move));
    (owned.map(a_move), ponder, opt(preceded(keyword("id"), owned)))
        .map(|(mv, ponder, id)| Reply::BestMove { mv, ponder, id })
        .parse(input)
}

fn perft_move(input: &str) -> Parsed<'_, Reply> {
    preceded(keyword("perft"), (owned, number))
        .map(|(mv, count)| Reply::PerftMove { mv, count })
        .parse(input)
}

fn perft_total(input: &str) -> Parsed<'_, Reply> {
    let nodes = preceded(keyword("nodes"), number);
    let time = preceded(keyword("time"), number);
    let nps = preceded(keyword("nps"), number);
    let stopped = opt((keyword("stopped"), keyword("true"))).map(|found| found.is_some());
    (number, nodes, time, nps, stopped)
        .map(|(depth, nodes, time, nps, stopped)| Reply::PerftTotal {
            depth,
            nodes,
            time,
            nps,
            stopped,
        })
        .parse(input)
}

fn draw(input: &str) -> Parsed<'_, Reply> {
    let accept = |answer: &str| [true, false].into_iter().find(|it| draw_word(*it) == answer);
    map_opt(word, accept).map(|accept| Reply::Draw { accept }).parse(input)
}
