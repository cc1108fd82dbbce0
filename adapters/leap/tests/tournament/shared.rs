//! Several runners share a match: whoever is killed, stopped or late, the results are those of one runner.

use nix::sys::signal::Signal;

use super::*;

/// Two batches of eight games.
const GAMES: &str = "--games 16 --random-plies 2";
/// Moves take long enough to be interrupted.
const SLOW: &str = "--each movetime=10 --margin 5000";

/// The words of a runner.
fn runner(more: &str) -> String {
    mocks("sound other", &format!("{GAMES} --lease shared {more}"))
}

/// A runner that is slow, once it has played a game of its first batch, and not yet all.
fn at_work(place: &Workplace, more: &str) -> Child {
    let child = place.start(&runner(&format!("{SLOW} {more}")));
    place.wait_for_ends("shared/batches/1.1", 1);
    child
}

/// The results of the same games without other runners.
fn alone(place: &Workplace) -> Value {
    place.results(&mocks("sound other", &format!("{GAMES} --out alone")))
}

/// The results of the batches that count.
fn merged(place: &Workplace) -> Value {
    place.results("merge --json shared --out whole")
}

#[test]
fn runners_together_play_what_one_plays() {
    let place = Workplace::new();
    let others = [0, 1].map(|_| place.start(&runner("--concurrency 2")));
    let found = others.map(|child| results(&child.wait_with_output().unwrap()));
    let (alone, merged) = (alone(&place), merged(&place));
    for found in found.iter().chain([&merged]) {
        for key in ["engines", "plan", "stop"] {
            assert_eq!(found[key], alone[key], "{key}");
        }
    }
    // Every game was played once, and the whole is a match like any other.
    assert_eq!(place.names_in("shared/claims").len(), 2);
    assert_eq!(place.events("whole", "start").len(), 16);
    assert!(place.names_in("shared/runners").is_empty());
    assert_eq!(place.records("whole").len(), 16);
}

/// What was counted is there: a merge without a game of it is not complete.
#[test]
fn a_game_that_is_missing_in_a_counted_batch_is_named() {
    const STREAM: &str = "shared/batches/2.1/events.ndjson";
    let place = Workplace::new();
    let counted = place.results(&runner(""));
    let whole = place.read(STREAM);
    let others = whole.lines().filter(|line| !line.contains(r#""game":11,"#));
    place.write(STREAM, others.map(|line| format!("{line}\n")).collect::<String>());
    let merged = place.run("merge --json shared --out whole");
    let said = text(&merged.stderr);
    assert_eq!(merged.status.code(), Some(1), "{said}");
    assert_eq!(said.lines().next(), Some("leap: 1 game is missing: 11"), "{said}");
    let printed: Value = serde_json::from_slice(&merged.stdout).unwrap();
    assert_eq!([&printed["finished"], &printed["stop"]], [&json!(15), &Value::Null]);
    let rest = place.results("match --resume --json --out whole");
    assert_eq!(rest["engines"], counted["engines"]);
    // A result in the events is the one that was counted.
    let other = whole.replacen(r#""result":"p2win""#, r#""result":"draw""#, 1);
    assert_ne!(other, whole);
    place.write(STREAM, other);
    let message = place.refusal("merge shared --out other");
    assert!(message.contains("expected the result that was counted"), "{message}");
}

#[test]
fn the_batch_of_a_killed_runner_is_played_by_another_immediately() {
    let place = Workplace::new();
    let mut killed = at_work(&place, "");
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert_eq!(place.names_in("shared/runners").len(), 1, "nobody has tidied up");
    let begun = Instant::now();
    let found = place.results(&runner(SLOW));
    assert!(begun.elapsed() < Duration::from_secs(50), "the timeout is 60 s");
    assert_eq!(found["engines"], alone(&place)["engines"]);
    let claims = place.names_in("shared/claims");
    assert!(claims.contains(&"1.2".to_owned()), "{claims:?}");
    assert_eq!(merged(&place)["engines"], found["engines"]);
    assert_eq!(place.events("whole", "start").len(), 16);
}

#[test]
fn a_runner_that_is_stopped_gives_its_batch_back() {
    let place = Workplace::new();
    let stopped = at_work(&place, "");
    send(&stopped, Signal::SIGTERM);
    let output = stopped.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["stop"], "drained");
    for left in ["runners", "batches", "done"] {
        assert!(place.names_in(&format!("shared/{left}")).is_empty(), "{left}");
    }
    let incomplete = place.refusal("merge shared --out early");
    assert!(incomplete.contains("expected parts, found none"), "{incomplete}");
    assert_eq!(place.results(&runner(SLOW))["engines"], alone(&place)["engines"]);
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn a_runner_that_comes_back_late_throws_its_batch_away() {
    let place = Workplace::new();
    // An engine that is being started must not be given up because its runner is stopped.
    let times = "--lease-timeout 5 --patience 60000";
    let late = at_work(&place, times);
    send(&late, Signal::SIGSTOP);
    let found = place.results(&runner(&format!("{SLOW} {times}")));
    send(&late, Signal::SIGCONT);
    let late = results(&late.wait_with_output().unwrap());
    assert_eq!(late["engines"], found["engines"]);
    assert_eq!(found["engines"], alone(&place)["engines"]);
    let done = place.read("shared/done/1");
    assert!(done.starts_with(r#"{"attempt":2,"#), "{done}");
    let batches = place.names_in("shared/batches");
    assert!(!batches.contains(&"1.1".to_owned()), "{batches:?}");
    assert_eq!(merged(&place)["finished"], 16);
}

#[test]
fn a_test_ends_for_all_runners_with_the_batch_that_decides() {
    let place = Workplace::new();
    let line = |dir: &str| {
        let test = "--sprt elo0=0 elo1=50 model=logistic --games 400 --batch 2";
        mocks("sound illegal-bestmove", &format!("{test} --lease {dir}"))
    };
    let others = [0, 1, 2].map(|_| place.start(&line("shared")));
    let found = others.map(|child| results(&child.wait_with_output().unwrap()));
    let alone = place.results(&line("alone"));
    assert_eq!(alone["sprt"]["decision"], "h1");
    for found in &found {
        assert_eq!(*found, alone);
    }
    assert_eq!(merged(&place)["sprt"], alone["sprt"]);
    assert_eq!(place.events("whole", "stop")[0]["why"], "sprt");
    // Who comes when all is over learns the results.
    assert_eq!(place.results(&line("shared")), alone);
}

#[test]
fn another_match_is_not_joined() {
    let place = Workplace::new();
    place.results(&runner(""));
    for (other, expected) in [
        ("--each depth=2", "lease.json: expected the plan "),
        ("--batch 3", "lease.json: expected --batch 3, found 4"),
    ] {
        let message = place.refusal(&runner(other));
        assert!(message.contains(expected), "{message}");
    }
}

/// The mock searches one node in each search, so it has half a node per second in one of two seconds.
#[test]
fn times_are_scaled_to_the_speed_of_the_machine() {
    let place = Workplace::new();
    let more = "--each movetime=40 --margin 5000 --scale-nps 1 --games 1 --max-plies 2";
    let output = place.run(&mocks("sound other", more));
    assert!(text(&output.stderr).contains(" nodes per second here"), "{}", text(&output.stderr));
    results(&output);
    let scale = place.events("m", "start")[0]["scale"].as_f64().unwrap();
    assert!((1.9..10.0).contains(&scale), "{scale}");
    let moves = place.events("m", "move");
    assert!(moves.iter().all(|mv| mv["time_us"].as_u64().unwrap() >= 70_000), "{moves:?}");
    let records = place.read("m/games.ugr");
    assert!(records.contains(&format!("[ScaleFactor \"{scale}\"]")), "{records}");
}
