//! What is on disk: resuming, merging, full disks.

use super::*;

#[test]
fn to_go_on_there_must_be_a_match_or_what_is_to_be_played() {
    let place = Place::new();
    let message = refusal(&leap(&["match", "--resume", "--out", &place.dir("m")]));
    assert!(message.contains("expected a match to go on with"), "{message}");
    assert!(!place.path("m").exists(), "nothing is begun");
    // When repeated with the plan, the same command starts a part and resumes it.
    let begun = args_in(&place, &["sound", "other"], &["--resume"], "m");
    let first = results(&run(&begun));
    assert_eq!(results(&run(&begun))["engines"], first["engines"]);
    let other = args_in(&place, &["sound", "other"], &["--resume", "--seed", "2"], "m");
    let message = refusal(&run(&other));
    assert!(message.contains("expected seed 1 as in the match, found 2"), "{message}");
}

#[test]
fn a_finished_match_grows() {
    let place = Place::new();
    let more = ["--games", "4", "--random-plies", "2", "--concurrency", "100000"];
    let begun = args_in(&place, &["sound", "other"], &more, "m");
    assert_eq!(results(&run(&begun))["finished"], 4);
    let grow = |more: &[&str]| {
        let dir = place.dir("m");
        leap(&[&["match", "--resume", "--json", "--out", &dir], more].concat())
    };
    assert_eq!(results(&grow(&["--games", "10"]))["games"], 10);
    // The same command again plays nothing, and rounds are added to the games.
    assert_eq!(results(&grow(&["--games", "10"]))["finished"], 10);
    let grown = results(&grow(&["--rounds", "2"]));
    assert_eq!(grown["finished"], 20);
    let alone = ["--games", "10", "--rounds", "2", "--random-plies", "2"];
    let alone = results(&run(&args_in(&place, &["sound", "other"], &alone, "alone")));
    assert_eq!([&grown["engines"], &grown["plan"]], [&alone["engines"], &alone["plan"]]);
    for (given, expected) in [
        (&["--games", "2"][..], "--games: expected 10 or more as in the match, found 2"),
        (&["--games", "12"], "with these pairings --rounds makes it longer"),
        (&["--rounds", "3", "--margin", "7"], "expected margin_ms 50 as in the match, found 7"),
    ] {
        let message = refusal(&grow(given));
        assert!(message.contains(expected), "{message}");
    }
    // Whoever reads the stream finds all of it.
    let merged = leap(&["merge", "--json", &place.dir("m"), "--out", &place.dir("all")]);
    assert_eq!(results(&merged)["engines"], grown["engines"]);
    assert!(leap(&["report", "--no-engine", &place.dir("m")]).status.success());
}

#[test]
fn to_go_on_the_directory_is_named() {
    let place = Place::new();
    let resume = || {
        let mut command = Command::new(LEAP);
        command.args(["match", "--resume"]).current_dir(place.path("."));
        refusal(&command.output().unwrap())
    };
    assert!(resume().contains("--resume: expected --out DIR, the directory of the match"));
    for dir in ["match-20260101T000000Z", "match-20260102T000000Z"] {
        assert!(run(&args_in(&place, &["sound", "other"], &[], dir)).status.success());
    }
    let message = resume();
    assert!(message.contains("as in '--resume --out match-20260102T000000Z'"), "{message}");
}

#[test]
fn nothing_of_another_match_is_overwritten() {
    let place = Place::new();
    let begun = args_in(&place, &["sound", "other"], &[], "m");
    assert!(run(&begun).status.success());
    assert!(refusal(&run(&begun)).contains("holds a match already"));
    let merge =
        |part: &str, out: &str| leap(&["merge", &place.dir(part), "--out", &place.dir(out)]);
    assert!(refusal(&merge("m", "m")).contains("holds a match already"));
    fs::remove_file(place.path("m").join("events.ndjson")).unwrap();
    let records = fs::read(place.path("m").join("games.ugr")).unwrap();
    assert!(refusal(&run(&begun)).contains("found games.ugr without events.ndjson"));
    assert_eq!(fs::read(place.path("m").join("games.ugr")).unwrap(), records);
    let message = refusal(&merge("m", "all"));
    assert!(message.contains("expected a match, found no "), "{message}");
    assert!(!place.path("all").join("events.ndjson").exists());
}

#[test]
fn a_stream_whose_lines_are_twice_swapped_or_missing_is_refused_with_the_line() {
    let place = Place::new();
    assert!(run(&args_in(&place, &["sound", "other"], &["--games", "2"], "m")).status.success());
    let stream = place.path("m").join("events.ndjson");
    let whole = fs::read_to_string(&stream).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    let end = lines.iter().position(|line| line.starts_with(r#"{"event":"end""#)).unwrap();
    // A change to the lines, and the number of the first line that is out of order, from 1.
    type Edit = fn(&mut Vec<&str>, usize);
    let edits: [(Edit, usize); 4] = [
        (|lines, end| lines.insert(end, lines[end]), end + 2),
        (|lines, end| lines.swap(end, end - 1), end),
        (|lines, end| lines.swap(end - 2, end - 1), end - 1),
        (|lines, end| lines[end - 1] = lines.remove(end), end),
    ];
    for (edit, number) in edits {
        let mut edited = lines.clone();
        edit(&mut edited, end);
        fs::write(&stream, edited.join("\n") + "\n").unwrap();
        let (dir, out) = (place.dir("m"), place.dir("all"));
        for words in [
            &["match", "--resume", "--out", &dir][..],
            &["merge", &dir, "--out", &out],
            &["report", "--no-engine", &dir],
        ] {
            let message = refusal(&leap(words));
            let expected = format!("events.ndjson, line {number}: ");
            assert!(message.contains(&expected), "{expected}, {message}");
        }
        assert!(!Path::new(&out).join("events.ndjson").exists());
    }
}

#[test]
fn what_was_begun_and_never_ended_is_not_merged() {
    let place = Place::new();
    let dir = place.dir("shared");
    let more = ["--each", "depth=1", "--games", "4", "--lease", &dir, "--batch", "1"];
    assert!(run(&args(&["sound", "other"], &more)).status.success());
    let parts = ["1.1", "2.1"].map(|part| place.dir(&format!("shared/batches/{part}")));
    // The first part was killed just before its last game ended.
    let stream = Path::new(&parts[0]).join("events.ndjson");
    let whole = fs::read_to_string(&stream).unwrap();
    let end = whole.rfind(r#"{"event":"end""#).unwrap();
    fs::write(&stream, &whole[..end]).unwrap();
    let merged = leap(&["merge", &parts[0], &parts[1], "--out", &place.dir("all")]);
    assert_eq!(merged.status.code(), Some(1));
    assert_eq!(events(&place.path("all"), "start").len(), 3);
    let rest = leap(&["match", "--resume", "--json", "--out", &place.dir("all")]);
    assert_eq!(results(&rest)["finished"], 4);
    assert_eq!(events(&place.path("all"), "resume")[0]["dropped"], serde_json::json!([]));
}

/// A failed write in the middle of the stream leaves complete lines, and the match can be resumed.
#[cfg(unix)]
#[test]
fn a_full_disk_ends_a_match_that_can_be_taken_up_again() {
    let place = Place::new();
    let more = ["--games", "20", "--random-plies", "2", "--concurrency", "2"];
    let whole = results(&run(&args_in(&place, &["sound", "other"], &more, "whole")));
    let mut command = Command::new(LEAP);
    command.args(args_in(&place, &["sound", "other"], &more, "full")).arg("--quiet");
    let output = support::run(support::limited("-f 16", &command), b"");
    let message = refusal(&output);
    assert!(message.contains("cannot write the events"), "{message}");
    assert!(message.contains("'leap match --resume --out "), "{message}");
    let stream = fs::read_to_string(place.path("full").join("events.ndjson")).unwrap();
    assert!(stream.ends_with('\n'));
    assert!(!events(&place.path("full"), "end").is_empty(), "it was not the first event");
    let resumed = leap(&["match", "--resume", "--json", "--out", &place.dir("full")]);
    assert_eq!(results(&resumed)["engines"], whole["engines"]);
}

#[cfg(unix)]
#[test]
fn on_a_full_disk_no_half_of_a_match_is_begun() {
    let place = Place::new();
    assert!(run(&args_in(&place, &["sound", "other"], &["--games", "8"], "m")).status.success());
    let full = |args: &[String]| {
        let mut command = Command::new(LEAP);
        support::run(support::limited(support::FULL_DISK, command.args(args)), b"")
    };
    let merge = ["merge", &place.dir("m"), "--out", &place.dir("all")].map(str::to_owned);
    assert!(refusal(&full(&merge)).contains("cannot create "));
    let begun = args_in(&place, &["sound", "other"], &[], "begun");
    assert!(refusal(&full(&begun)).contains("cannot create "));
    for dir in ["all", "begun"] {
        let left = fs::read_dir(place.path(dir)).unwrap().count();
        assert_eq!(left, 0, "{dir}");
    }
    assert!(run(&merge).status.success());
    assert!(run(&begun).status.success());
}
