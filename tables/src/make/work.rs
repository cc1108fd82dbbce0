//! The files of work that is not finished.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use leap_games::alquerque::CaptureRule;
use zerocopy::little_endian::U32;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use super::pair::{Checkpoint, Pair};
use super::{MakeError, outcomes, write};
use crate::Slice;
use crate::file::FileError;
use crate::files::IoError;

/// The folder of unfinished work.
pub(super) struct Work {
    folder: PathBuf,
    capture: CaptureRule,
}

/// What stands before the cells.
#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Header {
    own: u8,
    enemy: u8,
    round: u8,
    level: u8,
    /// The CRC-32 of the cells.
    sum: U32,
}

impl Work {
    pub(super) fn new(directory: &Path, capture: CaptureRule) -> Result<Self, MakeError> {
        let folder = directory.join("work");
        fs::create_dir_all(&folder).map_err(IoError::at(&folder))?;
        Ok(Self { folder, capture })
    }

    fn outcomes(&self, slice: Slice) -> PathBuf {
        self.folder.join(format!("{}-{}-{}.outcomes", self.capture, slice.own, slice.enemy))
    }

    fn cells(&self) -> PathBuf {
        self.folder.join(format!("{}.cells", self.capture))
    }

    /// Whether the outcomes of a slice are there.
    pub(super) fn has(&self, slice: Slice) -> bool {
        fs::metadata(self.outcomes(slice)).is_ok_and(|file| file.len() == outcomes::size(slice) + 4)
    }

    /// Writes the outcomes of a slice, with their checksum.
    pub(super) fn save(&self, slice: Slice, outcomes: &[u8]) -> Result<(), IoError> {
        let checksum = crc32fast::hash(outcomes).to_le_bytes();
        write(&self.outcomes(slice), &[outcomes, &checksum])
    }

    /// Reads the outcomes of a slice.
    pub(super) fn load(&self, slice: Slice) -> Result<Vec<u8>, MakeError> {
        let path = self.outcomes(slice);
        let mut bytes = fs::read(&path).map_err(IoError::at(&path))?;
        let size = outcomes::size(slice) as usize;
        let is_whole = bytes.len() == size + 4
            && crc32fast::hash(&bytes[..size]).to_le_bytes() == bytes[size..];
        if !is_whole {
            return Err(MakeError::File { path, error: FileError::Damaged("its outcomes") });
        }
        bytes.truncate(size);
        Ok(bytes)
    }

    /// Writes the cells of a pair in progress.
    pub(super) fn save_cells(&self, pair: &Pair, checkpoint: Checkpoint) -> Result<(), IoError> {
        let (more, _) = pair.slices().next().unwrap_or_else(|| unreachable!("a pair has a slice"));
        let cells = pair.slices().flat_map(|(_, cells)| cells);
        let cells: Vec<u8> = cells.map(|cell| cell.load(Relaxed)).collect();
        let header = Header {
            own: more.own as u8,
            enemy: more.enemy as u8,
            round: checkpoint.round as u8,
            level: checkpoint.level as u8,
            sum: crc32fast::hash(&cells).into(),
        };
        write(&self.cells(), &[header.as_bytes(), &cells])
    }

    /// The cells of a pair in progress, if there are any. Cells that do not fit are ignored: the pair begins again.
    pub(super) fn load_cells(&self, more: Slice) -> Result<Option<(Pair, Checkpoint)>, MakeError> {
        let path = self.cells();
        if !path.is_file() {
            return Ok(None);
        }
        let bytes = fs::read(&path).map_err(IoError::at(&path))?;
        let Ok((header, cells)) = Header::read_from_prefix(&bytes) else { return Ok(None) };
        let Header { own, enemy, round, level, sum } = header;
        let is_this = [own, enemy].map(u32::from) == [more.own, more.enemy];
        if !is_this || sum != crc32fast::hash(cells) {
            return Ok(None);
        }
        let checkpoint = Checkpoint { round: round.into(), level: level.into() };
        let cells = cells.iter().map(|cell| AtomicU8::new(*cell));
        Ok(Pair::resumed(more, cells).map(|pair| (pair, checkpoint)))
    }

    /// Removes the cells of a pair that is finished.
    pub(super) fn forget_cells(&self) -> Result<(), MakeError> {
        let path = self.cells();
        match fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(IoError { path, error }.into())
            }
            _ => Ok(()),
        }
    }
}
