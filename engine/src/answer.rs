//! Answers to the queries (SPEC 4).

use std::ops::ControlFlow;

use leap_protocol::Reply;
use leap_protocol::payload::{
    self, BoardKind, BoardLine, Legality, MAX_LISTED_BYTES, MoveList, ProtocolInfo, Status,
};

use super::game_engine::history;
use super::refusal::{explain, square};
use leap_core::exact::{Exact, Tablebase, Wdl, probe_move};
use leap_core::notation::{Grid, Notation, Tally};
use leap_core::{Game, GameResult, Position, Rules, Side, Square};
use leap_search::Playable;

/// How many moves `query moves` lists where the client sets no limit (SPEC 4.12).
const MOVES_LIMIT: u64 = 10_000;

pub(super) fn result<R: Rules>(game: &Game<R>) -> payload::GameResult {
    match game.outcome().map(|outcome| outcome.result) {
        None => payload::GameResult::None,
        Some(GameResult::Win(Side::One)) => payload::GameResult::P1Win,
        Some(GameResult::Win(Side::Two)) => payload::GameResult::P2Win,
        Some(GameResult::Draw) => payload::GameResult::Draw,
    }
}

/// The space left for moves on a line, in bytes.
struct Room(usize);

impl Room {
    const LINE: Self = Self(MAX_LISTED_BYTES);

    /// Reserves space for a move and the blank before it; `false` if there is not enough.
    fn takes(&mut self, mv: &str) -> bool {
        let left = self.0.checked_sub(mv.len() + 1);
        self.0 = left.unwrap_or(self.0);
        left.is_some()
    }
}

/// The first legal moves, up to a limit and as far as they fit into a line (SPEC 4.14).
pub(super) fn moves<R: Notation>(game: &Game<R>, limit: Option<u64>) -> MoveList {
    let limit = limit.unwrap_or(MOVES_LIMIT);
    let mut list = MoveList::default();
    let mut room = Room::LINE;
    let _ = game.visit_legal(|mv| {
        let text = game.rules().print_move(game.current(), mv);
        if list.moves.len() as u64 == limit || !room.takes(&text) {
            list.more = true;
            return ControlFlow::Break(());
        }
        list.moves.push(text);
        ControlFlow::Continue(())
    });
    list
}

/// The moves made so far, the last of them as far as they fit into a line (SPEC 4.29).
pub(super) fn last_moves<R: Notation>(game: &Game<R>) -> MoveList {
    let mut moves = history(game);
    let mut room = Room::LINE;
    let listed = moves.iter().rev().take_while(|mv| room.takes(mv)).count();
    let unlisted = moves.len() - listed;
    MoveList { moves: moves.split_off(unlisted), more: unlisted > 0 }
}

pub(super) fn legality<R: Notation>(game: &Game<R>, text: &str) -> Legality {
    let Err(illegal) = game.parse_move(text) else { return Legality::Legal };
    Legality::Illegal {
        reason: illegal.reason.code().to_owned(),
        at: square(R::GEOMETRY, illegal),
        text: explain(R::GEOMETRY, illegal),
    }
}

/// The answer to `query status` (SPEC 4.18).
#[must_use]
pub fn status<R: Notation>(game: &Game<R>) -> Status {
    let position = game.current();
    let counters = position.counters();
    let tallies = game.rules().tally(position).into_iter();
    Status {
        over: game.outcome().is_some(),
        result: result(game),
        reason: game.outcome().map_or("none", |outcome| outcome.reason.code()).to_owned(),
        turn: player(counters.side),
        ply: counters.ply.into(),
        quiet: counters.quiet.into(),
        repetitions: game.occurrences(position) as u64,
        tallies: tallies.map(|(name, tally)| (name.to_owned(), wire_tally(tally))).collect(),
        other: Vec::new(),
    }
}

const fn player(side: Side) -> payload::Side {
    match side {
        Side::One => payload::Side::P1,
        Side::Two => payload::Side::P2,
    }
}

fn wire_tally(tally: Tally) -> payload::Tally {
    match tally {
        Tally::Each(counts) => {
            payload::Tally::Each(counts[Side::One].into(), counts[Side::Two].into())
        }
        Tally::Board(count) => payload::Tally::Total(count.into()),
    }
}

/// The extensions. Games without a text for people or without problems lack those (SPEC 4.6).
pub(super) fn protocol<R: Playable>() -> ProtocolInfo {
    let mut info = ProtocolInfo::complete();
    let lacks = [("rules", R::GUIDE.is_empty()), ("problems", R::PROBLEMS.is_empty())];
    info.extensions.retain(|name| !lacks.contains(&(name.as_str(), true)));
    info
}

/// What a GUI needs to draw the board (SPEC 4.22).
pub(super) fn board<R: Notation>() -> Vec<Reply> {
    let (board, diagram) = (R::GEOMETRY, R::DIAGRAM);
    let name = |square| board.name(square).to_string();
    let line = |(from, to): &(Square, Square)| BoardLine::Line(name(*from), name(*to));
    let hole = |square: &Square| BoardLine::Hole(name(*square));
    let (kind, places): (_, Vec<BoardLine>) = match diagram.grid {
        Grid::Cells => (BoardKind::Cells, Vec::new()),
        Grid::Points(lines) => (BoardKind::Points, lines.iter().map(line).collect()),
        Grid::Hexagons(holes) => (BoardKind::Hexagons, holes.iter().map(hole).collect()),
    };
    let size = BoardLine::Size { files: board.files.into(), ranks: board.ranks.into(), kind };
    let pieces = diagram.pieces.iter().map(|piece| BoardLine::Piece {
        text: piece.piece.to_string(),
        name: piece.name.to_owned(),
        owner: piece.owner.map(player),
        value: Some(piece.value.into()),
    });
    let colour = |side| diagram.colours[side].to_owned();
    let colours = BoardLine::Colours { p1: colour(Side::One), p2: colour(Side::Two) };
    let lines = [size].into_iter().chain(places).chain(pieces).chain([colours]);
    lines.map(|line| Reply::Board(line.to_string())).chain([Reply::BoardOk]).collect()
}

/// `d`: the board with its ranks and files, then the position text and the status (SPEC 4.54).
pub(super) fn diagram<R: Notation>(game: &Game<R>) -> Vec<Reply> {
    let (rules, position, board) = (game.rules(), game.current(), R::GEOMETRY);
    let holes = if let Grid::Hexagons(holes) = R::DIAGRAM.grid { Some(holes) } else { None };
    let width = if R::DIAGRAM.has_flipped() { 2 } else { 1 };
    let cell = |index: i32, rank: i32| {
        let square = board.square(index, rank);
        let piece = square.and_then(|square| rules.piece(position, square));
        let is_hole = square.zip(holes).is_some_and(|(square, holes)| holes.contains(&square));
        let empty = if is_hole { " " } else { "." };
        let text = piece.map_or_else(|| empty.to_owned(), |piece| piece.to_string());
        format!(" {text:width$}")
    };
    let digits = board.ranks.to_string().len();
    let rank = |rank: i32| {
        let cells: String = (0..board.files.into()).map(|file| cell(file, rank)).collect();
        // A rank of hexagons begins half a cell to the right of the rank below it.
        let indent = if holes.is_some() { rank as usize } else { 0 };
        format!("{:digits$}{:indent$}{}", rank + 1, "", cells.trim_end())
    };
    let files = ('a'..).take(board.files.into()).map(|file| format!(" {file:width$}"));
    let files = format!("{:digits$}{}", "", files.collect::<String>().trim_end());
    let ranks = (0..board.ranks.into()).rev().map(rank);
    let text = [
        files,
        format!("fen {}", rules.print_position(position)),
        format!("status {}", status(game)),
    ];
    ranks.chain(text).map(Reply::Other).collect()
}

/// `query value`: exact values of the position and of its moves, as far as they fit into a line (SPEC 4.50).
pub(super) fn values<R: Notation>(
    game: &Game<R>,
    tables: Option<&dyn Tablebase<R>>,
) -> payload::Values {
    let (rules, position) = (game.rules(), game.current());
    let mut values = payload::Values {
        reach: tables.map_or(0, |tables| tables.reach().into()),
        ..payload::Values::default()
    };
    if let Some(outcome) = game.outcome() {
        let outcome = Wdl::of(outcome.result, position.side());
        values.position = wire_exact(Exact { outcome, plies: Some(0) });
        return values;
    }
    let Some(tables) = tables.filter(|tables| tables.covers(position)) else { return values };
    values.position = tables.probe(rules, position).map(wire_exact).unwrap_or_default();
    let mut room = Room::LINE;
    room.takes(&values.to_string());
    let _ = game.visit_legal(|mv| {
        let Some(exact) = probe_move(game, tables, mv) else {
            return ControlFlow::Continue(());
        };
        let (text, exact) = (rules.print_move(position, mv), wire_exact(exact));
        if !room.takes(&format!("{text} {exact}")) {
            values.more = true;
            return ControlFlow::Break(());
        }
        values.moves.push((text, exact));
        ControlFlow::Continue(())
    });
    values
}

fn wire_exact(exact: Exact) -> payload::Exact {
    let result = match exact.outcome {
        Wdl::Win => payload::ExactResult::Win,
        Wdl::Draw => payload::ExactResult::Draw,
        Wdl::Loss => payload::ExactResult::Loss,
    };
    payload::Exact { result, plies: exact.plies.map(u64::from) }
}
