//! The games as compact data for the page's script: for each move only the squares that change.

use std::borrow::Cow;
use std::collections::BTreeSet;

use leap_board::{Board, Piece};
use leap_client::notation::Placement;
use leap_match::events::{Move, Score};
use serde::Serialize;

use super::games::{Match, PlayedGame};

/// The root of the data.
#[derive(Debug, Serialize)]
struct Data<'a> {
    board: &'a Board,
    engines: Vec<&'a str>,
    games: Vec<Replay<'a>>,
}

/// A game to step through.
#[derive(Debug, Serialize)]
struct Replay<'a> {
    number: u64,
    players: [usize; 2],
    result: &'static str,
    reason: String,
    /// The start position, in the words of [`Ply`].
    start: String,
    plies: Vec<Ply<'a>>,
}

/// A move, its changes, and what is known about it.
///
/// The changes are words:
/// - `b2M` puts `M` on b2, and `b2` empties it.
/// - `=6-5` is a new extra field (SPEC 9.12).
/// - `!` and a board replace everything before.
/// - `?` means that the position is unknown.
#[derive(Debug, Serialize)]
struct Ply<'a>(
    &'a str,
    String,
    /// Side, 0 in the opening; microseconds; score; depth, 0 if unknown.
    u8,
    u64,
    String,
    u32,
);

/// Games that can be stepped through.
fn kept(found: &Match) -> Vec<&PlayedGame> {
    found.games.values().filter(|game| game.moves.is_some()).collect()
}

/// The board that the engine describes, or one of the size of the positions.
pub(super) fn board<'a>(found: &Match, told: Option<&'a Board>) -> Cow<'a, Board> {
    told.map_or_else(|| Cow::Owned(guessed(&kept(found))), Cow::Borrowed)
}

/// The data as JSON that is safe in a `script` element.
pub(super) fn json(found: &Match, board: &Board) -> String {
    let games = kept(found);
    let data = Data {
        board,
        engines: found.run.config.engines.iter().map(|engine| engine.name.as_str()).collect(),
        games: games.into_iter().map(replay).collect(),
    };
    // Serialization cannot fail: all keys are strings.
    let json = serde_json::to_string(&data).unwrap_or_else(|_| "null".to_owned());
    // `</script>` in a text would end the element.
    json.replace('<', "\\u003c")
}

fn replay(game: &PlayedGame) -> Replay<'_> {
    let known = |ply: usize| match game.positions.get(ply) {
        Some(position) => position.as_deref().and_then(Position::parse),
        None if ply == 0 => game.start.fen.as_deref().and_then(Position::parse),
        None => {
            let played = ply.checked_sub(game.start.moves.len() + 1)?;
            let fen = game.moves.as_ref()?.get(played)?.fen.as_deref();
            fen.and_then(Position::parse)
        }
    };
    let mut before = known(0);
    let start = changes(None, before.as_ref());
    let plies = game.plies().enumerate().map(|(at, (mv, played))| {
        let after = known(at + 1);
        let changes = changes(before.as_ref(), after.as_ref());
        before = after;
        ply(mv, changes, played)
    });
    Replay {
        number: game.start.game,
        players: [game.start.p1, game.start.p2],
        result: game.end.result.as_str(),
        reason: reason(game),
        start,
        plies: plies.collect(),
    }
}

fn ply<'a>(mv: &'a str, changes: String, played: Option<&Move>) -> Ply<'a> {
    match played {
        None => Ply(mv, changes, 0, 0, String::new(), 0),
        Some(played) => {
            let score = played.score.map(score).unwrap_or_default();
            Ply(mv, changes, played.side, played.time_us, score, played.depth.unwrap_or(0))
        }
    }
}

fn score(score: Score) -> String {
    match score {
        Score::Cp(cp) => format!("{:+.2}", f64::from(cp) / 100.0),
        Score::Mate(moves) => format!("mate {moves}"),
    }
}

/// Why a game has ended, with the referee's word.
pub(super) fn reason(game: &PlayedGame) -> String {
    match &game.end.rule {
        Some(rule) => format!("{}: {rule}", game.end.reason),
        None => game.end.reason.to_string(),
    }
}

/// The displayed fields of a position text.
struct Position {
    squares: Placement,
    extra: String,
}

impl Position {
    fn parse(text: &str) -> Option<Self> {
        let mut fields = text.split_whitespace();
        let squares = Placement::parse(fields.next()?)?;
        Some(Self { squares, extra: fields.nth(1)?.to_owned() })
    }
}

fn changes(before: Option<&Position>, after: Option<&Position>) -> String {
    let Some(after) = after else { return "?".to_owned() };
    let names = after.squares.squares();
    let same_size = |before: &&Position| before.squares.squares() == names;
    let mut words: Vec<String> = match before.filter(same_size) {
        None => vec![format!("!{}", after.squares)],
        Some(before) => {
            let squares = before.squares.contents().zip(after.squares.contents()).zip(&names);
            let changed = squares.filter(|((before, after), _)| before != after);
            changed.map(|((_, after), name)| name.clone() + after.unwrap_or("")).collect()
        }
    };
    if before.map_or("-", |before| &before.extra) != after.extra {
        words.push(format!("={}", after.extra));
    }
    words.join(" ")
}

/// A default board of the size of the positions. Pieces belong to players by the case of their letters (SPEC 9.2).
fn guessed(games: &[&PlayedGame]) -> Board {
    let known = |game: &&PlayedGame| {
        let fens = game.moves.iter().flatten().filter_map(|mv| mv.fen.as_deref());
        let positions = fens.chain(game.start.fen.as_deref()).filter_map(Position::parse);
        positions.map(|position| position.squares).next()
    };
    let boards: Vec<Placement> = games.iter().filter_map(known).collect();
    let Some(first) = boards.first() else { return Board::default() };
    let pieces: BTreeSet<&str> = boards.iter().flat_map(Placement::pieces).collect();
    let owned = pieces.into_iter().map(|piece| {
        let owner = if piece.starts_with(char::is_uppercase) { "p1" } else { "p2" };
        (piece.to_owned(), Piece { name: piece.to_owned(), owner: owner.to_owned(), value: 1 })
    });
    Board {
        files: first.files(),
        ranks: first.ranks(),
        pieces: owned.collect(),
        ..Board::default()
    }
}
