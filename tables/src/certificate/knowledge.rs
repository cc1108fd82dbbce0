//! A certificate as knowledge: the values and the moves of the positions that it proves.

use std::fmt;
use std::io::Read;
use std::ops::ControlFlow;
use std::sync::OnceLock;

use leap_core::{Rules as _, RulesExt as _};
use leap_games::alquerque::{Alquerque, AlquerqueMove};

use super::check::{CheckError, Checked, Claims, check, find, rules};
use super::format::{Claim, Head, Record};
use crate::{EndgameTablebase, Exact, Men, Wdl};

/// What a certificate proves, position by position. Tables know the positions with few men.
pub struct Knowledge {
    checked: Checked,
    claims: Claims,
    /// For each record of a claim, the most plies to the next capture or to the end. 0 where the count is enough.
    plies: OnceLock<Vec<Vec<u32>>>,
}

/// Without the records.
impl fmt::Debug for Knowledge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Knowledge").field("checked", &self.checked).finish_non_exhaustive()
    }
}

impl Knowledge {
    /// Checks every position of a certificate whose head was read. `tell` hears how many positions of a claim are
    /// checked, of how many.
    ///
    /// # Errors
    /// The first fault of the certificate, or the lack of tables.
    pub fn read(
        file: &mut impl Read,
        head: Head,
        tables: &EndgameTablebase,
        tell: &mut dyn FnMut(u64, u64),
    ) -> Result<Self, CheckError> {
        let (checked, claims) = check(file, head, tables, tell)?;
        Ok(Self { checked, claims, plies: OnceLock::new() })
    }

    fn plies(&self) -> &[Vec<u32>] {
        self.plies.get_or_init(|| {
            let game = rules(self.checked.head.capture);
            let of = |(claim, records): &(Claim, Vec<Record>)| plies(&game, *claim, records);
            self.claims.iter().map(of).collect()
        })
    }

    /// What the certificate proves about its own position.
    #[must_use]
    pub const fn checked(&self) -> &Checked {
        &self.checked
    }

    /// The value of a position for the side to move. `None` where the certificate does not settle it.
    #[must_use]
    pub fn outcome(&self, men: Men) -> Option<Wdl> {
        self.exact(men).map(|exact| exact.outcome)
    }

    /// The value of a position for the side to move. The plies are the most that the moves of the certificate need.
    #[must_use]
    pub fn exact(&self, men: Men) -> Option<Exact> {
        let image = men.least_image();
        let (mut least, mut most, mut needed) = (Wdl::Loss, Wdl::Win, 0);
        for ((claim, records), plies) in self.claims.iter().zip(self.plies()) {
            if let Some(at) = find(records, image, true) {
                least = least.max(claim.at_least);
                needed = needed.max(plies[at]);
            }
            if let Some(at) = find(records, image, false) {
                most = most.min(claim.at_least.flipped());
                needed = needed.max(plies[at]);
            }
        }
        let plies = (needed > 0).then_some(needed);
        (least == most).then_some(Exact { outcome: least, plies })
    }

    /// The moves by which the side to move reaches the value that the certificate proves. Moves to the same position, or
    /// to its images, are alike. None where the other side reaches it whatever is played.
    #[must_use]
    pub fn moves(&self, men: Men) -> Vec<AlquerqueMove> {
        let game = rules(self.checked.head.capture);
        let (image, outcome) = (men.least_image(), self.outcome(men));
        let proves = |(claim, _): &&(Claim, _)| Some(claim.at_least) == outcome;
        let mut proofs = self.claims.iter().filter(proves);
        let record = proofs.find_map(|(_, records)| Some(&records[find(records, image, true)?]));
        let chosen = record
            .and_then(|record| image.after_moves(&game).get(usize::from(record.choice)).copied());
        let position = men.position();
        let mut moves = Vec::new();
        let _ = game.visit_moves(&position, |mv| {
            if Some(Men::of(&game.after(&position, mv)).least_image()) == chosen {
                moves.push(mv);
            }
            ControlFlow::Continue(())
        });
        moves
    }
}

/// The most plies from each record to the next capture or to the end. 0 where the count is enough.
///
/// Ranks fall with each step, so that the positions after a step come first.
fn plies(game: &Alquerque, claim: Claim, records: &[Record]) -> Vec<u32> {
    let mut order: Vec<usize> = (0..records.len()).collect();
    order.sort_unstable_by_key(|at| records[*at].rank);
    let mut plies = vec![0; records.len()];
    for at in order {
        let Record { men, claimant_moves, .. } = records[at];
        if claim.is_enough(men, claimant_moves) {
            continue;
        }
        let mut after = men.after_moves(game);
        if claimant_moves {
            let choice = usize::from(records[at].choice);
            after = after.get(choice).copied().into_iter().collect();
        }
        let count = |men: &Men| men.slice().men();
        let steps = after.iter().filter(|child| count(child) == count(&men));
        let later = steps.filter_map(|child| find(records, *child, !claimant_moves));
        plies[at] = 1 + later.map(|at| plies[at]).max().unwrap_or(0);
    }
    plies
}
