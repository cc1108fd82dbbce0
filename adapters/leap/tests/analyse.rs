//! `leap analyse` with mock engines whose scores are known: labels, better lines, files, faults, resumption.

#[cfg(unix)]
mod killed;

use std::fs;
use std::process::Output;

use crate::support::{MOCK, Workplace, at_once, run, sample, text};
use serde_json::Value;

/// A game of four moves without a result.
const GAME: &str = "[Game \"race\"]\n\n1. a1b1 2. a2b2 3. b1c1 4. b2c2 *\n\n";

/// The answer of the mock to a `go`.
fn thinks(score: &str, line: &str) -> String {
    let best = line.split(' ').next().unwrap();
    format!("go=info depth 5 score {score} nodes 9 pv {line};bestmove {best}")
}

/// Runs `leap analyse game.ugr --out a` with this file and more arguments.
fn analyse_with(work: &Workplace, games: &str, more: &[&str], engine: &[&str]) -> Output {
    fs::write(work.path("game.ugr"), games).unwrap();
    let args = [&["analyse", "game.ugr", "--out", "a", "--depth", "1"], more].concat();
    run(work.leap(&args, engine), b"")
}

/// Analyses a game with a mock that gives these answers, one for each `go`; the searches begin at the end of the game.
fn analysed(work: &Workplace, more: &[&str], answers: &[String]) -> Value {
    let mut engine = vec![MOCK];
    answers.iter().for_each(|answer| engine.extend(["--lie", answer]));
    let output = analyse_with(work, GAME, more, &engine);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    json(work)
}

fn json(work: &Workplace) -> Value {
    serde_json::from_str(&work.read("a/analysis.json")).unwrap()
}

/// The third move lets p2 win five men.
fn blunder() -> [String; 5] {
    [
        thinks("cp -500", "c1d1"),
        thinks("cp 500", "b2c2"),
        thinks("cp 0", "b1d1 b2d2"),
        thinks("cp 0", "a2c2"),
        thinks("cp 0", "a1b1"),
    ]
}

#[test]
fn a_move_is_labelled_by_what_it_loses_and_the_better_line_stands_beside_it() {
    let work = Workplace::new();
    let found = analysed(&work, &["--second-look", "1"], &blunder());
    let moves = found["games"][0]["moves"].as_array().unwrap();
    let labels: Vec<&Value> = moves.iter().map(|mv| &mv["label"]).collect();
    assert_eq!(labels, [&Value::Null, &Value::Null, &"blunder".into(), &Value::Null]);
    let [before, after] = ["before", "after"].map(|key| moves[2][key].as_f64().unwrap());
    assert!((before - 0.5).abs() < 1e-6 && (after - 0.119_203).abs() < 1e-6, "{moves:?}");
    let [p1, p2] = ["p1", "p2"].map(|side| &found["games"][0][side]);
    assert_eq!((&p1["blunders"], &p2["blunders"]), (&1.into(), &0.into()));
    assert!(p1["accuracy"].as_f64().unwrap() < 60.0 && p2["accuracy"] == 100.0, "{found:#}");
    let record = work.read("a/games.ugr");
    let expected = "3. b1c1 $4 {cp -500 depth 5 nodes 9} (3. b1d1 {cp 0 depth 5 nodes 9} 4. b2d2)";
    assert!(record.replace('\n', " ").contains(expected), "{record}");
    assert!(record.contains("[Annotator \"mock"), "{record}");
    let page = work.read("a/index.html");
    let (_, data) = page.split_once(r#"<script id="data" type="application/json">"#).unwrap();
    let data: Value = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
    assert_eq!(data["games"], serde_json::json!([[0, found["games"][0]]]));
    assert!(data["boards"][0][0].as_str().unwrap().starts_with("files "), "{data}");
}

#[test]
fn a_label_needs_a_second_look() {
    let work = Workplace::new();
    // Looked at again, the position after the move is as good as the one before it.
    let again = [thinks("cp 0", "b2c2"), thinks("cp 0", "b1d1")];
    let found = analysed(&work, &[], &[&blunder()[..], &again].concat());
    let labels = found["games"][0]["moves"].as_array().unwrap().iter().map(|mv| &mv["label"]);
    // The next move is blamed for what remains, and looked at again too: all further answers are those of the list.
    assert_eq!(labels.filter(|label| **label == "blunder").count(), 0, "{found:#}");
}

#[test]
fn a_win_that_gets_longer_is_no_mistake() {
    let work = Workplace::new();
    let found = analysed(
        &work,
        &["--second-look", "1"],
        &[
            thinks("mate 9", "c1d1"),
            thinks("mate -7", "b2c2"),
            thinks("mate 2", "b1d1"),
            thinks("mate -1", "a2c2"),
            thinks("mate 1", "a1c1"),
        ],
    );
    for mv in found["games"][0]["moves"].as_array().unwrap() {
        assert_eq!((&mv["label"], &mv["loss"]), (&Value::Null, &0.0.into()), "{mv}");
    }
    let record = work.read("a/games.ugr");
    // The engine counts plies, a record moves (SPEC 19.8).
    assert!(record.contains("3. b1c1 {mate 4 depth 5 nodes 9}"), "{record}");
}

#[test]
fn chances_come_from_wdl_where_the_engine_tells_it() {
    let work = Workplace::new();
    let all = ["cp 0 wdl 700 0 300", "cp 0 wdl 300 0 700", "cp 0 wdl 0 1000 0"];
    let answers = all.map(|score| thinks(score, "c1d1"));
    let found = analysed(&work, &["--second-look", "1"], &answers);
    let chances: Vec<f64> = found["games"][0]["positions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|position| position["chance"].as_f64().unwrap())
        .collect();
    // p1 is to move in the last position, p2 before it; the answers begin again after three.
    assert_eq!(chances[2..], [0.5, 0.7, 0.7]);
}

#[test]
fn a_single_legal_move_has_no_label_and_the_result_counts_at_the_end() {
    let work = Workplace::new();
    // p1 has one move, p2 none after it: p1 has won.
    let game = "[Game \"race\"]\n[Fen \"7a/6A1 1 - 12 12\"]\n\n1. g1h1 p1win\n\n";
    let bad = thinks("cp -900", "h1h1");
    let output = analyse_with(&work, game, &[], &[MOCK, "--lie", &bad]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let mv = &json(&work)["games"][0]["moves"][0];
    assert_eq!((&mv["forced"], &mv["label"]), (&true.into(), &Value::Null), "{mv}");
    assert_eq!((&mv["after"], &mv["accuracy"]), (&1.0.into(), &Value::Null), "{mv}");
}

/// Three games, the second of which has an illegal move on line 7.
fn refused() -> String {
    let bad = "[Game \"race\"]\n\n1. a1b1\n2. a2h2 *\n\n";
    format!("{GAME}{bad}{GAME}")
}

#[test]
fn a_game_that_the_engine_refuses_is_named_and_the_others_go_on() {
    let work = Workplace::new();
    let output = analyse_with(&work, &refused(), &[], &[MOCK]);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    let expected = "leap: game.ugr, line 8: not analysed: move 2, a2h2: no such move\n";
    assert!(message.contains(expected), "{message}");
    assert_eq!(text(&output.stdout), "2 of 3 games: a/index.html\n");
    assert_eq!(work.read("a/games.ugr").matches("[Game ").count(), 2);
    assert_eq!(json(&work)["failed"][0]["number"], 2);
    assert!(work.read("a/index.html").contains("move 2, a2h2: no such move"));
    for (tags, expected) in [
        ("[Game \"chess\"]", "line 1: not analysed: expected one of the games race, found 'chess'"),
        ("[Game \"race\"]\n[Option \"Colour=red\"]", "found 'Colour'"),
        ("[Game \"race\"]\n[Option \"Hash=9\"]", "expected an option of the rules, found 'Hash'"),
        ("[Game \"race\"]\n[Fen \"nonsense\"]", "line 2: not analysed: "),
    ] {
        let work = Workplace::new();
        let output = analyse_with(&work, &format!("{tags}\n\n1. a1b1 *\n"), &[], &[MOCK]);
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output.stderr).contains(expected), "{}", text(&output.stderr));
    }
}

#[test]
fn an_option_of_one_game_does_not_hold_in_the_next() {
    let work = Workplace::new();
    let short = GAME.replace("\n\n1.", "\n[Option \"MaxPlies=4\"]\n\n1.");
    let output = analyse_with(&work, &format!("{GAME}{short}{GAME}"), &[], &[MOCK]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let found = json(&work);
    let results =
        found["games"].as_array().unwrap().iter().map(|game| &game["positions"][4]["result"]);
    assert_eq!(results.collect::<Vec<_>>(), [&Value::Null, &"draw".into(), &Value::Null]);
}

#[test]
fn two_engines_find_what_one_finds() {
    let works = [Workplace::new(), Workplace::new()];
    for (work, concurrency) in works.iter().zip(["1", "2"]) {
        let more = ["--concurrency", concurrency];
        let output = analyse_with(work, &GAME.repeat(6), &more, &[MOCK]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    }
    for name in ["a/games.ugr", "a/analysis.json", "a/index.html"] {
        assert_eq!(works[0].read(name), works[1].read(name), "{name}");
    }
}

#[test]
fn an_engine_without_extensions_is_asked_what_every_engine_knows() {
    let work = Workplace::new();
    let output = analyse_with(&work, GAME, &[], &[MOCK, "--plain"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(json(&work)["games"][0]["positions"][1]["turn"], "p2");
}

#[test]
fn a_referee_answers_for_an_engine_that_knows_no_rules() {
    let work = Workplace::new();
    let rules = ["query=", "go=info depth 1 score cp 7;bestmove a1b1"];
    let engine = [&[MOCK, "puppet"], &rules[..]].concat();
    let output = analyse_with(&work, &refused(), &["--referee", MOCK], &engine);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let found = json(&work);
    assert_eq!(found["games"][0]["positions"][1]["turn"], "p2");
    assert_eq!(found["games"][0]["positions"][1]["score"]["cp"], 7);
    assert_eq!(found["failed"][0]["number"], 2);
}

#[test]
fn a_transcript_is_analysed_as_far_as_it_was_played() {
    let work = Workplace::new();
    let session = "ugt 1\n> position startpos moves a1b1 a2b2\n> setoption name Hash value 5\n";
    fs::write(work.path("game.ugt"), session).unwrap();
    let args = ["analyse", "game.ugt", "--out", "a", "--depth", "1"];
    let output = run(work.leap(&args, &[MOCK]), b"");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(work.read("a/games.ugr").contains("2. a2b2 {cp 0 depth 1 nodes 1} *"));
}

/// Each fails in every game. It is started again once, the game is named, and nothing hangs.
#[test]
fn an_engine_that_fails_is_started_again_once() {
    let lies =
        ["go=!exit 3", "go=!hang", "go=!flood 1 info depth 1", "go=bestmove a1b1", "go=!flood 9 x"];
    at_once(&sample(&lies), |lie| {
        let work = Workplace::new();
        let shell = format!("echo x >> starts; exec {MOCK} --lie '{lie}'");
        let more = ["--stall", "300", "--patience", "5000"];
        let output = analyse_with(&work, GAME, &more, &["sh", "-c", &shell]);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{lie}: {message}");
        assert!(message.contains("game.ugr, line 1: not analysed: "), "{lie}: {message}");
        // The first start is the one that finds out whether there is an engine at all.
        assert_eq!(work.read("starts"), "x\nx\nx\n", "{lie}");
        assert_eq!(json(&work)["failed"][0]["number"], 1, "{lie}");
    });
}

#[test]
fn an_engine_that_fails_once_loses_no_game() {
    let work = Workplace::new();
    let shell = format!(
        "if [ -e failed ]; then exec {MOCK}; fi; [ -e asked ] && touch failed; touch asked; \
         exec {MOCK} --lie 'go=!exit 3'"
    );
    let output = analyse_with(&work, GAME, &[], &["sh", "-c", &shell]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

#[test]
fn what_was_found_is_not_looked_for_again() {
    let work = Workplace::new();
    let games = GAME.repeat(3);
    let output = analyse_with(&work, &games, &[], &[MOCK]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let [json, record] = ["a/analysis.json", "a/games.ugr"].map(|name| work.read(name));
    let state = work.read("a/analysis.ndjson");
    let lines: Vec<&str> = state.lines().collect();
    // The second game was not written to its end. The first has a score that only this file knows.
    let known = lines[1].replacen("\"cp\":0", "\"cp\":1", 1);
    let torn = format!("{}\n{known}\n{}", lines[0], &lines[2][..lines[2].len() / 2]);
    fs::write(work.path("a/analysis.ndjson"), torn).unwrap();
    let output = analyse_with(&work, &games, &[], &[MOCK]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let again = work.read("a/analysis.json");
    assert_eq!(again.matches("\"cp\":1").count(), 1);
    assert_eq!(work.read("a/games.ugr"), record, "the start has no move");
    let chance = |text: &str| text.replace("\"cp\":1", "\"cp\":0").replace("0.501", "0.5");
    assert_eq!(chance(&again), chance(&json));
    assert_eq!(work.read("a/analysis.ndjson").lines().count(), 4);
}

#[test]
fn another_analysis_does_not_go_on_with_this_one() {
    let work = Workplace::new();
    assert_eq!(analyse_with(&work, GAME, &[], &[MOCK]).status.code(), Some(0));
    let state = work.read("a/analysis.ndjson");
    for (games, more, engine, what) in [
        (GAME, &["--second-look", "2"][..], &[MOCK][..], "limit"),
        (GAME, &["--option", "Hash=2"], &[MOCK], "options"),
        (GAME, &["--referee", MOCK], &[MOCK], "referee"),
        (GAME, &[], &[MOCK, "--plain"], "engine"),
        (&GAME.repeat(2), &[], &[MOCK], "files"),
    ] {
        let output = analyse_with(&work, games, more, engine);
        let message = text(&output.stderr);
        let expected = format!("leap: a holds an analysis under other conditions ({what}): ");
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.lines().last().unwrap().starts_with(&expected), "{message}");
    }
    assert_eq!(work.read("a/analysis.ndjson"), state);
}

#[test]
fn nothing_of_anybody_is_overwritten() {
    for name in ["games.ugr", "analysis.json", "index.html", "analysis.ndjson"] {
        let work = Workplace::new();
        fs::create_dir(work.path("a")).unwrap();
        fs::write(work.path("a").join(name), "mine\n").unwrap();
        let output = analyse_with(&work, GAME, &[], &[MOCK]);
        assert_eq!(output.status.code(), Some(2), "{name}: {}", text(&output.stderr));
        assert_eq!(work.read(&format!("a/{name}")), "mine\n");
        assert_eq!(fs::read_dir(work.path("a")).unwrap().count(), 1, "{name}");
    }
}

#[test]
fn the_records_are_read_again_with_all_that_they_say() {
    let work = Workplace::new();
    let game = "[Format \"2\"]\n[Game \"race\"]\n[P1 \"</table><script>alert(1)</script>\"]\n\n\
                1. a1b1 $1 {us 12 : well played} 2. a2b2 3. b1c1 $2 (3. b1d1 4. b2d2) 4. b2c2 p1win\n\n";
    let answers = blunder();
    let mut engine = vec![MOCK];
    answers.iter().for_each(|answer| engine.extend(["--lie", answer]));
    let more = ["--second-look", "1"];
    let output = analyse_with(&work, game, &more, &engine);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let record = work.read("a/games.ugr");
    let flat = record.replace('\n', " ");
    assert!(flat.contains("1. a1b1 $1 {cp 0 depth 5 nodes 9 us 12 : well played}"), "{record}");
    assert!(flat.contains("3. b1c1 $4 {"), "{record}");
    assert_eq!(flat.matches("(3. b1d1").count(), 1, "the line that was there is the better one");
    let page = work.read("a/index.html");
    assert_eq!(page.matches("<script").count(), 2, "the data and the script");
    assert!(page.contains("&lt;script&gt;"), "{page}");
    assert!(page.contains("default-src 'none'"));
    let again = analyse_with(&Workplace::new(), &record, &more, &engine);
    assert_eq!(again.status.code(), Some(0), "{}", text(&again.stderr));
}
