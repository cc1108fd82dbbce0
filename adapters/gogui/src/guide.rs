//! The rules as a text with diagrams, for GoGui's text window.

use leap_board::{Board, fold};
use leap_client::notation::Placement;
use leap_protocol::payload::Guide;
use leap_protocol::payload::Side;

use super::gtp::Colour;
use super::show;

/// The columns of the text.
const WIDTH: usize = 72;

/// The rules of the game: its name, and each clause with its examples. A line explains the stones if their colours
/// differ from those in the rules.
pub(super) fn text(board: &Board, rules: &Guide) -> String {
    let mut lines = vec![rules.title.clone()];
    lines.extend(stones(board));
    for clause in &rules.clauses {
        lines.extend(paragraph(&format!("{}: {}", clause.heading, clause.text)));
        for example in &clause.examples {
            let placement = example.fen.split(' ').next().and_then(Placement::parse);
            lines.extend(placement.map(|placement| show::diagram(board, &placement)));
            let mv = example.mv.as_ref().map(|(mv, _)| format!("{mv}: ")).unwrap_or_default();
            lines.extend(paragraph(&format!("{mv}{}", example.caption)));
        }
    }
    lines.join("\n")
}

fn paragraph(text: &str) -> Vec<String> {
    fold(text.split_whitespace().map(str::to_owned), " ", WIDTH)
}

/// Which stones stand for which pieces, if the colours of stones and pieces differ.
fn stones(board: &Board) -> Option<String> {
    let player = Side::P1;
    let (stones, own) = (Colour(player).to_string(), board.colour(player));
    let has_owners = board.pieces.values().any(|piece| piece.player().is_some());
    (has_owners && stones != own)
        .then(|| format!("Here: {stones} stones are the pieces of {own}, and the other way round."))
}
