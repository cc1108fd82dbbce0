//! Games as text for people (SPEC 19.13): tags, moves with comments, result, in the manner of PGN.

mod parse;
mod recorder;

use std::fmt;

pub(super) use recorder::{RECORDS, write_records};

use super::event::{Move, Outcome, Score};

/// Columns of a line of moves.
const WIDTH: usize = 100;

/// A game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Names with values, in the order of the text. A name is letters and digits; a value is any text on one line.
    pub tags: Vec<(String, String)>,
    /// All moves of the game, those of the opening first.
    pub plies: Vec<Ply>,
    /// Who has won.
    pub result: Outcome,
}

impl Record {
    /// The value of the first tag with this name.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }
}

/// A move with its comment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ply {
    /// The move's text.
    pub mv: String,
    /// What the player thought of it, for its own side.
    pub score: Option<Score>,
    /// Depth of the search, in plies.
    pub depth: Option<u32>,
    /// Nodes of the search.
    pub nodes: Option<u64>,
    /// Time for the move, in microseconds; `None` for a move of the opening.
    pub time_us: Option<u64>,
}

impl Ply {
    /// A move that nobody has thought about.
    fn of_opening(mv: &str) -> Ply {
        Ply { mv: mv.to_owned(), ..Ply::default() }
    }

    fn comment(&self) -> Option<String> {
        let words = [
            self.score.map(|score| match score {
                Score::Cp(cp) => format!("cp {cp}"),
                Score::Mate(n) => format!("mate {n}"),
            }),
            self.depth.map(|depth| format!("depth {depth}")),
            self.nodes.map(|nodes| format!("nodes {nodes}")),
            self.time_us.map(|us| format!("us {us}")),
        ];
        let words: Vec<String> = words.into_iter().flatten().collect();
        (!words.is_empty()).then(|| format!("{{{}}}", words.join(" ")))
    }
}

impl From<&Move> for Ply {
    fn from(mv: &Move) -> Ply {
        let &Move { score, depth, nodes, time_us, .. } = mv;
        Ply { mv: mv.mv.clone(), score, depth, nodes, time_us: Some(time_us) }
    }
}

impl Outcome {
    /// The word in records.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Outcome::P1Win => "p1win",
            Outcome::P2Win => "p2win",
            Outcome::Draw => "draw",
            Outcome::Void => "void",
        }
    }
}

/// Prints the record with a blank line after it.
impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.tags {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(f, "[{name} \"{value}\"]")?;
        }
        writeln!(f)?;
        let mut column = 0;
        let moves = self.plies.iter().enumerate().map(|(index, ply)| {
            let comment = ply.comment().map_or(String::new(), |comment| format!(" {comment}"));
            format!("{}. {}{comment}", index + 1, ply.mv)
        });
        for word in moves.chain([self.result.as_str().to_owned()]) {
            if column > 0 && column + 1 + word.len() > WIDTH {
                writeln!(f)?;
                column = 0;
            }
            if column > 0 {
                f.write_str(" ")?;
                column += 1;
            }
            f.write_str(&word)?;
            column += word.len();
        }
        writeln!(f, "\n")
    }
}
