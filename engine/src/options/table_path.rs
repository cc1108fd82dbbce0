//! The option `TablePath`: tables of exact values from a directory, beside those of the program.

use std::fmt::{self, Display, Formatter};
use std::path::Path;
use std::sync::Arc;

use leap_core::Game;
use leap_core::exact::Tablebase;
use leap_protocol::option::EMPTY;
use leap_tables::{Library, MOST};
use thiserror::Error;

/// The most men for which tables are asked, as the option `TableProbeLimit` allows.
pub(super) const MOST_MEN: u32 = 2 * MOST;

/// Tables of exact values, and where they come from.
#[derive(Clone, Debug, Default)]
pub struct TablePath {
    path: String,
    library: Library,
    notes: Vec<String>,
}

/// Why a directory of tables cannot be used.
#[derive(Debug, Error)]
pub enum TablePathError {
    /// The path leads to no directory.
    #[error("there is no such directory")]
    NoDirectory,
    /// None of the files is a table.
    #[error("it holds no tables; `leapd tables` makes them")]
    NoTables,
}

impl TablePath {
    /// Opens the tables in a directory; `<empty>` stands for those of the program alone.
    ///
    /// # Errors
    /// There is no directory, or no file in it has the name of a table.
    pub fn open(path: &str) -> Result<Self, TablePathError> {
        if path == EMPTY {
            return Ok(Self::default());
        }
        let directory = Path::new(path);
        if !directory.is_dir() {
            return Err(TablePathError::NoDirectory);
        }
        let (library, opened, refused) = Library::open(directory);
        if opened == 0 && refused.is_empty() {
            return Err(TablePathError::NoTables);
        }
        let reach = library.tables().map(|tables| format!("{} {}", tables.capture(), tables.men()));
        let reach = reach.collect::<Vec<_>>().join(", ");
        let mut notes =
            vec![format!("{opened} tables; men on the board up to which all are known: {reach}")];
        notes.extend(refused.iter().map(|(name, error)| format!("left out: {name} {error}")));
        Ok(Self { path: path.to_owned(), library, notes })
    }

    /// The exact values of a game, of positions with at most so many men, if there are any.
    #[must_use]
    pub fn of<G: Game>(&self, game: &G, most: u32) -> Option<Arc<dyn Tablebase<G>>> {
        self.library.of(game, most).filter(|tables| tables.reach() > 0)
    }

    /// What was found in the directory, a line each: how many tables, and which files were left out and why.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }
}

/// The path; empty if there is none.
impl Display for TablePath {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path)
    }
}
