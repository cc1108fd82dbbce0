//! The file of a slice: a header, an index of blocks, and blocks of codes packed with LZ4.
//!
//! All numbers are little-endian.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | [`MAGIC`] |
//! | 4 | [`VERSION`], the rule (0 optional, 1 mandatory), own men, enemy men: one byte each |
//! | 8 | how many codes the file has |
//! | 4 | how many codes a block has |
//! | 4 | CRC-32 of the index |
//! | 4 | CRC-32 of the 28 bytes before |
//! | 8 a block | the index: packed length and CRC-32 of each block's packed bytes |
//! | | the packed blocks |

use std::sync::Mutex;

use leap_games::alquerque::Capture;
use thiserror::Error;

use crate::Slice;
use crate::bytes::Bytes;

/// The first bytes of a file.
const MAGIC: [u8; 8] = *b"leapexct";
/// The version of the format and of the numbers of positions.
const VERSION: u8 = 1;
/// The bytes before the index.
const HEADER: usize = 32;
/// The bytes of a block in the index.
const ENTRY: usize = 8;
/// The codes of a block: unpacking one takes a few microseconds.
pub(crate) const BLOCK: usize = 1 << 14;

/// Why a file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FileError {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Io(String),
    /// The file is something else.
    #[error("is not a table of leapd")]
    Foreign,
    /// Another version of the program has made it.
    #[error("has version {found} of the format, expected {VERSION}: make it again")]
    Version {
        /// The version of the file.
        found: u8,
    },
    /// The name and the contents do not fit.
    #[error("holds another rule or other numbers of men than its name says")]
    Misnamed,
    /// Bytes are missing or too many.
    #[error("has {found} bytes, expected {expected}: it was cut off or changed")]
    Length {
        /// The bytes of the file.
        found: usize,
        /// The bytes that its index needs.
        expected: usize,
    },
    /// A checksum fails.
    #[error("is damaged in {0}: make it again")]
    Damaged(&'static str),
}

/// The name of a file.
#[must_use]
pub fn file_name(capture: Capture, slice: Slice) -> String {
    format!("alquerque-{capture}-{}-{}.table", slice.own, slice.enemy)
}

/// The bytes of a file with these codes.
#[must_use]
pub(crate) fn pack(capture: Capture, slice: Slice, codes: &[u8]) -> Vec<u8> {
    let (mut index, mut body) = (Vec::new(), Vec::new());
    for block in codes.chunks(BLOCK) {
        let packed = lz4_flex::block::compress(block);
        index.extend((packed.len() as u32).to_le_bytes());
        index.extend(crc32fast::hash(&packed).to_le_bytes());
        body.extend(packed);
    }
    let mut file = Vec::with_capacity(HEADER + index.len() + body.len());
    file.extend(MAGIC);
    file.extend([VERSION, rule(capture), slice.own as u8, slice.enemy as u8]);
    file.extend((codes.len() as u64).to_le_bytes());
    file.extend((BLOCK as u32).to_le_bytes());
    file.extend(crc32fast::hash(&index).to_le_bytes());
    let checksum = crc32fast::hash(&file);
    file.extend(checksum.to_le_bytes());
    file.extend(index);
    file.extend(body);
    file
}

const fn rule(capture: Capture) -> u8 {
    match capture {
        Capture::Optional => 0,
        Capture::Mandatory => 1,
    }
}

/// An opened file.
#[derive(Debug)]
pub(crate) struct File {
    bytes: Bytes,
    codes: u64,
    /// Where each block begins, and where the last one ends.
    starts: Vec<usize>,
    /// The block that was unpacked last, and its number.
    last: Mutex<(usize, Vec<u8>)>,
    /// Every code, if the file was unpacked as a whole.
    whole: Vec<u8>,
}

impl File {
    /// Opens the file of a slice. Checks all but the blocks, which are checked when they are read.
    pub(crate) fn open(bytes: Bytes, capture: Capture, slice: Slice) -> Result<Self, FileError> {
        let found = bytes.len();
        let header = bytes.get(..HEADER).ok_or(FileError::Foreign)?;
        if header[..8] != MAGIC {
            return Err(FileError::Foreign);
        }
        if header[8] != VERSION {
            return Err(FileError::Version { found: header[8] });
        }
        if u32_at(header, 28) != crc32fast::hash(&header[..28]) {
            return Err(FileError::Damaged("its header"));
        }
        let codes = u64::from_le_bytes(header[12..20].try_into().unwrap_or_default());
        let of = [rule(capture), slice.own as u8, slice.enemy as u8];
        if header[9..12] != of || codes != slice.size() || u32_at(header, 20) as usize != BLOCK {
            return Err(FileError::Misnamed);
        }
        let body = HEADER + codes.div_ceil(BLOCK as u64) as usize * ENTRY;
        let cut = |expected| FileError::Length { found, expected };
        let index = bytes.get(HEADER..body).ok_or(cut(body))?;
        if u32_at(header, 24) != crc32fast::hash(index) {
            return Err(FileError::Damaged("its index"));
        }
        let mut starts = vec![body];
        for entry in index.chunks(ENTRY) {
            starts.push(starts[starts.len() - 1] + u32_at(entry, 0) as usize);
        }
        let end = starts[starts.len() - 1];
        if end != found {
            return Err(cut(end));
        }
        Ok(Self {
            bytes,
            codes,
            starts,
            last: Mutex::new((usize::MAX, Vec::new())),
            whole: Vec::new(),
        })
    }

    /// The code of a position.
    pub(crate) fn code(&self, number: u64) -> Result<u8, FileError> {
        debug_assert!(number < self.codes);
        if let Some(code) = self.whole.get(number as usize) {
            return Ok(*code);
        }
        let (block, offset) = ((number / BLOCK as u64) as usize, (number % BLOCK as u64) as usize);
        let mut last = self.last.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if last.0 != block {
            last.0 = usize::MAX;
            last.1 = self.block(block)?;
            last.0 = block;
        }
        last.1.get(offset).copied().ok_or(FileError::Damaged("a block"))
    }

    /// Unpacks every block into memory, one byte a code.
    pub(crate) fn unpack(&mut self) -> Result<(), FileError> {
        let blocks = 0..self.starts.len() - 1;
        self.whole = blocks.map(|block| self.block(block)).collect::<Result<Vec<_>, _>>()?.concat();
        Ok(())
    }

    /// The codes of a block.
    fn block(&self, block: usize) -> Result<Vec<u8>, FileError> {
        let packed = &self.bytes[self.starts[block]..self.starts[block + 1]];
        let checksum = u32_at(&self.bytes, HEADER + ENTRY * block + 4);
        if checksum != crc32fast::hash(packed) {
            return Err(FileError::Damaged("a block"));
        }
        let length = (self.codes - (block * BLOCK) as u64).min(BLOCK as u64) as usize;
        lz4_flex::block::decompress(packed, length).map_err(|_| FileError::Damaged("a block"))
    }
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SLICE: Slice = Slice { own: 3, enemy: 3 };

    fn codes() -> Vec<u8> {
        (0..SLICE.size()).map(|at| (at * at / 128) as u8).collect()
    }

    fn packed() -> Vec<u8> {
        pack(Capture::Optional, SLICE, &codes())
    }

    fn error(bytes: Vec<u8>) -> FileError {
        File::open(Bytes::Owned(bytes), Capture::Optional, SLICE).expect_err("must be refused")
    }

    #[test]
    fn every_code_comes_back() {
        let file = File::open(Bytes::Owned(packed()), Capture::Optional, SLICE).unwrap();
        for (at, code) in codes().into_iter().enumerate() {
            assert_eq!(file.code(at as u64), Ok(code));
        }
    }

    #[test]
    fn files_that_do_not_fit_are_refused_with_the_reason() {
        let whole = packed();
        let changed = |at: usize| {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            bytes
        };
        assert_eq!(error(Vec::new()), FileError::Foreign);
        assert_eq!(error(changed(0)), FileError::Foreign);
        assert_eq!(error(changed(8)), FileError::Version { found: 0 });
        assert_eq!(error(changed(13)), FileError::Damaged("its header"));
        assert_eq!(error(changed(HEADER)), FileError::Damaged("its index"));
        assert_eq!(error(pack(Capture::Mandatory, SLICE, &codes())), FileError::Misnamed);
        let other = Slice { own: 3, enemy: 2 };
        let few = vec![0; other.size() as usize];
        assert_eq!(error(pack(Capture::Optional, other, &few)), FileError::Misnamed);
        let cut = error(whole[..whole.len() - 1].to_vec());
        assert!(matches!(cut, FileError::Length { .. }), "{cut}");
        assert!(matches!(error(whole[..40].to_vec()), FileError::Length { .. }));
    }

    #[test]
    fn a_damaged_block_is_found_when_it_is_read() {
        let mut bytes = packed();
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        let file = File::open(Bytes::Owned(bytes), Capture::Optional, SLICE).unwrap();
        assert!(file.code(0).is_ok());
        assert_eq!(file.code(SLICE.size() - 1), Err(FileError::Damaged("a block")));
    }
}
