//! An analysis whose program was killed or asked to stop.

use std::process::Child;

use leap_testing::wait_until;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::*;
use crate::support::{ended, start};

/// Starts an analysis of four games that take a while.
fn begin(work: &Workplace) -> Child {
    fs::write(work.path("game.ugr"), GAME.repeat(4)).unwrap();
    start(&mut work.leap(&args(), &[MOCK]))
}

fn args() -> [&'static str; 7] {
    ["analyse", "game.ugr", "--out", "a", "--movetime", "20", "--quiet"]
}

/// Waits until a game has been examined.
fn wait_for_a_game(work: &Workplace) {
    wait_until(|| {
        let state = fs::read_to_string(work.path("a/analysis.ndjson")).unwrap_or_default();
        if state.lines().count() < 2 { Err("no game is done".to_owned()) } else { Ok(()) }
    });
}

fn finish(work: &Workplace) {
    let kept = work.read("a/analysis.ndjson").lines().nth(1).unwrap().to_owned();
    let output = run(work.leap(&args(), &[MOCK]), b"");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let state = work.read("a/analysis.ndjson");
    assert_eq!(state.lines().nth(1), Some(&*kept));
    assert_eq!(state.lines().count(), 5);
    assert_eq!(work.read("a/games.ugr").matches("[Game ").count(), 4);
}

#[test]
fn an_analysis_that_was_killed_goes_on() {
    let work = Workplace::new();
    let mut leap = begin(&work);
    wait_for_a_game(&work);
    leap.kill().unwrap();
    leap.wait().unwrap();
    finish(&work);
}

#[test]
fn an_analysis_that_is_asked_to_stop_leaves_what_it_has_found() {
    let work = Workplace::new();
    let mut leap = begin(&work);
    wait_for_a_game(&work);
    kill(Pid::from_raw(leap.id().cast_signed()), Signal::SIGINT).unwrap();
    assert_eq!(ended(&mut leap).code(), Some(1));
    let found = json(&work)["games"].as_array().unwrap().len();
    assert!((1..4).contains(&found), "{found}");
    finish(&work);
}
