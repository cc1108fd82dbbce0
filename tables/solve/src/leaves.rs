//! What needs no search: the end of the game, and positions in tables.

use leap_games::alquerque::Alquerque;
use leap_tables::certificate::rules;
use leap_tables::{EndgameTablebase, Men, Wdl};

use crate::node::Node;
use crate::table::Full;

/// The places of the cache of values from tables.
const CACHE: usize = 1 << 22;

/// What the prover wants: at least this outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    /// At least a draw.
    Draw,
    /// A win.
    Win,
}

impl Goal {
    /// Whether this outcome for the prover is enough.
    pub(crate) const fn is_met_by(self, outcome: Wdl) -> bool {
        match self {
            Self::Draw => !matches!(outcome, Wdl::Loss),
            Self::Win => matches!(outcome, Wdl::Win),
        }
    }

    /// Whether endless play is enough for a prover who has so many men more.
    pub(crate) const fn is_met_by_lead(self, lead: i32) -> bool {
        match self {
            Self::Draw => lead >= 0,
            Self::Win => lead > 0,
        }
    }

    /// Whether endless play is good for the side to move.
    pub(crate) const fn favours_mover(self, node: Node) -> bool {
        self.is_met_by_lead(node.lead()) == node.prover_moves()
    }
}

/// Why a search ends without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// Nobody waits for the answer any more.
    Called,
    /// The nodes that are solved fill the memory.
    Full,
    /// A table has no value for these men.
    Probe(Men),
    /// Paths are too long.
    Long,
}

impl From<Full> for Stop {
    fn from(_: Full) -> Self {
        Self::Full
    }
}

/// The values that need no search.
pub(crate) struct Leaves<'a> {
    pub(crate) goal: Goal,
    pub(crate) rules: Alquerque,
    tables: &'a EndgameTablebase,
    /// The most men of the tables.
    men: u32,
    /// A node and whether the side to move reaches its goal, in the lowest bit.
    cache: Vec<u64>,
}

impl<'a> Leaves<'a> {
    pub(crate) fn new(tables: &'a EndgameTablebase, goal: Goal) -> Self {
        let rules = rules(tables.capture());
        Self { goal, rules, tables, men: tables.men(), cache: vec![0; CACHE] }
    }

    /// Whether the side to move reaches its goal, if that needs no search.
    pub(crate) fn known(&mut self, node: Node) -> Result<Option<bool>, Stop> {
        let men = node.men();
        if men.own == 0 || node.count() > self.men {
            return Ok((men.own == 0).then_some(false));
        }
        let cached = &mut self.cache[node.place(CACHE)];
        if *cached >> 1 == node.0 {
            return Ok(Some(*cached & 1 == 1));
        }
        let outcome = self.tables.probe(men).ok_or(Stop::Probe(men))?.outcome;
        let prover = if node.prover_moves() { outcome } else { outcome.flipped() };
        let is_reached = self.goal.is_met_by(prover) == node.prover_moves();
        *cached = node.0 << 1 | u64::from(is_reached);
        Ok(Some(is_reached))
    }
}
