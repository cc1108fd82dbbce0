//! Problems: positions with a right answer that [`solve`] has proved.
//!
//! A file of problems has a line for each, in the manner of EPD. A line is the position text and operations. An
//! operation is an opcode, its operands and a semicolon. `bm` holds the accepted moves, `c0` what is proved ([`Kind`]),
//! `id` a name.

pub mod make;
pub mod solve;

use std::fmt;
use std::str::FromStr;

use anyhow::{Context, Result, anyhow, ensure};

use leap_core::Game;
use leap_core::notation::{Illegal, Notation};
use leap_core::record::Record;
use leap_search::Searchable;
use leap_search::{Control, Limits, Request, Table, search};

/// Size of the table of a search. It influences the result.
const TABLE_MIB: usize = 4;

/// A position and the moves that are right in it.
#[derive(Clone, Debug)]
pub struct Problem<G: Game> {
    /// Its name.
    pub id: String,
    /// The position, without a history.
    pub position: G::Position,
    /// What is proved.
    pub kind: Kind,
    /// The accepted moves; at least one.
    pub best: Vec<G::Move>,
}

/// What is proved of the accepted moves, and of no other move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The accepted moves win by force in this many plies. The others do not win.
    Win(u32),
    /// The accepted moves do not lose within this many plies, which are all that are left. The others lose.
    Hold(u32),
    /// The accepted moves reach the best possible margin of points, in centipawns for the side to move.
    Margin(i32),
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win(plies) => write!(f, "win in {plies} plies"),
            Self::Hold(plies) => write!(f, "hold for {plies} plies"),
            Self::Margin(centipawns) => write!(f, "margin of {centipawns} cp"),
        }
    }
}

impl FromStr for Kind {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        let number = |start, end| text.strip_prefix(start)?.strip_suffix(end);
        let plies = |start| number(start, " plies").and_then(|plies| plies.parse().ok());
        let margin = || number("margin of ", " cp").and_then(|margin| margin.parse().ok());
        let win = plies("win in ").map(Self::Win);
        let kind = win.or_else(|| plies("hold for ").map(Self::Hold));
        kind.or_else(|| margin().map(Self::Margin)).with_context(|| {
            format!(
                "expected 'win in N plies', 'hold for N plies' or 'margin of N cp', found '{text}'"
            )
        })
    }
}

impl<G: Notation> Problem<G> {
    /// The line of a file that holds the problem.
    #[must_use]
    pub fn line(&self, game: &G) -> String {
        let Self { id, position, kind, best } = self;
        let best: Vec<String> = best.iter().map(|mv| game.move_text(position, *mv)).collect();
        let position = game.print_position(position);
        format!("{position} bm {}; c0 \"{kind}\"; id \"{id}\";", best.join(" "))
    }

    /// Reads such a line.
    fn parse(game: &G, line: &str) -> Result<Self> {
        let (text, operations) = line.split_once(" bm ").context("expected 'bm' and moves")?;
        let (best, rest) = operations.split_once(';').context("expected ';' after the moves")?;
        let quoted = |opcode| {
            let (_, operand) = rest.split_once(&format!(" {opcode} \""))?;
            Some(operand.split_once("\";")?.0)
        };
        let kind = quoted("c0").context("expected 'c0' and what is proved, in quotes")?.parse()?;
        let id = quoted("id").context("expected 'id' and a name, in quotes")?.to_owned();
        let record = Record::new(game.clone(), game.parse_position(text)?);
        let resolve = |text| {
            let illegal = |illegal: Illegal| {
                anyhow!("expected a legal move, found '{text}': {}", illegal.reason.text())
            };
            record.resolve(text).map_err(illegal)
        };
        let best = best.split_whitespace().map(resolve).collect::<Result<Vec<_>>>()?;
        ensure!(!best.is_empty(), "expected a move after 'bm', found none");
        Ok(Self { id, position: *record.current(), kind, best })
    }
}

/// Reads a file of problems; lines that begin with `#` are comments. `path` is for messages.
///
/// # Errors
/// The file and the line at fault, what was expected there and what was found.
pub fn read<G: Notation>(game: &G, path: &str, text: &str) -> Result<Vec<Problem<G>>> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.starts_with('#'));
    let read =
        |(index, line)| Problem::parse(game, line).with_context(|| format!("{path}:{}", index + 1));
    lines.map(read).collect()
}

/// How a search did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The nodes after which the answer was an accepted move for good. `None` if the last answer is wrong.
    pub solved: Option<u64>,
    /// The nodes searched.
    pub nodes: u64,
}

impl<G: Searchable> Problem<G> {
    /// Searches the position with one thread, an empty table and this many nodes.
    ///
    /// # Errors
    /// The table does not fit into memory.
    pub fn attempt(&self, game: &G, nodes: u64) -> Result<Attempt> {
        let record = Record::new(game.clone(), self.position);
        let mut solved = None;
        let mut look = |mv: Option<&G::Move>, nodes| {
            let right = mv.is_some_and(|mv| self.best.contains(mv));
            solved = if right { solved.or(Some(nodes)) } else { None };
        };
        let (limits, table) = (Limits::nodes(nodes), Table::new(TABLE_MIB)?);
        let answer = search(
            Request {
                record: &record,
                evaluator: &Default::default(),
                limits: &limits,
                table: &table,
                control: &Control::new(),
            },
            &mut |report| {
                look(report.pv.first(), report.nodes);
            },
        );
        look(answer.best.as_ref(), answer.nodes);
        Ok(Attempt { solved, nodes: answer.nodes })
    }
}
