//! `leap openbench`, as a worker of OpenBench starts it: under the name of fastchess, in a folder with `Engines` and
//! `Books`. What the worker makes of its output is written down here from docs/openbench.md.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::process::{Command, Output};

use crate::support::{LEAP, MOCK, Workplace, at_once, text, words};

/// The folder of a worker.
struct Worker(Workplace);

impl Worker {
    /// With two engines, each the mock with these arguments, under the names that the worker gives to what it builds.
    fn new(dev: &str, base: &str) -> Self {
        let worker = Self(Workplace::new());
        for folder in ["Engines", "Books", "PGNs"] {
            fs::create_dir(worker.0.path(folder)).unwrap();
        }
        symlink(LEAP, worker.0.path("fastchess-ob")).unwrap();
        for (name, arguments) in [("mock-0A1B2C3D", dev), ("mock-4D5E6F70", base)] {
            worker.write_script(name, &format!("#!/bin/sh\nexec '{MOCK}' {arguments}\n"));
        }
        worker.0.write("Books/mock.epd", "startpos\n# none\nmoves a1b1\n");
        worker
    }

    /// Another process writes it. What a thread of ours starts meanwhile would keep the file open, and a file that is
    /// open for writing cannot be started.
    fn write_script(&self, name: &str, script: &str) {
        let path = self.0.path("Engines").join(name);
        let mut shell = Command::new("sh");
        shell
            .args(["-c", "printf %s \"$2\" >\"$1\" && chmod +x \"$1\"", "sh"])
            .arg(path)
            .arg(script);
        assert!(shell.status().unwrap().success());
    }

    fn run(&self, line: &str) -> Output {
        let mut command = Command::new(self.0.path("fastchess-ob"));
        command.args(words(line)).current_dir(self.0.path("."));
        command.output().expect("the runner starts")
    }

    /// Runs the workload whose command line the worker builds for this limit.
    fn play(&self, limit: &str) -> Output {
        let engine = |program: &str, name: &str| {
            format!(
                "-engine dir=Engines/ cmd=./{program} proto=uci {limit} option.Game=race name={name}"
            )
        };
        self.run(&format!(
            "-recover -variant standard -testEnv -concurrency 2 -rounds 2 -games 2 -resign movecount=3 score=400 \
             -draw movenumber=40 movecount=8 score=10 {} {} \
             -openings file=Books/mock.epd format=epd order=random start=2 -srand 7 \
             -pgnout file=PGNs/1.2.3.0.pgn seldepth=true nodes=true 'match_line=^info string pgncomment .*'",
            engine("mock-0A1B2C3D", "mock-dev"),
            engine("mock-4D5E6F70", "mock-base")
        ))
    }
}

/// What the worker counts.
#[derive(Debug, Default, PartialEq)]
struct Counted {
    /// The result of each game, by its number.
    games: BTreeMap<u64, String>,
    crashes: u32,
    time_losses: u32,
    illegal: u32,
}

/// Reads the output as the worker does.
fn count(output: &str) -> Counted {
    assert!(output.is_ascii(), "{output}");
    let mut counted = Counted::default();
    for line in output.lines().filter(|line| line.contains("Finished game")) {
        let reason = line.split(':').nth(1).unwrap();
        counted.crashes += u32::from(reason.contains("disconnect") || reason.contains("stalls"));
        counted.time_losses += u32::from(reason.contains("on time"));
        counted.illegal += u32::from(reason.contains("illegal"));
        let words: Vec<&str> = line.split_whitespace().collect();
        counted.games.insert(words[2].parse().unwrap(), words[6].to_owned());
    }
    counted
}

#[test]
fn the_runner_tells_its_version_in_every_way_that_the_worker_tries() {
    let worker = Worker::new("", "");
    for word in ["--version", "version", "-v", "-version"] {
        let output = worker.run(word);
        assert_eq!(
            text(&output.stdout),
            concat!("leap ", env!("CARGO_PKG_VERSION"), "\n"),
            "{word}"
        );
        assert!(output.status.success());
    }
}

#[test]
fn a_workload_is_played_in_pairs_and_told_line_by_line() {
    let worker = Worker::new("", "");
    let output = worker.play("tc=inf depth=2");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    let counted = count(&said);
    assert_eq!(counted.games.keys().copied().collect::<Vec<_>>(), [1, 2, 3, 4], "{said}");
    assert_eq!((counted.crashes, counted.time_losses, counted.illegal), (0, 0, 0), "{said}");
    for (number, sides) in [(1, "(mock-dev vs mock-base)"), (2, "(mock-base vs mock-dev)")] {
        assert!(said.contains(&format!("Finished game {number} {sides}: ")), "{said}");
    }
    // Nothing went wrong, so nothing is left.
    assert!(worker.0.names_in("leap-matches").is_empty());
}

#[test]
fn games_that_repeat_those_of_an_earlier_run_of_the_test_are_said() {
    let worker = Worker::new("", "");
    // The mock begins with the move that is the other opening of the book.
    let first = text(&worker.play("tc=inf depth=2").stderr);
    assert!(first.contains("leap: 2 of 4 games repeat another game of the test: "), "{first}");
    // The worker gives the file of each run a name of its own, with the time.
    fs::rename(worker.0.path("PGNs/1.2.3.0.pgn"), worker.0.path("PGNs/1.2.2.0.pgn")).unwrap();
    let again = text(&worker.play("tc=inf depth=2").stderr);
    assert!(again.contains("leap: 4 of 4 games repeat another game of the test: "), "{again}");
}

#[test]
fn the_games_file_has_headers_and_moves_parted_by_empty_lines() {
    let worker = Worker::new("", "");
    worker.play("tc=inf depth=2");
    let games = worker.0.read("PGNs/1.2.3.0.pgn");
    let parts: Vec<&str> = games.trim_end().split("\n\n").collect();
    assert_eq!(parts.len(), 8, "{games}");
    for game in parts.chunks(2) {
        let [headers, moves] = game else { panic!("{games}") };
        for tag in ["White", "Black", "Result", "TimeControl", "Variant", "Termination"] {
            assert!(
                headers.lines().any(|line| line.starts_with(&format!("[{tag} \""))),
                "{headers}"
            );
        }
        let result = headers.lines().find_map(|line| line.strip_prefix("[Result \"")).unwrap();
        assert!(moves.ends_with(result.trim_end_matches("\"]")), "{moves}");
        assert!(moves.starts_with("1. "), "{moves}");
    }
}

#[test]
fn every_fault_is_counted_under_its_column() {
    // The defect of the first engine, the limit, and what the worker counts in four games.
    let faults = [
        ("illegal-bestmove", "tc=inf depth=2", [0, 0, 4]),
        ("dies-in-game", "tc=inf depth=2", [4, 0, 0]),
        ("no-bestmove", "tc=inf depth=2", [4, 0, 0]),
        ("loses-on-time", "tc=0.40+0.10 timemargin=250", [0, 4, 0]),
    ];
    at_once(&faults, |(defect, limit, expected)| {
        let worker = Worker::new(&format!("--defect {defect}"), "");
        let settings = format!("referee = \"'{MOCK}'\"\npatience = 3000\nstall = 300\n");
        worker.0.write("leap-openbench.toml", settings);
        let output = worker.play(limit);
        let said = text(&output.stdout);
        let counted = count(&said);
        assert_eq!(
            [counted.crashes, counted.time_losses, counted.illegal],
            *expected,
            "{defect}: {said}"
        );
        // The guilty engine plays p1 in odd games.
        let lost = |number: &u64| if number % 2 == 1 { "0-1" } else { "1-0" };
        assert!(counted.games.iter().all(|(number, result)| result == lost(number)), "{said}");
        assert_eq!(worker.0.names_in("leap-matches").len(), 1, "{defect}: what went wrong is kept");
    });
}

#[test]
fn what_cannot_be_played_is_said_in_one_line() {
    let worker = Worker::new("--defect dies-at-start", "");
    let output = worker.play("tc=inf depth=2");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(text(&output.stdout), "");
    let said = text(&output.stderr);
    assert!(said.starts_with("leap: mock-dev: expected an engine"), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    // The worker tells nobody, so the error is written down after the name of the file of games.
    let kept = worker.0.read("leap-matches/errors.txt");
    assert!(kept.starts_with("1.2.3.0: mock-dev: expected an engine"), "{kept}");
    assert_eq!(kept.lines().count(), 1, "{kept}");
    let output = worker.run("-tournament roundrobin");
    assert_eq!(
        text(&output.stderr),
        "leap: -tournament: expected a flag that a worker of OpenBench uses\n"
    );
}
