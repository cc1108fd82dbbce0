//! The option `TablePath`: tables of exact values from a directory, and what the engine does with them.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use leap_core::notation::Notation as _;
use leap_engine::Engines;
use leap_engine::options::Scope;
use leap_engine::session::{Action, Event, Session};
use leap_games::alquerque::Alquerque;
use leap_protocol::Line;
use leap_protocol::payload::{ExactResult, Values};
use leap_search::clock::Instant;
use leap_tables::{CaptureRule, make};
use tempfile::TempDir;

/// A position that eight men make, so that no table of the program knows it.
const EIGHT: &str = "mmm2/5/5/1m3/M1MMM 1 - 0 0";
/// A position with ten men, for mandatory capture.
const TEN: &str = "5/mm1mm/5/1M1M1/MM1MM 1 - 0 0";

/// Tables up to so many men.
fn tables(men: u32) -> TempDir {
    let made = tempfile::tempdir().unwrap();
    make::tables(CaptureRule::Optional, men, made.path()).unwrap();
    made
}

/// Solves [`TEN`] and leaves its certificate in a directory without tables.
fn certificate() -> TempDir {
    let made = tempfile::tempdir().unwrap();
    let tables = make::tables(CaptureRule::Mandatory, 5, made.path()).unwrap();
    tables.unpack(5).unwrap();
    let solved = tempfile::tempdir().unwrap();
    let solver = leap_solve::Solver {
        tables: &tables,
        position: Alquerque::default().parse_position(TEN).unwrap(),
        directory: solved.path().to_owned(),
        memory: 1 << 30,
        save_every: Duration::MAX,
    };
    solver.solve(&|_| {}).unwrap();
    solved
}

/// The replies to lines, except those of jobs.
fn told(lines: &[String]) -> Vec<String> {
    let mut session = Session::new(Engines::new(leapd::GAMES)).unwrap();
    let mut actions = Vec::new();
    for line in lines {
        session.handle(Event::Line(Line::Text(line.clone()), Instant::now()), &mut actions);
    }
    let reply = |action| match action {
        Action::Reply(reply) => Some(reply.to_string()),
        _ => None,
    };
    actions.into_iter().filter_map(reply).collect()
}

fn set(path: &Path) -> String {
    format!("setoption name TablePath value {}", path.display())
}

fn values(reply: &str) -> Values {
    reply.strip_prefix("response ").unwrap().parse().unwrap()
}

#[test]
fn the_tables_of_a_directory_are_counted_and_used() {
    let directory = tables(4);
    let told = told(&[set(directory.path()), "query value".to_owned()]);
    assert!(told[0].starts_with("info string "), "{told:?}");
    assert!(told[0].contains(" tables; men on the board up to which all are known: "), "{told:?}");
    let start = values(&told[1]);
    assert_eq!(start.position.result, ExactResult::Unknown);
    assert!(start.reach >= 4 && start.moves.is_empty());
}

#[test]
fn files_that_are_no_tables_are_named_and_left_out() {
    let directory = tables(3);
    let file = |name: &str| directory.path().join(name);
    let whole = fs::read(file("alquerque-optional-1-1.table")).unwrap();
    fs::write(file("alquerque-mandatory-1-1.table"), &whole).unwrap();
    fs::write(file("alquerque-optional-6-6.table"), &whole[..whole.len() - 1]).unwrap();
    fs::write(file("alquerque-optional-12-12.table"), "a letter").unwrap();
    fs::write(file("notes.txt"), "not looked at").unwrap();
    let told = told(&[set(directory.path())]);
    let left_out: Vec<&String> = told.iter().filter(|line| line.contains("left out: ")).collect();
    for name in ["optional-6-6", "optional-12-12"] {
        let named =
            left_out.iter().filter(|line| line.contains(&format!("alquerque-{name}.table")));
        assert_eq!(named.count(), 1, "{told:?}");
    }
    assert!(!told.iter().any(|line| line.contains("notes.txt")));
}

#[test]
fn a_path_without_tables_is_refused_and_changes_nothing() {
    let empty = tempfile::tempdir().unwrap();
    let mut engines = Engines::new(leapd::GAMES);
    for (path, says) in [
        (empty.path().to_str().unwrap(), "it holds no tables; `leap-tables make` makes them"),
        ("no-such-directory", "there is no such directory"),
    ] {
        let error = engines.set("TablePath", Some(path)).unwrap_err().text;
        assert_eq!(
            error,
            format!("option TablePath takes a directory with tables, found '{path}': {says}")
        );
        assert_eq!(engines.value("TablePath"), "");
    }
    let directory = tables(2);
    let path = directory.path().to_str().unwrap();
    assert_eq!(engines.set("TablePath", Some(path)).unwrap(), Scope::ExactValues);
    assert_eq!(engines.value("TablePath"), path);
    engines.set("TablePath", Some("<empty>")).unwrap();
    assert_eq!(engines.value("TablePath"), "");
}

#[test]
fn the_limit_hides_what_tables_know() {
    let two = "position fen 5/5/5/1m3/M4 1 - 0 0";
    let ask = |limit: u32| {
        let lines = [format!("setoption name TableProbeLimit value {limit}"), two.to_owned()];
        let told = told(&[&lines[..], &["query value".to_owned()]].concat());
        values(&told[0])
    };
    assert_eq!(ask(2).position.result, ExactResult::Win);
    assert_eq!(ask(2).reach, 2);
    assert_eq!(ask(1), Values::default());
    assert_eq!(ask(0), Values::default());
}

#[test]
fn values_say_what_is_known_of_each_move() {
    let ask = |position: &str| {
        let told = told(&[format!("position fen {position}"), "query value".to_owned()]);
        values(&told[0])
    };
    // The capture wins. Without it the men are equal, and nobody can force more.
    let known = ask("5/5/5/1m3/M4 1 - 0 0");
    let moves: Vec<String> =
        known.moves.iter().map(|(mv, exact)| format!("{mv} {exact}")).collect();
    assert_eq!(moves, ["a1b1 draw -", "a1a2 draw -", "a1c3 win 1"]);
    assert_eq!(known.position.to_string(), "win 1");
    // Over: the side to move has no men.
    let over = ask("m4/5/5/5/5 1 - 0 9");
    assert_eq!((over.position.to_string(), over.moves.len()), ("loss 0".to_owned(), 0));
    // Captures lead to what is known from where it is not.
    let beyond = ask(EIGHT);
    assert_eq!(beyond.position.result, ExactResult::Unknown);
    // The quiet limit ends the game before the men meet.
    let late = ask("m4/5/5/5/4M 1 - 99 99");
    assert_ne!(late.position.plies, Some(2), "{late:?}");
}

#[test]
fn a_certificate_in_the_directory_is_checked_and_used() {
    let solved = certificate();
    let fen = TEN;
    let ask = |max_plies: u32| {
        told(&[
            "setoption name AlquerqueCapture value mandatory".to_owned(),
            format!("setoption name MaxPlies value {max_plies}"),
            set(solved.path()),
            format!("position fen {fen}"),
            "query value".to_owned(),
        ])
    };
    let replies = ask(0);
    assert!(
        replies[1].contains(&format!("certificate of {fen}, mandatory capture: ")),
        "{replies:?}"
    );
    let known = values(replies.last().unwrap());
    assert_ne!(known.position.result, ExactResult::Unknown);
    let best = known.moves.iter().find(|(_, exact)| exact.result == known.position.result);
    assert!(best.is_some() || known.position.result == ExactResult::Loss, "{known:?}");
    assert_eq!(values(ask(400).last().unwrap()).position.result, ExactResult::Unknown, "MaxPlies");

    let is_proof = |path: &PathBuf| path.extension().is_some_and(|end| end == "proof");
    let mut files = solved.path().read_dir().unwrap().map(|entry| entry.unwrap().path());
    let file = files.find(is_proof).unwrap();
    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&file, bytes).unwrap();
    let replies = ask(0);
    assert!(replies[1].contains("left out: ") && replies[1].contains(" is damaged in claim 1"));
    assert_eq!(values(replies.last().unwrap()).position.result, ExactResult::Unknown);
}
