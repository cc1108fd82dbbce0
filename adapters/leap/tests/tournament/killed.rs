//! A match whose program was killed, at any moment: it begins anew or continues, and no litter piles up.

use std::thread::sleep;

use nix::fcntl::{Flock, FlockArg};
use nix::sys::signal::{Signal, kill};
use nix::sys::stat::Mode;
use nix::unistd::{Pid, mkfifo};

use super::*;

fn fifo(path: &Path) {
    mkfifo(path, Mode::S_IRWXU).unwrap();
}

#[test]
fn a_match_whose_first_line_is_torn_begins_anew() {
    let place = Place::new();
    let begin = args_in(&place, &["sound", "other"], &[], "m");
    let resume = args_in(&place, &["sound", "other"], &["--resume"], "m");
    assert!(run(&begin).status.success());
    let stream = place.path("m").join("events.ndjson");
    let whole = fs::read(&stream).unwrap();
    let first = whole.iter().position(|byte| *byte == b'\n').unwrap();
    for length in [0, 1, 9, first / 2, first] {
        for args in [&begin, &resume] {
            fs::remove_dir_all(place.path("m")).unwrap();
            fs::create_dir(place.path("m")).unwrap();
            fs::write(&stream, &whole[..length]).unwrap();
            let bare = leap(&["match", "--resume", "--out", &place.dir("m")]);
            let message = refusal(&bare);
            assert!(message.contains("found no whole line in events.ndjson"), "{message}");
            let output = run(args);
            let message = text(&output.stderr);
            assert_eq!(output.status.code(), Some(0), "{length}: {message}");
            let said = "events.ndjson had no whole line, so the match begins anew";
            assert!(message.contains(said), "{length}: {message}");
            assert_eq!(events(&place.path("m"), "end").len(), 2);
        }
    }
    for length in [first + 1, first + 2, first + 200] {
        fs::write(&stream, &whole[..length]).unwrap();
        let output = leap(&["match", "--resume", "--quiet", "--out", &place.dir("m")]);
        assert_eq!(output.status.code(), Some(0), "{length}: {}", text(&output.stderr));
        assert_eq!(events(&place.path("m"), "end").len(), 2);
    }
}

/// A program that is killed while it replaces a file leaves a draft, which nobody locks any more. The next program
/// removes it. The draft of a program at work is locked and stays.
#[test]
fn drafts_of_killed_programs_do_not_pile_up() {
    let place = Place::new();
    let draft = |name: &str| fs::File::create(place.path(&format!(".leap-{name}.draft"))).unwrap();
    let record = |name: &str| {
        let transcript = place.dir(name);
        assert!(leap(&["record", "-o", &transcript, "--", "/bin/true"]).status.success());
    };
    drop([draft("a"), draft("b")]);
    record("1.ugt");
    assert_eq!(names(&place.path(".")), ["1.ugt"]);
    let at_work = Flock::lock(draft("c"), FlockArg::LockExclusiveNonblock).unwrap();
    record("2.ugt");
    assert_eq!(names(&place.path(".")), [".leap-c.draft", "1.ugt", "2.ugt"]);
    // As if it were killed.
    drop(at_work);
    record("3.ugt");
    assert_eq!(names(&place.path(".")), ["1.ugt", "2.ugt", "3.ugt"]);
}

fn words(args: &[&str]) -> Vec<String> {
    args.iter().map(|arg| (*arg).to_owned()).collect()
}

/// A pipe may have no writer: nothing waits for one.
#[test]
fn a_pipe_in_place_of_a_file_to_be_read_is_refused() {
    let place = Place::new();
    fifo(&place.path("fifo"));
    let pipe = place.dir("fifo");
    let analysis = place.dir("analysis");
    for (dir, name) in [("p", "events.ndjson"), ("w", "index.js"), ("analysis", "analysis.ndjson")]
    {
        fs::create_dir(place.path(dir)).unwrap();
        fifo(&place.path(dir).join(name));
    }
    let games = place.write("games.ugr", "[Game \"line\"]\n\n1. a1a2 *\n");
    at_once(
        &[
            args_in(&place, &["sound", "other"], &["--openings", &pipe], "a"),
            words(&["match", "--plan-file", &pipe, "--out", &place.dir("b")]),
            words(&["match", "--config", &pipe, "--out", &place.dir("c")]),
            words(&["match", "--resume", "--out", &place.dir("p")]),
            words(&["match", "--expect", "--config", &pipe]),
            words(&["compare", MOCK, MOCK, "--positions", &pipe]),
            words(&["merge", &place.dir("p"), "--out", &place.dir("d")]),
            words(&["report", &place.dir("p")]),
            words(&["analyse", &pipe, "--", MOCK]),
            words(&["analyse", &games, "--out", &analysis, "--", MOCK]),
            words(&["web", "--export", &place.dir("e"), "--wasm", &place.dir("w")]),
            words(&["replay", &pipe, "--", MOCK]),
        ],
        |args| {
            let mut command = Command::new(LEAP);
            let mut leap = support::start(command.args(args));
            let status = support::ended(&mut leap);
            let output = leap.wait_with_output().unwrap();
            let said = [text(&output.stdout), text(&output.stderr)].concat();
            assert!(matches!(status.code(), Some(1 | 2)), "{args:?}: {status}");
            assert!(said.contains("expected a regular file, found a pipe"), "{args:?}: {said}");
        },
    );
}

/// An output may be a pipe that nobody reads.
#[test]
fn a_signal_is_heard_while_a_reader_is_awaited() {
    let place = Place::new();
    let outputs = ["out-1", "out-2"].map(|name| place.dir(name));
    outputs.iter().for_each(|path| fifo(Path::new(path)));
    let cases = [
        words(&["record", "-o", &outputs[0], "--", MOCK]),
        words(&["check", "--filter", "readyok-exact", "--json", &outputs[1], MOCK]),
    ];
    let signals = [Signal::SIGTERM, Signal::SIGINT];
    let cases: Vec<_> =
        cases.iter().flat_map(|args| signals.map(|signal| (args, signal))).collect();
    at_once(&cases, |(args, signal)| {
        let mut leap = start(args);
        // This is usually long enough to come to the file. A signal before that ends the program too.
        sleep(Duration::from_millis(500));
        kill(Pid::from_raw(leap.id().cast_signed()), *signal).unwrap();
        let status = support::ended(&mut leap);
        assert_eq!(status.code(), Some(128 + *signal as i32), "{args:?}: {status}");
    });
}

#[test]
fn openings_may_come_through_the_standard_input() {
    let place = Place::new();
    let openings = place.write("openings", "startpos moves a1b1\n");
    for (name, dir) in [("/dev/stdin", "m"), ("-", "n")] {
        let args = args_in(&place, &["sound", "other"], &["--openings", name], dir);
        let mut command = Command::new(LEAP);
        command.args(&args);
        let output = support::run(command, &fs::read(&openings).unwrap());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let starts = events(&place.path(dir), "start");
        assert!(starts.iter().all(|start| start["moves"] == serde_json::json!(["a1b1"])));
    }
}

/// Long work that is not seen on a terminal tells how far it is, on standard error alone.
#[test]
fn a_long_match_tells_how_far_it_is() {
    let place = Place::new();
    let mut args = args_in(&place, &["sound"], &[], "m");
    // The first process is looked at before the match. The second one, for the first game, starts slowly.
    let flag = place.dir("was-started");
    let slow = format!("if [ -e '{flag}' ]; then sleep 2.1; fi; touch '{flag}'; exec '{MOCK}'");
    args.extend(
        ["--engine", "cmd=sh", "name=slow", "arg=-c", &format!("arg={slow}")].map(str::to_owned),
    );
    let output = run(&args);
    let message = text(&output.stderr);
    assert!(message.lines().any(|line| line.contains(": 1 of 2 games")), "{message}");
    assert!(serde_json::from_slice::<Value>(&output.stdout).is_ok());
}
