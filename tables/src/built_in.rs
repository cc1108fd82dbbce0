//! The tables in the program.

use std::sync::OnceLock;

use leap_games::alquerque::CaptureRule;

use crate::file::{File, FileError};
use crate::{EndgameTablebase, Slice};

/// The most men of the built-in tables.
pub const BUILT_IN: u32 = 7;

/// The files of a rule, one after another. `cargo run --release -p leap-tables --example built_in` writes them.
const fn data(capture: CaptureRule) -> &'static [u8] {
    match capture {
        CaptureRule::Optional => include_bytes!("../data/alquerque-optional.tables"),
        CaptureRule::Mandatory => include_bytes!("../data/alquerque-mandatory.tables"),
    }
}

impl EndgameTablebase {
    /// The tables in the program: those with up to [`BUILT_IN`] men.
    ///
    /// Each slice is unpacked when it is first probed, which takes some milliseconds and up to 3 MB of memory.
    /// [`EndgameTablebase::unpack`] does this beforehand. To add larger tables, open their directory in a copy.
    #[must_use]
    pub fn built_in(capture: CaptureRule) -> &'static Self {
        static TABLES: [OnceLock<EndgameTablebase>; 2] = [const { OnceLock::new() }; 2];
        TABLES[capture as usize].get_or_init(|| {
            let mut tables = Self::new(capture);
            if let Err(error) = add_all(&mut tables) {
                log::error!("a built-in table of {capture} capture {error}");
            }
            tables
        })
    }
}

fn add_all(tables: &mut EndgameTablebase) -> Result<(), FileError> {
    let mut rest = data(tables.capture());
    for slice in Slice::all(BUILT_IN) {
        let (file, others) = File::first_of(rest, tables.capture(), slice)?;
        tables.add(slice, file);
        rest = others;
    }
    if rest.is_empty() { Ok(()) } else { Err(FileError::Foreign) }
}

#[cfg(all(test, feature = "make"))]
mod tests {
    use super::*;

    const RULES: [CaptureRule; 2] = [CaptureRule::Optional, CaptureRule::Mandatory];

    /// Compares the codes of built-in tables with those of a maker.
    fn check(men: u32) {
        for capture in RULES {
            let directory = tempfile::tempdir().unwrap();
            let made = crate::make::tables(capture, men, directory.path()).unwrap();
            for slice in Slice::all(men) {
                let [made, built_in] = [&made, EndgameTablebase::built_in(capture)]
                    .map(|tables| tables.file(slice).unwrap().whole().unwrap());
                assert!(made == built_in, "{capture} {slice:?}: run the example built_in");
            }
        }
    }

    #[test]
    fn the_built_in_tables_are_whole() {
        for capture in RULES {
            let tables = EndgameTablebase::built_in(capture);
            assert_eq!(tables.men(), BUILT_IN);
            assert_eq!(tables.slices().count(), Slice::all(BUILT_IN).count());
            assert_eq!(tables.unpack(BUILT_IN), Ok(()));
        }
    }

    #[test]
    fn the_built_in_tables_are_those_that_are_made_up_to_five_men() {
        check(5);
    }

    #[test]
    #[ignore = "takes seconds"]
    fn the_built_in_tables_are_those_that_are_made() {
        check(BUILT_IN);
    }
}
