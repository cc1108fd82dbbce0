//! The option `TablePath`: tables of exact values and certificates from a directory, beside the tables of the program.

use std::fmt::{self, Display, Formatter};
use std::fs;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use leap_protocol::option::EMPTY;
use leap_tables::certificate::{Knowledge, read_head};
use leap_tables::{Library, MOST};

use crate::files;

/// The most men for which tables are asked, as the option `TableProbeLimit` allows.
pub(super) const MOST_MEN: u32 = 2 * MOST;

/// Tables of exact values, and where they come from.
#[derive(Clone, Debug, Default)]
pub struct TablePath {
    path: String,
    pub(super) library: Library,
    notes: Vec<String>,
}

impl TablePath {
    /// Opens the tables in a directory; `<empty>` stands for those of the program alone.
    ///
    /// # Errors
    /// What is wrong, for people: there is no directory, or no file in it has the name of a table.
    pub fn open(path: &str) -> Result<Self, &'static str> {
        if path == EMPTY {
            return Ok(Self::default());
        }
        let directory = Path::new(path);
        if !directory.is_dir() {
            return Err("there is no such directory");
        }
        let (mut library, opened, refused) = Library::open(directory);
        let certificates = certificates(directory);
        if opened == 0 && refused.is_empty() && certificates.is_empty() {
            return Err("it holds no tables; `leap-tables make` makes them");
        }
        let reach = library.tables().map(|tables| format!("{} {}", tables.capture(), tables.men()));
        let reach = reach.collect::<Vec<_>>().join(", ");
        let mut notes =
            vec![format!("{opened} tables; men on the board up to which all are known: {reach}")];
        notes.extend(refused.iter().map(|(name, error)| format!("left out: {name} {error}")));
        for file in certificates {
            let name = file.file_name().unwrap_or_default().display();
            notes.push(match read(&file, &library) {
                Ok(proof) => {
                    let checked = proof.checked();
                    let (head, positions) = (&checked.head, checked.positions);
                    let note = format!(
                        "certificate of {}, {} capture: {positions} positions, checked",
                        head.position_text(),
                        head.capture
                    );
                    library.add(proof);
                    note
                }
                Err(error) => format!("left out: {name} {error}"),
            });
        }
        Ok(Self { path: path.to_owned(), library, notes })
    }

    /// What was found in the directory, a line each: how many tables, and which files were left out and why.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }
}

/// The certificates in a directory, by name.
fn certificates(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_certificate =
        |path: &PathBuf| path.extension().is_some_and(|end| end == "proof") && path.is_file();
    let mut found: Vec<PathBuf> = entries.filter(is_certificate).collect();
    found.sort();
    found
}

/// Reads a certificate and checks it. The error is one line.
fn read(file: &Path, library: &Library) -> Result<Knowledge, String> {
    let opened = files::open(file).map_err(|error| error.to_string())?;
    let mut reader = BufReader::with_capacity(1 << 20, opened);
    let head = read_head(&mut reader).map_err(|error| error.to_string())?;
    let tables = library.tables().find(|tables| tables.capture() == head.capture);
    let tables = tables.ok_or("has no tables")?;
    Knowledge::read(&mut reader, head, tables, &mut |_, _| {}).map_err(|error| error.to_string())
}

/// The path; empty if there is none.
impl Display for TablePath {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path)
    }
}
