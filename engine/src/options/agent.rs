//! Who chooses the moves, and which options apply then.

use super::{OptionRow, Scope};

/// Who chooses the moves of `go`. Set on the command line for the life of the process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Agent {
    /// The search.
    #[default]
    Search,
    /// Any legal move.
    Random,
    /// The best capture.
    Greedy,
    /// Monte Carlo tree search.
    Mcts,
}

/// The search option that applies to every agent.
const SEED: &str = "Seed";
/// The other options that apply to Monte Carlo tree search.
const MCTS_OPTIONS: [&str; 5] = ["Hash", "MultiPV", "Ponder", "MoveOverhead", "UCI_ShowWDL"];

impl Agent {
    /// The agents other than the search.
    pub const SPARRING: [Self; 3] = [Self::Random, Self::Greedy, Self::Mcts];

    /// The name on the command line and in `id name`; none for the search.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        match self {
            Self::Search => None,
            Self::Random => Some("random"),
            Self::Greedy => Some("greedy"),
            Self::Mcts => Some("mcts"),
        }
    }

    /// Whether this agent has an option.
    #[must_use]
    pub fn has(self, row: &OptionRow) -> bool {
        let is_of_rules = matches!(row.scope, Scope::Game | Scope::AllRules | Scope::Rules(_));
        is_of_rules
            || match self {
                Self::Search => true,
                Self::Random | Self::Greedy => row.name == SEED,
                Self::Mcts => row.name == SEED || MCTS_OPTIONS.contains(&&*row.name),
            }
    }
}
