//! Values by search against values from tables, and certificates.

use std::path::Path;
use std::time::Duration;

use leap_core::Side;
use leap_solve::{Checked, Event, Position, Wanted, check, solve};
use leap_tables::make::make;
use leap_tables::{Capture, Men, Outcome, Slice, Tables};
use leap_verify::random_board;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng as _;

const RULES: [Capture; 2] = [Capture::Optional, Capture::Mandatory];

/// Tables to so many men, made in this directory.
fn tables(capture: Capture, men: u32, directory: &Path) -> Tables {
    let directory = directory.join(format!("{capture}-{men}"));
    std::fs::create_dir_all(&directory).unwrap();
    let wanted = leap_tables::make::Wanted {
        capture,
        men,
        directory: directory.clone(),
        save_every: Duration::MAX,
    };
    make(&wanted, &mut |_| {}).unwrap();
    let mut tables = Tables::new(capture);
    assert_eq!(tables.open(&directory), []);
    tables.unpack(men).unwrap();
    assert_eq!(tables.men(), men);
    tables
}

fn wanted<'a>(tables: &'a Tables, men: Men, directory: &Path) -> Wanted<'a> {
    Wanted {
        tables,
        position: Position { men, side: Side::One },
        directory: directory.to_owned(),
        memory: 64 << 20,
        save_every: Duration::MAX,
    }
}

fn checked(tables: &Tables, certificate: &Path) -> Checked {
    let mut bytes = &std::fs::read(certificate).unwrap()[..];
    check(&mut bytes, |_| tables, &mut |_, _| {}).unwrap()
}

/// Solves random positions of these slices with tables to four men. Their values are those of larger tables.
fn compare(slices: &[Slice], count: usize, seed: u64) {
    let place = tempfile::tempdir().unwrap();
    let most = slices.iter().map(|slice| slice.men()).max().unwrap();
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    for capture in RULES {
        let known = tables(capture, most, place.path());
        let few = tables(capture, 4, place.path());
        let mut found = [0; 3];
        for slice in slices.iter().cycle().take(count) {
            let board = random_board(*slice, &mut random);
            let men = Men { own: board.own, enemy: board.enemy };
            let expected = known.probe(men).unwrap();
            let directory = tempfile::tempdir().unwrap();
            let begun = std::time::Instant::now();
            let solved = solve(&wanted(&few, men, directory.path()), &|e| eprintln!("{men:?} {expected:?} {e:?}")).unwrap();
            if begun.elapsed().as_millis() > 100 { eprintln!("{capture} {men:?} {:?}", begun.elapsed()); }
            assert_eq!(solved.value, expected.outcome, "{capture} {men:?} {expected:?}");
            let proof = checked(&few, &solved.certificate);
            assert_eq!((proof.value, proof.positions), (solved.value, solved.positions));
            found[solved.value as usize] += 1;
        }
        println!("{capture} {found:?}");
        assert!(found.iter().all(|count| *count > 0), "{capture} {found:?}");
    }
}

#[test]
fn values_of_positions_with_six_men_are_those_of_the_tables() {
    let slices = [(3, 3), (2, 4), (4, 2), (3, 3), (3, 2), (2, 3)];
    compare(&slices.map(|(own, enemy)| Slice { own, enemy }), 300, 1);
}
