//! The check of a certificate, by the rules of the game and without any search.
//!
//! The moves are those of `leap-games`, the images of a position are those of `leap-core`. The search uses neither.

use std::io::Read;
use std::ops::ControlFlow;

use leap_core::symmetry::Transform;
use leap_core::{Rules, RulesExt, SquareSet};
use leap_games::alquerque::Alquerque;
use leap_tables::{Capture, EndgameTablebase, Men, Wdl};
use thiserror::Error;

use crate::certificate::{Claim, FormatError, Head, Record, read_claim, read_end, read_head};

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
    EndgameTablebase {
        /// The rule.
        capture: Capture,
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
        fault: Fault,
    },
    /// The position itself is not among the records.
    #[error("claim {0}: the position itself is missing")]
    Root(u8),
    /// The claims do not make a value.
    #[error("the claims leave the value open")]
    Open,
}

/// What is wrong with a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// Records do not ascend.
    #[error("it is not above the one before")]
    Order,
    /// The men stand on each other, or the position is not the least of its images.
    #[error("it is no position, or not the least of its images")]
    Image,
    /// The side of the claim has no such move.
    #[error("there is no such move")]
    Move,
    /// A position after a move is neither in the proof nor in a table.
    #[error("the proof lacks a position after a move")]
    Missing,
    /// A table says that a move leads to less.
    #[error("a table says that a move leads to less than what is claimed")]
    Value,
    /// A table has no value.
    #[error("a table that is needed is damaged")]
    Table,
    /// Ranks do not fall where they must.
    #[error("a step makes no progress")]
    Rank,
}

/// Reads what a certificate is about. Its claims follow in the file.
///
/// # Errors
/// The file is no certificate.
pub fn head(file: &mut impl Read) -> Result<Head, FormatError> {
    read_head(file)
}

/// Checks every position of a certificate whose head was read. `tell` hears how many positions of a claim are checked,
/// of how many.
///
/// # Errors
/// The first fault of the certificate, or the lack of tables.
pub fn check(
    file: &mut impl Read,
    head: Head,
    tables: &EndgameTablebase,
    tell: &mut dyn FnMut(u64, u64),
) -> Result<Checked, CheckError> {
    checked(file, head, tables, tell).map(|(checked, _)| checked)
}

/// Claims with their records.
pub(crate) type Claims = Vec<(Claim, Vec<Record>)>;

/// Checks a certificate as [`check`] does. Returns its claims with their records too.
pub(crate) fn checked(
    file: &mut impl Read,
    head: Head,
    tables: &EndgameTablebase,
    tell: &mut dyn FnMut(u64, u64),
) -> Result<(Checked, Claims), CheckError> {
    let found = tables.men();
    if tables.capture() != head.capture || found < head.men {
        return Err(CheckError::EndgameTablebase {
            capture: head.capture,
            needed: head.men,
            found,
        });
    }
    let mut bounds = (Wdl::Loss, Wdl::Win);
    let (mut positions, mut claims) = (0, Vec::new());
    for number in 1..=head.claims {
        let (claim, records) = read_claim(file, number)?;
        let proof = Proof { tables, men: head.men, claim, records: &records };
        proof.check(number, tell)?;
        if !proof.holds_at(head.position.men, claim.of_mover) {
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
            if before >= Some(record.node) {
                return Err(fault(Fault::Order));
            }
            before = Some(record.node);
            self.check_record(record).map_err(fault)?;
            if at % 4096 == 0 {
                tell(at as u64, self.records.len() as u64);
            }
        }
        Ok(())
    }

    fn check_record(&self, record: &Record) -> Result<(), Fault> {
        let (men, claimant_moves) = parts(record);
        let is_position = men.own & men.enemy == 0 && men.own != 0 && men.enemy != 0;
        if !is_position || least_image(men) != men {
            return Err(Fault::Image);
        }
        let after = after_moves(&rules(self.tables.capture()), men);
        let needs_progress = !self.claim.is_enough(men, claimant_moves);
        let check_after = |child: Men| {
            let is_step =
                (child.own | child.enemy).count_ones() == (men.own | men.enemy).count_ones();
            let below = (needs_progress && is_step).then_some(record.rank);
            self.check_after(child, !claimant_moves, below)
        };
        if claimant_moves {
            check_after(*after.get(usize::from(record.choice)).ok_or(Fault::Move)?)
        } else {
            after.into_iter().try_for_each(check_after)
        }
    }

    /// Checks a position after a move. Its rank must be below `below`, if given.
    fn check_after(&self, men: Men, claimant_moves: bool, below: Option<u32>) -> Result<(), Fault> {
        if let Some(outcome) = self.value(men)? {
            let outcome = if claimant_moves { outcome } else { outcome.flipped() };
            return if outcome >= self.claim.at_least { Ok(()) } else { Err(Fault::Value) };
        }
        let at = find(self.records, men, claimant_moves).ok_or(Fault::Missing)?;
        match below {
            Some(rank) if self.records[at].rank >= rank => Err(Fault::Rank),
            _ => Ok(()),
        }
    }

    /// The value for the side to move, where the game is over or a table has it.
    fn value(&self, men: Men) -> Result<Option<Wdl>, Fault> {
        if men.own == 0 {
            return Ok(Some(Wdl::Loss));
        }
        if men.own.count_ones() + men.enemy.count_ones() > self.men {
            return Ok(None);
        }
        self.tables.probe(men).map(|exact| Some(exact.outcome)).ok_or(Fault::Table)
    }

    /// Whether the claim holds at a position.
    fn holds_at(&self, men: Men, claimant_moves: bool) -> bool {
        self.check_after(least_image(men), claimant_moves, None).is_ok()
    }
}

/// The rules with a way to capture. No limit plays a part.
#[must_use]
pub const fn rules(capture: Capture) -> Alquerque {
    Alquerque { capture, quiet_limit: 0, max_plies: 0 }
}

/// The different positions after all moves, in ascending order.
pub(crate) fn after_moves(game: &Alquerque, men: Men) -> Vec<Men> {
    let position = men.position();
    let mut after = Vec::new();
    let _ = game.visit_moves(&position, |mv| {
        after.push(least_image(Men::of(&game.after(&position, mv))));
        ControlFlow::Continue(())
    });
    after.sort_unstable_by_key(|men| (men.own, men.enemy));
    after.dedup();
    after
}

/// The place of the record of a position, which is the least of its images.
pub(crate) fn find(records: &[Record], men: Men, claimant_moves: bool) -> Option<usize> {
    let key = |record: &Record| {
        let (men, claimant_moves) = parts(record);
        (claimant_moves, men.own, men.enemy)
    };
    records.binary_search_by_key(&(claimant_moves, men.own, men.enemy), key).ok()
}

/// The men of a record, and whether the side of the claim moves.
pub(crate) fn parts(record: &Record) -> (Men, bool) {
    let node = record.node;
    (Men { own: node.own(), enemy: node.enemy() }, node.prover_moves())
}

/// The least of the eight images of a position, by its own men first.
pub(crate) fn least_image(men: Men) -> Men {
    let image = |set: u32, transform| {
        SquareSet(u64::from(set)).transform(Alquerque::GEOMETRY, transform).0 as u32
    };
    let images = Transform::ALL
        .iter()
        .map(|transform| (image(men.own, *transform), image(men.enemy, *transform)));
    let (own, enemy) = images.min().unwrap_or((men.own, men.enemy));
    Men { own, enemy }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;
    use crate::board::Node;
    use crate::certificate::{write_claim, write_head};
    use leap_core::Side;
    use leap_tables::Slice;
    use std::time::Duration;

    /// Tables to so many men.
    fn tables(men: u32) -> EndgameTablebase {
        let place = tempfile::tempdir().unwrap();
        let directory = place.path().to_owned();
        let capture = Capture::Optional;
        let wanted =
            leap_tables::make::Wanted { capture, men, directory, save_every: Duration::MAX };
        leap_tables::make::make(&wanted, &mut |_| {}).unwrap();
        let mut tables = EndgameTablebase::new(capture);
        assert_eq!(tables.open(place.path()), []);
        tables
    }

    /// Tables to three men, and the claims of a position with two against two men.
    struct Forge {
        tables: EndgameTablebase,
        head: Head,
        claims: Vec<(Claim, Vec<Record>)>,
    }

    impl Forge {
        fn new(men: Men) -> Self {
            let place = tempfile::tempdir().unwrap();
            let tables = tables(3);
            let wanted = crate::Wanted {
                tables: &tables,
                position: Position { men, side: Side::Two },
                directory: place.path().to_owned(),
                memory: 16 << 20,
                save_every: Duration::MAX,
            };
            let solved = crate::solve(&wanted, &|_| {}).unwrap();
            let bytes = std::fs::read(solved.certificate).unwrap();
            let mut file = &bytes[..];
            let head = read_head(&mut file).unwrap();
            let claims = (1..=head.claims).map(|number| read_claim(&mut file, number).unwrap());
            Self { claims: claims.collect(), head, tables }
        }

        /// What the check says of these claims, in a file whose checksums are right.
        fn check(
            &self,
            change: impl FnOnce(&mut Vec<(Claim, Vec<Record>)>),
        ) -> Result<Wdl, String> {
            let mut claims = self.claims.clone();
            change(&mut claims);
            let mut bytes = Vec::new();
            let head = Head { claims: claims.len() as u8, ..self.head.clone() };
            write_head(&mut bytes, &head).unwrap();
            for (claim, records) in &claims {
                write_claim(&mut bytes, *claim, records).unwrap();
            }
            let mut file = &bytes[..];
            let head = read_head(&mut file).unwrap();
            let checked = check(&mut file, head, &self.tables, &mut |_, _| {});
            checked.map(|checked| checked.value).map_err(|error| error.to_string())
        }
    }

    /// One man in each corner: a draw, by endless play.
    const DRAW: Men = Men { own: 1 | 1 << 24, enemy: 1 << 4 | 1 << 20 };

    #[test]
    fn forged_claims_are_refused_although_their_checksums_are_right() {
        let forge = Forge::new(DRAW);
        assert_eq!(forge.check(|_| {}), Ok(Wdl::Draw));
        assert_eq!(
            forge.check(|claims| drop(claims.pop())),
            Err("the claims leave the value open".to_owned())
        );
        let more = forge.check(|claims| claims[0].0.at_least = Wdl::Win);
        assert!(more.unwrap_err().contains("claim 1, record"));
        let root = least_image(DRAW);
        let root = Node::new(root.own, root.enemy, true);
        let hole = forge.check(|claims| claims[0].1.retain(|record| record.node != root));
        assert!(hole.is_err());
        let first = forge.check(|claims| claims[0].1.truncate(2));
        assert!(first.unwrap_err().contains("lacks a position"));
        let order = forge.check(|claims| claims[0].1.swap(0, 1));
        assert_eq!(order.unwrap_err(), "claim 1, record 2: it is not above the one before");
        let choice = forge.check(|claims| claims[0].1.iter_mut().for_each(|r| r.choice = 99));
        assert!(choice.unwrap_err().contains("there is no such move"));
    }

    #[test]
    fn a_claim_of_a_win_by_steps_alone_must_make_progress() {
        let exact = tables(4);
        let slice = Slice { own: 2, enemy: 2 };
        let wins_late = |men: &Men| {
            exact.probe(*men).is_some_and(|exact| {
                exact.outcome == Wdl::Win && exact.plies.is_some_and(|plies| plies >= 5)
            })
        };
        let men = (0..slice.size()).map(|at| slice.men_at(at)).find(wins_late).unwrap();
        let forge = Forge::new(men);
        assert_eq!(forge.check(|_| {}), Ok(Wdl::Win));
        let ranks: Vec<u32> = forge.claims[0].1.iter().map(|record| record.rank).collect();
        assert!(ranks.iter().any(|rank| *rank > 0), "{ranks:?}");
        let same = forge.check(|claims| claims[0].1.iter_mut().for_each(|record| record.rank = 1));
        assert!(same.unwrap_err().contains("a step makes no progress"));
    }
}
