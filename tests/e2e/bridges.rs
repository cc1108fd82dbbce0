//! `leap bridge` and `openspiel` with real engines.

use std::process::{Command, Stdio};

use leap_testing::skip;

use crate::programs::{LEAP, ROOT, has};

/// GNU Go on a small board. It plays dead stones out before it passes: the referee counts all stones as alive.
const GNUGO: &str = "gnugo --mode gtp --chinese-rules --capture-all-dead --never-resign --level 0";

/// Plays two games of Go and returns the ends of the games. All of them must have ended by the rules.
fn go(referee: &str, bridge: &str) -> Vec<String> {
    let dir = tempfile::tempdir().unwrap();
    let engine = format!("cmd={} bridge gtp {bridge} -- {GNUGO}", *LEAP);
    let mut leap = Command::new(&*LEAP);
    leap.args(["match", "--game", "go", "--option", "BoardSize=5", "--option", "Komi=7.5"]);
    leap.args([
        "--referee",
        referee,
        "--each",
        "tc=300",
        "--engine",
        &engine,
        "name=a",
        "--engine",
        &engine,
        "name=b",
    ]);
    let leap = leap.args(["--games", "2", "--quiet", "--out"]).arg(dir.path().join("m"));
    let output = leap.env("PYTHONPATH", format!("{ROOT}/adapters/python/src")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let events = std::fs::read_to_string(dir.path().join("m/events.ndjson")).unwrap();
    let ends = events.lines().filter(|line| line.starts_with(r#"{"event":"end""#));
    ends.map(str::to_owned).collect()
}

#[test]
fn gnu_go_plays_whole_games_without_a_referee() {
    if !has("gnugo", "--version", "apt-get install gnugo") {
        return;
    }
    let ends = go("none", "--judge");
    assert_eq!(ends.len(), 2);
    assert!(ends.iter().all(|end| end.contains(r#""reason":"rules""#)), "{ends:?}");
}

#[test]
fn gnu_go_plays_whole_games_before_openspiel() {
    let mut probe = Command::new("python3");
    probe.args(["-c", "import pyspiel"]).stdout(Stdio::null()).stderr(Stdio::null());
    if !probe.status().is_ok_and(|status| status.success()) {
        return skip("pyspiel", "python3 -m pip install open_spiel");
    }
    if !has("gnugo", "--version", "apt-get install gnugo") {
        return;
    }
    let ends = go("python3 -m leapclient.openspiel", "");
    assert_eq!(ends.len(), 2);
    assert!(ends.iter().all(|end| end.contains(r#""reason":"rules""#)), "{ends:?}");
}
