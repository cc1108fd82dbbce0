//! Several runners share a match: whoever is killed, stopped or late, the results are those of one runner.

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::*;

/// Two batches of eight games.
const GAMES: [&str; 4] = ["--games", "16", "--random-plies", "2"];

/// The arguments of a runner.
fn runner(place: &Place, more: &[&str]) -> Vec<String> {
    let dir = place.dir("shared");
    let shared = ["--json", "--lease", &dir];
    args(&["sound", "other"], &[&shared[..], &GAMES, more].concat())
}

/// Moves take long enough to be interrupted.
const SLOW: [&str; 4] = ["--each", "movetime=10", "--margin", "5000"];

fn send(child: &Child, signal: Signal) {
    kill(Pid::from_raw(child.id().cast_signed()), signal).unwrap();
}

/// Waits until the runner has played a game of its first batch, and not yet all.
fn wait_for_a_batch(place: &Place) {
    wait_for_ends(&place.path("shared/batches/1.1"), 1);
}

/// The results of the same games without other runners.
fn alone(place: &Place) -> Value {
    let dir = place.dir("alone");
    let own = [&["--json", "--out", &dir][..], &GAMES, &["--each", "depth=1"]];
    results(&run(&args(&["sound", "other"], &own.concat())))
}

/// The results of the batches that count.
fn merged(place: &Place) -> Value {
    results(&leap(&["merge", "--json", &place.dir("shared"), "--out", &place.dir("whole")]))
}

#[test]
fn runners_together_play_what_one_plays() {
    let place = Place::new();
    let more = ["--each", "depth=1", "--concurrency", "2"];
    let others = [0, 1].map(|_| start(&runner(&place, &more)));
    let results = others.map(|child| self::results(&child.wait_with_output().unwrap()));
    let (alone, merged) = (alone(&place), merged(&place));
    for found in results.iter().chain([&merged]) {
        assert_eq!(found["engines"], alone["engines"]);
        assert_eq!([&found["plan"], &found["stop"]], [&alone["plan"], &alone["stop"]]);
    }
    // Every game was played once, and the whole is a match like any other.
    assert_eq!(names(&place.path("shared/claims")).len(), 2);
    assert_eq!(events(&place.path("whole"), "start").len(), 16);
    assert!(names(&place.path("shared/runners")).is_empty());
    let records = fs::read_to_string(place.path("whole/games.ugr")).unwrap();
    assert_eq!(leap_records::Record::parse_all(&records).unwrap().len(), 16);
}

/// What was counted is there: a merge without a game of it is not complete.
#[test]
fn a_game_that_is_missing_in_a_counted_batch_is_named() {
    let place = Place::new();
    let counted = results(&run(&runner(&place, &["--each", "depth=1"])));
    let stream = place.path("shared/batches/2.1/events.ndjson");
    let whole = fs::read_to_string(&stream).unwrap();
    let others = |line: &&str| !line.contains(r#""game":11,"#);
    let damaged: Vec<&str> = whole.lines().filter(others).collect();
    fs::write(&stream, damaged.join("\n") + "\n").unwrap();
    let merged = leap(&["merge", "--json", &place.dir("shared"), "--out", &place.dir("whole")]);
    let said = text(&merged.stderr);
    assert_eq!(merged.status.code(), Some(1), "{said}");
    assert_eq!(said.lines().next(), Some("leap: 1 game is missing: 11"), "{said}");
    let printed: Value = serde_json::from_slice(&merged.stdout).unwrap();
    assert_eq!([&printed["finished"], &printed["stop"]], [&Value::from(15), &Value::Null]);
    let rest = results(&leap(&["match", "--resume", "--json", "--out", &place.dir("whole")]));
    assert_eq!(rest["engines"], counted["engines"]);
    // A result in the events is the one that was counted.
    let other = whole.replacen(r#""result":"p2win""#, r#""result":"draw""#, 1);
    assert_ne!(other, whole);
    fs::write(&stream, other).unwrap();
    let message = refusal(&leap(&["merge", &place.dir("shared"), "--out", &place.dir("other")]));
    assert!(message.contains("expected the result that was counted"), "{message}");
}

#[test]
fn the_batch_of_a_killed_runner_is_played_by_another_immediately() {
    let place = Place::new();
    let mut killed = start(&runner(&place, &SLOW));
    wait_for_a_batch(&place);
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert_eq!(names(&place.path("shared/runners")).len(), 1, "nobody has tidied up");
    let begun = Instant::now();
    let found = results(&run(&runner(&place, &SLOW)));
    assert!(begun.elapsed() < Duration::from_secs(50), "the timeout is 60 s");
    assert_eq!(found["engines"], alone(&place)["engines"]);
    let claims = names(&place.path("shared/claims"));
    assert!(claims.contains(&"1.2".to_owned()), "{claims:?}");
    assert_eq!(merged(&place)["engines"], found["engines"]);
    assert_eq!(events(&place.path("whole"), "start").len(), 16);
}

#[test]
fn a_runner_that_is_stopped_gives_its_batch_back() {
    let place = Place::new();
    let stopped = start(&runner(&place, &SLOW));
    wait_for_a_batch(&place);
    send(&stopped, Signal::SIGTERM);
    let output = stopped.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert_eq!(results_of_incomplete(&output)["stop"], "drained");
    for left in ["runners", "batches", "done"] {
        assert!(names(&place.path("shared").join(left)).is_empty(), "{left}");
    }
    let incomplete = leap(&["merge", &place.dir("shared"), "--out", &place.dir("early")]);
    assert!(refusal(&incomplete).contains("expected parts, found none"));
    let found = results(&run(&runner(&place, &SLOW)));
    assert_eq!(found["engines"], alone(&place)["engines"]);
}

fn results_of_incomplete(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn a_runner_that_comes_back_late_throws_its_batch_away() {
    let place = Place::new();
    let slow = [&SLOW[..], &["--lease-timeout", "5"]].concat();
    let late = start(&runner(&place, &slow));
    wait_for_a_batch(&place);
    send(&late, Signal::SIGSTOP);
    let found = results(&run(&runner(&place, &slow)));
    send(&late, Signal::SIGCONT);
    let late = late.wait_with_output().unwrap();
    assert_eq!(results(&late)["engines"], found["engines"]);
    assert_eq!(found["engines"], alone(&place)["engines"]);
    let done = fs::read_to_string(place.path("shared/done/1")).unwrap();
    assert!(done.starts_with(r#"{"attempt":2,"#), "{done}");
    let batches = names(&place.path("shared/batches"));
    assert!(!batches.contains(&"1.1".to_owned()), "{batches:?}");
    assert_eq!(merged(&place)["finished"], 16);
}

#[test]
fn a_test_ends_for_all_runners_with_the_batch_that_decides() {
    let place = Place::new();
    let test = ["--sprt", "elo0=0", "elo1=50", "model=logistic", "--games", "400", "--batch", "2"];
    let arguments = |dir: &str| {
        let dir = place.dir(dir);
        let more = [&["--each", "depth=1", "--json", "--lease", &dir], &test[..]];
        args(&["sound", "illegal-bestmove"], &more.concat())
    };
    let others = [0, 1, 2].map(|_| start(&arguments("shared")));
    let found = others.map(|child| results(&child.wait_with_output().unwrap()));
    let alone = results(&run(&arguments("alone")));
    assert_eq!(alone["sprt"]["decision"], "h1");
    for found in &found {
        assert_eq!(*found, alone);
    }
    assert_eq!(merged(&place)["sprt"], alone["sprt"]);
    assert_eq!(events(&place.path("whole"), "stop")[0]["why"], "sprt");
    // Who comes when all is over learns the results.
    assert_eq!(results(&run(&arguments("shared"))), alone);
}

#[test]
fn another_match_is_not_joined() {
    let place = Place::new();
    let more = ["--each", "depth=1"];
    results(&run(&runner(&place, &more)));
    for (other, expected) in [
        (&["--each", "depth=2"][..], "lease.json: expected the plan "),
        (&["--each", "depth=1", "--batch", "3"], "lease.json: expected --batch 3, found 4"),
    ] {
        let message = refusal(&run(&runner(&place, other)));
        assert!(message.contains(expected), "{message}");
    }
}

/// The mock searches one node in each search, so it has half a node per second in one of two seconds.
#[test]
fn times_are_scaled_to_the_speed_of_the_machine() {
    let place = Place::new();
    let more = ["--each", "movetime=40", "--margin", "5000", "--scale-nps", "1", "--games", "1"];
    let dir = place.dir("m");
    let more = [&more[..], &["--max-plies", "2", "--json", "--out", &dir]].concat();
    let output = run(&args(&["sound", "other"], &more));
    assert!(text(&output.stderr).contains(" nodes per second here"), "{}", text(&output.stderr));
    results(&output);
    let scale = events(&place.path("m"), "start")[0]["scale"].as_f64().unwrap();
    assert!((1.9..10.0).contains(&scale), "{scale}");
    let moves = events(&place.path("m"), "move");
    assert!(moves.iter().all(|mv| mv["time_us"].as_u64().unwrap() >= 70_000), "{moves:?}");
    let records = fs::read_to_string(place.path("m/games.ugr")).unwrap();
    assert!(records.contains(&format!("[ScaleFactor \"{scale}\"]")), "{records}");
}
