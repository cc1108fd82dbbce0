//! The nodes of an unfinished search on disk.
//!
//! All numbers are little-endian. The file begins with magic bytes, version, rule, goal and root. The number of visited
//! nodes and the number of places follow. The places come next, and the CRC-32 of everything before at the end.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::PathBuf;

use leap_tables::Capture;

use crate::SolveError;
use crate::board::Node;
use crate::search::Goal;
use crate::table::{Place, Table};

const MAGIC: [u8; 8] = *b"leapsrch";
const VERSION: u8 = 1;
/// The bytes before the places.
const HEADER: usize = 35;

/// Where the nodes of a search go, and which search it is.
pub(crate) struct State {
    path: PathBuf,
    head: [u8; 19],
}

impl State {
    pub(crate) fn new(path: PathBuf, capture: Capture, goal: Goal, root: Node) -> Self {
        let mut head = [0; 19];
        head[..8].copy_from_slice(&MAGIC);
        head[8..11].copy_from_slice(&[VERSION, capture as u8, goal as u8]);
        head[11..].copy_from_slice(&root.0.to_le_bytes());
        Self { path, head }
    }

    /// Replaces the file as a whole, so that a program that is killed leaves no half of one.
    pub(crate) fn save(&self, table: &Table, visited: u64) -> Result<(), SolveError> {
        let write = || {
            let beside = self.path.with_extension("new");
            let mut file = Summed::new(BufWriter::with_capacity(1 << 20, File::create(&beside)?));
            file.put(&self.head)?;
            file.put(&visited.to_le_bytes())?;
            file.put(&(table.len() as u64).to_le_bytes())?;
            for [node, known] in table.places() {
                file.put(&node.to_le_bytes())?;
                file.put(&known.to_le_bytes())?;
            }
            let sum = file.sum.clone().finalize();
            file.inner.write_all(&sum.to_le_bytes())?;
            file.inner.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
            std::fs::rename(&beside, &self.path)
        };
        write().map_err(|error| SolveError::Io { path: self.path.clone(), error })
    }

    /// Fills a table with the nodes of earlier work. Returns how many nodes it has visited; 0 if there is none.
    pub(crate) fn load(&self, table: &mut Table) -> Result<u64, SolveError> {
        if !self.path.is_file() {
            return Ok(0);
        }
        let file = File::open(&self.path).map_err(|error| self.io(error))?;
        let mut file = Summed::new(BufReader::with_capacity(1 << 20, file));
        let mut head = [0; HEADER];
        file.get(&mut head).map_err(|error| self.io(error))?;
        if head[..19] != self.head {
            return Err(self.refused("is the work of another search or version: remove it"));
        }
        let number = |at: usize| u64::from_le_bytes(head[at..at + 8].try_into().unwrap_or([0; 8]));
        let (visited, count) = (number(19), number(27));
        for _ in 0..count {
            let mut place = [0; 16];
            file.get(&mut place).map_err(|error| self.io(error))?;
            let (node, known) = place.split_at(8);
            let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().unwrap_or([0; 8]));
            let place: Place = [word(node), word(known)];
            if place[0] == 0 {
                return Err(self.refused("is damaged: remove it"));
            }
            table.restore(place).map_err(|_| SolveError::Memory)?;
        }
        let sum = file.sum.clone().finalize();
        let mut stored = [0; 4];
        file.inner.read_exact(&mut stored).map_err(|error| self.io(error))?;
        if sum.to_le_bytes() != stored {
            return Err(self.refused("is damaged: remove it"));
        }
        Ok(visited)
    }

    fn io(&self, error: io::Error) -> SolveError {
        SolveError::Io { path: self.path.clone(), error }
    }

    fn refused(&self, reason: &'static str) -> SolveError {
        SolveError::State { path: self.path.clone(), reason }
    }
}

/// A file with the checksum of what went through.
struct Summed<T> {
    inner: T,
    sum: crc32fast::Hasher,
}

impl<T> Summed<T> {
    fn new(inner: T) -> Self {
        Self { inner, sum: crc32fast::Hasher::new() }
    }
}

impl<T: Write> Summed<T> {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sum.update(bytes);
        self.inner.write_all(bytes)
    }
}

impl<T: Read> Summed<T> {
    fn get(&mut self, bytes: &mut [u8]) -> io::Result<()> {
        self.inner.read_exact(bytes)?;
        self.sum.update(bytes);
        Ok(())
    }
}
