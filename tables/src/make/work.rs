//! The files of work that is not finished.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use leap_games::alquerque::Capture;

use super::pair::{Pair, Progress};
use super::{MakeError, outcomes, write};
use crate::Slice;
use crate::file::FileError;

/// The folder of unfinished work.
pub(super) struct Work {
    folder: PathBuf,
    capture: Capture,
}

/// The bytes before the cells: own and enemy men, round, level, and the CRC-32 of the cells.
const HEADER: usize = 8;

impl Work {
    pub(super) fn new(directory: &Path, capture: Capture) -> Result<Self, MakeError> {
        let folder = directory.join("work");
        fs::create_dir_all(&folder)
            .map_err(|error| MakeError::Io { path: folder.clone(), error })?;
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
    pub(super) fn save(&self, slice: Slice, outcomes: &[u8]) -> Result<(), MakeError> {
        let checksum = crc32fast::hash(outcomes).to_le_bytes();
        write(&self.outcomes(slice), &[outcomes, &checksum].concat())
    }

    /// Reads the outcomes of a slice.
    pub(super) fn load(&self, slice: Slice) -> Result<Vec<u8>, MakeError> {
        let path = self.outcomes(slice);
        let mut bytes =
            fs::read(&path).map_err(|error| MakeError::Io { path: path.clone(), error })?;
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
    pub(super) fn save_cells(&self, pair: &Pair, progress: Progress) -> Result<(), MakeError> {
        let (more, _) = pair.slices().next().unwrap_or_else(|| unreachable!("a pair has a slice"));
        let header = [more.own, more.enemy, progress.round, progress.level].map(|part| part as u8);
        let mut bytes = [&header[..], &[0; 4]].concat();
        for (_, cells) in pair.slices() {
            bytes.extend(cells.iter().map(|cell| cell.load(Relaxed)));
        }
        let checksum = crc32fast::hash(&bytes[HEADER..]);
        bytes[4..HEADER].copy_from_slice(&checksum.to_le_bytes());
        write(&self.cells(), &bytes)
    }

    /// The cells of a pair in progress, if there are any. Cells that do not fit are ignored: the pair begins again.
    pub(super) fn load_cells(&self, more: Slice) -> Result<Option<(Pair, Progress)>, MakeError> {
        let path = self.cells();
        if !path.is_file() {
            return Ok(None);
        }
        let bytes = fs::read(&path).map_err(|error| MakeError::Io { path, error })?;
        let Some((header, cells)) = bytes.split_at_checked(HEADER) else { return Ok(None) };
        let is_this = header[..2] == [more.own as u8, more.enemy as u8];
        if !is_this || crc32fast::hash(cells).to_le_bytes() != header[4..] {
            return Ok(None);
        }
        let progress = Progress { round: header[2].into(), level: header[3].into() };
        let cells = cells.iter().map(|cell| AtomicU8::new(*cell));
        Ok(Pair::resumed(more, cells).map(|pair| (pair, progress)))
    }

    /// Removes the cells of a pair that is finished.
    pub(super) fn forget_cells(&self) -> Result<(), MakeError> {
        let path = self.cells();
        match fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(MakeError::Io { path, error })
            }
            _ => Ok(()),
        }
    }
}
