//! Problems: positions with a right answer that [`solve`] has proved.
//!
//! A file of problems has a line for each, in the manner of EPD. A line is the position text and operations. An operation
//! is an opcode, its operands and a semicolon. `bm` holds the accepted moves, `c0` what is proved ([`Proof`]), `id` a
//! name.

pub mod make;
pub mod solve;

use anyhow::{Context, Result, anyhow};

use leap_core::notation::{IllegalMove, Notation};
use leap_core::{Game, Rules};
use leap_protocol::payload::{self, Proof};
use leap_search::{Control, Limits, Request, Searchable, TranspositionTable, search};

/// Size of the table of a search. It influences the result.
const TABLE_MIB: usize = 4;

/// A position and the moves that are right in it.
#[derive(Clone, Debug)]
pub struct Problem<R: Rules> {
    /// Its name.
    pub id: String,
    /// The position, without a history.
    pub position: R::Position,
    /// What is proved.
    pub proof: Proof,
    /// The accepted moves; at least one.
    pub best: Vec<R::Move>,
}

impl<R: Notation> Problem<R> {
    /// The line of a file that holds the problem.
    #[must_use]
    pub fn line(&self, rules: &R) -> String {
        let Self { id, position, proof, best } = self;
        let best = best.iter().map(|mv| rules.print_move(position, *mv)).collect();
        let fen = rules.print_position(position);
        payload::Problem { fen, best, proof: *proof, id: id.clone() }.to_string()
    }

    /// Reads such a line.
    fn parse(rules: &R, line: &str) -> Result<Self> {
        let payload::Problem { fen, best, proof, id } = line.parse()?;
        let game = Game::new(rules.clone(), rules.parse_position(&fen)?);
        let resolve = |text: &String| {
            let illegal = |illegal: IllegalMove| {
                anyhow!("expected a legal move, found '{text}': {}", illegal.reason.text())
            };
            game.parse_move(text).map_err(illegal)
        };
        let best = best.iter().map(resolve).collect::<Result<Vec<_>>>()?;
        Ok(Self { id, position: *game.current(), proof, best })
    }
}

/// Reads a file of problems; lines that begin with `#` are comments. `path` is for messages.
///
/// # Errors
/// The file and the line at fault, what was expected there and what was found.
pub fn read<R: Notation>(rules: &R, path: &str, text: &str) -> Result<Vec<Problem<R>>> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.starts_with('#'));
    let read = |(index, line)| {
        Problem::parse(rules, line).with_context(|| format!("{path}:{}", index + 1))
    };
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

impl<R: Searchable> Problem<R> {
    /// Searches the position with one thread, an empty table and this many nodes.
    ///
    /// # Errors
    /// The table does not fit into memory.
    pub fn attempt(&self, rules: &R, nodes: u64) -> Result<Attempt> {
        let game = Game::new(rules.clone(), self.position);
        let mut solved = None;
        let mut look = |mv: Option<&R::Move>, nodes| {
            let right = mv.is_some_and(|mv| self.best.contains(mv));
            solved = if right { solved.or(Some(nodes)) } else { None };
        };
        let (limits, table) = (Limits::nodes(nodes), TranspositionTable::new(TABLE_MIB)?);
        let answer = search(
            Request {
                game: &game,
                evaluator: &Default::default(),
                limits: &limits,
                table: &table,
                tablebase: None,
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
