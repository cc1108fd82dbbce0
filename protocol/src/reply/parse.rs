//! Parsing of replies. `None` stands for a line that is not understood.

use nom::Parser;
use nom::combinator::opt;
use nom::sequence::preceded;

use super::Reply;
use crate::command::Dialect;
use crate::error::ErrorReply;
use crate::info::Info;
use crate::option::OptionDecl;
use crate::scan::{keyword, number, text, whole, word};

/// The word for the absence of a move.
pub(super) const NO_MOVE: &str = "none";

/// How some chess engines write [`NO_MOVE`].
const NO_MOVE_UCI: &str = "(none)";

pub(super) fn draw_word(accept: bool) -> &'static str {
    if accept { "accept" } else { "decline" }
}

pub(super) fn reply(line: &str) -> Option<Reply> {
    let (rest, first) = word(line).ok()?;
    match first {
        "info" => perft_move(rest).or_else(|| Info::parse_body(rest).map(Reply::Info)),
        "bestmove" => best_move(rest),
        "response" => rest_of_line(rest, Reply::Response),
        "error" => ErrorReply::parse_body(rest).map(Reply::Error),
        "readyok" => alone(rest, Reply::ReadyOk),
        "id" => id(rest),
        "option" => OptionDecl::parse_body(rest).map(Reply::Option),
        "ugiok" => alone(rest, Reply::HelloOk(Dialect::Ugi)),
        "uciok" => alone(rest, Reply::HelloOk(Dialect::Uci)),
        "perft" => perft_total(rest),
        "draw" => draw(rest),
        "board" => rest_of_line(rest, Reply::Board),
        "boardok" => alone(rest, Reply::BoardOk),
        "rules" => rest_of_line(rest, Reply::Rules),
        "problems" => rest_of_line(rest, Reply::Problems),
        "problemsok" => alone(rest, Reply::ProblemsOk),
        "rulesok" => alone(rest, Reply::RulesOk),
        _ => None,
    }
}

fn alone(rest: &str, reply: Reply) -> Option<Reply> {
    whole(|input| Ok((input, ())), rest).map(|()| reply)
}

fn rest_of_line(rest: &str, reply: fn(String) -> Reply) -> Option<Reply> {
    whole(text, rest).map(|text| reply(text.to_owned()))
}

fn id(rest: &str) -> Option<Reply> {
    let (key, value) = whole((word, text), rest)?;
    Some(Reply::Id { key: key.parse().ok()?, value: value.to_owned() })
}

/// The second word is the move, whatever follows it (SPEC 17.6).
fn best_move(rest: &str) -> Option<Reply> {
    let ponder = opt(preceded(keyword("ponder"), word));
    let id = opt(preceded(keyword("id"), word));
    let (_, (mv, ponder, id)) = (word, ponder, id).parse(rest).ok()?;
    let a_move = |word: &str| (![NO_MOVE, NO_MOVE_UCI].contains(&word)).then(|| word.to_owned());
    Some(Reply::BestMove {
        mv: a_move(mv),
        ponder: ponder.and_then(a_move),
        id: id.map(str::to_owned),
    })
}

fn perft_move(rest: &str) -> Option<Reply> {
    whole((keyword("perft"), word, number), rest)
        .map(|(_, mv, count)| Reply::PerftMove { mv: mv.to_owned(), count })
}

fn perft_total(rest: &str) -> Option<Reply> {
    let nodes = preceded(keyword("nodes"), number);
    let time = preceded(keyword("time"), number);
    let nps = preceded(keyword("nps"), number);
    let stopped = opt((keyword("stopped"), keyword("true"))).map(|found| found.is_some());
    whole((number, nodes, time, nps, stopped), rest).map(|(depth, nodes, time, nps, stopped)| {
        Reply::PerftTotal { depth, nodes, time, nps, stopped }
    })
}

fn draw(rest: &str) -> Option<Reply> {
    let answer = whole(word, rest)?;
    [true, false]
        .into_iter()
        .find(|accept| draw_word(*accept) == answer)
        .map(|accept| Reply::Draw { accept })
}
