//! The file of a certificate.
//!
//! All numbers are little-endian. The file begins with a [`RawHead`]. For each claim there is a [`RawClaim`], and
//! then a [`RawRecord`] for each position of the proof, in ascending order. A CRC-32 follows the head, each claim, each
//! block of 4096 records and the last record.
//!
//! A position is written as the least of its eight images. The number of a move counts the different positions after
//! all moves, in ascending order, from 0.

use std::io::{self, Read, Write};

use leap_core::notation::Notation as _;
use leap_core::{Position as _, Side};
use leap_games::alquerque::{Alquerque, AlquerquePosition, CaptureRule};
use thiserror::Error;
use zerocopy::little_endian::{U32, U64};
use zerocopy::{FromBytes, FromZeros as _, Immutable, IntoBytes, KnownLayout, Unaligned};

use crate::{Men, Wdl};

/// The first bytes of a file.
const MAGIC: [u8; 8] = *b"leapcert";
/// The version of the format.
const VERSION: u8 = 1;
/// The records of a block.
const BLOCK: usize = 4096;

/// What a file begins with.
#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct RawHead {
    magic: [u8; 8],
    version: u8,
    /// 0 optional, 1 mandatory.
    rule: u8,
    /// The men of the tables.
    men: u8,
    claims: u8,
    /// The men of the side to move: a bit for each point, a1 lowest.
    own: U32,
    /// The men of the other side.
    enemy: U32,
    /// The side to move: 1 or 2.
    side: U32,
}

/// What a claim begins with.
#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct RawClaim {
    /// 1 if the claim is of the side to move, otherwise 0.
    of_mover: u8,
    /// 1 at least a draw, 2 a win.
    at_least: u8,
    zero: [u8; 2],
    records: U64,
}

/// A record. The lowest 50 bits of its word are the men, as [`Men::word`] packs them. The next bit is set if the side of
/// the claim moves. The bits above are the number of the move, 0 for the other side.
#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct RawRecord {
    word: U64,
    rank: U32,
}

/// The bit of a record that is set if the side of the claim moves.
const CLAIMANT: u32 = 50;

/// What a side can force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Whether the claim is of the side to move in the position of the certificate.
    pub of_mover: bool,
    /// The outcome that this side can force, at least: a draw or a win.
    pub at_least: Wdl,
}

impl Claim {
    /// Whether endless play with these men is enough for the claim (SPEC 11.13, 11.14).
    pub(crate) fn is_enough(self, men: Men, claimant_moves: bool) -> bool {
        let slice = if claimant_moves { men.slice() } else { men.slice().flipped() };
        slice.by_count() >= self.at_least
    }
}

/// A position of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Record {
    /// Whether the side of the claim moves.
    pub claimant_moves: bool,
    /// The position, as the least of its images.
    pub men: Men,
    /// The number of the move of the side of the claim.
    pub choice: u16,
    /// Falls with each step where the count of men is not enough for the claim.
    pub rank: u32,
}

impl Record {
    fn raw(self) -> RawRecord {
        let above = u64::from(self.claimant_moves) | u64::from(self.choice) << 1;
        RawRecord { word: (self.men.word() | above << CLAIMANT).into(), rank: self.rank.into() }
    }

    fn of(raw: &RawRecord) -> Self {
        let (word, rank) = (raw.word.get(), raw.rank.get());
        let above = word >> CLAIMANT;
        Self {
            claimant_moves: above & 1 != 0,
            men: Men::of_word(word),
            choice: (above >> 1) as u16,
            rank,
        }
    }
}

/// What a certificate begins with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The rule.
    pub capture: CaptureRule,
    /// The men up to which tables are needed.
    pub men: u32,
    /// The position. Its counters are 0.
    pub position: AlquerquePosition,
    /// The number of claims: one for a win or a loss, two for a draw.
    pub claims: u8,
}

impl Head {
    /// The text of the position.
    #[must_use]
    pub fn position_text(&self) -> String {
        Alquerque::default().print_position(&self.position)
    }
}

/// Why a certificate cannot be read.
#[derive(Debug, Error)]
pub enum FormatError {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Io(io::Error),
    /// The file is something else.
    #[error("is not a certificate of leapd")]
    Foreign,
    /// Another version of the program has made it.
    #[error("has version {found} of the format, expected {VERSION}")]
    Version {
        /// The version of the file.
        found: u8,
    },
    /// Bytes are missing.
    #[error("ends in {0}: it was cut off")]
    Cut(String),
    /// A checksum fails.
    #[error("is damaged in {0}")]
    Damaged(String),
    /// Bytes are left.
    #[error("goes on after its last record")]
    Long,
}

/// Writes the head of a certificate.
///
/// # Errors
/// Those of the file.
pub fn write_head(file: &mut impl Write, head: &Head) -> io::Result<()> {
    let Men { own, enemy } = Men::of(&head.position);
    let raw = RawHead {
        magic: MAGIC,
        version: VERSION,
        rule: head.capture as u8,
        men: head.men as u8,
        claims: head.claims,
        own: own.into(),
        enemy: enemy.into(),
        side: head.position.side().number().into(),
    };
    write_summed(file, raw.as_bytes())
}

/// Writes a claim with its records, which ascend.
///
/// # Errors
/// Those of the file.
pub fn write_claim(file: &mut impl Write, claim: Claim, records: &[Record]) -> io::Result<()> {
    let raw = RawClaim {
        of_mover: claim.of_mover.into(),
        at_least: claim.at_least as u8,
        zero: [0; 2],
        records: (records.len() as u64).into(),
    };
    write_summed(file, raw.as_bytes())?;
    for block in records.chunks(BLOCK) {
        let block: Vec<RawRecord> = block.iter().map(|record| record.raw()).collect();
        write_summed(file, block.as_bytes())?;
    }
    Ok(())
}

fn write_summed(file: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    file.write_all(bytes)?;
    file.write_all(&crc32fast::hash(bytes).to_le_bytes())
}

/// Reads what a certificate is about. Its claims follow in the file.
///
/// # Errors
/// The file is no certificate.
pub fn read_head(file: &mut impl Read) -> Result<Head, FormatError> {
    let place = "its head";
    let mut raw = RawHead::new_zeroed();
    match read(file, &mut raw.magic, place) {
        Err(FormatError::Cut(_)) => return Err(FormatError::Foreign),
        other => other?,
    }
    if raw.magic != MAGIC {
        return Err(FormatError::Foreign);
    }
    read(file, &mut raw.as_mut_bytes()[MAGIC.len()..], place)?;
    if raw.version != VERSION {
        return Err(FormatError::Version { found: raw.version });
    }
    read_sum(file, raw.as_bytes(), place)?;
    let damaged = || FormatError::Damaged(place.to_owned());
    let capture = match raw.rule {
        0 => CaptureRule::Optional,
        1 => CaptureRule::Mandatory,
        _ => return Err(damaged()),
    };
    let men = Men { own: raw.own.get(), enemy: raw.enemy.get() };
    let side = Side::BOTH.into_iter().find(|side| raw.side == side.number());
    let side = side.ok_or_else(damaged)?;
    if !men.are_apart() || men.own == 0 || men.enemy == 0 {
        return Err(damaged());
    }
    let position = men.position_of(side);
    Ok(Head { capture, men: raw.men.into(), position, claims: raw.claims })
}

/// Reads a claim with its records. `number` is the number of the claim, from 1.
///
/// # Errors
/// The file is cut off or damaged.
pub fn read_claim(file: &mut impl Read, number: u8) -> Result<(Claim, Vec<Record>), FormatError> {
    let place = format!("claim {number}");
    let mut raw = RawClaim::new_zeroed();
    read_summed(file, raw.as_mut_bytes(), &place)?;
    let at_least = match raw.at_least {
        1 => Wdl::Draw,
        2 => Wdl::Win,
        _ => return Err(FormatError::Damaged(place)),
    };
    let claim = Claim { of_mover: raw.of_mover == 1, at_least };
    let count = raw.records.get();
    let mut records = Vec::new();
    while (records.len() as u64) < count {
        let left = (count - records.len() as u64).min(BLOCK as u64);
        let mut block: Vec<RawRecord> = (0..left).map(|_| RawRecord::new_zeroed()).collect();
        read_summed(file, block.as_mut_bytes(), &format!("{place}, record {}", records.len() + 1))?;
        records.extend(block.iter().map(Record::of));
    }
    Ok((claim, records))
}

/// Makes sure that a file has ended.
pub(super) fn read_end(file: &mut impl Read) -> Result<(), FormatError> {
    match file.read(&mut [0]).map_err(FormatError::Io)? {
        0 => Ok(()),
        _ => Err(FormatError::Long),
    }
}

fn read(file: &mut impl Read, bytes: &mut [u8], place: &str) -> Result<(), FormatError> {
    file.read_exact(bytes).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => FormatError::Cut(place.to_owned()),
        _ => FormatError::Io(error),
    })
}

fn read_summed(file: &mut impl Read, bytes: &mut [u8], place: &str) -> Result<(), FormatError> {
    read(file, bytes, place)?;
    read_sum(file, bytes, place)
}

/// Compares the checksum that follows with that of these bytes.
fn read_sum(file: &mut impl Read, bytes: &[u8], place: &str) -> Result<(), FormatError> {
    let mut sum = [0; 4];
    read(file, &mut sum, place)?;
    if crc32fast::hash(bytes).to_le_bytes() == sum {
        Ok(())
    } else {
        Err(FormatError::Damaged(place.to_owned()))
    }
}
