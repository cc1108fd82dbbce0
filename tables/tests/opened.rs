//! Tables from a directory: what is refused, what happens to damaged blocks, and how they go with the built-in tables.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use leap_tables::{
    BUILT_IN, CaptureRule, EndgameTablebase, FileError, Men, Slice, Wdl, file_name, make,
};

const CAPTURE: CaptureRule = CaptureRule::Optional;
const EVEN: Slice = Slice { own: 2, enemy: 2 };

/// A directory with the tables of up to four men.
fn made() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    make::tables(CAPTURE, 4, directory.path()).unwrap();
    directory
}

/// Changes the bytes of the slice with two men each.
fn change(directory: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let path = directory.join(file_name(CAPTURE, EVEN));
    let mut bytes = std::fs::read(&path).unwrap();
    change(&mut bytes);
    std::fs::write(path, bytes).unwrap();
}

/// The warnings that were logged.
static WARNINGS: AtomicUsize = AtomicUsize::new(0);

struct Counter;

impl log::Log for Counter {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, _: &log::Record<'_>) {
        WARNINGS.fetch_add(1, Relaxed);
    }

    fn flush(&self) {}
}

#[test]
fn damaged_and_foreign_files_are_named_and_left_out() {
    let directory = made();
    change(directory.path(), |bytes| *bytes = b"something else".to_vec());
    let mut tables = EndgameTablebase::new(CAPTURE);
    let refused = tables.open(directory.path());
    assert_eq!(refused, [(file_name(CAPTURE, EVEN), FileError::Foreign)]);
    assert_eq!(tables.men(), 3, "four men are not whole");
    assert_eq!(tables.probe(Men { own: 0b11, enemy: 0b1100 }), None);
    let exact = tables.probe(Men { own: 0b11, enemy: 1 << 24 }).unwrap();
    assert_eq!((exact.outcome, exact.plies), (Wdl::Win, None));
}

#[test]
fn a_file_with_a_damaged_block_is_named_once_and_left_out() {
    log::set_logger(&Counter).unwrap();
    log::set_max_level(log::LevelFilter::Warn);
    let directory = made();
    change(directory.path(), |bytes| *bytes.last_mut().unwrap() ^= 1);
    let mut tables = EndgameTablebase::new(CAPTURE);
    assert_eq!(tables.open(directory.path()), [], "only the blocks tell");
    assert_eq!(tables.men(), 4);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for number in (0..EVEN.size()).rev() {
                    let _ = tables.probe(EVEN.men_at(number));
                }
            });
        }
    });
    assert_eq!(WARNINGS.load(Relaxed), 1);
    assert_eq!(tables.men(), 3);
    assert_eq!(tables.probe(EVEN.men_at(0)), None, "the blocks that are right are left out too");
}

#[test]
fn positions_that_cannot_be_have_no_value() {
    let tables = EndgameTablebase::built_in(CAPTURE);
    assert_eq!(tables.probe(Men { own: 0b11, enemy: 0b10 }), None);
    assert_eq!(tables.probe(Men { own: 1, enemy: 1 << 25 }), None);
    assert_eq!(tables.probe(Men { own: (1 << 13) - 1, enemy: 1 << 24 }), None);
}

#[test]
fn a_copy_of_the_built_in_tables_opens_more() {
    let directory = made();
    let mut both = EndgameTablebase::built_in(CAPTURE).clone();
    change(directory.path(), |bytes| *bytes = Vec::new());
    assert_eq!(both.open(directory.path()), [], "slices that are open are not looked at");
    assert_eq!(both.men(), BUILT_IN);
}

#[test]
fn files_and_built_in_tables_give_the_same_values_on_every_thread() {
    let directory = made();
    let mut tables = EndgameTablebase::new(CAPTURE);
    assert_eq!(tables.open(directory.path()), []);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let tables = &tables;
            scope.spawn(move || {
                for slice in Slice::all(4) {
                    for number in (thread..slice.size()).step_by(3) {
                        let men = slice.men_at(number);
                        assert_eq!(
                            tables.probe(men),
                            EndgameTablebase::built_in(CAPTURE).probe(men)
                        );
                    }
                }
            });
        }
    });
}
