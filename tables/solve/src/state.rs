//! The nodes of an unfinished search on disk.
//!
//! All numbers are little-endian. The file begins with a [`Header`]. The places of the table come next, two words each,
//! and the CRC-32 of everything before at the end.

use std::fs::File;
use std::io::{BufReader, Read, Write};
use std::path::PathBuf;

use leap_tables::files::{IoError, replace};
use leap_tables::{CaptureRule, Wdl};
use zerocopy::little_endian::U64;
use zerocopy::{FromBytes, FromZeros as _, Immutable, IntoBytes, KnownLayout, Unaligned};

use crate::error::SolveError;
use crate::node::Node;
use crate::table::Table;

const MAGIC: [u8; 8] = *b"leapsrch";
const VERSION: u8 = 1;

/// What a file begins with.
#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Header {
    search: Identity,
    /// The nodes that were visited.
    visited: U64,
    /// The places that follow.
    places: U64,
}

/// Which search it is.
#[derive(Clone, Copy, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Identity {
    magic: [u8; 8],
    version: u8,
    rule: u8,
    /// 0 at least a draw, 1 a win.
    goal: u8,
    root: U64,
}

/// Where the nodes of a search go, and which search it is.
pub(crate) struct State {
    path: PathBuf,
    search: Identity,
}

impl State {
    pub(crate) fn new(path: PathBuf, capture: CaptureRule, goal: Wdl, root: Node) -> Self {
        let (rule, goal) = (capture as u8, u8::from(goal == Wdl::Win));
        let root = root.0.into();
        Self { path, search: Identity { magic: MAGIC, version: VERSION, rule, goal, root } }
    }

    /// Writes the nodes of a table.
    pub(crate) fn save(&self, table: &Table, visited: u64) -> Result<(), IoError> {
        let places = (table.len() as u64).into();
        let header = Header { search: self.search, visited: visited.into(), places };
        replace(&self.path, |file| {
            let mut sum = crc32fast::Hasher::new();
            let mut put = |bytes: &[u8]| {
                sum.update(bytes);
                file.write_all(bytes)
            };
            put(header.as_bytes())?;
            for place in table.places() {
                put(place.map(U64::new).as_bytes())?;
            }
            file.write_all(&sum.finalize().to_le_bytes())
        })
    }

    /// Fills a table with the nodes of earlier work. Returns how many nodes it has visited; 0 if there is none.
    pub(crate) fn load(&self, table: &mut Table) -> Result<u64, SolveError> {
        if !self.path.is_file() {
            return Ok(0);
        }
        let file = File::open(&self.path).map_err(IoError::at(&self.path))?;
        let mut file = BufReader::with_capacity(1 << 20, file);
        let mut sum = crc32fast::Hasher::new();
        let mut get = |bytes: &mut [u8]| {
            file.read_exact(bytes).map_err(IoError::at(&self.path))?;
            sum.update(bytes);
            Ok::<(), IoError>(())
        };
        let mut header = Header::new_zeroed();
        get(header.as_mut_bytes())?;
        if header.search != self.search {
            return Err(self.refused("is the work of another search or version: remove it"));
        }
        for _ in 0..header.places.get() {
            let mut place = [U64::ZERO; 2];
            get(place.as_mut_bytes())?;
            if place[0] == U64::ZERO {
                return Err(self.refused("is damaged: remove it"));
            }
            table.restore(place.map(U64::get))?;
        }
        let mut stored = [0; 4];
        file.read_exact(&mut stored).map_err(IoError::at(&self.path))?;
        if sum.finalize().to_le_bytes() != stored {
            return Err(self.refused("is damaged: remove it"));
        }
        Ok(header.visited.get())
    }

    fn refused(&self, reason: &'static str) -> SolveError {
        SolveError::State { path: self.path.clone(), reason }
    }
}
