//! What is wrong with a position or a move, as `error` lines say it (SPEC 6).

use leap_protocol::{ErrorCode, ErrorReply};

use leap_core::Geometry;
use leap_core::notation::{IllegalMove, PositionError};

/// How many characters of a client's word an error repeats.
const MAX_ECHO_CHARS: usize = 64;

/// The error for a position text.
#[must_use]
pub fn bad_position(error: &PositionError) -> ErrorReply {
    ErrorReply::new(ErrorCode::BadPosition, error.text.clone())
        .with("field", error.field.name())
        .with("column", error.column)
}

/// The error for the move with this number, counted from 1.
#[must_use]
pub fn illegal_move(board: Geometry, index: usize, text: &str, illegal: IllegalMove) -> ErrorReply {
    let shown = clip(text);
    let at = square(board, illegal).unwrap_or_else(|| "-".to_owned());
    ErrorReply::new(
        ErrorCode::IllegalMove,
        format!("move {index}, {shown}: {}", explain(board, illegal)),
    )
    .with("index", index)
    .with("move", shown)
    .with("reason", illegal.reason.code())
    .with("at", at)
}

/// The square at fault, if it is one.
pub(super) fn square(board: Geometry, illegal: IllegalMove) -> Option<String> {
    illegal.at.map(|square| board.name(square).to_string())
}

/// Why a move is illegal, in words, the square first.
pub(super) fn explain(board: Geometry, illegal: IllegalMove) -> String {
    let text = illegal.reason.text();
    illegal.at.map_or(text.to_owned(), |square| format!("{}: {text}", board.name(square)))
}

fn clip(text: &str) -> String {
    let mut chars = text.chars();
    let head: String = chars.by_ref().take(MAX_ECHO_CHARS).collect();
    if chars.next().is_some() { head + "..." } else { head }
}
