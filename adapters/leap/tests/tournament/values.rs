//! What is believed of an engine's words, and what an engine may be told: scores, the words after a move, clocks.

use super::*;

/// An engine whose lines are changed by a script of sed.
#[cfg(unix)]
fn rewritten(name: &str, script: &str) -> String {
    scripted(name, &format!("MOCK | sed -u '{script}'"))
}

#[cfg(unix)]
#[test]
fn a_bound_is_no_score_in_events_records_and_adjudication() {
    let draw = "--draw-adjudication count=1 score=10";
    let win = "--win-adjudication count=1 score=500";
    // The exact score, the bounds after it, what is adjudicated, and the score that is kept.
    for (exact, bounds, rule, kept) in [
        ("cp 300", ["cp 0 upperbound", "cp 0 lowerbound"], draw, Some(300)),
        ("cp 0", ["cp 900 lowerbound", "cp -900 upperbound"], win, Some(0)),
        ("cp 0", ["mate 2 lowerbound", "mate -2 upperbound"], win, Some(0)),
        ("cp 0 lowerbound", ["cp 0 upperbound", "cp 1 upperbound"], draw, None),
    ] {
        let place = Workplace::new();
        let [a, b] = [("a", bounds[0]), ("b", bounds[1])].map(|(name, bound)| {
            let script = format!(
                "s/score cp 0 .*/score {exact}/\ns/^info .*/&\\ninfo depth 9 score {bound}/"
            );
            rewritten(name, &script)
        });
        let results = place.results(&mocks("", &format!("{rule} {a} {b}")));
        assert_eq!(results["finished"], 2);
        for end in place.events("m", "end") {
            assert_eq!(end["reason"], "rules", "{exact} {bounds:?}");
        }
        let moves = place.events("m", "move");
        let expected = kept.map_or(Value::Null, |cp| json!({"cp": cp}));
        assert!(moves.len() > 2 && moves.iter().all(|mv| mv["score"] == expected), "{moves:?}");
        let records = place.read("m/games.ugr");
        let told = kept.map_or("{depth 9".to_owned(), |cp| format!("{{cp {cp} depth 9"));
        assert_eq!(records.matches(&told).count(), moves.len(), "{records}");
    }
}

#[cfg(unix)]
#[test]
fn each_player_is_told_both_clocks_and_the_moves_to_its_own_time_control() {
    let place = Workplace::new();
    let [a, b] = [("a", "tc=2/60+0.5"), ("b", "tc=60+1")].map(|(name, clock)| {
        format!("{} {clock} depth=1", scripted(name, &format!("tee {name} | MOCK")))
    });
    assert_eq!(place.results(&mocks("", &format!("{a} {b}")))["finished"], 2);
    let [a, b] = ["a", "b"].map(|name| {
        let told = place.read(name);
        let searches = told.lines().filter(|line| line.starts_with("go "));
        searches.map(str::to_owned).collect::<Vec<_>>()
    });
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
        let talks = rewritten("talks", &format!("s/^bestmove.*/& {more}/"));
        let results = Workplace::new().results(&mocks("sound", &talks));
        assert_eq!(row(&results, "talks")["faults"], json!({}), "{more}");
        assert_eq!(results["finished"], 2);
    }
}

#[test]
fn a_program_with_a_blank_in_its_name_is_found_in_its_directory() {
    let place = Workplace::new();
    let name = format!("the mock{}", std::env::consts::EXE_SUFFIX);
    fs::create_dir(place.path("programs")).unwrap();
    fs::copy(MOCK, place.path("programs").join(&name)).unwrap();
    let engine = format!("--engine dir=programs 'cmd=./{name}'");
    let results = place.results(&mocks("sound", &engine));
    assert_eq!(row(&results, "the mock")["faults"], json!({}));
}

#[test]
fn games_that_repeat_another_one_are_counted() {
    let place = Workplace::new();
    let told =
        "leap: 6 games, 2 different, so the 95 % intervals are 1.7 times too narrow; more openings";
    for (more, repeated, effective) in [("--out m", 4, 2.0), ("--out n --random-plies 3", 0, 6.0)] {
        let output = place.run(&mocks("sound other", &format!("--games 6 {more}")));
        let results = results(&output);
        assert_eq!(results["repeated"], repeated);
        assert_eq!(results["distinct"], 6 - repeated);
        assert_eq!(results["effective_games"], effective);
        let said = text(&output.stderr);
        assert_eq!(said.contains(told), repeated > 0, "{said}");
        assert_eq!(said.contains("different"), repeated > 0, "{said}");
    }
}

#[test]
fn every_game_has_a_line_on_request() {
    let place = Workplace::new();
    let said = text(&place.run(&mocks("sound illegal-bestmove", "--show-games")).stderr);
    for line in [
        "game 1 (sound - illegal-bestmove): sound wins, illegal-move by illegal-bestmove, ",
        "game 2 (illegal-bestmove - sound): sound wins, illegal-move by illegal-bestmove, ",
    ] {
        assert!(said.contains(line), "{said}");
    }
    let said = text(&place.run(&mocks("sound other", "--show-games --out n")).stderr);
    assert_eq!(said.matches(", rules ").count(), 2, "{said}");
}
