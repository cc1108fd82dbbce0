//! How tables are made: what a maker leaves on disk, and how it goes on.

use std::time::Duration;

use leap_tables::make::{Counts, Event, Maker};
use leap_tables::{CaptureRule, Slice};

fn maker(capture: CaptureRule, men: u32, directory: &std::path::Path) -> Maker {
    Maker { capture, men, directory: directory.to_owned(), save_every: Duration::MAX }
}

/// The files of a maker.
fn files(capture: CaptureRule, directory: &std::path::Path) -> Vec<Vec<u8>> {
    let name = |slice| directory.join(leap_tables::file_name(capture, slice));
    Slice::all(5).map(|slice| std::fs::read(name(slice)).unwrap()).collect()
}

#[test]
fn a_maker_that_was_stopped_within_a_pair_goes_on_and_makes_the_same_files() {
    let capture = CaptureRule::Optional;
    let [whole, parts] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    maker(capture, 5, whole.path()).make(&mut |_| {}).unwrap();

    // The cells are saved after each level, and the maker ends in the middle of 3 against 2.
    let saves = Maker { save_every: Duration::ZERO, ..maker(capture, 5, parts.path()) };
    let stopped = std::panic::catch_unwind(|| {
        let mut pair = None;
        let _ = saves.make(&mut |event| match event {
            Event::Begun { more, .. } => pair = Some(more),
            Event::Level(3) if pair == Some(Slice { own: 3, enemy: 2 }) => {
                std::panic::resume_unwind(Box::new("stopped"))
            }
            _ => {}
        });
    });
    assert!(stopped.is_err());
    let mut resumed_at = None;
    let mut hear = |event: Event<'_>| {
        if let Event::Begun { resumed, .. } = event {
            resumed_at = resumed_at.or(resumed);
        }
    };
    saves.make(&mut hear).unwrap();
    assert!(resumed_at.is_some(), "earlier work goes on");
    assert_eq!(files(capture, parts.path()), files(capture, whole.path()));
}

#[test]
fn finished_tables_are_left_as_they_are() {
    let directory = tempfile::tempdir().unwrap();
    let maker = maker(CaptureRule::Mandatory, 4, directory.path());
    let mut finished: Vec<Counts> = Vec::new();
    let mut tell = |event: Event<'_>| {
        if let Event::Finished(counts) = event {
            finished.push(*counts);
        }
    };
    maker.make(&mut tell).unwrap();
    maker.make(&mut tell).unwrap();
    assert_eq!(finished.len(), Slice::all(4).count());
    // By Burnside's lemma there are 9,664 positions of two men each.
    let even = finished.iter().find(|counts| counts.slice == Slice { own: 2, enemy: 2 }).unwrap();
    assert_eq!(even.outcomes.iter().sum::<u64>(), 9_664);
}
