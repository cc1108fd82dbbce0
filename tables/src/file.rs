//! The file of a slice: a header, an index of blocks, and packed blocks of codes.
//!
//! All numbers are little-endian. The file begins with a [`Header`]. An [`Entry`] for each block follows, and
//! then the blocks, packed with deflate.

use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

use leap_games::alquerque::CaptureRule;
use thiserror::Error;
use zerocopy::little_endian::{U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use crate::Slice;
use crate::bytes::Bytes;
use crate::cache::{Cache, Key};

/// The first bytes of a file.
const MAGIC: [u8; 8] = *b"leapexct";
/// The version of the format and of the numbers of positions.
const VERSION: u8 = 1;
/// The number of deflate among the ways to pack. 0 was LZ4, which no release had.
const DEFLATE: u8 = 1;
/// The codes of a block: unpacking one takes a few microseconds. With larger blocks, a file is unpacked as a whole.
pub(crate) const BLOCK: usize = 1 << 12;
/// The unpacked blocks of all files: 16 MiB.
static CACHE: Cache<4096> = Cache::new();

/// What a file begins with.
#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Header {
    /// [`MAGIC`].
    magic: [u8; 8],
    /// [`VERSION`].
    version: u8,
    /// 0 optional, 1 mandatory.
    rule: u8,
    own: u8,
    enemy: u8,
    /// How many codes the file has.
    codes: U64,
    /// How many codes a block has.
    block: [u8; 3],
    /// [`DEFLATE`].
    packing: u8,
    /// The CRC-32 of the index.
    index_sum: U32,
    /// The CRC-32 of the header up to here.
    sum: U32,
}

impl Header {
    fn sum(&self) -> U32 {
        crc32fast::hash(&self.as_bytes()[..size_of::<Self>() - size_of::<U32>()]).into()
    }
}

/// A block in the index.
#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Entry {
    /// The bytes of the packed block.
    length: U32,
    /// Their CRC-32.
    sum: U32,
}

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
    /// Its blocks are packed in a way that this version of the program does not read.
    #[error("is packed in an unknown way, number {found}: remove it and make it again")]
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
pub fn file_name(capture: CaptureRule, slice: Slice) -> String {
    format!("alquerque-{capture}-{}-{}.table", slice.own, slice.enemy)
}

/// The bytes of a file with these codes, in blocks of this length.
#[cfg(feature = "make")]
pub(crate) fn pack(capture: CaptureRule, slice: Slice, codes: &[u8], block: usize) -> Vec<u8> {
    use rayon::prelude::*;
    /// The smallest files. The packer has levels up to 10.
    const LEVEL: u8 = 10;
    let pack = |codes| miniz_oxide::deflate::compress_to_vec(codes, LEVEL);
    let blocks: Vec<Vec<u8>> = codes.par_chunks(block).map(pack).collect();
    let entry = |packed: &Vec<u8>| Entry {
        length: (packed.len() as u32).into(),
        sum: crc32fast::hash(packed).into(),
    };
    let index: Vec<Entry> = blocks.iter().map(entry).collect();
    let [low, middle, high, _] = (block as u32).to_le_bytes();
    let mut header = Header {
        magic: MAGIC,
        version: VERSION,
        rule: capture as u8,
        own: slice.own as u8,
        enemy: slice.enemy as u8,
        codes: slice.size().into(),
        block: [low, middle, high],
        packing: DEFLATE,
        index_sum: crc32fast::hash(index.as_bytes()).into(),
        sum: U32::ZERO,
    };
    header.sum = header.sum();
    [header.as_bytes(), index.as_bytes(), &blocks.concat()].concat()
}

/// What a file says before its blocks.
struct Layout {
    codes: usize,
    /// The codes of each block but the last one, which may have fewer.
    block: usize,
    /// Where each block begins, and where the last one ends.
    starts: Vec<usize>,
}

impl Layout {
    /// Reads header and index. More bytes may follow than the file has.
    fn read(bytes: &[u8], capture: CaptureRule, slice: Slice) -> Result<Self, FileError> {
        let Ok((header, rest)) = Header::ref_from_prefix(bytes) else {
            return Err(FileError::Foreign);
        };
        if header.magic != MAGIC {
            return Err(FileError::Foreign);
        }
        if header.version != VERSION {
            return Err(FileError::Version { found: header.version });
        }
        if header.sum != header.sum() {
            return Err(FileError::Damaged("its header"));
        }
        if header.packing != DEFLATE {
            return Err(FileError::Packing { found: header.packing });
        }
        let [low, middle, high] = header.block;
        let (codes, block) = (header.codes.get(), u32::from_le_bytes([low, middle, high, 0]));
        let is_named = header.rule == capture as u8
            && [header.own, header.enemy].map(u32::from) == [slice.own, slice.enemy];
        if !is_named || codes != slice.size() || block == 0 {
            return Err(FileError::Misnamed);
        }
        let blocks = codes.div_ceil(block.into()) as usize;
        let body = size_of::<Header>() + blocks * size_of::<Entry>();
        let cut = |expected| FileError::Length { found: bytes.len(), expected };
        let index = <[Entry]>::ref_from_prefix_with_elems(rest, blocks);
        let (index, _) = index.map_err(|_| cut(body))?;
        if header.index_sum != crc32fast::hash(index.as_bytes()) {
            return Err(FileError::Damaged("its index"));
        }
        let mut starts = vec![body];
        for entry in index {
            starts.push(starts[starts.len() - 1] + entry.length.get() as usize);
        }
        let layout = Self { codes: codes as usize, block: block as usize, starts };
        if layout.end() > bytes.len() { Err(cut(layout.end())) } else { Ok(layout) }
    }

    /// The bytes of the file.
    fn end(&self) -> usize {
        self.starts[self.starts.len() - 1]
    }
}

/// An opened file.
pub(crate) struct File {
    bytes: Bytes,
    layout: Layout,
    /// The number of the file in the cache.
    id: u32,
    /// Every code, once the file was unpacked as a whole.
    whole: OnceLock<Result<Vec<u8>, FileError>>,
    is_left_out: AtomicBool,
}

/// Without its bytes.
impl fmt::Debug for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("File").field("id", &self.id).finish_non_exhaustive()
    }
}

impl File {
    /// Opens the file of a slice. Checks all but the blocks, which are checked when they are read.
    pub(crate) fn open(
        bytes: Bytes,
        capture: CaptureRule,
        slice: Slice,
    ) -> Result<Self, FileError> {
        let layout = Layout::read(&bytes, capture, slice)?;
        if layout.end() != bytes.len() {
            return Err(FileError::Length { found: bytes.len(), expected: layout.end() });
        }
        Ok(Self::new(bytes, layout))
    }

    /// Opens the first of several files one after another, and returns the bytes of the others.
    pub(crate) fn first_of(
        bytes: &'static [u8],
        capture: CaptureRule,
        slice: Slice,
    ) -> Result<(Self, &'static [u8]), FileError> {
        let layout = Layout::read(bytes, capture, slice)?;
        let (first, others) = bytes.split_at(layout.end());
        Ok((Self::new(Box::new(first), layout), others))
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
            _ if self.layout.block > BLOCK => Ok(self.whole()?[number as usize]),
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

    fn unpack(&self, block: usize, codes: &mut [u8]) -> Result<(), FileError> {
        let packed = &self.bytes[self.layout.starts[block]..self.layout.starts[block + 1]];
        let entry = &self.bytes[size_of::<Header>() + size_of::<Entry>() * block..];
        let is_whole = Entry::ref_from_prefix(entry)
            .is_ok_and(|(entry, _)| entry.sum == crc32fast::hash(packed));
        let parts = std::iter::once(packed);
        let unpacked =
            || miniz_oxide::inflate::decompress_slice_iter_to_slice(codes, parts, false, true);
        if is_whole && unpacked() == Ok(codes.len()) {
            Ok(())
        } else {
            Err(FileError::Damaged("a block"))
        }
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

#[cfg(all(test, feature = "make"))]
mod tests {
    use super::*;

    const SLICE: Slice = Slice { own: 3, enemy: 3 };

    fn codes() -> Vec<u8> {
        (0..SLICE.size()).map(|at| (at * at / 128) as u8).collect()
    }

    fn packed() -> Vec<u8> {
        pack(CaptureRule::Optional, SLICE, &codes(), BLOCK)
    }

    fn error(bytes: Vec<u8>) -> FileError {
        File::open(Box::new(bytes), CaptureRule::Optional, SLICE).expect_err("must be refused")
    }

    /// Checks that a file has every code, one by one and as a whole.
    fn check(bytes: Vec<u8>) {
        let file = File::open(Box::new(bytes), CaptureRule::Optional, SLICE).unwrap();
        for (at, code) in codes().into_iter().enumerate() {
            assert_eq!(file.code(at as u64), Ok(code));
        }
        assert_eq!(file.whole(), Ok(&codes()[..]));
        assert_eq!(file.code(5), Ok(codes()[5]));
    }

    #[test]
    fn every_code_comes_back() {
        for block in [BLOCK, 999, codes().len()] {
            check(pack(CaptureRule::Optional, SLICE, &codes(), block));
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
        assert_eq!(error(changed(size_of::<Header>())), FileError::Damaged("its index"));
        for found in [0, 2] {
            let mut unknown = whole.clone();
            let (header, _) = Header::mut_from_prefix(&mut unknown).unwrap();
            header.packing = found;
            header.sum = header.sum();
            assert_eq!(error(unknown), FileError::Packing { found });
        }
        let misnamed = |capture, slice: Slice| {
            let codes = vec![0; slice.size() as usize];
            pack(capture, slice, &codes, BLOCK)
        };
        assert_eq!(error(misnamed(CaptureRule::Mandatory, SLICE)), FileError::Misnamed);
        let other = Slice { own: 3, enemy: 2 };
        assert_eq!(error(misnamed(CaptureRule::Optional, other)), FileError::Misnamed);
        let cut = error(whole[..whole.len() - 1].to_vec());
        assert!(matches!(cut, FileError::Length { .. }), "{cut}");
        assert!(matches!(error(whole[..40].to_vec()), FileError::Length { .. }));
    }

    #[test]
    fn a_damaged_block_is_found_when_it_is_read() {
        let whole = packed();
        // Some of these changes unpack to other codes.
        for place in whole.len() - 64..whole.len() {
            let mut bytes = whole.clone();
            bytes[place] ^= 1;
            let file = File::open(Box::new(bytes), CaptureRule::Optional, SLICE).unwrap();
            assert!(file.code(0).is_ok());
            assert_eq!(file.code(SLICE.size() - 1), Err(FileError::Damaged("a block")), "{place}");
        }
    }
}
