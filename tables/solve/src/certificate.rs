//! The file of a certificate.
//!
//! A certificate says what each side can force from a position, and has the positions of the proof. All numbers are
//! little-endian:
//!
//! | bytes | what |
//! |---|---|
//! | 8 | [`MAGIC`] |
//! | 4 | version, the rule (0 optional, 1 mandatory), the men of the tables, the number of claims: one byte each |
//! | 4, 4 | the men of the side to move, and of the other side: a bit for each point, a1 lowest |
//! | 4 | the side to move: 1 or 2 |
//! | 4 | CRC-32 of the 24 bytes before |
//!
//! For each claim:
//!
//! | bytes | what |
//! |---|---|
//! | 4 | 1 if the claim is of the side to move, otherwise 0; 1 at least a draw, 2 a win; two bytes 0 |
//! | 8 | the number of records |
//! | 4 | CRC-32 of the 12 bytes before |
//! | 12 a record, 4 a block | records in ascending order; CRC-32 after each block of 4096, and after the last one |
//!
//! A record has a word of eight bytes and a rank of four. The word has these bits, the lowest ones first:
//!
//! | bits | what |
//! |---|---|
//! | 25, 25 | the men of the other side, and of the side to move |
//! | 1 | whether the claim's side moves |
//! | 13 | the number of its move, 0 for the other side |
//!
//! The number counts the different positions after all moves in ascending order, from 0. A position is written as the
//! least of its eight images.

use std::io::{self, Read, Write};

use leap_core::Side;
use leap_tables::{Capture, Men, Wdl};
use thiserror::Error;

use crate::Position;
use crate::board::{Node, SET};

/// The first bytes of a file.
const MAGIC: [u8; 8] = *b"leapcert";
/// The version of the format.
const VERSION: u8 = 1;
/// The records of a block.
const BLOCK: usize = 4096;
/// The bytes of a record.
const RECORD: usize = 12;

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
        let (own, enemy) = (men.own.count_ones(), men.enemy.count_ones());
        let (claimant, other) = if claimant_moves { (own, enemy) } else { (enemy, own) };
        match self.at_least {
            Wdl::Loss => true,
            Wdl::Draw => claimant >= other,
            Wdl::Win => claimant > other,
        }
    }
}

/// A position of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Record {
    /// The position; the prover is the side of the claim.
    pub(crate) node: Node,
    /// The number of its move.
    pub(crate) choice: u16,
    /// Falls with each step where the count of men is not enough for the claim.
    pub(crate) rank: u32,
}

impl Record {
    fn bytes(self) -> [u8; RECORD] {
        let word = self.node.0 | u64::from(self.choice) << Node::BITS;
        let mut bytes = [0; RECORD];
        bytes[..8].copy_from_slice(&word.to_le_bytes());
        bytes[8..].copy_from_slice(&self.rank.to_le_bytes());
        bytes
    }

    fn of(bytes: &[u8]) -> Self {
        let word = u64::from_le_bytes(bytes[..8].try_into().unwrap_or_default());
        let rank = u32::from_le_bytes(bytes[8..].try_into().unwrap_or_default());
        let node = Node(word & ((1 << Node::BITS) - 1));
        Self { node, choice: (word >> Node::BITS) as u16, rank }
    }
}

/// What a certificate begins with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The rule.
    pub capture: Capture,
    /// The men up to which tables are needed.
    pub men: u32,
    /// The position.
    pub position: Position,
    /// The number of claims: one for a win or a loss, two for a draw.
    pub claims: u8,
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
pub(crate) fn write_head(file: &mut impl Write, head: &Head) -> io::Result<()> {
    let Position { men, side } = head.position;
    let mut bytes = MAGIC.to_vec();
    bytes.extend([VERSION, head.capture as u8, head.men as u8, head.claims]);
    bytes.extend(men.own.to_le_bytes());
    bytes.extend(men.enemy.to_le_bytes());
    bytes.extend((1 + side as u32).to_le_bytes());
    write_summed(file, &bytes)
}

/// Writes a claim with its records.
pub(crate) fn write_claim(
    file: &mut impl Write,
    claim: Claim,
    records: &[Record],
) -> io::Result<()> {
    let mut bytes = vec![u8::from(claim.of_mover), claim.at_least as u8, 0, 0];
    bytes.extend((records.len() as u64).to_le_bytes());
    write_summed(file, &bytes)?;
    for block in records.chunks(BLOCK) {
        let bytes: Vec<u8> = block.iter().flat_map(|record| record.bytes()).collect();
        write_summed(file, &bytes)?;
    }
    Ok(())
}

fn write_summed(file: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    file.write_all(bytes)?;
    file.write_all(&crc32fast::hash(bytes).to_le_bytes())
}

/// Reads the head of a certificate.
pub(crate) fn read_head(file: &mut impl Read) -> Result<Head, FormatError> {
    let mut magic = [0; 8];
    let is_short = |error: &FormatError| matches!(error, FormatError::Cut(_));
    match read(file, &mut magic, "its head") {
        Err(error) if is_short(&error) => return Err(FormatError::Foreign),
        other => other?,
    }
    if magic != MAGIC {
        return Err(FormatError::Foreign);
    }
    let mut rest = [0; 20];
    read(file, &mut rest, "its head")?;
    if rest[0] != VERSION {
        return Err(FormatError::Version { found: rest[0] });
    }
    let number = |at: usize| u32::from_le_bytes(rest[at..at + 4].try_into().unwrap_or_default());
    let sum = crc32fast::hash(&[&magic[..], &rest[..16]].concat());
    let damaged = || FormatError::Damaged("its head".to_owned());
    if number(16) != sum {
        return Err(damaged());
    }
    let capture = match rest[1] {
        0 => Capture::Optional,
        1 => Capture::Mandatory,
        _ => return Err(damaged()),
    };
    let (own, enemy) = (number(4), number(8));
    let side = match number(12) {
        1 => Side::One,
        2 => Side::Two,
        _ => return Err(damaged()),
    };
    if own & enemy != 0 || (own | enemy) & !SET != 0 || own == 0 || enemy == 0 {
        return Err(damaged());
    }
    let position = Position { men: Men { own, enemy }, side };
    Ok(Head { capture, men: u32::from(rest[2]), position, claims: rest[3] })
}

/// Reads a claim with its records. `number` is the number of the claim, from 1.
pub(crate) fn read_claim(
    file: &mut impl Read,
    number: u8,
) -> Result<(Claim, Vec<Record>), FormatError> {
    let place = format!("claim {number}");
    let mut bytes = [0; 12];
    read_summed(file, &mut bytes, &place)?;
    let at_least = match bytes[1] {
        1 => Wdl::Draw,
        2 => Wdl::Win,
        _ => return Err(FormatError::Damaged(place)),
    };
    let claim = Claim { of_mover: bytes[0] == 1, at_least };
    let count = u64::from_le_bytes(bytes[4..].try_into().unwrap_or_default());
    let mut records = Vec::new();
    while (records.len() as u64) < count {
        let left = (count - records.len() as u64).min(BLOCK as u64) as usize;
        let mut block = vec![0; left * RECORD];
        read_summed(file, &mut block, &format!("{place}, record {}", records.len() + 1))?;
        records.extend(block.chunks(RECORD).map(Record::of));
    }
    Ok((claim, records))
}

/// Makes sure that a file has ended.
pub(crate) fn read_end(file: &mut impl Read) -> Result<(), FormatError> {
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
    let mut sum = [0; 4];
    read(file, &mut sum, place)?;
    if crc32fast::hash(bytes).to_le_bytes() == sum {
        Ok(())
    } else {
        Err(FormatError::Damaged(place.to_owned()))
    }
}
