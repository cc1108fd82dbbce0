//! Output for GoGui's display.

use std::fmt::Write as _;

use leap_protocol::payload::{GameResult, Player, Status};

use super::gtp::{Colour, Vertex};
use super::play::Node;
use crate::game::{Board, Piece};
use crate::notation::Placement;

/// Colour names that GoGui knows and that engines use for pieces.
const COLOURS: [&str; 4] = ["green", "yellow", "red", "blue"];

/// `.`, `X` for black and `O` for white stones, row by row. Neutral pieces are drawn by [`graphics`].
pub(super) fn stones(board: &Board, placement: &Placement) -> String {
    let mut text = String::new();
    for rank in (1..=board.ranks).rev() {
        let row: Vec<&str> = files(board)
            .map(|file| match piece(board, placement, &format!("{file}{rank}")) {
                Some((_, piece)) => match piece.player() {
                    Some(Player::P1) => "X",
                    Some(Player::P2) => "O",
                    None => ".",
                },
                None => ".",
            })
            .collect();
        // Writing to a `String` cannot fail, here and below.
        let _ = writeln!(text, "{}", row.join(" "));
    }
    text
}

/// The board as text for people, with piece texts and coordinates.
pub(super) fn diagram(board: &Board, placement: &Placement) -> String {
    let mut text = String::new();
    for rank in (1..=board.ranks).rev() {
        let _ = write!(text, "{rank:>3}");
        for file in files(board) {
            let piece = placement.get(&format!("{file}{rank}")).unwrap_or(".");
            let _ = write!(text, " {piece:<2}");
        }
        text.push('\n');
    }
    let columns = files(board).map(|file| Vertex::of(&format!("{file}1")).to_string());
    let columns: Vec<String> = columns.map(|column| column[..1].to_owned()).collect();
    let _ = writeln!(text, "    {}", columns.join("  "));
    text
}

/// Graphics for what two colours of stones cannot show: kinds of pieces, neutral pieces, the turn being entered.
pub(super) fn graphics(board: &Board, node: &Node) -> String {
    let mut lines: Vec<String> = Vec::new();
    let placement = node.turn.placement();
    let several = kinds(board, Player::P1) > 1;
    let mut labels = Vec::new();
    let mut coloured = vec![Vec::new(); COLOURS.len()];
    for square in placement.squares() {
        let Some((text, piece)) = piece(board, placement, &square) else { continue };
        let vertex = Vertex::of(&square).to_string();
        if piece.player().is_some() {
            labels.extend(several.then(|| format!("{vertex} {}", text.to_uppercase())));
            continue;
        }
        match COLOURS.iter().position(|colour| *colour == piece.name) {
            Some(colour) => coloured[colour].push(vertex.clone()),
            None => lines.push(format!("TRIANGLE {vertex}")),
        }
        labels.push(format!("{vertex} {}", piece.value));
    }
    let coloured = COLOURS.iter().zip(coloured).filter(|(_, points)| !points.is_empty());
    lines.extend(coloured.map(|(colour, points)| format!("COLOR {colour} {}", points.join(" "))));
    lines.extend(points("LABEL", labels));
    lines.extend(points("MARK", node.turn.captured().iter().map(|square| at(square)).collect()));
    if node.turn.is_begun() {
        lines.extend(points("SQUARE", node.turn.here().into_iter().map(at).collect()));
        lines.extend(points("CIRCLE", node.turn.targets().map(at).collect()));
    }
    lines.push(format!("TEXT {}", situation(board, node)));
    lines.join("\n")
}

/// A line of graphics, unless it is empty.
fn points(word: &str, points: Vec<String>) -> Option<String> {
    (!points.is_empty()).then(|| format!("{word} {}", points.join(" ")))
}

fn at(square: &str) -> String {
    Vertex::of(square).to_string()
}

/// Whose turn it is and what is expected.
fn situation(board: &Board, node: &Node) -> String {
    let status = &node.status;
    let mut text = match status.over {
        true => result(board, status),
        false => {
            let what = match (node.turn.is_begun(), node.turn.drops()) {
                (false, _) => "to move",
                (true, true) => "drops a piece",
                (true, false) => "goes on",
            };
            format!("{} {what}", name(board, node.side()))
        }
    };
    if node.turn.is_begun() && node.turn.may_end() {
        text += ", or passes to end the turn";
    }
    for (name, tally) in &status.tallies {
        let _ = write!(text, "; {name} {tally}");
    }
    text
}

/// A player by the colour of its stones, and by its own colour if that differs.
fn name(board: &Board, player: Player) -> String {
    let (stones, own) = (Colour(player).to_string(), board.colour(player));
    if own == stones { stones } else { format!("{stones} ({own} in the rules)") }
}

/// The result of the game and its reason.
pub(super) fn result(board: &Board, status: &Status) -> String {
    let won = |player| format!("{} wins: {}", name(board, player), status.reason);
    match status.result {
        GameResult::P1Win => won(Player::P1),
        GameResult::P2Win => won(Player::P2),
        GameResult::Draw => format!("draw: {}", status.reason),
        GameResult::None => "the game is not over".to_owned(),
    }
}

/// The result in GTP's form. There is no margin, so it is 1.
pub(super) fn score(status: &Status) -> &'static str {
    match status.result {
        GameResult::P1Win => "B+1",
        GameResult::P2Win => "W+1",
        GameResult::Draw | GameResult::None => "0",
    }
}

fn files(board: &Board) -> impl Iterator<Item = char> + use<> {
    ('a'..='z').take(board.files)
}

fn piece<'a>(
    board: &'a Board,
    placement: &'a Placement,
    square: &str,
) -> Option<(&'a str, &'a Piece)> {
    let text = placement.get(square)?;
    Some((text, board.pieces.get(text)?))
}

/// The number of piece kinds of a player.
fn kinds(board: &Board, player: Player) -> usize {
    board.pieces.values().filter(|piece| piece.player() == Some(player)).count()
}
