//! Tables and certificates as a search asks them: by position, under the rules in force.

use std::any::Any;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use leap_core::exact::{Exact, Tablebase};
use leap_core::{Counters, Position, Rules};
use leap_games::alquerque::{Alquerque, AlquerquePosition, CaptureRule};

use crate::certificate::Knowledge;
use crate::file::{FileError, file_name};
use crate::value::Code;
use crate::{EndgameTablebase, MOST, Men, Slice};

/// The tables of all rules, and what certificates prove beyond them. By default these are the tables of the program.
#[derive(Clone, Debug, Default)]
pub struct Library {
    /// The tables of each rule. Those of the program alone are opened when they are first asked for: an engine would
    /// spend a third of its start on them.
    rules: [OnceLock<Arc<EndgameTablebase>>; 2],
    proofs: Vec<Arc<Knowledge>>,
}

const RULES: [CaptureRule; 2] = [CaptureRule::Optional, CaptureRule::Mandatory];

impl Library {
    /// The tables of the program and those of a directory. Returns how many tables the directory has, and the names of
    /// files that cannot be used. The program's own tables stay where both have one.
    #[must_use]
    pub fn open(directory: &Path) -> (Self, usize, Vec<(String, FileError)>) {
        let (mut found, mut refused) = (0, Vec::new());
        let rules = RULES.map(|capture| {
            let mut tables = EndgameTablebase::built_in(capture).clone();
            refused.extend(tables.open(directory));
            let path = |slice| directory.join(file_name(capture, slice));
            found += Slice::all(2 * MOST).filter(|slice| path(*slice).is_file()).count();
            Arc::new(tables).into()
        });
        (Self { rules, proofs: Vec::new() }, found - refused.len(), refused)
    }

    /// Adds what a certificate proves.
    pub fn add(&mut self, proof: Knowledge) {
        self.proofs.push(Arc::new(proof));
    }

    /// The tables of each rule.
    pub fn tables(&self) -> impl Iterator<Item = &EndgameTablebase> {
        RULES.into_iter().map(|capture| &**self.rule(capture))
    }

    fn rule(&self, capture: CaptureRule) -> &Arc<EndgameTablebase> {
        let built_in = || Arc::new(EndgameTablebase::built_in(capture).clone());
        self.rules[capture as usize].get_or_init(built_in)
    }

    /// The exact values of a game, of positions with at most so many men. `None` for games that have no tables.
    #[must_use]
    pub fn of<R: Rules>(&self, rules: &R, most: u32) -> Option<Arc<dyn Tablebase<R>>> {
        let rules = (rules as &dyn Any).downcast_ref::<Alquerque>()?;
        let tables = self.rule(rules.capture);
        // Below two men no position is left.
        let reach = Some(tables.men().min(most)).filter(|men| *men >= 2).unwrap_or(0);
        let fits = |proof: &&Arc<Knowledge>| proof.checked().head.capture == rules.capture;
        let proofs: Vec<_> = self.proofs.iter().filter(fits).cloned().collect();
        let covered = if proofs.is_empty() { reach } else { most };
        let known: Arc<dyn Tablebase<Alquerque>> =
            Arc::new(ExactValues { tables: tables.clone(), reach, proofs, covered });
        // The types are the same: the game is Alquerque. A caller that is generic over games cannot know that.
        let known: Box<dyn Any> = Box::new(known);
        known.downcast().ok().map(|known| *known)
    }
}

/// Tables up to a number of men, and certificates above them.
#[derive(Debug)]
struct ExactValues {
    tables: Arc<EndgameTablebase>,
    reach: u32,
    proofs: Vec<Arc<Knowledge>>,
    /// The most men of a position that may be known.
    covered: u32,
}

impl Tablebase<Alquerque> for ExactValues {
    fn reach(&self) -> u32 {
        self.reach
    }

    #[inline]
    fn covers(&self, position: &AlquerquePosition) -> bool {
        Men::of(position).slice().men() <= self.covered
    }

    fn probe(&self, rules: &Alquerque, position: &AlquerquePosition) -> Option<Exact> {
        let exact = self.probe_unlimited(rules, position)?;
        let men = Men::of(position).slice().men();
        let holds = if men <= self.reach {
            holds(rules, position.counters(), men, exact)
        } else {
            proof_holds(rules, position.counters(), exact)
        };
        holds.then_some(exact)
    }

    fn probe_unlimited(&self, _: &Alquerque, position: &AlquerquePosition) -> Option<Exact> {
        let men = Men::of(position);
        if men.slice().men() <= self.reach {
            return self.tables.probe(men);
        }
        self.proofs.iter().find_map(|proof| proof.exact(men))
    }
}

/// The least quiet limit with which a certificate is used: no distance of a table is longer.
const PROOF_QUIET_LIMIT: u32 = 100;

/// Whether the limits of the rules leave room for a value that a certificate proves. It says nothing about `MaxPlies`.
fn proof_holds(rules: &Alquerque, counters: Counters, exact: Exact) -> bool {
    let (limit, end) = (rules.quiet_limit, counters.quiet.saturating_add(exact.plies.unwrap_or(0)));
    rules.max_plies == 0 && (limit == 0 || limit >= PROOF_QUIET_LIMIT && end <= limit)
}

/// The longest distance of the tables with so many men, in plies, by either rule (tables/counts.csv). Where no table
/// was made, the longest that a code holds.
const LONGEST: [u32; 13] = [0, 0, 1, 3, 7, 9, 37, 21, 50, 27, 55, 42, 84];

/// The longest distance with at most so many men, and the sum of the longest distances. A side that forces the result
/// gets it within this sum of plies.
fn longest(men: u32) -> (u32, u32) {
    let of = |men: u32| LONGEST.get(men as usize).copied().unwrap_or(Code::MOST_PLIES);
    let longest = (2..=men).map(of);
    (longest.clone().max().unwrap_or(0), longest.sum())
}

/// Whether the limits of the rules leave room for a value.
///
/// Tables know no limits. The quiet limit starts anew at each capture, so the plies to the next capture must fit, and
/// then the longest distance. `MaxPlies` must leave room for the distances of all captures to come. Where captures are
/// optional, the quiet limit must leave room too: a side may wait, and capture when no time is left to capture back.
fn holds(rules: &Alquerque, counters: Counters, men: u32, exact: Exact) -> bool {
    let (longest, sum) = longest(men);
    let room = |limit: u32, used: u32, needed: u32| {
        limit == 0 || used.checked_add(needed).is_some_and(|end| end <= limit)
    };
    let waiting = match (rules.capture, rules.quiet_limit) {
        (CaptureRule::Mandatory, _) => 0,
        (CaptureRule::Optional, 0) => u32::MAX,
        (CaptureRule::Optional, limit) => limit,
    };
    room(rules.max_plies, counters.ply, sum.saturating_add(waiting))
        && room(rules.quiet_limit, 0, longest)
        && exact.plies.is_none_or(|plies| room(rules.quiet_limit, counters.quiet, plies))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Wdl;
    use leap_core::Side;
    use leap_core::notation::Notation;
    use leap_games::eximo::Eximo;

    #[test]
    fn the_longest_distances_are_those_of_the_counts() {
        let counts = include_str!("../counts.csv");
        let mut found = LONGEST.map(|_| 0);
        for row in counts.lines().skip(1) {
            let fields: Vec<&str> = row.split(',').collect();
            let number = |at: usize| fields[at].parse::<u32>().unwrap();
            let men = (number(1) + number(2)) as usize;
            let Some(longest) = found.get_mut(men) else { continue };
            *longest = (6..9).map(number).fold(*longest, u32::max);
        }
        assert_eq!(found, LONGEST);
    }

    #[test]
    fn a_value_is_kept_back_where_a_limit_may_come_first() {
        let rules = Alquerque::default();
        let exact = |plies| Exact { outcome: Wdl::Win, plies };
        let at = |quiet, ply| Counters { side: Side::One, quiet, ply };
        assert!(holds(&rules, at(90, 100), 5, exact(Some(9))));
        assert!(holds(&rules, at(90, 100), 5, exact(Some(10))));
        assert!(!holds(&rules, at(90, 100), 5, exact(Some(11))), "the quiet limit comes first");
        assert!(holds(&rules, at(99, 100), 5, exact(None)), "endless play ends by count anyway");
        let (_, sum) = longest(5);
        assert!(holds(&rules, at(0, 300 - sum), 5, exact(Some(1))));
        assert!(!holds(&rules, at(0, 301 - sum), 5, exact(Some(1))), "MaxPlies may come first");
        let unending = Alquerque { quiet_limit: 0, ..rules.clone() };
        assert!(!holds(&unending, at(0, 0), 5, exact(Some(1))), "waiting has no end");
        let mandatory = Alquerque { capture: CaptureRule::Mandatory, ..rules.clone() };
        assert!(holds(&mandatory, at(0, 400 - sum), 5, exact(Some(1))));
        assert!(!holds(&mandatory, at(0, 401 - sum), 5, exact(Some(1))));
        let endless = Alquerque { quiet_limit: 0, max_plies: 0, ..rules };
        assert!(holds(&endless, at(5_000, 5_000), 5, exact(Some(11))));
        let short = Alquerque { quiet_limit: 8, ..endless };
        assert!(!holds(&short, at(0, 0), 5, exact(None)), "what is forced later may not fit");
    }

    #[test]
    fn a_game_gets_its_own_tables_or_none() {
        let library = Library::default();
        assert!(library.of(&Eximo::default(), 24).is_none());
        let rules = Alquerque { capture: CaptureRule::Mandatory, ..Alquerque::default() };
        let known = library.of(&rules, 24).unwrap();
        assert_eq!(library.of(&rules, 3).unwrap().reach(), known.reach().min(3));
        let start = rules.start();
        assert!(!known.covers(&start) && known.probe(&rules, &start).is_none());
        let position = rules.parse_position("5/5/5/1m3/M4 1 - 0 0").unwrap();
        assert_eq!(known.covers(&position), known.reach() >= 2);
    }
}
