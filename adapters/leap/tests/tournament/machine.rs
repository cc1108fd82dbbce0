//! What the runner's machine lacks costs no engine a game: the match stops and can be resumed.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::sleep;

use nix::sys::signal::Signal;

use super::*;

/// The games of a match that is disturbed. Engines start anew for each, which takes long enough for it.
const GAMES: &str = "--games 60 --random-plies 2 --restart game --patience 20000 --margin 5000";

/// `leap` under a limit of the shell.
fn under(place: &Workplace, limit: &str, line: &str) -> Output {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("ulimit {limit}; exec \"$0\" \"$@\""), support::LEAP]);
    shell.args(support::words(line)).current_dir(place.path(".")).output().unwrap()
}

/// A match that has stopped with a line that contains this. Its games that count were ended by the rules.
#[track_caller]
fn has_stopped(place: &Workplace, child: Child, cause: &str) {
    let output = child.wait_with_output().unwrap();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert_eq!(text(&output.stdout), "", "there is no result");
    let last = said.lines().last().unwrap();
    assert!(last.contains("'leap match --resume --out ") && last.contains(cause), "{said}");
    let ends = place.events("m", "end");
    assert!(!ends.is_empty() && ends.len() < 60, "{}", ends.len());
    assert!(ends.iter().all(|end| end["reason"] == "rules"), "{ends:?}");
    assert!(place.events("m", "fault").is_empty());
}

/// All games of the match, resumed.
#[track_caller]
fn is_whole_again(place: &Workplace) {
    let resumed = place.results("match --resume --json --out m");
    assert_eq!([&resumed["finished"], &resumed["stop"]], [&json!(60), &json!("complete")]);
    let ends = place.events("m", "end");
    assert!(ends.len() == 60 && ends.iter().all(|end| end["reason"] == "rules"));
}

#[test]
fn open_files_are_counted_before_the_first_game() {
    let place = Workplace::new();
    let line = mocks("sound other", "--games 40 --concurrency 16");
    let message = refusal(&under(&place, "-n 100", &line));
    assert!(message.contains("--concurrency 16: expected 232 open files, found a limit of 100"));
    assert!(message.contains("'ulimit -n 232' raises it, --concurrency 5 fits"), "{message}");
    assert!(!place.path("m").exists());
    // As many as fit are played, and a limit that may be raised is raised.
    let few = mocks("sound other", "--games 40 --concurrency 5 --out few");
    assert_eq!(results(&under(&place, "-n 100", &few))["finished"], 40);
    assert_eq!(results(&under(&place, "-S -n 100", &line))["finished"], 40);
}

#[test]
fn a_match_without_a_free_descriptor_stops_and_goes_on() {
    let place = Workplace::new();
    let child = place.start(&mocks("sound other", &format!("{GAMES} --concurrency 2")));
    place.wait_for_ends("m", 4);
    let process = child.id().to_string();
    let limited = Command::new("prlimit").args(["--pid", &process, "--nofile=12:"]).status();
    assert!(limited.expect("util-linux is there").success());
    has_stopped(&place, child, "Too many open files");
    is_whole_again(&place);
}

/// What happens to a program that is built again, or removed.
type Damage = fn(&Path);

/// The first and the fifth are tried everywhere.
const DAMAGES: &[(&str, Damage)] = &[
    ("is gone since the match began", |path| {
        write_new(path, b"#!/bin/sh\nexec /no/such/program\n", 0o755);
        fs::remove_file(path).unwrap();
    }),
    ("No such file or directory", |path| fs::remove_file(path).unwrap()),
    ("not executable", |path| write_new(path, b"", 0o644)),
    ("Exec format error", |path| write_new(path, b"\x7fELF of which half is missing", 0o755)),
    ("has changed since the match began", |path| write_new(path, b"#!/bin/sh\nexit 3\n", 0o755)),
    ("exit status 127", |path| write_new(path, b"#!/bin/sh\nexec /no/such\n", 0o755)),
];

/// Puts another file in the place of a program, which is there at any time.
fn write_new(path: &Path, content: &[u8], mode: u32) {
    let new = path.with_extension("new");
    fs::write(&new, content).unwrap();
    fs::set_permissions(&new, fs::Permissions::from_mode(mode)).unwrap();
    fs::rename(new, path).unwrap();
}

#[test]
fn a_match_whose_program_vanishes_or_is_built_again_stops_and_goes_on() {
    at_once(&sample(DAMAGES), |(cause, damage)| {
        let place = Workplace::new();
        let program = place.path("engine");
        fs::copy(MOCK, &program).unwrap();
        let child =
            place.start(&mocks("sound", &format!("{GAMES} --engine cmd=./engine name=built")));
        place.wait_for_ends("m", 2);
        damage(&program);
        has_stopped(&place, child, cause);
        let _ = fs::remove_file(&program);
        fs::copy(MOCK, &program).unwrap();
        is_whole_again(&place);
    });
}

/// Without a handler the signal of this limit ends a program.
#[test]
fn a_file_that_may_not_grow_ends_a_match_that_goes_on() {
    let place = Workplace::new();
    let line = mocks("sound other", &format!("{GAMES} --quiet"));
    let message = refusal(&under(&place, "-f 16", &line));
    assert!(message.contains("cannot write the events: File too large"), "{message}");
    is_whole_again(&place);
}

/// The engines go on while the runner is stopped, and their answers are read late.
#[test]
fn a_runner_that_was_stopped_charges_no_engine() {
    let place = Workplace::new();
    let more = "--each movetime=10 --margin 200 --patience 600 --games 12 --random-plies 2";
    let child = place.start(&mocks("sound other", more));
    place.wait_for_ends("m", 2);
    let is_held_up = || place.events("m", "end").iter().any(|end| end["result"] == "void");
    // The runner may be stopped while no engine thinks.
    for _ in 0..20 {
        send(&child, Signal::SIGSTOP);
        // Longer than all that an engine may take.
        sleep(Duration::from_millis(1100));
        send(&child, Signal::SIGCONT);
        sleep(Duration::from_millis(70));
        if is_held_up() {
            break;
        }
    }
    let output = child.wait_with_output().unwrap();
    assert_eq!(results(&output)["finished"], 12, "{}", text(&output.stderr));
    let ends = place.events("m", "end");
    let counted: Vec<&Value> = ends.iter().filter(|end| end["result"] != "void").collect();
    assert!(counted.len() == 12 && counted.iter().all(|end| end["reason"] == "rules"));
    assert!(ends.len() > 12, "a game was held up");
}

/// A group of processes with little memory, which only root can make.
struct Narrow(PathBuf);

impl Narrow {
    fn new(place: &Workplace) -> Option<Self> {
        const BYTES: &str = "40000000";
        let name = place.path("").file_name()?.to_owned();
        for (parent, limit) in
            [("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max")]
        {
            let group = Self(Path::new(parent).join(&name));
            if fs::create_dir(&group.0).is_ok() && fs::write(group.0.join(limit), BYTES).is_ok() {
                return Some(group);
            }
        }
        None
    }
}

impl Drop for Narrow {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.0);
    }
}

#[test]
fn an_engine_that_the_system_kills_for_lack_of_memory_loses_no_game() {
    let place = Workplace::new();
    let Some(narrow) = Narrow::new(&place) else {
        leap_testing::skip("groups of processes with little memory", "they need root and cgroups");
        return;
    };
    // Once the file is there, the engine of the next game gets little memory and takes more.
    let script = format!(
        "if [ -e greedy ]; then echo $$ >{}; \
         exec python3 -c 'import sys; sys.stdin.readline(); x = b\"x\" * 200000000; print(len(x))'; fi; exec MOCK",
        narrow.0.join("cgroup.procs").display()
    );
    let greedy = scripted("greedy", &script);
    let child = place.start(&mocks("sound", &format!("{GAMES} {greedy}")));
    place.wait_for_ends("m", 2);
    place.write("greedy", "");
    has_stopped(&place, child, "the system lacks memory");
    fs::remove_file(place.path("greedy")).unwrap();
    is_whole_again(&place);
}
