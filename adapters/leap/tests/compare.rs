//! `leap compare` on mocks: equal engines do not differ, and differences are reduced.

use crate::support::{MOCK, at_once, leap, text};

/// Compares the correct mock with a defective one.
fn compare(defect: &str, more: &[&str]) -> (Option<i32>, String) {
    let bad = format!("{MOCK} --defect {defect}");
    let mut args = vec!["compare", MOCK, &bad, "--timeout", "1000"];
    args.extend(more);
    let output = leap(&args);
    (output.status.code(), text(&output.stdout) + &text(&output.stderr))
}

#[test]
fn equal_engines_do_not_differ() {
    for more in [&["--games", "5"][..], &["--perft", "6"], &["--option", "MaxPlies=3"]] {
        let mut args = vec!["compare", MOCK, MOCK];
        args.extend(more);
        let output = leap(&args);
        let out = text(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{more:?}: {out}");
        assert!(out.starts_with("no difference in "), "{out}");
    }
}

#[test]
fn differences_are_found_in_what_is_asked() {
    for (defect, question) in [
        ("omits-move", "query moves"),
        ("adds-move", "query moves"),
        ("status-lies", "query status"),
        ("effects-lie", "query effects a1b1"),
        ("result-lies", "query result"),
        ("history-short", "query history"),
    ] {
        let (status, out) = compare(defect, &[]);
        assert_eq!(status, Some(1), "{defect}: {out}");
        assert!(out.contains(&format!("\n{question}\n")), "{defect}: {out}");
    }
}

#[test]
fn a_difference_of_positions_is_reduced_to_one_position() {
    let (_, out) = compare("result-lies", &[]);
    let line = out.lines().find(|line| line.starts_with("position ")).unwrap();
    assert!(line.starts_with("position fen ") && !line.contains(" moves "), "{out}");
    assert!(out.contains("A (") && out.contains("response p"), "{out}");
}

#[test]
fn a_difference_of_histories_is_reduced_to_one_move() {
    let (_, out) = compare("history-short", &[]);
    let line = out.lines().find(|line| line.starts_with("position ")).unwrap();
    assert_eq!(line.split(" moves ").nth(1).unwrap().split(' ').count(), 1, "{out}");
}

#[test]
fn perft_differences_are_followed_down() {
    let (status, out) = compare("perft-miscounts", &["--perft", "4"]);
    assert_eq!(status, Some(1), "{out}");
    assert!(out.contains("\nperft 1\n"), "{out}");
}

#[test]
fn an_engine_that_dies_on_the_way_is_a_difference() {
    let (status, out) = compare("dies-in-game", &[]);
    assert_eq!(status, Some(1), "{out}");
    // The output has the position before, and the command at which the engine dies.
    let line = out.lines().rfind(|line| line.starts_with("position ")).unwrap();
    assert_eq!(line.split(" moves ").nth(1).unwrap().split(' ').count(), 4, "{out}");
    assert!(out.contains("(no answer to 'position startpos moves "), "{out}");
}

#[test]
fn positions_come_from_a_file() {
    let name = format!("leap-compare-{}.txt", std::process::id());
    let positions = std::env::temp_dir().join(name);
    std::fs::write(&positions, "a7/A7 1 - 0 0\n\n{\"fen\": \"1a6/1A6 2 - 3 3\"}\n").unwrap();
    let path = positions.to_str().unwrap();
    let (status, out) = compare("history-short", &["--positions", path, "--perft", "3"]);
    assert_eq!((status, out.as_str()), (Some(0), "no difference in 2 positions\n"));
    let (status, out) = compare("adds-move", &["--positions", path]);
    assert_eq!(status, Some(1), "{out}");
    // This differs after a move only.
    let (status, out) = compare("history-short", &["--positions", path]);
    assert_eq!(status, Some(1), "{out}");
    assert!(out.contains("\nquery history\n"), "{out}");
    std::fs::remove_file(positions).unwrap();
}

#[test]
fn an_engine_that_does_not_greet_is_not_compared() {
    at_once(&["stall", "deaf", "dies-at-start", "flood"], |defect| {
        let (status, out) = compare(defect, &[]);
        assert_eq!(status, Some(2), "{defect}: {out}");
    });
}
