//! The order of the engines in the tables of a match, which depends on its format.

use std::cmp::Reverse;

use serde::Serialize;

use super::ratings::Ratings;
use crate::plan;
use crate::plan::config::{Config, TournamentFormat};

/// The order of the engines, and how a knockout ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranking {
    /// The engines, as indices of `Config::engines`. In a knockout those that got further come first, in a gauntlet the
    /// engine that plays all others. Otherwise the share of the points decides, then the order of the configuration.
    pub order: Vec<usize>,
    /// The state of a knockout; `None` in other formats.
    pub knockout: Option<Knockout>,
}

/// The state of a knockout, with the names of the engines.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Knockout {
    /// The winner; `None` while games are left.
    pub winner: Option<String>,
    /// Pairings that were still level after the last play-off.
    pub level: Vec<Level>,
}

/// A pairing that was level after the last play-off. The engine that was named first advanced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Level {
    /// The engine that advanced.
    pub advanced: String,
    /// The other one.
    pub out: String,
}

impl Ranking {
    /// The ranking by these results. `half_points` gives those of p1 and p2 of a game that has ended for good.
    pub fn new(
        config: &Config,
        ratings: &Ratings,
        half_points: impl Fn(u64) -> Option<[u32; 2]>,
    ) -> Self {
        let bracket = plan::bracket(config, half_points);
        let before = |engine: usize| match &bracket {
            Some(bracket) => bracket.survived[engine],
            None => u32::from(config.format == TournamentFormat::Gauntlet && engine == 0),
        };
        let mut order = ratings.ranking();
        order.sort_by_key(|engine| Reverse(before(*engine)));
        let name = |engine: usize| config.engines[engine].name.clone();
        let level =
            |&[advanced, out]: &[usize; 2]| Level { advanced: name(advanced), out: name(out) };
        let knockout = bracket.as_ref().map(|bracket| Knockout {
            winner: bracket.winner.map(name),
            level: bracket.level.iter().map(level).collect(),
        });
        Self { order, knockout }
    }
}

impl Knockout {
    /// What people are told below the table.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let level = self.level.iter().map(|Level { advanced, out }| {
            format!("{advanced} and {out} were level after the play-offs; {advanced}, named first, advanced")
        });
        let winner = self.winner.iter().map(|winner| format!("{winner} wins the knockout"));
        level.chain(winner).collect()
    }
}
