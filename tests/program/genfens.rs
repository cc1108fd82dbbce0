//! Quick openings, as OpenBench's worker asks for them.

use std::fs;
use std::process::{Command, Output};

use leap_protocol::Start;

use crate::process::leapd;

fn asked(words: &[&str]) -> Output {
    leapd(words, "")
}

/// The openings of a request, as OpenBench reads them: what follows the word `genfens `.
fn openings(request: &str) -> Vec<String> {
    let output = asked(&[request, "quit"]);
    assert!(output.status.success(), "{request}: {}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).unwrap();
    let opening = |line: &str| line.strip_prefix("info string genfens ").unwrap().to_owned();
    lines.lines().map(opening).collect()
}

#[test]
fn each_opening_has_six_fields_and_the_first_is_a_position_of_the_game() {
    for game in leapd::GAMES.map(|tools| tools.game) {
        let made = openings(&format!("genfens 5 seed 7 book None game={}", game.id));
        assert_eq!(made.len(), 5, "{}", game.id);
        for opening in made {
            let fields: Vec<&str> = opening.split(' ').collect();
            let [text, "-", "-", "-", "0", "1"] = fields[..] else { panic!("{opening}") };
            (game.engine)().set_up(&Start::Fen(text.replace('_', " ")), &[]).unwrap();
        }
    }
}

#[test]
fn the_seed_decides() {
    let made = |seed| openings(&format!("genfens 4 seed {seed} book None game=eximo"));
    assert_eq!(made(1), made(1));
    assert_ne!(made(1), made(2));
}

#[test]
fn the_random_moves_begin_at_positions_of_the_book() {
    let place = tempfile::tempdir().unwrap();
    let book = place.path().join("book.txt");
    let text = "8/8/2m2m2/8/8/2M2M2/8/8 1 - 0 30";
    fs::write(&book, format!("# a comment\n{text}\n")).unwrap();
    let request =
        |plies| format!("genfens 3 seed 1 book {} game=eximo plies={plies}", book.display());
    assert_eq!(openings(&request("0..0"))[2], format!("{} - - - 0 1", text.replace(' ', "_")));
    assert!(openings(&request("2..2")).iter().all(|opening| opening.contains("_32 - ")));
    let expected = openings(&request("0..0"));
    fs::write(&book, format!("\u{feff}{text}\n")).unwrap();
    assert_eq!(openings(&request("0..0")), expected, "a byte order mark is skipped");
    fs::write(&book, format!("{text}\nchess\n")).unwrap();
    let output = asked(&[&request("0..0")]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("book.txt:2: "));
}

/// A pipe may have no writer: nothing waits for one.
#[cfg(unix)]
#[test]
fn a_pipe_or_a_folder_in_place_of_a_file_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let pipe = place.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for path in [&*pipe, place.path()].map(|path| path.display().to_string()) {
        let output = asked(&[&format!("genfens 3 seed 1 book {path} game=eximo")]);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{told}");
        assert!(told.contains("expected a regular file"), "{told}");
    }
}

#[test]
fn options_of_the_rules_are_in_force() {
    let request = "genfens 1 seed 1 book None game=eximo plies=4..4 MaxPlies=";
    assert_eq!(openings(&format!("{request}5")).len(), 1);
    let output = asked(&[&format!("{request}4"), "quit"]);
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("found 0 of 1 openings, then none in 5000 positions"), "{message}");
}

#[test]
fn a_wrong_request_is_one_line_with_status_2() {
    for (request, expected) in [
        ("genfens", "expected 'genfens N seed S book FILE|None game=GAME "),
        ("genfens 5 seed 1 book None", "expected game=GAME with one of alquerque, eximo, "),
        ("genfens x seed 1 book None game=eximo", "expected a number of openings, found 'x'"),
        ("genfens 5 seed -1 book None game=eximo", "expected a seed, found '-1'"),
        ("genfens 5 seed 1 book None eximo", "[OPTION=VALUE]', found 'eximo'"),
        ("genfens 5 seed 1 book None game=chess", "option Game takes one of alquerque, eximo"),
        ("genfens 5 seed 1 book None game=eximo Hsah=1", "no option 'Hsah'"),
        ("genfens 5 seed 1 book None game=eximo Hash=1", "nodes, found 'Hash'"),
        ("genfens 5 seed 1 book None game=eximo plies=9..3", "expected A..B with A at most B"),
    ] {
        let output = asked(&[request, "quit"]);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{request}: {message}");
        assert!(message.contains(expected) && message.lines().count() == 1, "{request}: {message}");
        assert!(output.stdout.is_empty());
    }
    let output = asked(&["genfens 1 seed 1 book None game=eximo", "perft"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("found 'perft'"));
}
