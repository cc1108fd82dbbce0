//! What is on disk: resuming, merging, full disks.

use super::*;

#[test]
fn to_go_on_there_must_be_a_match_or_what_is_to_be_played() {
    let place = Workplace::new();
    let message = place.refusal("match --resume --out m");
    assert!(message.contains("expected a match to go on with"), "{message}");
    assert!(!place.path("m").exists(), "nothing is begun");
    // When repeated with the plan, the same command starts a part and resumes it.
    let begun = mocks("sound other", "--resume");
    let first = place.results(&begun);
    assert_eq!(place.results(&begun)["engines"], first["engines"]);
    let message = place.refusal(&mocks("sound other", "--resume --seed 2"));
    assert!(message.contains("expected seed 1 as in the match, found 2"), "{message}");
}

#[test]
fn a_finished_match_grows() {
    let place = Workplace::new();
    let begun = mocks("sound other", "--games 4 --random-plies 2 --concurrency 100000");
    assert_eq!(place.results(&begun)["finished"], 4);
    let grow = |more: &str| format!("match --resume --json --out m {more}");
    assert_eq!(place.results(&grow("--games 10"))["games"], 10);
    // The same command again plays nothing, and rounds are added to the games.
    assert_eq!(place.results(&grow("--games 10"))["finished"], 10);
    let grown = place.results(&grow("--rounds 2"));
    assert_eq!(grown["finished"], 20);
    let alone = "--games 10 --rounds 2 --random-plies 2 --out alone";
    let alone = place.results(&mocks("sound other", alone));
    assert_eq!([&grown["engines"], &grown["plan"]], [&alone["engines"], &alone["plan"]]);
    for (given, expected) in [
        ("--games 2", "--games: expected 10 or more as in the match, found 2"),
        ("--games 12", "with these pairings --rounds makes it longer"),
        ("--rounds 3 --margin 7", "expected margin_ms 50 as in the match, found 7"),
    ] {
        let message = place.refusal(&grow(given));
        assert!(message.contains(expected), "{message}");
    }
    // Whoever reads the stream finds all of it.
    assert_eq!(place.results("merge --json m --out all")["engines"], grown["engines"]);
    place.succeeds("report --no-engine m");
}

#[test]
fn to_go_on_the_directory_is_named() {
    let place = Workplace::new();
    let message = place.refusal("match --resume");
    assert!(message.contains("--resume: expected --out DIR, the directory of the match"));
    for dir in ["match-20260101T000000Z", "match-20260102T000000Z"] {
        place.succeeds(&mocks("sound other", &format!("--out {dir}")));
    }
    let message = place.refusal("match --resume");
    assert!(message.contains("as in '--resume --out match-20260102T000000Z'"), "{message}");
}

#[test]
fn nothing_of_another_match_is_overwritten() {
    let place = Workplace::new();
    let begun = mocks("sound other", "");
    place.succeeds(&begun);
    for line in [&begun, "merge m --out m"] {
        assert!(place.refusal(line).contains("holds a match already"));
    }
    fs::remove_file(place.path("m/events.ndjson")).unwrap();
    let records = place.read("m/games.ugr");
    assert!(place.refusal(&begun).contains("found games.ugr without events.ndjson"));
    assert_eq!(place.read("m/games.ugr"), records);
    let message = place.refusal("merge m --out all");
    assert!(message.contains("expected a match, found no "), "{message}");
    assert!(!place.path("all/events.ndjson").exists());
}

#[test]
fn a_stream_whose_lines_are_twice_swapped_or_missing_is_refused_with_the_line() {
    let place = Workplace::new();
    place.succeeds(&mocks("sound other", ""));
    let whole = place.read("m/events.ndjson");
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
        place.write("m/events.ndjson", edited.join("\n") + "\n");
        for line in ["match --resume --out m", "merge m --out all", "report --no-engine m"] {
            let message = place.refusal(line);
            let expected = format!("events.ndjson, line {number}: ");
            assert!(message.contains(&expected), "{expected}, {message}");
        }
        assert!(!place.path("all/events.ndjson").exists());
    }
}

#[test]
fn what_was_begun_and_never_ended_is_not_merged() {
    let place = Workplace::new();
    place.succeeds(&mocks("sound other", "--games 4 --lease shared --batch 1"));
    // The first part was killed just before its last game ended.
    let stream = "shared/batches/1.1/events.ndjson";
    let whole = place.read(stream);
    place.write(stream, &whole[..whole.rfind(r#"{"event":"end""#).unwrap()]);
    let merged = place.run("merge shared/batches/1.1 shared/batches/2.1 --out all");
    assert_eq!(merged.status.code(), Some(1));
    assert_eq!(place.events("all", "start").len(), 3);
    assert_eq!(place.results("match --resume --json --out all")["finished"], 4);
    assert_eq!(place.events("all", "resume")[0]["dropped"], json!([]));
}

/// A failed write in the middle of the stream leaves complete lines, and the match can be resumed.
#[cfg(unix)]
#[test]
fn a_full_disk_ends_a_match_that_can_be_taken_up_again() {
    let place = Workplace::new();
    let line = |more: &str| {
        let games = "--games 20 --random-plies 2 --concurrency 2";
        mocks("sound other", &format!("{games} {more}"))
    };
    let whole = place.results(&line("--out whole"));
    let full = support::limited("-f 16", &place.command(&line("--out full --quiet")));
    let message = refusal(&support::run(full, b""));
    assert!(message.contains("cannot write the events"), "{message}");
    assert!(message.contains("'leap match --resume --out "), "{message}");
    assert!(place.read("full/events.ndjson").ends_with('\n'));
    assert!(!place.events("full", "end").is_empty(), "it was not the first event");
    let resumed = place.results("match --resume --json --out full");
    assert_eq!(resumed["engines"], whole["engines"]);
}

#[cfg(unix)]
#[test]
fn on_a_full_disk_no_half_of_a_match_is_begun() {
    let place = Workplace::new();
    place.succeeds(&mocks("sound other", "--games 8"));
    let lines = ["merge m --out all", &mocks("sound other", "--out begun")];
    for (line, dir) in lines.into_iter().zip(["all", "begun"]) {
        let full = support::limited(support::FULL_DISK, &place.command(line));
        assert!(refusal(&support::run(full, b"")).contains("cannot create "));
        assert_eq!(place.names_in(dir), [""; 0], "{dir}");
        place.succeeds(line);
    }
}
