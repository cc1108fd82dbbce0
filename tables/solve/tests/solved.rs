//! Values by search against values from tables, and certificates.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use leap_core::{Rules as _, RulesExt as _};
use leap_games::alquerque::Alquerque;
use leap_solve::{Event, SolveError, Solver};
use leap_tables::certificate::{Knowledge, read_head};
use leap_tables::{CaptureRule, EndgameTablebase, Exact, Men, Slice, Wdl, make};
use leap_verify::random_men;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng as _;

const RULES: [CaptureRule; 2] = [CaptureRule::Optional, CaptureRule::Mandatory];

/// Tables to so many men, made in this directory.
fn tables(capture: CaptureRule, men: u32, directory: &Path) -> EndgameTablebase {
    let directory = directory.join(format!("{capture}-{men}"));
    std::fs::create_dir_all(&directory).unwrap();
    let tables = make::tables(capture, men, &directory).unwrap();
    tables.unpack(men).unwrap();
    assert_eq!(tables.men(), men);
    tables
}

pub(crate) fn solver<'a>(tables: &'a EndgameTablebase, men: Men, directory: &Path) -> Solver<'a> {
    Solver {
        tables,
        position: men.position(),
        directory: directory.to_owned(),
        // Small searches are faster with few pages of memory, large ones with many.
        memory: if men.slice().men() - tables.men() == 1 { 16 << 20 } else { 128 << 20 },
        save_every: Duration::MAX,
    }
}

/// What the bytes of a certificate prove.
pub(crate) fn checked(bytes: &[u8], tables: &EndgameTablebase) -> Result<Knowledge, String> {
    let mut file = bytes;
    let head = read_head(&mut file).map_err(|error| error.to_string())?;
    Knowledge::read(&mut file, head, tables, &mut |_, _| {}).map_err(|error| error.to_string())
}

/// Solves random positions with tables to `few` men, and compares with tables that have the values.
fn compare(slices: &[(u32, u32)], few: u32, count: usize) -> [usize; 4] {
    let place = tempfile::tempdir().unwrap();
    let most = slices.iter().map(|(own, enemy)| own + enemy).max().unwrap();
    let mut random = ChaCha8Rng::seed_from_u64(count as u64);
    // Losses, draws, wins, and values by endless play.
    let mut found = [0; 4];
    for capture in RULES {
        let known = tables(capture, most, place.path());
        let few = tables(capture, few, place.path());
        for (own, enemy) in slices.iter().copied().cycle().take(count) {
            let men = random_men(Slice { own, enemy }, &mut random);
            let Exact { outcome, plies } = known.probe(men).unwrap();
            let directory = tempfile::tempdir().unwrap();
            let solved = solver(&few, men, directory.path()).solve(&|_| {}).unwrap();
            assert_eq!(solved.value, outcome, "{capture} {men:?}");
            let proof = checked(&std::fs::read(&solved.certificate).unwrap(), &few).unwrap();
            let proved = (proof.checked().value, proof.checked().positions);
            assert_eq!(proved, (outcome, solved.positions));
            found[outcome as usize] += 1;
            found[3] += usize::from(plies.is_none());
        }
    }
    found
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn values_with_five_men_are_those_of_the_tables_and_their_certificates_hold() {
    let found = compare(&[(3, 2), (2, 3), (3, 2), (2, 3), (4, 1)], 4, 15);
    assert!(found.iter().all(|count| *count >= 2), "{found:?}");
}

/// A position with three against three men.
fn example() -> Men {
    random_men(Slice { own: 3, enemy: 3 }, &mut ChaCha8Rng::seed_from_u64(3))
}

#[test]
fn a_search_that_was_stopped_goes_on_and_finds_the_same_value() {
    let place = tempfile::tempdir().unwrap();
    let few = tables(CaptureRule::Optional, 4, place.path());
    let directory = tempfile::tempdir().unwrap();
    let goes_on = solver(&few, example(), directory.path());
    let saves = Solver { save_every: Duration::ZERO, ..solver(&few, example(), directory.path()) };
    let stopped = std::panic::catch_unwind(|| {
        saves.solve(&|event| {
            if let Event::Saved(found) = event
                && found.visited > 1_000
            {
                std::panic::resume_unwind(Box::new("stopped"));
            }
        })
    });
    assert!(stopped.is_err());

    let earlier = std::sync::Mutex::new(0);
    let resumed = goes_on.solve(&|event| {
        if let Event::Answered(found, _) = event {
            *earlier.lock().unwrap() += found.visited - found.visited_now;
        }
    });
    assert!(*earlier.lock().unwrap() > 1_000);
    let whole = tempfile::tempdir().unwrap();
    let whole = solver(&few, example(), whole.path()).solve(&|_| {}).unwrap();
    let resumed = resumed.unwrap();
    assert_eq!(resumed.value, whole.value);
    let proof = checked(&std::fs::read(&resumed.certificate).unwrap(), &few).unwrap();
    assert_eq!(proof.checked().value, whole.value);
}

#[test]
fn earlier_work_that_is_damaged_is_named() {
    let place = tempfile::tempdir().unwrap();
    let few = tables(CaptureRule::Mandatory, 4, place.path());
    let directory = tempfile::tempdir().unwrap();
    let solver = solver(&few, example(), directory.path());
    solver.solve(&|_| {}).unwrap();
    for entry in directory.path().read_dir().unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "nodes") {
            let mut bytes = std::fs::read(&path).unwrap();
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
            std::fs::write(&path, bytes).unwrap();
        }
    }
    let error = solver.solve(&|_| {}).unwrap_err();
    assert!(matches!(error, SolveError::State { .. }), "{error}");
}

#[test]
fn a_memory_that_is_too_small_is_an_error() {
    let place = tempfile::tempdir().unwrap();
    let few = tables(CaptureRule::Optional, 2, place.path());
    let directory = tempfile::tempdir().unwrap();
    let small = Solver { memory: 1, ..solver(&few, example(), directory.path()) };
    let error = small.solve(&|_| {}).unwrap_err();
    assert!(matches!(error, SolveError::Memory), "{error}");
}

/// Plays from a position by what a certificate and its tables know, against every defence, until tables know the rest.
fn follow(
    known: &Knowledge,
    tables: &EndgameTablebase,
    men: Men,
    least: Wdl,
    seen: &mut HashSet<(u32, u32)>,
) {
    if men.own == 0 || men.slice().men() <= tables.men() {
        let outcome = if men.own == 0 { Wdl::Loss } else { tables.probe(men).unwrap().outcome };
        assert!(outcome >= least, "{men:?}");
        return;
    }
    if !seen.insert((men.own, men.enemy)) {
        return;
    }
    assert!(known.outcome(men).is_some_and(|outcome| outcome >= least), "{men:?}");
    let game = Alquerque { capture: tables.capture(), quiet_limit: 0, max_plies: 0 };
    let chosen = known.moves(men);
    assert!(!chosen.is_empty(), "{men:?}");
    for mv in chosen {
        let after = game.after(&men.position(), mv);
        let _ = game.visit_moves(&after, |reply| {
            follow(known, tables, Men::of(&game.after(&after, reply)), least, seen);
            ControlFlow::Continue(())
        });
    }
}

/// Solves positions and follows their certificates, until each result has come so often.
fn follow_certificates(often: usize) {
    let place = tempfile::tempdir().unwrap();
    let few = tables(CaptureRule::Mandatory, 4, place.path());
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let mut followed = [0; 3];
    while followed.iter().any(|count| *count < often) {
        let men = random_men(Slice { own: 3, enemy: 3 }, &mut random);
        let directory = tempfile::tempdir().unwrap();
        let solved = solver(&few, men, directory.path()).solve(&|_| {}).unwrap();
        let bytes = std::fs::read(&solved.certificate).unwrap();
        let proof = checked(&bytes, &few).unwrap();
        assert_eq!(proof.outcome(men), Some(solved.value));
        assert_eq!(proof.outcome(men), Some(proof.checked().value));
        followed[solved.value as usize] += 1;
        match solved.value {
            Wdl::Win => follow(&proof, &few, men, Wdl::Win, &mut HashSet::new()),
            Wdl::Draw => assert!(!proof.moves(men).is_empty()),
            Wdl::Loss => assert!(proof.moves(men).is_empty()),
        }
    }
}

#[test]
fn a_certificate_is_followed_against_every_defence() {
    follow_certificates(1);
}

#[test]
fn certificates_that_were_changed_are_refused() {
    let place = tempfile::tempdir().unwrap();
    let few = tables(CaptureRule::Mandatory, 4, place.path());
    let directory = tempfile::tempdir().unwrap();
    let solved = solver(&few, example(), directory.path()).solve(&|_| {}).unwrap();
    let whole = std::fs::read(&solved.certificate).unwrap();
    let refusal = |bytes: &[u8]| checked(bytes, &few);
    assert!(refusal(&whole).is_ok());
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 4;
        assert!(refusal(&bytes).is_err(), "byte {at}");
    }
    for at in 0..whole.len() {
        assert!(refusal(&whole[..at]).is_err(), "cut at {at}");
    }
    assert_eq!(refusal(b"something").unwrap_err(), "is not a certificate of leapd");
    let longer = [&whole[..], b"x"].concat();
    assert_eq!(refusal(&longer).unwrap_err(), "goes on after its last record");
    let fewer = tables(CaptureRule::Mandatory, 3, place.path());
    let error = checked(&whole, &fewer).unwrap_err();
    assert_eq!(error, "needs tables to 4 men for mandatory capture, found those to 3");
}

/// Run by `.ci/run exhaustive`: minutes.
mod exhaustive {
    use super::*;

    #[test]
    #[ignore = "exhaustive: run by .ci/run exhaustive"]
    fn values_with_six_men_are_those_of_the_tables_and_their_certificates_hold() {
        let found = compare(&[(2, 4), (4, 2), (3, 3)], 5, 4);
        assert!(found.iter().all(|count| *count > 0), "{found:?}");
    }

    #[test]
    #[ignore = "exhaustive: run by .ci/run exhaustive"]
    fn many_certificates_are_followed_against_every_defence() {
        follow_certificates(3);
    }
}
