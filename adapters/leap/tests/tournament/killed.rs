//! A match whose program was killed, at any moment: it begins anew or continues, and no litter piles up.

use std::path::Path;
use std::thread::sleep;

use nix::fcntl::{Flock, FlockArg};
use nix::sys::signal::Signal;
use nix::sys::stat::Mode;
use nix::unistd::mkfifo;

use super::*;

fn fifo(path: &Path) {
    mkfifo(path, Mode::S_IRWXU).unwrap();
}

#[test]
fn a_match_whose_first_line_is_torn_begins_anew() {
    let place = Workplace::new();
    let [begin, resume] = ["", "--resume"].map(|more| mocks("sound other", more));
    place.succeeds(&begin);
    let whole = place.read("m/events.ndjson");
    let first = whole.find('\n').unwrap();
    for length in [0, 1, 9, first / 2, first] {
        for line in [&begin, &resume] {
            fs::remove_dir_all(place.path("m")).unwrap();
            fs::create_dir(place.path("m")).unwrap();
            place.write("m/events.ndjson", &whole[..length]);
            let message = place.refusal("match --resume --out m");
            assert!(message.contains("found no whole line in events.ndjson"), "{message}");
            let message = text(&place.succeeds(line).stderr);
            let said = "events.ndjson had no whole line, so the match begins anew";
            assert!(message.contains(said), "{length}: {message}");
            assert_eq!(place.events("m", "end").len(), 2);
        }
    }
    for length in [first + 1, first + 2, first + 200] {
        place.write("m/events.ndjson", &whole[..length]);
        place.succeeds("match --resume --quiet --out m");
        assert_eq!(place.events("m", "end").len(), 2);
    }
}

/// A program that is killed while it replaces a file leaves a draft, which nobody locks any more. The next program
/// removes it. The draft of a program at work is locked and stays.
#[test]
fn drafts_of_killed_programs_do_not_pile_up() {
    let place = Workplace::new();
    let draft = |name: &str| fs::File::create(place.path(&format!(".leap-{name}.draft"))).unwrap();
    let record = |name: &str| place.succeeds(&format!("record -o {name} -- /bin/true"));
    drop([draft("a"), draft("b")]);
    record("1.ugt");
    assert_eq!(place.names(), ["1.ugt"]);
    let at_work = Flock::lock(draft("c"), FlockArg::LockExclusiveNonblock).unwrap();
    record("2.ugt");
    assert_eq!(place.names(), [".leap-c.draft", "1.ugt", "2.ugt"]);
    // As if it were killed.
    drop(at_work);
    record("3.ugt");
    assert_eq!(place.names(), ["1.ugt", "2.ugt", "3.ugt"]);
}

/// A pipe may have no writer: nothing waits for one.
#[test]
fn a_pipe_in_place_of_a_file_to_be_read_is_refused() {
    let place = Workplace::new();
    fifo(&place.path("fifo"));
    for (dir, name) in [("p", "events.ndjson"), ("w", "index.js"), ("analysis", "analysis.ndjson")]
    {
        fs::create_dir(place.path(dir)).unwrap();
        fifo(&place.path(dir).join(name));
    }
    place.write("games.ugr", "[Game \"line\"]\n\n1. a1a2 *\n");
    let lines = [
        &mocks("sound other", "--openings fifo"),
        "match --plan-file fifo --out b",
        "match --config fifo --out c",
        "match --resume --out p",
        "match --expect --config fifo",
        "compare MOCK MOCK --positions fifo",
        "merge p --out d",
        "report p",
        "analyse fifo -- MOCK",
        "analyse games.ugr --out analysis -- MOCK",
        "web --export e --wasm w",
        "replay fifo -- MOCK",
    ];
    at_once(&lines, |line| {
        let mut leap = place.start(line);
        let status = support::ended(&mut leap);
        let output = leap.wait_with_output().unwrap();
        let said = [text(&output.stdout), text(&output.stderr)].concat();
        assert!(matches!(status.code(), Some(1 | 2)), "{line}: {status}");
        assert!(said.contains("expected a regular file, found a pipe"), "{line}: {said}");
    });
}

/// An output may be a pipe that nobody reads.
#[test]
fn a_signal_is_heard_while_a_reader_is_awaited() {
    let place = Workplace::new();
    ["out-1", "out-2"].into_iter().for_each(|name| fifo(&place.path(name)));
    let lines = ["record -o out-1 -- MOCK", "check --filter readyok-exact --json out-2 MOCK"];
    let signals = [Signal::SIGTERM, Signal::SIGINT];
    let cases: Vec<_> =
        lines.iter().flat_map(|line| signals.map(|signal| (line, signal))).collect();
    at_once(&cases, |(line, signal)| {
        let mut leap = place.start(line);
        // This is usually long enough to come to the file. A signal before that ends the program too.
        sleep(Duration::from_millis(500));
        send(&leap, *signal);
        let status = support::ended(&mut leap);
        assert_eq!(status.code(), Some(128 + *signal as i32), "{line}: {status}");
    });
}

#[test]
fn openings_may_come_through_the_standard_input() {
    let place = Workplace::new();
    for (name, dir) in [("/dev/stdin", "m"), ("-", "n")] {
        let command =
            place.command(&mocks("sound other", &format!("--openings {name} --out {dir}")));
        results(&support::run(command, b"startpos moves a1b1\n"));
        let starts = place.events(dir, "start");
        assert!(starts.iter().all(|start| start["moves"] == json!(["a1b1"])));
    }
}

/// Long work that is not seen on a terminal tells how far it is, on standard error alone.
#[test]
fn a_long_match_tells_how_far_it_is() {
    let place = Workplace::new();
    // The first process is looked at before the match. The second one, for the first game, starts slowly.
    let slow = "if [ -e started ]; then sleep 2.1; fi; touch started; exec MOCK";
    let output = place.run(&mocks("sound", &scripted("slow", slow)));
    let message = text(&output.stderr);
    assert!(message.lines().any(|line| line.contains(": 1 of 2 games")), "{message}");
    results(&output);
}
