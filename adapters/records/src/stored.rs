//! A game in a file, whatever the form of the file.

use serde::{Serialize, Serializer};

use super::{Outcome, Places, Ply, Record};

/// A game to be tried on an engine. The page of `leap web` reads its JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StoredGame {
    /// The line of the file on which the game begins.
    pub line: usize,
    /// The game's id; `None` for the engine's default.
    pub id: Option<String>,
    /// The position text that the game begins with; `None` for the start position.
    pub start: Option<String>,
    /// The moves.
    pub moves: Vec<String>,
    /// The number of moves that lead to the last position. Later moves were taken back.
    pub ply: usize,
    /// The line of the position text.
    pub start_line: Option<usize>,
    /// The line of each move.
    pub move_lines: Vec<usize>,
    /// Options with their values. In a session, some may be no rule options.
    pub options: Vec<(String, String)>,
    /// What else a record says. `None` for a game of a transcript.
    pub record: Option<Details>,
}

/// What a record says about its game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Details {
    /// The tags, in the order of the text.
    pub tags: Vec<(String, String)>,
    /// The moves with comments, annotations and variations.
    pub plies: Vec<Ply>,
    /// The result. In JSON it is the word at the end of the record.
    #[serde(serialize_with = "as_word")]
    pub result: Outcome,
}

fn as_word<S: Serializer>(result: &Outcome, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(result.as_str())
}

impl StoredGame {
    /// The game of a record that stands on these lines; `None` if it names no game.
    pub(super) fn of_record(places: Places, record: Record) -> Option<Self> {
        let id = record.tag("Game")?.to_owned();
        let fen = record.tags.iter().position(|(name, _)| name == "Fen");
        Some(Self {
            line: places.begin,
            id: Some(id),
            start: record.tag("Fen").map(str::to_owned),
            start_line: fen.map(|at| places.tags[at]),
            move_lines: places.moves,
            moves: record.plies.iter().map(|ply| ply.mv.clone()).collect(),
            ply: record.plies.len(),
            options: record.options().map(|(name, value)| (name.into(), value.into())).collect(),
            record: Some(Details { tags: record.tags, plies: record.plies, result: record.result }),
        })
    }
}
