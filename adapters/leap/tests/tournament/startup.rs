//! What is noticed before the first game: engines that do not start, openings and options that are refused.

use super::*;

/// The message of a match that must not begin, and must make no directory.
#[track_caller]
fn not_begun(place: &Place, args: &[String]) -> String {
    let message = refusal(&run(args));
    assert!(!place.path("m").exists(), "{message}");
    message
}

/// Engines that do not greet, and what is said of each.
const SILENT: &[(&str, &str)] = &[
    ("dies-at-start", "expected 'ugiok', found the engine dead: exit status 3"),
    ("stall", "expected 'ugiok', found none in time"),
    ("deaf", "expected 'ugiok', found none in time"),
    ("flood", "expected 'ugiok', found none in "),
];

#[test]
fn a_match_with_an_engine_that_never_greets_does_not_begin() {
    at_once(SILENT, |(defect, expected)| {
        let place = Place::new();
        let args = args_in(&place, &["sound", defect], &["--patience", "600"], "m");
        let message = not_begun(&place, &args);
        assert!(message.starts_with(&format!("leap: {defect}: {expected}")), "{message}");
    });
}

/// An engine that is sound when it is first started, and from then on has the defect.
#[cfg(unix)]
fn sound_once(place: &Place, defect: &str) -> Vec<String> {
    let flag = place.dir(&format!("{defect}-was-started"));
    let script = format!(
        "if test -e '{flag}'; then exec '{MOCK}' --defect {defect}; fi; touch '{flag}'; exec '{MOCK}'"
    );
    ["--engine", "cmd=sh", &format!("name={defect}"), "arg=-c", &format!("arg={script}")]
        .map(str::to_owned)
        .into()
}

#[cfg(unix)]
#[test]
fn an_engine_that_no_longer_starts_loses_its_games_and_the_others_go_on() {
    let faults = [("dies-at-start", "crash"), ("stall", "stall"), ("flood", "stall")];
    at_once(&faults, |(defect, reason)| {
        let place = Place::new();
        let more = ["--patience", "2000", "--concurrency", "4"];
        let mut args = args_in(&place, &["sound", "other"], &more, "m");
        args.extend(sound_once(&place, defect));
        let results = results(&run(&args));
        assert_eq!(row(&results, defect)["faults"], serde_json::json!({*reason: 4}), "{defect}");
        let ends = events(&place.path("m"), "end");
        assert_eq!(ends.iter().filter(|end| end["unstarted"] == true).count(), 4, "{defect}");
        assert_eq!(ends.iter().filter(|end| end["reason"] == "rules").count(), 2, "{defect}");
    });
}

#[cfg(unix)]
#[test]
fn a_match_in_which_no_game_has_begun_has_no_standings() {
    let place = Place::new();
    let mut args = args_in(&place, &["sound"], &[], "m");
    args.retain(|arg| arg != "--json");
    args.extend(sound_once(&place, "dies-at-start"));
    let resumed = ["match", "--resume", "--out", &place.dir("m")].map(str::to_owned);
    for output in [run(&args), run(&resumed)] {
        assert_eq!(output.status.code(), Some(2), "{}", text(&output.stdout));
        assert_eq!(text(&output.stdout), "");
    }
    let last = text(&run(&args).stderr);
    assert!(last.contains("holds a match already"), "{last}");
}

#[test]
fn openings_are_all_checked_before_the_first_game() {
    for (openings, expected) in [
        ("# book\nmoves a1b1\n\nmoves a1b1 a1a1\n", "line 4: "),
        ("startpos\n9/9 1 - 0 0\n", "line 2: "),
        ("startpos\nhello world\n", "line 2: "),
    ] {
        for referee in [MOCK, "none"] {
            let place = Place::new();
            let file = place.write("book.txt", openings);
            // One pair of games would use the first opening alone.
            let more = ["--openings", &file, "--openings-in-order", "--games", "2"];
            let mut args = args_in(&place, &["sound", "other"], &more, "m");
            args[2] = referee.to_owned();
            let message = not_begun(&place, &args);
            assert!(message.contains(&format!("book.txt, {expected}")), "{referee}: {message}");
            // The engine's words name the move, once.
            let is_named = !openings.contains("a1a1") || message.matches("a1a1").count() == 1;
            assert!(is_named, "{message}");
        }
    }
}

#[test]
fn an_opening_that_has_ended_is_refused() {
    let place = Place::new();
    let over = place.write("book.txt", "a7/7A 1 - 5 5\n");
    let args = args_in(&place, &["sound", "other"], &["--openings", &over], "m");
    let message = not_begun(&place, &args);
    assert!(message.contains("line 1: the game is over there: p"), "{message}");
}

#[test]
fn random_openings_that_are_too_long_are_noticed_at_once() {
    let place = Place::new();
    let args = args_in(&place, &["sound", "other"], &["--random-plies", "3000"], "m");
    let message = not_begun(&place, &args);
    assert!(message.contains("expected an opening of 3000 random plies"), "{message}");
}

#[cfg(unix)]
#[test]
fn a_referee_that_speaks_another_dialect_cannot_be_helped_by_an_option() {
    let place = Place::new();
    let script =
        place.write("referee", &format!("#!/bin/sh\nexec '{MOCK}' puppet ugi= uci=uciok\n"));
    let mut args = args_in(&place, &["sound"], &["--patience", "4000"], "m");
    args[2] = script.clone();
    make_executable(&script);
    let message = not_begun(&place, &args);
    assert!(message.starts_with("leap: the referee: ") && !message.contains("proto="), "{message}");
}

#[cfg(unix)]
fn make_executable(path: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn an_engine_for_one_game_alone_is_not_told_the_game_and_that_is_said_once() {
    let place = Place::new();
    for more in [&["--game", "race"][..], &[]] {
        let mut args = args_in(&place, &["sound"], more, &format!("m{}", more.len()));
        args.extend(
            [
                "--engine",
                &format!("cmd={MOCK}"),
                "name=puppet",
                "arg=puppet",
                "arg=go=bestmove none",
            ]
            .map(str::to_owned),
        );
        let message = text(&run(&args).stderr);
        let told =
            "puppet has no option for the game, so it is not told 'race'; if it plays another";
        assert_eq!(message.matches(told).count(), 1, "{message}");
    }
}

#[test]
fn matches_that_begin_in_the_same_second_have_directories_of_their_own() {
    let place = Place::new();
    let begun: Vec<_> = (0..3)
        .map(|_| {
            let mut command = Command::new(LEAP);
            command.args(args(&["sound", "other"], &["--each", "depth=1"]));
            support::start(command.current_dir(place.path(".")))
        })
        .collect();
    let mut told = Vec::new();
    for child in begun {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        let message = text(&output.stderr);
        let dir = message.lines().next().unwrap().strip_prefix("leap: the match is in ").unwrap();
        assert_eq!(events(&place.path(dir), "end").len(), 2, "{dir}");
        told.push(dir.to_owned());
    }
    told.sort_unstable();
    told.dedup();
    assert_eq!(told.len(), 3, "{told:?}");
}

#[cfg(unix)]
#[test]
fn a_match_that_is_stopped_says_how_it_goes_on() {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;
    let place = Place::new();
    let more = ["--each", "movetime=20", "--games", "400", "--out", "my match"];
    let mut command = Command::new(LEAP);
    command.args(args(&["sound", "other"], &more)).current_dir(place.path("."));
    let child = support::start(&mut command);
    wait_for_ends(&place.path("my match"), 1);
    kill(Pid::from_raw(child.id() as i32), Signal::SIGTERM).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let message = text(&output.stderr);
    assert_eq!(message.matches("leap match --resume --out 'my match'").count(), 2, "{message}");
}

/// An engine that writes down what it is told.
#[cfg(unix)]
fn overheard(place: &Place, name: &str, options: &[&str]) -> Vec<String> {
    let script = format!("tee -a '{}' | '{MOCK}'", place.dir(name));
    let words = ["--engine", "cmd=sh", &format!("name={name}"), "arg=-c", &format!("arg={script}")];
    words.iter().chain(options).map(|&word| word.to_owned()).collect()
}

/// Some engines settle at the first `isready`, Autaxx for example.
#[cfg(unix)]
#[test]
fn an_engine_is_told_all_of_its_options_before_it_is_asked_anything() {
    let place = Place::new();
    let mut args = args_in(&place, &["sound"], &["--game", "race"], "m");
    args.extend(overheard(&place, "told", &["option.Hash=2", "option.MultiPV=2"]));
    let output = run(&args);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let told = fs::read_to_string(place.path("told")).unwrap();
    let processes: Vec<&str> = told.split("ugi\n").skip(1).collect();
    assert!(processes.len() > 1, "{told}");
    for said in processes {
        let kinds: Vec<&str> = said.lines().map(|line| line.split(' ').next().unwrap()).collect();
        assert_eq!(kinds[..4], ["setoption", "setoption", "setoption", "isready"], "{said}");
    }
}
