//! The file of a slice: a header, an index of blocks, and packed blocks of codes.
//!
//! All numbers are little-endian.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | [`MAGIC`] |
//! | 4 | [`VERSION`], the rule (0 optional, 1 mandatory), own men, enemy men: one byte each |
//! | 8 | how many codes the file has |
//! | 3 | how many codes a block has |
//! | 1 | how blocks are packed (0 LZ4, 1 deflate) |
//! | 4 | CRC-32 of the index |
//! | 4 | CRC-32 of the 28 bytes before |
//! | 8 a block | the index: packed length and CRC-32 of each block's packed bytes |
//! | | the packed blocks |

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

use leap_games::alquerque::Capture;
use thiserror::Error;

use crate::Slice;
use crate::bytes::Bytes;
use crate::cache::{Cache, Key};
use crate::packing::Packing;

/// The first bytes of a file.
const MAGIC: [u8; 8] = *b"leapexct";
/// The version of the format and of the numbers of positions.
const VERSION: u8 = 1;
/// The bytes before the index.
const HEADER: usize = 32;
/// The bytes of a block in the index.
const ENTRY: usize = 8;
/// The codes of a block: unpacking one takes less than 5 microseconds.
#[cfg(feature = "make")]
pub(crate) const BLOCK: usize = 1 << 12;
/// The most codes of a block that is unpacked by itself. With larger blocks, a file is unpacked as a whole.
const MOST_BLOCK: usize = 1 << 14;
/// The unpacked blocks of all files: 16 MiB, or 64 MiB for the larger blocks of earlier versions.
static CACHE: Cache<4096> = Cache::new();

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
    /// Its blocks are packed in a way that this version of the program does not know.
    #[error("is packed in an unknown way, number {found}: make it again")]
    Packing {
        /// The number of the way.
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

/// The bytes of a file with these codes, in blocks of this length.
#[cfg(feature = "make")]
pub(crate) fn pack(capture: Capture, slice: Slice, codes: &[u8], block: usize) -> Vec<u8> {
    use rayon::prelude::*;
    /// The smallest files. The packer has levels up to 10.
    const LEVEL: u8 = 10;
    let pack = |codes| miniz_oxide::deflate::compress_to_vec(codes, LEVEL);
    let blocks: Vec<Vec<u8>> = codes.par_chunks(block).map(pack).collect();
    assemble(capture, slice, Packing::Deflate, block, &blocks)
}

/// The bytes of a file with these packed blocks, each with `block` codes.
#[cfg(feature = "make")]
fn assemble(
    capture: Capture,
    slice: Slice,
    packing: Packing,
    block: usize,
    blocks: &[Vec<u8>],
) -> Vec<u8> {
    let mut index = Vec::with_capacity(blocks.len() * ENTRY);
    for packed in blocks {
        index.extend((packed.len() as u32).to_le_bytes());
        index.extend(crc32fast::hash(packed).to_le_bytes());
    }
    let mut file = Vec::new();
    file.extend(MAGIC);
    file.extend([VERSION, rule(capture), slice.own as u8, slice.enemy as u8]);
    file.extend(slice.size().to_le_bytes());
    file.extend(&(block as u32).to_le_bytes()[..3]);
    file.push(packing as u8);
    file.extend(crc32fast::hash(&index).to_le_bytes());
    let checksum = crc32fast::hash(&file);
    file.extend(checksum.to_le_bytes());
    file.extend(index);
    file.extend(blocks.concat());
    file
}

const fn rule(capture: Capture) -> u8 {
    match capture {
        Capture::Optional => 0,
        Capture::Mandatory => 1,
    }
}

/// What a file says before its blocks.
#[derive(Debug)]
struct Layout {
    codes: usize,
    /// The codes of each block but the last one, which may have fewer.
    block: usize,
    packing: Packing,
    /// Where each block begins, and where the last one ends.
    starts: Vec<usize>,
}

impl Layout {
    /// Reads header and index. More bytes may follow than the file has.
    fn read(bytes: &[u8], capture: Capture, slice: Slice) -> Result<Self, FileError> {
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
        let packing = Packing::of(header[23]).ok_or(FileError::Packing { found: header[23] })?;
        let codes = u64::from_le_bytes(header[12..20].try_into().unwrap_or_default());
        let block = u32_at(header, 20) as usize & 0xff_ffff;
        let of = [rule(capture), slice.own as u8, slice.enemy as u8];
        if header[9..12] != of || codes != slice.size() || block == 0 {
            return Err(FileError::Misnamed);
        }
        let body = HEADER + codes.div_ceil(block as u64) as usize * ENTRY;
        let cut = |expected| FileError::Length { found: bytes.len(), expected };
        let index = bytes.get(HEADER..body).ok_or(cut(body))?;
        if u32_at(header, 24) != crc32fast::hash(index) {
            return Err(FileError::Damaged("its index"));
        }
        let mut starts = vec![body];
        for entry in index.chunks(ENTRY) {
            starts.push(starts[starts.len() - 1] + u32_at(entry, 0) as usize);
        }
        let layout = Self { codes: codes as usize, block, packing, starts };
        if layout.end() > bytes.len() { Err(cut(layout.end())) } else { Ok(layout) }
    }

    /// The bytes of the file.
    fn end(&self) -> usize {
        self.starts[self.starts.len() - 1]
    }
}

/// An opened file.
#[derive(Debug)]
pub(crate) struct File {
    bytes: Bytes,
    layout: Layout,
    /// The number of the file in the cache.
    id: u32,
    /// Every code, once the file was unpacked as a whole.
    whole: OnceLock<Result<Vec<u8>, FileError>>,
    is_left_out: AtomicBool,
}

impl File {
    /// Opens the file of a slice. Checks all but the blocks, which are checked when they are read.
    pub(crate) fn open(bytes: Bytes, capture: Capture, slice: Slice) -> Result<Self, FileError> {
        let layout = Layout::read(&bytes, capture, slice)?;
        if layout.end() != bytes.len() {
            return Err(FileError::Length { found: bytes.len(), expected: layout.end() });
        }
        Ok(Self::new(bytes, layout))
    }

    /// Opens the first of several files one after another, and returns the bytes of the others.
    pub(crate) fn first_of(
        bytes: &'static [u8],
        capture: Capture,
        slice: Slice,
    ) -> Result<(Self, &'static [u8]), FileError> {
        let layout = Layout::read(bytes, capture, slice)?;
        let (first, others) = bytes.split_at(layout.end());
        Ok((Self::new(Bytes::Static(first), layout), others))
    }

    fn new(bytes: Bytes, layout: Layout) -> Self {
        static OPENED: AtomicU32 = AtomicU32::new(1);
        let id = OPENED.fetch_add(1, Relaxed);
        Self { bytes, layout, id, whole: OnceLock::new(), is_left_out: AtomicBool::new(false) }
    }

    /// The code of a position.
    #[inline]
    pub(crate) fn code(&self, number: u64) -> Result<u8, FileError> {
        match self.whole.get() {
            Some(Ok(codes)) => Ok(codes[number as usize]),
            _ if self.layout.block > MOST_BLOCK => Ok(self.whole()?[number as usize]),
            _ => self.cached(number as usize),
        }
    }

    /// The code of a position by way of the cache.
    fn cached(&self, number: usize) -> Result<u8, FileError> {
        let (block, offset) = (number / self.layout.block, number % self.layout.block);
        let fill = |codes: &mut Vec<u8>| {
            codes.resize(self.layout.block.min(self.layout.codes - block * self.layout.block), 0);
            self.unpack(block, codes)
        };
        CACHE.with(Key { file: self.id, block: block as u32 }, fill, |codes| codes[offset])
    }

    /// Every code. They are unpacked into memory the first time.
    pub(crate) fn whole(&self) -> Result<&[u8], FileError> {
        let unpack = || {
            let mut whole = vec![0; self.layout.codes];
            for (block, codes) in whole.chunks_mut(self.layout.block).enumerate() {
                self.unpack(block, codes)?;
            }
            Ok(whole)
        };
        self.whole.get_or_init(unpack).as_deref().map_err(Clone::clone)
    }

    /// Every code, without the file.
    #[cfg(feature = "make")]
    pub(crate) fn into_whole(self) -> Result<Vec<u8>, FileError> {
        self.whole()?;
        self.whole.into_inner().unwrap_or_else(|| unreachable!("it was unpacked"))
    }

    fn unpack(&self, block: usize, codes: &mut [u8]) -> Result<(), FileError> {
        let packed = &self.bytes[self.layout.starts[block]..self.layout.starts[block + 1]];
        let is_right = u32_at(&self.bytes, HEADER + ENTRY * block + 4) == crc32fast::hash(packed)
            && self.layout.packing.unpack(packed, codes);
        if is_right { Ok(()) } else { Err(FileError::Damaged("a block")) }
    }

    /// Whether the file is packed as it would be today.
    #[cfg(feature = "make")]
    pub(crate) fn is_current(&self) -> bool {
        (self.layout.packing, self.layout.block) == (Packing::Deflate, BLOCK)
    }

    /// Leaves the file out from now on. Returns whether it was left out before.
    pub(crate) fn leave_out(&self) -> bool {
        self.is_left_out.swap(true, Relaxed)
    }

    #[inline]
    pub(crate) fn is_left_out(&self) -> bool {
        self.is_left_out.load(Relaxed)
    }
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap_or_default())
}

#[cfg(all(test, feature = "make"))]
mod tests {
    use super::*;

    const SLICE: Slice = Slice { own: 3, enemy: 3 };

    fn codes() -> Vec<u8> {
        (0..SLICE.size()).map(|at| (at * at / 128) as u8).collect()
    }

    fn packed() -> Vec<u8> {
        pack(Capture::Optional, SLICE, &codes(), BLOCK)
    }

    fn error(bytes: Vec<u8>) -> FileError {
        File::open(Bytes::Owned(bytes), Capture::Optional, SLICE).expect_err("must be refused")
    }

    /// Checks that a file has every code, one by one and as a whole.
    fn check(bytes: Vec<u8>) {
        let file = File::open(Bytes::Owned(bytes), Capture::Optional, SLICE).unwrap();
        for (at, code) in codes().into_iter().enumerate() {
            assert_eq!(file.code(at as u64), Ok(code));
        }
        assert_eq!(file.whole(), Ok(&codes()[..]));
        assert_eq!(file.code(5), Ok(codes()[5]));
    }

    #[test]
    fn every_code_comes_back() {
        for block in [BLOCK, 999, codes().len()] {
            check(pack(Capture::Optional, SLICE, &codes(), block));
        }
    }

    #[test]
    fn files_of_earlier_versions_are_read() {
        let blocks: Vec<_> = codes().chunks(MOST_BLOCK).map(lz4_flex::block::compress).collect();
        check(assemble(Capture::Optional, SLICE, Packing::Lz4, MOST_BLOCK, &blocks));
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
        let mut unknown = whole.clone();
        unknown[23] = 2;
        let checksum = crc32fast::hash(&unknown[..28]).to_le_bytes();
        unknown[28..32].copy_from_slice(&checksum);
        assert_eq!(error(unknown), FileError::Packing { found: 2 });
        let misnamed = |capture, slice: Slice| {
            let codes = vec![0; slice.size() as usize];
            pack(capture, slice, &codes, BLOCK)
        };
        assert_eq!(error(misnamed(Capture::Mandatory, SLICE)), FileError::Misnamed);
        let other = Slice { own: 3, enemy: 2 };
        assert_eq!(error(misnamed(Capture::Optional, other)), FileError::Misnamed);
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
