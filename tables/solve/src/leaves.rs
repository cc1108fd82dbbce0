//! What needs no search: the end of the game, and positions in tables.

use leap_games::alquerque::Alquerque;
use leap_tables::certificate::rules;
use leap_tables::{EndgameTablebase, Wdl};

use crate::error::SolveError;
use crate::node::Node;

/// The places of the cache of values from tables.
const CACHE: usize = 1 << 22;

/// The values that need no search.
pub(crate) struct Leaves<'a> {
    /// What the prover wants: at least a draw, or a win.
    pub(crate) goal: Wdl,
    pub(crate) rules: Alquerque,
    tables: &'a EndgameTablebase,
    /// The most men of the tables.
    men: u32,
    /// A node and whether the side to move reaches its goal, in the lowest bit.
    cache: Vec<u64>,
}

impl<'a> Leaves<'a> {
    pub(crate) fn new(tables: &'a EndgameTablebase, goal: Wdl) -> Self {
        let rules = rules(tables.capture());
        Self { goal, rules, tables, men: tables.men(), cache: vec![0; CACHE] }
    }

    /// Whether endless play is enough for the prover.
    pub(crate) fn favours_prover(&self, node: Node) -> bool {
        let slice = node.men().slice();
        let prover = if node.prover_moves() { slice } else { slice.flipped() };
        prover.by_count() >= self.goal
    }

    /// Whether endless play is good for the side to move.
    pub(crate) fn favours_mover(&self, node: Node) -> bool {
        self.favours_prover(node) == node.prover_moves()
    }

    /// Whether the side to move reaches its goal, if that needs no search.
    pub(crate) fn known(&mut self, node: Node) -> Result<Option<bool>, SolveError> {
        let men = node.men();
        if men.own == 0 || node.count() > self.men {
            return Ok((men.own == 0).then_some(false));
        }
        let cached = &mut self.cache[node.place(CACHE)];
        if *cached >> 1 == node.0 {
            return Ok(Some(*cached & 1 == 1));
        }
        let outcome = self.tables.probe(men).ok_or(SolveError::Table(men.slice()))?.outcome;
        let prover = if node.prover_moves() { outcome } else { outcome.flipped() };
        let is_reached = (prover >= self.goal) == node.prover_moves();
        *cached = node.0 << 1 | u64::from(is_reached);
        Ok(Some(is_reached))
    }
}
