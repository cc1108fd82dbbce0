//! Output for GoGui's display.

use std::fmt::Write as _;

use leap_board::{Board, Game, Piece, capital, why};
use leap_client::notation::Placement;
use leap_protocol::payload::{GameResult, Guide, Side, Status, Tally};

use super::gtp::{Colour, Vertex};
use super::play::Node;

/// Colour names that GoGui knows and that engines use for pieces.
const COLOURS: [&str; 4] = ["green", "yellow", "red", "blue"];

/// `.`, `X` for black and `O` for white stones, row by row. Neutral pieces are drawn by [`graphics`].
pub(super) fn stones(board: &Board, placement: &Placement) -> String {
    let mut text = String::new();
    for rank in (1..=board.ranks).rev() {
        let row: Vec<&str> = files(board)
            .map(|file| match piece(board, placement, &format!("{file}{rank}")) {
                Some((_, piece)) => match piece.player() {
                    Some(Side::P1) => "X",
                    Some(Side::P2) => "O",
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

/// Graphics for what stones cannot show, and a line of text.
///
/// Stones cannot show kinds of pieces, neutral pieces and the turn being entered.
pub(super) fn graphics(board: &Board, node: &Node, text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let placement = node.turn.placement();
    let several = board.kinds(Side::P1) > 1;
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
    lines.extend(points("SQUARE", node.turn.here().into_iter().map(at).collect()));
    lines.extend(points("CIRCLE", node.turn.targets().map(at).collect()));
    lines.push(format!("TEXT {text}"));
    lines.join("\n")
}

/// Marks the rest of a move on the board: a circle where it begins, triangles where it goes on.
pub(super) fn hint(board: &Board, node: &Node, tokens: &[String], text: &str) -> String {
    let mut squares = tokens.iter().map(|token| Vertex::of_token(token).to_string());
    let first = squares.next().into_iter().collect();
    let marks = points("CIRCLE", first).into_iter().chain(points("TRIANGLE", squares.collect()));
    let marks: String = marks.map(|line| line + "\n").collect();
    marks + &graphics(board, node, text)
}

/// A line of graphics, unless it is empty.
fn points(word: &str, points: Vec<String>) -> Option<String> {
    (!points.is_empty()).then(|| format!("{word} {}", points.join(" ")))
}

fn at(square: &str) -> String {
    Vertex::of(square).to_string()
}

/// Whose turn it is and what is awaited, or the result.
pub(super) fn situation(game: &Game, node: &Node) -> String {
    let (rules, status) = (game.rules(), &node.status);
    if status.over {
        return sentence(&result(rules, status));
    }
    sentence(&format!("{}{}", awaited(game, node), tallies(rules, status)))
}

/// Whose turn it is and what is awaited, as a part of a sentence.
pub(super) fn awaited(game: &Game, node: &Node) -> String {
    let again = if node.is_again { " moves again" } else { "" };
    format!("{}{again}: {}", Colour(node.side()), game.awaited(&node.turn, "pass"))
}

/// The result of the game, its reason and the final count.
pub(super) fn result(rules: &Guide, status: &Status) -> String {
    let (why, tallies) = (why(rules, status), tallies(rules, status));
    let won = |player| format!("{} wins: {why}{tallies}", Colour(player));
    match status.result {
        GameResult::P1Win => won(Side::P1),
        GameResult::P2Win => won(Side::P2),
        GameResult::Draw => format!("draw: {why}{tallies}"),
        GameResult::None => "the game is not over".to_owned(),
    }
}

/// What the game counts, black's number first, as a continuation of a sentence. GoGui's status bar is narrow.
fn tallies(rules: &Guide, status: &Status) -> String {
    let tally = |(name, tally): &(String, Tally)| match (rules.word(name), tally) {
        (name, Tally::Each(p1, p2)) => format!("; {name} {p1} : {p2}"),
        (name, Tally::Total(count)) => format!("; {name} {count}"),
    };
    status.tallies.iter().map(tally).collect()
}

/// The text as a sentence, with a capital letter and a full stop.
pub(super) fn sentence(text: &str) -> String {
    format!("{}.", capital(text))
}

/// The gains of black and of white: points if the game counts them, or else captured pieces.
///
/// GoGui shows these numbers beside the clocks.
pub(super) fn captured(node: &Node) -> String {
    match node.status.tally("points") {
        Some(Tally::Each(p1, p2)) => format!("{p1} {p2}"),
        _ => node.captured().map(|count| count.to_string()).join(" "),
    }
}

/// The result in GTP's form; `None` while the game goes on. There is no margin, so it is 1.
pub(super) fn score(status: &Status) -> Option<&'static str> {
    match status.result {
        GameResult::P1Win => Some("B+1"),
        GameResult::P2Win => Some("W+1"),
        GameResult::Draw => Some("0"),
        GameResult::None => None,
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
