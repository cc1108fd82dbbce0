//! What is noticed before the first game: engines that do not start, openings and options that are refused.

use super::*;

/// The message of a match that must not begin, and must make no directory.
#[track_caller]
fn not_begun(place: &Workplace, line: &str) -> String {
    let message = place.refusal(line);
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
        let line = mocks(&format!("sound {defect}"), "--patience 600");
        let message = not_begun(&Workplace::new(), &line);
        assert!(message.starts_with(&format!("leap: {defect}: {expected}")), "{message}");
    });
}

/// An engine that is sound when it is first started, and from then on has the defect.
#[cfg(unix)]
fn sound_once(defect: &str) -> String {
    let script = format!(
        "if test -e started; then exec MOCK --defect {defect}; fi; touch started; exec MOCK"
    );
    scripted(defect, &script)
}

#[cfg(unix)]
#[test]
fn an_engine_that_no_longer_starts_loses_its_games_and_the_others_go_on() {
    let faults = [("dies-at-start", "crash"), ("stall", "stall"), ("flood", "stall")];
    at_once(&sample(&faults), |(defect, reason)| {
        let place = Workplace::new();
        let more = format!("--patience 2000 --concurrency 4 {}", sound_once(defect));
        let results = place.results(&mocks("sound other", &more));
        assert_eq!(row(&results, defect)["faults"], json!({*reason: 4}), "{defect}");
        let ends = place.events("m", "end");
        assert_eq!(ends.iter().filter(|end| end["unstarted"] == true).count(), 4, "{defect}");
        assert_eq!(ends.iter().filter(|end| end["reason"] == "rules").count(), 2, "{defect}");
    });
}

#[cfg(unix)]
#[test]
fn a_match_in_which_no_game_has_begun_has_no_standings() {
    let place = Workplace::new();
    let line = mocks("sound", &sound_once("dies-at-start"));
    for line in [&line, "match --resume --out m"] {
        let output = place.run(line);
        assert_eq!(output.status.code(), Some(2), "{}", text(&output.stdout));
        assert_eq!(text(&output.stdout), "");
    }
    assert!(place.refusal(&line).contains("holds a match already"));
}

#[test]
fn openings_are_all_checked_before_the_first_game() {
    let place = Workplace::new();
    for (openings, expected) in [
        ("# book\nmoves a1b1\n\nmoves a1b1 a1a1\n", "line 4: "),
        ("startpos\n9/9 1 - 0 0\n", "line 2: "),
        ("startpos\nhello world\n", "line 2: "),
        ("a7/7A 1 - 5 5\n", "line 1: the game is over there: p"),
    ] {
        place.write("book.txt", openings);
        for referee in ["MOCK", "none"] {
            // One pair of games would use the first opening alone.
            let more = format!("--referee {referee} --openings book.txt --openings-in-order");
            let message = not_begun(&place, &mocks("sound other", &more));
            assert!(message.contains(&format!("book.txt, {expected}")), "{referee}: {message}");
            // The engine's words name the move, once.
            let is_named = !openings.contains("a1a1") || message.matches("a1a1").count() == 1;
            assert!(is_named, "{message}");
        }
    }
    let message = not_begun(&place, &mocks("sound other", "--random-plies 3000"));
    assert!(message.contains("expected an opening of 3000 random plies"), "{message}");
}

#[cfg(unix)]
#[test]
fn a_referee_that_speaks_another_dialect_cannot_be_helped_by_an_option() {
    let line = mocks("sound", "--patience 4000 --referee 'MOCK puppet ugi= uci=uciok'");
    let message = not_begun(&Workplace::new(), &line);
    assert!(message.starts_with("leap: the referee: ") && !message.contains("proto="), "{message}");
}

#[test]
fn an_engine_for_one_game_alone_is_not_told_the_game_and_that_is_said_once() {
    for game in ["--game race", ""] {
        let line = mocks("sound", &format!("{game} {}", puppet("go=bestmove none")));
        let message = text(&Workplace::new().run(&line).stderr);
        let told =
            "puppet has no option for the game, so it is not told 'race'; if it plays another";
        assert_eq!(message.matches(told).count(), 1, "{message}");
    }
}

#[test]
fn matches_that_begin_in_the_same_second_have_directories_of_their_own() {
    let place = Workplace::new();
    let line = mocks("sound other", "").replace(" --out m", "");
    let begun = [0, 1, 2].map(|_| place.start(&line));
    let mut told = begun.map(|child| {
        let output = child.wait_with_output().unwrap();
        results(&output);
        let message = text(&output.stderr);
        let dir = message.lines().next().unwrap().strip_prefix("leap: the match is in ").unwrap();
        assert_eq!(place.events(dir, "end").len(), 2, "{dir}");
        dir.to_owned()
    });
    told.sort_unstable();
    assert!(told[0] != told[1] && told[1] != told[2], "{told:?}");
}

/// Some engines settle at the first `isready`, Autaxx for example.
#[cfg(unix)]
#[test]
fn an_engine_is_told_all_of_its_options_before_it_is_asked_anything() {
    let place = Workplace::new();
    let told = scripted("told", "tee -a told | MOCK");
    let more = format!("--game race {told} option.Hash=2 option.MultiPV=2");
    place.succeeds(&mocks("sound", &more));
    let told = place.read("told");
    let processes: Vec<&str> = told.split("ugi\n").skip(1).collect();
    assert!(processes.len() > 1, "{told}");
    for said in processes {
        let kinds: Vec<&str> = said.lines().map(|line| line.split(' ').next().unwrap()).collect();
        assert_eq!(kinds[..4], ["setoption", "setoption", "setoption", "isready"], "{said}");
    }
}
