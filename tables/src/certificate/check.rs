//! The check of a certificate, by the rules of the game and without any search.

use std::io::Read;

use leap_games::alquerque::{Alquerque, CaptureRule};
use thiserror::Error;

use super::format::{Claim, FormatError, Head, Record, read_claim, read_end};
use crate::{EndgameTablebase, Men, Wdl};

/// What a certificate proves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// What the certificate is about.
    pub head: Head,
    /// The value for the side to move.
    pub value: Wdl,
    /// The positions of the proof.
    pub positions: u64,
}

/// Why a certificate proves nothing.
#[derive(Debug, Error)]
pub enum CheckError {
    /// The file is no whole certificate.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The tables are too few.
    #[error("needs tables to {needed} men for {capture} capture, found those to {found}")]
    Tables {
        /// The rule.
        capture: CaptureRule,
        /// The men that are needed.
        needed: u32,
        /// The men that are there.
        found: u32,
    },
    /// A record is wrong.
    #[error("claim {claim}, record {record}: {fault}")]
    Record {
        /// The number of the claim, from 1.
        claim: u8,
        /// The number of the record, from 1.
        record: usize,
        /// What is wrong.
        fault: &'static str,
    },
    /// The position itself is not among the records.
    #[error("claim {0}: the position itself is missing")]
    Root(u8),
    /// The claims do not make a value.
    #[error("the claims leave the value open")]
    Open,
}

/// What is wrong with a record.
type Fault = &'static str;

/// Claims with their records.
pub(crate) type Claims = Vec<(Claim, Vec<Record>)>;

/// Checks every position of a certificate whose head was read. Returns its claims with their records too.
pub(super) fn check(
    file: &mut impl Read,
    head: Head,
    tables: &EndgameTablebase,
    tell: &mut dyn FnMut(u64, u64),
) -> Result<(Checked, Claims), CheckError> {
    let found = tables.men();
    if tables.capture() != head.capture || found < head.men {
        return Err(CheckError::Tables { capture: head.capture, needed: head.men, found });
    }
    let mut bounds = (Wdl::Loss, Wdl::Win);
    let (mut positions, mut claims) = (0, Vec::new());
    for number in 1..=head.claims {
        let (claim, records) = read_claim(file, number)?;
        let proof = Proof { tables, men: head.men, claim, records: &records };
        proof.check(number, tell)?;
        if !proof.holds_at(Men::of(&head.position), claim.of_mover) {
            return Err(CheckError::Root(number));
        }
        positions += records.len() as u64;
        if claim.of_mover {
            bounds.0 = bounds.0.max(claim.at_least);
        } else {
            bounds.1 = bounds.1.min(claim.at_least.flipped());
        }
        claims.push((claim, records));
    }
    read_end(file)?;
    if bounds.0 != bounds.1 {
        return Err(CheckError::Open);
    }
    Ok((Checked { head, value: bounds.0, positions }, claims))
}

/// A claim and the records that prove it.
struct Proof<'a> {
    tables: &'a EndgameTablebase,
    men: u32,
    claim: Claim,
    records: &'a [Record],
}

impl Proof<'_> {
    fn check(&self, number: u8, tell: &mut dyn FnMut(u64, u64)) -> Result<(), CheckError> {
        let mut before = None;
        for (at, record) in self.records.iter().enumerate() {
            let fault = |fault| CheckError::Record { claim: number, record: at + 1, fault };
            let order = Some((record.claimant_moves, record.men));
            if before >= order {
                return Err(fault("it is not above the one before"));
            }
            before = order;
            self.check_record(record).map_err(fault)?;
            if at % 4096 == 0 {
                tell(at as u64, self.records.len() as u64);
            }
        }
        Ok(())
    }

    fn check_record(&self, record: &Record) -> Result<(), Fault> {
        let Record { men, claimant_moves, .. } = *record;
        let is_position = men.are_apart() && men.own != 0 && men.enemy != 0;
        if !is_position || men.least_image() != men {
            return Err("it is no position, or not the least of its images");
        }
        let after = men.after_moves(&rules(self.tables.capture()));
        let needs_progress = !self.claim.is_enough(men, claimant_moves);
        let check_after = |child: Men| {
            let is_step = child.slice().men() == men.slice().men();
            let below = (needs_progress && is_step).then_some(record.rank);
            self.check_after(child, !claimant_moves, below)
        };
        if claimant_moves {
            check_after(*after.get(usize::from(record.choice)).ok_or("there is no such move")?)
        } else {
            after.into_iter().try_for_each(check_after)
        }
    }

    /// Checks a position after a move. Its rank must be below `below`, if given.
    fn check_after(&self, men: Men, claimant_moves: bool, below: Option<u32>) -> Result<(), Fault> {
        if let Some(outcome) = self.value(men)? {
            let outcome = if claimant_moves { outcome } else { outcome.flipped() };
            return if outcome >= self.claim.at_least {
                Ok(())
            } else {
                Err("a table says that a move leads to less than what is claimed")
            };
        }
        let at = find(self.records, men, claimant_moves)
            .ok_or("the proof lacks a position after a move")?;
        match below {
            Some(rank) if self.records[at].rank >= rank => Err("a step makes no progress"),
            _ => Ok(()),
        }
    }

    /// The value for the side to move, where the game is over or a table has it.
    fn value(&self, men: Men) -> Result<Option<Wdl>, Fault> {
        if men.own == 0 {
            return Ok(Some(Wdl::Loss));
        }
        if men.slice().men() > self.men {
            return Ok(None);
        }
        self.tables
            .probe(men)
            .map(|exact| Some(exact.outcome))
            .ok_or("a table that is needed is damaged")
    }

    /// Whether the claim holds at a position.
    fn holds_at(&self, men: Men, claimant_moves: bool) -> bool {
        self.check_after(men.least_image(), claimant_moves, None).is_ok()
    }
}

/// The rules with a way to capture. No limit plays a part.
#[must_use]
pub const fn rules(capture: CaptureRule) -> Alquerque {
    Alquerque { capture, quiet_limit: 0, max_plies: 0 }
}

/// The place of the record of a position, which is the least of its images.
pub(super) fn find(records: &[Record], men: Men, claimant_moves: bool) -> Option<usize> {
    let key = |record: &Record| (record.claimant_moves, record.men);
    records.binary_search_by_key(&(claimant_moves, men), key).ok()
}
