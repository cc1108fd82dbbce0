//! Answers to the queries about a game (SPEC 4).

use std::ops::ControlFlow;

use leap_protocol::payload::{
    self, History, IllegalReason, Legality, MoveList, Player, Status, Tokens, YesNo,
};
use leap_protocol::{ErrorReply, Query, Reply};

use super::play::{explain, illegal_move};
use crate::eval::Evaluate;
use crate::rules::notation::{Effect, Illegal, Next, Notation, Reason, Steps, Tally, Turn};
use crate::rules::record::Record;
use crate::rules::{Board, EndReason, Game, GameResult, Position, Side, Square};

/// How many moves `query moves` lists where the client sets no limit (SPEC 4).
const MOVES_LIMIT: u64 = 10_000;

/// The most moves that a client may ask for; a bound on memory.
const MOVES_MAX: u64 = 1_000_000;

pub(super) fn answer<G: Notation>(
    record: &Record<G>,
    query: &Query,
) -> Result<Vec<Reply>, ErrorReply> {
    let text = match query {
        Query::P1Turn => YesNo(record.current().side() == Side::One).to_string(),
        Query::GameOver => YesNo(record.outcome().is_some()).to_string(),
        Query::Result => result(record).to_string(),
        Query::Fen => record.game().print_position(record.current()),
        Query::Moves { limit } => moves(record, limit.unwrap_or(MOVES_LIMIT)).to_string(),
        Query::Legal(text) => legality(record, text).to_string(),
        Query::Status => status(record).to_string(),
        Query::History => History { moves: history(record) }.to_string(),
        Query::Next(partial) => next(record, partial.as_deref())?.to_string(),
        Query::Effects(text) => effects(record, text)?,
        Query::Board => return Ok(board::<G>()),
        Query::Protocol | Query::Games | Query::Game => String::new(),
    };
    Ok(vec![Reply::Response(text)])
}

fn result<G: Game>(record: &Record<G>) -> payload::GameResult {
    match record.outcome().map(|outcome| outcome.result) {
        None => payload::GameResult::None,
        Some(GameResult::Win(Side::One)) => payload::GameResult::P1Win,
        Some(GameResult::Win(Side::Two)) => payload::GameResult::P2Win,
        Some(GameResult::Draw) => payload::GameResult::Draw,
    }
}

fn moves<G: Notation>(record: &Record<G>, limit: u64) -> MoveList {
    let limit = limit.min(MOVES_MAX) as usize;
    let mut list = MoveList { moves: Vec::new(), more: false };
    let _ = record.visit_legal(|mv| {
        if list.moves.len() == limit {
            list.more = true;
            return ControlFlow::Break(());
        }
        list.moves.push(record.game().move_text(record.current(), mv));
        ControlFlow::Continue(())
    });
    list
}

fn legality<G: Notation>(record: &Record<G>, text: &str) -> Legality {
    let Err(illegal) = record.resolve(text) else { return Legality::Legal };
    Legality::Illegal {
        reason: IllegalReason::from(illegal.reason.code()),
        at: illegal.at.map(|square| G::BOARD.name(square).to_string()),
        text: explain(G::BOARD, illegal),
    }
}

fn status<G: Notation>(record: &Record<G>) -> Status {
    let position = record.current();
    let counters = position.counters();
    let mut status = Status {
        over: record.outcome().is_some(),
        result: result(record),
        reason: record.outcome().map_or("none", |outcome| reason_code(outcome.reason)).to_owned(),
        turn: if counters.side == Side::One { Player::P1 } else { Player::P2 },
        ply: counters.ply.into(),
        quiet: counters.quiet.into(),
        repetitions: record.occurrences(position) as u64,
        men: None,
        frogs: None,
        points: None,
        reserves: None,
        flipped: None,
        other: Vec::new(),
    };
    for (name, tally) in record.game().tally(position) {
        let slot = match (name, tally) {
            ("men", _) => &mut status.men,
            ("points", _) => &mut status.points,
            ("reserves", _) => &mut status.reserves,
            ("flipped", _) => &mut status.flipped,
            (_, Tally::Board(count)) => {
                status.frogs = Some(count.into());
                continue;
            }
            (_, Tally::Each(_)) => continue,
        };
        *slot = pair(tally);
    }
    status
}
