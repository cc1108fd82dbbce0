//! `leap-tables solve`: values, certificates, and what it refuses.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::PROGRAM;

fn run(words: &[&str], directory: &Path) -> Output {
    let mut command = Command::new(PROGRAM);
    command.args(words).current_dir(directory).output().unwrap()
}

/// The lines of a command that succeeds.
fn lines(words: &[&str], directory: &Path) -> Vec<String> {
    let output = run(words, directory);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// The one line of a command that fails with this status.
fn error(words: &[&str], directory: &Path, status: i32) -> String {
    let output = run(words, directory);
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(status), "{told}");
    assert_eq!(told.lines().count(), 1, "{told}");
    assert!(output.stdout.is_empty(), "{words:?}");
    told
}

/// The first line of a search (docs/tables.md).
const HEAD: &str =
    "question,answer,seconds,visited,stored,solved,left_for_yes,left_for_no,visited_per_second";

#[test]
fn a_value_comes_with_a_certificate_that_is_checked() {
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    let made = ["make", "alquerque", "--men", "4", "--capture", "mandatory"];
    lines(&made, place);
    let fen = "m3m/5/2m2/1M3/M3M 1 - 0 0";
    let solve = ["solve", "alquerque", "--capture", "mandatory", "--fen", fen];
    let told = lines(&solve, place);
    assert_eq!(told[0], HEAD);
    assert!(told[1..told.len() - 1].iter().all(|line| line.split(',').count() == 9), "{told:?}");
    let value = told.last().unwrap();
    assert!(value.starts_with(&format!("{fen}: the side to move ")), "{value}");

    let (_, file) = value.rsplit_once(" in ").unwrap();
    let check = ["solve", "--check", file];
    let checked = lines(&check, place);
    let (said, _) = value.split_once(';').unwrap();
    let (_, said) = said.split_once(": ").unwrap();
    let expected = format!("{fen}: with mandatory capture {said}; ");
    assert!(checked[0].starts_with(&expected), "{checked:?}");

    let path = place.join(file);
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path, bytes).unwrap();
    let told = error(&check, place, 1);
    assert!(told.contains(file) && told.contains("is damaged in claim 1"), "{told}");
    fs::write(&path, "something").unwrap();
    assert!(error(&check, place, 1).contains("is not a certificate of leapd"));
    assert!(error(&["solve", "--check", "missing"], place, 1).contains("cannot read missing"));
}

#[test]
fn a_certificate_shows_its_moves_after_it_was_checked() {
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    let fen = "5/mm1mm/5/1M1M1/MM1MM 1 - 0 0";
    let rule = ["--capture", "mandatory"];
    lines(&[&["make", "alquerque", "--men", "5", "--dir", "few"], &rule[..]].concat(), place);
    let solve = [&["solve", "alquerque", "--tables", "few", "--fen", fen], &rule[..]].concat();
    let told = lines(&solve, place).pop().unwrap();
    let (said, file) = told.rsplit_once(" in ").unwrap();
    let value = said.split("the side to move ").nth(1).unwrap().split(';').next().unwrap();
    let show = |more: &[&str], from: &Path| {
        let words = [&["solve", "--show", file][..], more].concat();
        lines(&words, from).pop().unwrap()
    };
    // The tables of the program are enough.
    let shown = show(&[], place);
    let begins = format!("{fen}: the side to move {value} ");
    assert!(shown.starts_with(&begins) && shown.ends_with(" (the certificate)"), "{shown}");
    assert!(show(&["--fen", "5/5/5/1m3/M4 1 - 0 0"], place).ends_with("wins by a1c3 (the tables)"));
    let over = show(&["--fen", "5/5/5/1m3/M4 1 - 0 0", "--moves", "a1c3"], place);
    assert_eq!(over, "5/5/2M2/5/5 2 - 0 1: the game is over: the side to move loses");
    let beyond = show(&["--fen", "mmmmm/mmmmm/mm1MM/MMMMM/MMMMM 1 - 0 0"], place);
    assert!(beyond.ends_with(": not known to the certificate or the tables"), "{beyond}");

    let wrong = ["solve", "--show", file, "--moves", "a1a5"];
    assert!(error(&wrong, place, 2).contains("expected a legal move, found 'a1a5': "));
    let wrong = ["solve", "--show", file, "--fen", "m4"];
    assert!(error(&wrong, place, 2).contains("position, field side"));
    let path = place.join(file);
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path, bytes).unwrap();
    assert!(error(&["solve", "--show", file], place, 1).contains("is damaged in claim 1"));
}

#[test]
fn what_cannot_be_solved_is_said_in_one_line() {
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    let told = error(&["solve", "eximo"], place, 2);
    assert!(told.contains("[possible values: alquerque]"), "{told}");
    let told = error(&["solve", "alquerque", "--fen", "m4"], place, 2);
    assert!(told.contains("position, field side"), "{told}");
    let told = error(&["solve", "alquerque"], place, 1);
    assert!(told.contains("tables has no tables of optional capture"), "{told}");
    let told = error(&["solve"], place, 2);
    assert!(told.contains("<GAME>"), "{told}");
    let told = error(&["solve", "alquerque", "--check", "file"], place, 2);
    assert!(told.contains("cannot be used with"), "{told}");
}

/// A pipe may have no writer: nothing waits for one.
#[cfg(unix)]
#[test]
fn a_pipe_or_a_folder_in_place_of_a_certificate_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let pipe = place.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for path in [&*pipe, place.path()] {
        let told = error(&["solve", "--check", path.to_str().unwrap()], place.path(), 1);
        assert!(told.contains("expected a regular file"), "{told}");
    }
}
