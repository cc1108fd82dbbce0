//! `leap report` on matches between mock engines: the page is self-contained, shows the events, and escapes every name.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::support::{MOCK, at_once, leap, sample, text};
use serde_json::Value;

/// A name that would be a script if it were not escaped.
const HOSTILE: &str = "</script><script>alert(1)</script>";

/// Plays a match between a correct mock and another one, with additional arguments, in a directory.
fn play(dir: &Path, other: &[&str], more: &[&str]) {
    let cmd = format!("cmd={MOCK}");
    let dir = dir.to_str().unwrap();
    let mut args =
        vec!["match", "--referee", MOCK, "--engine", &cmd, "name=sound", "--engine", &cmd];
    args.extend(other);
    args.extend(["--each", "depth=1", "--out", dir, "--quiet"]);
    args.extend(more);
    let output = leap(&args);
    assert!(output.status.success(), "{}", text(&output.stderr));
}

fn report(dir: &Path, more: &[&str]) -> Output {
    leap(&[&["report", dir.to_str().unwrap()], more].concat())
}

/// The page of a match, and the data for its script.
fn page(dir: &Path, more: &[&str]) -> (String, Value) {
    let output = report(dir, more);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let page = fs::read_to_string(dir.join("report.html")).unwrap();
    let (_, data) = page.split_once(r#"<script id="data" type="application/json">"#).unwrap();
    let data = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
    (page, data)
}

/// The games of the data, without the indices of their boards.
fn games(data: &Value) -> Vec<&Value> {
    data["games"].as_array().unwrap().iter().map(|pair| &pair[1]).collect()
}

fn events(dir: &Path, kind: &str) -> Vec<Value> {
    let stream = fs::read_to_string(dir.join("events.ndjson")).unwrap();
    let events = stream.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    events.filter(|event| event["event"] == kind).collect()
}

#[test]
fn every_game_can_be_stepped_through_to_the_positions_of_the_events() {
    let place = tempfile::tempdir().unwrap();
    play(place.path(), &["name=other"], &["--games", "4", "--random-plies", "1"]);
    let (_, data) = page(place.path(), &["--engine", MOCK]);
    let moves = events(place.path(), "move");
    let games = games(&data);
    assert_eq!(games.len(), 4);
    assert!(data["boards"][0][0].as_str().unwrap().starts_with("files "), "{data}");
    for game in games {
        let positions = game["positions"].as_array().unwrap();
        let plies = game["moves"].as_array().unwrap();
        assert_eq!(positions.len(), plies.len() + 1);
        let mut played = moves.iter().filter(|mv| mv["game"] == game["number"]);
        for (at, ply) in plies.iter().enumerate() {
            assert!(positions[at]["fen"].is_string(), "{game}");
            // The opening has no events.
            if ply["side"].is_string() {
                let mv = played.next().unwrap();
                assert_eq!((&ply["move"], &ply["time_us"]), (&mv["move"], &mv["time_us"]));
                assert_eq!(positions[at + 1]["fen"], mv["fen"]);
                assert_eq!(positions[at]["score"], mv["score"]);
            }
        }
        assert!(played.next().is_none());
    }
}

#[test]
fn names_and_moves_are_text_in_the_page_whatever_they_hold() {
    let place = tempfile::tempdir().unwrap();
    let name = format!("name={HOSTILE}");
    play(place.path(), &[&name, "arg=--defect", "arg=illegal-bestmove"], &["--games", "2"]);
    let (page, data) = page(place.path(), &["--engine", MOCK]);
    assert_eq!(games(&data)[0]["p2"]["name"], HOSTILE);
    assert_eq!(page.matches("<script").count(), 2, "the data and the script");
    assert!(page.contains("&lt;/script&gt;"));
    assert!(page.contains("illegal-move"));
}

#[test]
fn the_page_fetches_nothing() {
    let place = tempfile::tempdir().unwrap();
    play(place.path(), &["name=other"], &["--games", "2"]);
    let (page, _) = page(place.path(), &["--engine", MOCK]);
    assert!(page.contains("default-src 'none'"));
    // The SVG namespace is not an address.
    let addresses = page.replace("http://www.w3.org/2000/svg", "");
    assert!(!addresses.contains("http://") && !addresses.contains("https://"), "{page}");
}

/// Other glyphs would be boxes on many machines.
#[test]
fn the_page_has_only_glyphs_that_every_font_has() {
    let place = tempfile::tempdir().unwrap();
    play(place.path(), &["name=bad", "arg=--defect", "arg=dies-in-game"], &["--games", "6"]);
    for more in [&["--engine", MOCK][..], &["--no-engine"]] {
        let (page, _) = page(place.path(), more);
        let is_common = |c: &char| *c <= '\u{ff}' || *c == '–';
        let rare: Vec<char> = page.chars().filter(|c| !is_common(c)).collect();
        assert!(rare.is_empty(), "{rare:?}");
    }
}

#[test]
fn a_match_that_one_engine_wins_throughout_says_why_there_is_no_estimate() {
    let place = tempfile::tempdir().unwrap();
    play(place.path(), &["name=bad", "arg=--defect", "arg=illegal-bestmove"], &["--games", "2"]);
    let (page, _) = page(place.path(), &["--no-engine"]);
    assert!(page.contains("There is no estimate yet"));
}

#[test]
fn without_an_engine_boards_come_from_the_events_alone() {
    let place = tempfile::tempdir().unwrap();
    play(place.path(), &["name=other"], &["--games", "2"]);
    let (_, asked) = page(place.path(), &["--engine", MOCK]);
    let (_, guessed) = page(place.path(), &["--no-engine"]);
    assert_eq!(guessed["boards"][0].as_array().unwrap().len(), 0, "the viewer guesses");
    let last =
        |data: &Value| games(data)[0]["positions"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(last(&guessed), last(&asked));
}

#[test]
fn where_room_is_short_faulty_games_are_kept() {
    let place = tempfile::tempdir().unwrap();
    play(place.path(), &["name=bad", "arg=--defect", "arg=dies-in-game"], &["--games", "6"]);
    let (_, data) = page(place.path(), &["--no-engine", "--replays", "1"]);
    let games = games(&data);
    let faulty: Vec<Value> =
        events(place.path(), "fault").iter().map(|f| f["game"].clone()).collect();
    assert_eq!(games.len(), 1);
    assert!(faulty.contains(&games[0]["number"]), "{games:?} {faulty:?}");
}

#[test]
fn a_match_without_games_has_a_page() {
    let place = tempfile::tempdir().unwrap();
    play(place.path(), &["name=other"], &["--games", "2"]);
    let stream = place.path().join("events.ndjson");
    let first = fs::read_to_string(&stream).unwrap().lines().next().unwrap().to_owned() + "\n";
    fs::write(&stream, first).unwrap();
    let (page, data) = page(place.path(), &["--no-engine"]);
    assert!(page.contains("not ended"));
    assert!(games(&data).is_empty());
}

#[test]
fn what_is_no_match_is_named() {
    let place = tempfile::tempdir().unwrap();
    let output = report(place.path(), &[]);
    assert_eq!(output.status.code(), Some(2));
    let message = text(&output.stderr);
    assert!(message.contains("events.ndjson") && message.lines().count() == 1, "{message}");
    fs::write(place.path().join("events.ndjson"), "garbage\n").unwrap();
    assert!(text(&report(place.path(), &[]).stderr).contains("line 1"));
}

/// The places of all numbers in a value, as JSON pointers.
fn numbers(value: &Value, at: &str) -> Vec<String> {
    match value {
        Value::Number(_) => vec![at.to_owned()],
        Value::Array(items) => {
            let each = items.iter().enumerate();
            each.flat_map(|(index, item)| numbers(item, &format!("{at}/{index}"))).collect()
        }
        Value::Object(fields) => {
            fields.iter().flat_map(|(name, item)| numbers(item, &format!("{at}/{name}"))).collect()
        }
        _ => Vec::new(),
    }
}

/// Events may come from anywhere: each number of a stream is replaced by absurd ones. The page says nothing absurd
/// then, or the stream is refused.
#[test]
fn absurd_numbers_in_events_are_refused_or_make_a_sane_page() {
    let place = tempfile::tempdir().unwrap();
    play(place.path(), &["name=other"], &["--games", "2", "--sprt", "elo0=0", "elo1=5"]);
    let stream = place.path().join("events.ndjson");
    let lines: Vec<Value> = fs::read_to_string(&stream)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let first = |kind| lines.iter().position(|line| line["event"] == kind);
    let mut cases = Vec::new();
    for line in ["run", "start", "move", "end", "stop"].into_iter().filter_map(first) {
        for place in numbers(&lines[line], "") {
            for absurd in ["18446744073709551615", "-9223372036854775808", "0", "1e308", "-1e-308"]
            {
                cases.push((line, place.clone(), absurd));
            }
        }
    }
    assert!(cases.len() > 100, "{}", cases.len());
    at_once(&sample(&cases), |(line, number, absurd)| {
        let other = tempfile::tempdir().unwrap();
        let mut lines = lines.clone();
        *lines[*line].pointer_mut(number).unwrap() = serde_json::from_str(absurd).unwrap();
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        fs::write(other.path().join("events.ndjson"), text).unwrap();
        let output = report(other.path(), &["--no-engine"]);
        let what = format!("{number} = {absurd}: {}", String::from_utf8_lossy(&output.stderr));
        match output.status.code() {
            Some(0) => {
                let page = fs::read_to_string(other.path().join("report.html")).unwrap();
                let said = page.split("<script id=\"data\"").next().unwrap();
                let body = said.split("<body>").nth(1).unwrap();
                assert!(!body.contains("NaN") && !body.contains("inf"), "{what}");
            }
            status => assert_eq!(status, Some(2), "{what}"),
        }
    });
}

#[test]
fn what_is_no_directory_is_named_as_such() {
    let work = tempfile::tempdir().unwrap();
    fs::write(work.path().join("file"), "").unwrap();
    for (name, found) in [("nodir", "none"), ("file", "a file")] {
        let dir = work.path().join(name);
        for more in [&[][..], &["--out", "report.html"]] {
            let output = report(&dir, more);
            assert_eq!(output.status.code(), Some(2));
            let expected = format!(
                "leap: expected the directory of a match, found {found}: {}\n",
                dir.display()
            );
            assert_eq!(text(&output.stderr), expected);
        }
    }
}
