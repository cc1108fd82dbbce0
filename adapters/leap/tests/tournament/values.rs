//! What is believed of an engine's words, and what an engine may be told: scores, the words after a move, values of
//! options, names.

use super::*;

/// An engine whose lines are changed by a script of sed.
#[cfg(unix)]
fn rewritten(name: &str, script: &str) -> Vec<String> {
    let script = format!("'{MOCK}' | sed -u '{script}'");
    ["--engine", "cmd=sh", &format!("name={name}"), "arg=-c", &format!("arg={script}")]
        .map(str::to_owned)
        .into()
}

#[cfg(unix)]
#[test]
fn a_bound_is_no_score_in_events_records_and_adjudication() {
    let draw: &[&str] = &["--draw-adjudication", "count=1", "score=10"];
    let win: &[&str] = &["--win-adjudication", "count=1", "score=500"];
    // The exact score, the bounds after it, what is adjudicated, and the score that is kept.
    for (exact, bounds, rule, kept) in [
        ("cp 300", ["cp 0 upperbound", "cp 0 lowerbound"], draw, Some(300)),
        ("cp 0", ["cp 900 lowerbound", "cp -900 upperbound"], win, Some(0)),
        ("cp 0", ["mate 2 lowerbound", "mate -2 upperbound"], win, Some(0)),
        ("cp 0 lowerbound", ["cp 0 upperbound", "cp 1 upperbound"], draw, None),
    ] {
        let place = Place::new();
        let mut args = args_in(&place, &[], rule, "m");
        for (name, bound) in ["a", "b"].iter().zip(bounds) {
            let script = format!(
                "s/score cp 0 .*/score {exact}/\ns/^info .*/&\\ninfo depth 9 score {bound}/"
            );
            args.extend(rewritten(name, &script));
        }
        let results = results(&run(&args));
        assert_eq!(results["finished"], 2);
        for end in events(&place.path("m"), "end") {
            assert_eq!(end["reason"], "rules", "{exact} {bounds:?}");
        }
        let moves = events(&place.path("m"), "move");
        let expected = kept.map_or(Value::Null, |cp| serde_json::json!({"cp": cp}));
        assert!(moves.len() > 2 && moves.iter().all(|mv| mv["score"] == expected), "{moves:?}");
        let records = fs::read_to_string(place.path("m").join("games.ugr")).unwrap();
        let told = kept.map_or("{depth 9".to_owned(), |cp| format!("{{cp {cp} depth 9"));
        assert_eq!(records.matches(&told).count(), moves.len(), "{records}");
    }
}

/// An engine with this clock, which keeps what it is told in a file of its name.
#[cfg(unix)]
fn heard(place: &Place, name: &str, clock: &str) -> Vec<String> {
    let script = format!("tee '{}' | '{MOCK}'", place.dir(name));
    ["--engine", "cmd=sh", &format!("name={name}"), clock, "arg=-c", &format!("arg={script}")]
        .map(str::to_owned)
        .into()
}

#[cfg(unix)]
#[test]
fn each_player_is_told_both_clocks_and_the_moves_to_its_own_time_control() {
    let place = Place::new();
    let mut args = args_in(&place, &[], &[], "m");
    args.extend(heard(&place, "a", "tc=2/60+0.5"));
    args.extend(heard(&place, "b", "tc=60+1"));
    assert_eq!(results(&run(&args))["finished"], 2);
    let searches = |name: &str| {
        let told = fs::read_to_string(place.path(name)).unwrap();
        let searches = told.lines().filter(|line| line.starts_with("go "));
        searches.map(str::to_owned).collect::<Vec<_>>()
    };
    let (a, b) = (searches("a"), searches("b"));
    assert_eq!(a[0], "go p1time 60000 p2time 60000 p1inc 500 p2inc 1000 movestogo 2 depth 1");
    assert!(a[1].ends_with(" p1inc 500 p2inc 1000 movestogo 1 depth 1"), "{}", a[1]);
    assert!(a.iter().all(|go| go.contains(" movestogo ")), "{a:?}");
    let as_p1 = "go p1time 60000 p2time 60000 p1inc 1000 p2inc 500 depth 1";
    assert!(b.iter().any(|go| go == as_p1), "{b:?}");
    assert!(b.iter().all(|go| !go.contains(" movestogo ")), "{b:?}");
}

/// SPEC 17.6.
#[cfg(unix)]
#[test]
fn words_after_the_move_are_no_fault() {
    for more in ["eval 3.2", "ponder", "ponder x y", "ponder (none)", "id"] {
        let place = Place::new();
        let mut args = args_in(&place, &["sound"], &[], "m");
        args.extend(rewritten("talks", &format!("s/^bestmove.*/& {more}/")));
        let results = results(&run(&args));
        assert_eq!(row(&results, "talks")["faults"], serde_json::json!({}), "{more}");
        assert_eq!(results["finished"], 2);
    }
}

#[test]
fn a_value_that_an_engine_does_not_announce_is_refused_before_the_first_game() {
    for (value, expected) in [
        ("option.Hash=1025", "option Hash: expected a number from 1 to 1024, found '1025'"),
        ("option.hash=", "option Hash: expected a number from 1 to 1024, found ''"),
        ("option.Ponder=on", "option Ponder: expected true or false, found 'on'"),
        ("option.Clear Hash=1", "option Clear Hash: expected no value for a button, found '1'"),
        ("option.Game=rice", "option Game: expected one of race, 'race' perhaps, found 'rice'"),
        ("option.Hsah=1", "found 'Hsah'; did you mean 'Hash'?"),
    ] {
        let place = Place::new();
        let mut args = args_in(&place, &["sound"], &[], "m");
        args.extend(engine("other").into_iter().chain([value.to_owned()]));
        let message = refusal(&run(&args));
        assert!(!place.path("m").exists(), "{message}");
        assert!(message.starts_with("leap: other: ") && message.contains(expected), "{message}");
    }
    // One for all engines is checked too.
    let place = Place::new();
    let args = args_in(&place, &["sound", "other"], &["--option", "MaxPlies=-1"], "m");
    let message = refusal(&run(&args));
    assert!(message.contains("MaxPlies: expected a number from 0 to 1000000"), "{message}");
}

#[test]
fn numbers_and_names_that_make_no_sense_are_refused_in_one_line() {
    for (more, expected) in [
        (&["--draw-adjudication", "count=0", "score=10"][..], "adjudication of draws: count: "),
        (&["--win-adjudication", "count=3", "score=-10"], "adjudication of wins: score: "),
        (&["--max-plies", "0"], "max-plies: expected a number from 1"),
        (&["--each", "movetime=0"], "sound: movetime: expected a number from 1"),
        (&["--engine", "cmd=x", "name=a\nb"], "name of an engine: expected no control characters"),
        (&["--games", "0"], "--games"),
        (&["--concurrency", "0"], "--concurrency"),
        (&["--patience", "0"], "--patience"),
        (&["--scale-nps", "0"], "--scale-nps"),
        (&["--each", "tc=inf+0"], "tc: expected a time control"),
    ] {
        let place = Place::new();
        let output = run(&args_in(&place, &["sound", "other"], more, "m"));
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(!place.path("m").exists() && message.contains(expected), "{more:?}: {message}");
    }
}

#[test]
fn a_program_with_a_blank_in_its_name_is_found_in_its_directory() {
    let place = Place::new();
    let name = format!("the mock{}", std::env::consts::EXE_SUFFIX);
    fs::copy(MOCK, place.path(&name)).unwrap();
    let dir = format!("dir={}", place.dir(""));
    let mut args = args_in(&place, &["sound"], &[], "m");
    args.extend(["--engine".to_owned(), dir, format!("cmd=./{name}")]);
    let results = results(&run(&args));
    assert_eq!(row(&results, "the mock")["faults"], serde_json::json!({}));
}

#[test]
fn games_that_repeat_another_one_are_counted() {
    let place = Place::new();
    let mut args = args_in(&place, &["sound", "other"], &["--games", "6"], "m");
    let output = run(&args);
    assert_eq!(results(&output)["repeated"], 4);
    let told = "leap: 4 of 6 games repeat another game; more openings";
    assert!(text(&output.stderr).contains(told), "{}", text(&output.stderr));
    let last = args.len() - 1;
    args[last] = place.dir("n");
    args.extend(["--random-plies", "3"].map(str::to_owned));
    let output = run(&args);
    assert_eq!(results(&output)["repeated"], 0);
    assert!(!text(&output.stderr).contains("repeat"), "{}", text(&output.stderr));
}

#[test]
fn a_knockout_names_its_winner() {
    let place = Place::new();
    let engines = ["illegal-bestmove", "sound", "dies-in-game"];
    let mut args = args_in(&place, &engines, &["--format", "knockout"], "m");
    assert_eq!(results(&run(&args))["knockout"]["winner"], "sound");
    args.retain(|arg| arg != "--json");
    let last = args.len() - 1;
    args[last] = place.dir("n");
    assert!(text(&run(&args).stdout).contains("\nsound wins the knockout\n"));
    let report = leap(&["report", &place.dir("m")]);
    assert!(report.status.success(), "{}", text(&report.stderr));
    let page = fs::read_to_string(place.path("m").join("report.html")).unwrap();
    assert!(page.contains("<p>sound wins the knockout</p>"));
}

#[test]
fn a_file_says_how_many_games_are_played_at_a_time() {
    let place = Place::new();
    let toml = format!(
        "referee = '{MOCK}'\nconcurrency = 2\naffinity = true\n[each]\ndepth = 1\n[[engine]]\ncmd = '{MOCK}'\n"
    );
    let file = place.write("match.toml", &toml);
    let output = leap(&["match", "--config", &file, "--json", "--out", &place.dir("m")]);
    assert_eq!(results(&output)["finished"], 2);
    let wrong = place.write("wrong.toml", &toml.replace("concurrency = 2", "concurrency = 0"));
    let message = refusal(&leap(&["match", "--config", &wrong, "--out", &place.dir("n")]));
    assert!(message.contains("wrong.toml, line 2"), "{message}");
}
