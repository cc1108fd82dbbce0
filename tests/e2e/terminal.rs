//! The example client `adapters/examples/terminal.py`, which knows no rules, with leapd: whole games of every game, and
//! a dialogue with a person. Without python3 these tests are skipped, with a message.

use std::io::Write;
use std::process::{Command, Stdio};

use leap_testing::skip;

use crate::programs::LEAPD;

const CLIENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../adapters/examples/terminal.py");

/// The client's output for this input, and whether it succeeded; `None` without python3.
fn terminal(options: &[&str], typed: &str) -> Option<(bool, String)> {
    let mut python = Command::new("python3");
    python.arg(CLIENT).args(options).args(["--", &LEAPD]);
    python.env("PYTHONIOENCODING", "utf-8");
    let Ok(mut child) =
        python.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()
    else {
        skip("python3", "Debian: apt-get install python3");
        return None;
    };
    child.stdin.take().unwrap().write_all(typed.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let out = [output.stdout, output.stderr].concat();
    Some((output.status.success(), String::from_utf8(out).unwrap()))
}

/// The last line of a whole game between engines that search one ply.
fn last_line_of_game(game: &str) -> Option<String> {
    let players = ["--game", game, "--p1", "engine", "--p2", "engine"];
    let limits = ["--go", "depth 1", "--option", "MaxPlies=120", "--option", "FrogletSeed=7"];
    let (ended_well, out) = terminal(&[&players[..], &limits].concat(), "")?;
    assert!(ended_well, "{out}");
    assert!(out.contains("p1 plays ") && out.contains("p2 plays "), "{out}");
    out.lines().last().map(str::to_owned)
}

#[test]
fn engines_play_each_game_to_its_end() {
    for game in &leap_games::IDS {
        let Some(last) = last_line_of_game(game) else { return };
        let result = last.strip_prefix("result: ").unwrap_or_else(|| panic!("{game}: {last}"));
        let (result, reason) = result.split_once(' ').unwrap();
        assert!(["p1win", "p2win", "draw"].contains(&result), "{game}: {last}");
        assert!(!["(none)", ""].contains(&reason), "{game}: {last}");
    }
}

/// Checks that the text contains each of these, in this order.
fn assert_in_order(text: &str, parts: &[&str]) {
    let mut rest = text;
    for part in parts {
        let Some((_, after)) = rest.split_once(part) else {
            panic!("expected {part:?} in what follows:\n{rest}\nof\n{text}")
        };
        rest = after;
    }
}

#[test]
fn a_person_is_told_what_may_follow_why_not_and_may_take_back() {
    let typed =
        "alquerque\nhuman\nhuman\nmoves\nb2\nb2b4\nhello\nb2 c3\nd4b2\nundo\nundo\nundo\nquit\n";
    let Some((ended_well, out)) = terminal(&[], typed) else { return };
    assert!(ended_well, "{out}");
    let start = "  3  m - m - . - M - M\n     | \\ | / | \\ | / |\n  2  M - M - M - M - M\n";
    assert_in_order(
        &out,
        &[
            "game (alquerque eximo sapos froglet tactica): ",
            "M man (p1), m man (p2)",
            start,
            "turn p1, ply 0",
            "4 b2c3 c2c3 d2c3 d3c3\n",
            "not legal: the move is not complete\nmay follow: c3\n",
            "not legal: b4: the landing square is occupied\n",
            "not legal: this is not a move text",
            "p1 plays b2c3: from b2 to c3",
            "turn p2, ply 1",
            "p2 plays d4b2: from d4 to b2 captured c3",
            "men 11-12",
            "turn p2, ply 1",
            start,
            "turn p1, ply 0",
            "refused: cannot take back 1",
            "not finished\n",
        ],
    );
}

#[test]
fn undo_against_the_engine_takes_back_to_the_persons_turn() {
    let options = ["--game", "eximo", "--p1", "human", "--p2", "engine", "--go", "depth 1"];
    let Some((ended_well, out)) = terminal(&options, "c3c4\nundo\n") else { return };
    assert!(ended_well, "{out}");
    assert_in_order(
        &out,
        &["p1 plays c3c4", "p2 plays ", "turn p1, ply 2", "turn p1, ply 0", "not finished"],
    );
}

#[test]
fn the_rules_are_explained_in_the_engines_words() {
    let options = ["--game", "sapos", "--p1", "human", "--p2", "human"];
    let Some((ended_well, out)) = terminal(&options, "rules\nrules es\nquit\n") else { return };
    assert!(ended_well, "{out}");
    let board = "  4  .   .   .   .   .   .   .   .\n";
    assert_in_order(
        &out,
        &["p1> ", "\nAim: ", "Jumps: ", board, "d2d4@d5: ", "Captures: ", "p1> "],
    );
    let rules: Vec<&str> = out.split("p1> ").collect();
    assert!(rules.len() == 4 && rules[1] != rules[2] && rules[2].len() > 500, "{out}");
}

#[test]
fn what_the_engine_refuses_at_the_start_ends_the_client() {
    let Some((ended_well, out)) = terminal(&["--game", "chess"], "") else { return };
    assert!(!ended_well && out.contains("chess"), "{out}");
}

#[test]
fn the_client_is_shorter_than_170_lines() {
    let lines = std::fs::read_to_string(CLIENT).unwrap().lines().count();
    assert!(lines < 170, "{lines}");
}
