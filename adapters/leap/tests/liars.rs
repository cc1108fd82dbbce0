//! Lying engines: sound but for one lie, flood, silence or death. Every program that runs them ends by itself, prints
//! no control characters, leaves no engine behind, and blames the right engine.
//!
//! Each liar meets some programs that ask its question. The log of the mock shows that the lie was told.

use std::fs;
use std::io::{Read, Write as _};
use std::process::{Child, Command, Output};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{JoinHandle, sleep, spawn};
use std::time::{Duration, Instant};

use Program::{Alone, Analyse, Check, Compare, Gogui, Match, Referee, Xboard};
use leap_protocol::Visible;
use serde_json::Value;

use crate::support::{LEAP, MOCK, Workplace, at_once, start, text};

/// Every program takes less time: each of its waits has a deadline, usually of some seconds.
const LIMIT: Duration = Duration::from_secs(150);
/// How long a killed engine may take to be gone.
const GONE: Duration = Duration::from_secs(10);
/// The environment variable that tells the engines of one run from all others.
const MARK: &str = "LEAP_LIARS_RUN";
/// Arguments of a match that ends soon: a search by depth alone may take ten minutes by default. A sound engine is
/// silent for a second where the machine is busy.
const SHORT: [&str; 9] =
    ["--json", "--each", "depth=1", "--games", "2", "--patience", "2000", "--stall", "2000"];

/// A program of `leap`, and the part in it of the engine that lies. `leap play` and `leap web` have the client of
/// `Gogui` and `Xboard`, but need a terminal or a browser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Program {
    Check,
    Compare,
    /// A player of a match with a sound referee.
    Match,
    /// A player of a match without a referee.
    Alone,
    /// The referee of a match between sound engines.
    Referee,
    Gogui,
    Xboard,
    Analyse,
}

/// Lies, each as rules of the mock, `BEGINNING=ACTIONS`, and the programs that hear it.
const LIES: &[(&[&str], &[Program])] = &[
    // What an engine announces.
    (
        &["ugi=id name a;id name b;option name Game type combo default chess var chess;ugiok"],
        &[Check, Gogui],
    ),
    (
        &["ugi=option name;option;option name x type spin default 9 min 5 max 1;id;id name;ugiok"],
        &[Match, Xboard],
    ),
    (&["query protocol=response leap 99.0 fen moves time-travel"], &[Compare, Alone]),
    (&["query protocol=response leap -1.x"], &[Referee, Analyse]),
    (&["query games=response chess go", "query game=response chess MaxPlies -1"], &[Match, Gogui]),
    // Moves and positions.
    (&["query moves=response 0"], &[Compare, Analyse]),
    (&["query moves=response -2 a1b1 a1c1"], &[Compare, Analyse]),
    (&["query moves=response 99999999999999999999 a1b1"], &[Check, Compare]),
    (&["query moves=response 2 a1b1 a1b1"], &[Check, Analyse]),
    (&["query moves=response true", "query p1turn=response 2 a1b1 a1c1"], &[Compare, Alone]),
    (&["query legal=response false no-such-line at a1 : no"], &[Check]),
    (&["query legal=response true", "query legal=response false x at - : y"], &[Check]),
    (&["query fen=response 9/9 7 - -1 x"], &[Referee, Gogui, Xboard]),
    (&["query next=response a1 a1 a1", "query effects=response from z9 to"], &[Check, Compare]),
    (&["query history=response -1", "undo="], &[Compare, Gogui]),
    // The state of the game.
    (
        &[
            "query status=response over true result p1win reason none turn p2 ply 0 quiet 0 repetitions 1",
        ],
        &[Referee, Gogui],
    ),
    (
        &[
            "query status=response over false result none reason none turn p1 ply -1 quiet NaN repetitions 0",
        ],
        &[Xboard, Analyse],
    ),
    (&["query gameover=response true", "query gameover=response false"], &[Compare, Match]),
    (
        &[
            "query result=response p1win",
            "query result=response none",
            "query result=response p2win",
        ],
        &[Match, Alone],
    ),
    (&["query p1turn=response maybe"], &[Check, Alone]),
    // Searches.
    (&["go=bestmove a2b2"], &[Check, Match, Gogui]),
    (&["go=bestmove"], &[Alone, Analyse]),
    (&["go=bestmove a1b1;bestmove a1c1"], &[Check, Match]),
    (
        &[
            "go=info depth 1 score cp NaN nps 1e999 nodes -1;info depth 99999999999999999999;bestmove none",
        ],
        &[Alone, Analyse],
    ),
    (&["go=info depth 1;!part bestm", "isready=readyok"], &[Gogui, Analyse]),
    (&["go="], &[Match, Gogui]),
    (&["position=bestmove a1b1"], &[Referee, Xboard]),
    (&["isready=readyok;readyok;bestmove a1b1"], &[Compare, Xboard]),
    (&["isready="], &[Compare, Referee]),
    (&["isready=response true"], &[Alone, Analyse]),
    // Boards and rules.
    (&["query board=board files 99999999999 ranks 0 kind cells;boardok"], &[Check, Gogui]),
    (
        &["query board=board files 8 ranks 2 kind cells;board piece A;board colours;boardok"],
        &[Gogui, Xboard],
    ),
    (&["query board=board files 8 ranks 2 kind cells"], &[Xboard, Analyse]),
    (&["query rules=rules language;rules clause;rules value  : x;rulesok"], &[Check, Gogui]),
    (&["eval=response total 1e999", "perft=perft -1 nodes x"], &[Check]),
    // Whatever the question is.
    (&["query=response"], &[Check, Compare]),
    (&["query=error internal : no"], &[Referee, Xboard]),
    (&["query=\u{1b}[2J\u{202e}", "go=bestmove \u{1b}[2J"], &[Match, Gogui]),
    (&["query=!bytes", "go=!bytes"], &[Alone, Analyse]),
    (&["query=!long", "go=!long"], &[Compare, Xboard]),
    (&["quit="], &[Match, Referee]),
];

/// The beginnings of lines at which an engine dies, hangs, floods or leaves half a line, and the programs that send
/// such lines.
const STAGES: &[(&str, &[Program])] = &[
    ("ugi", &[Check, Compare, Match, Gogui]),
    ("isready", &[Alone, Referee, Xboard, Analyse]),
    ("setoption", &[Check, Compare, Analyse]),
    ("uginewgame", &[Match, Alone, Referee, Analyse]),
    ("position", &[Compare, Referee, Gogui, Analyse]),
    ("go", &[Match, Alone, Analyse, Gogui]),
    ("stop", &[Check]),
    ("query protocol", &[Gogui, Xboard, Compare, Match]),
    ("query moves", &[Compare, Analyse]),
    ("query legal", &[Check]),
    ("query status", &[Xboard, Compare, Gogui, Referee]),
    ("query fen", &[Analyse, Gogui, Compare, Xboard]),
    ("query board", &[Gogui, Xboard, Analyse]),
    ("query result", &[Match, Alone]),
    ("quit", &[Match, Alone, Referee]),
];
const ENDS: [&str; 4] = ["!exit 3", "!hang", "!flood 1 info depth 1", "!part respon;!exit 0"];

/// A liar and a program that runs it.
type Meeting = (Program, Vec<String>);

/// Each lie with each program that is meant to hear it.
fn lies() -> Vec<Meeting> {
    let meetings = |(rules, programs): &(&[&str], &[Program])| {
        let rules = strings(rules);
        programs.iter().map(move |program| (*program, rules.clone())).collect::<Vec<_>>()
    };
    LIES.iter().flat_map(meetings).collect()
}

/// Every way to end at every stage, with one program of this stage after the other.
fn ends() -> Vec<Meeting> {
    let meetings = |(stage, programs): &(&str, &[Program])| {
        let programs = programs.iter().cycle();
        let meeting = |(end, program): (&str, &Program)| (*program, vec![format!("{stage}={end}")]);
        ENDS.into_iter().zip(programs).map(meeting).collect::<Vec<_>>()
    };
    STAGES.iter().flat_map(meetings).collect()
}

/// One run of a program with a liar, in a directory of its own.
struct Run<'a> {
    program: Program,
    lies: &'a [String],
    place: Workplace,
}

impl Run<'_> {
    fn what(&self) -> String {
        format!("{:?} {:?}", self.program, self.lies)
    }

    fn path(&self, name: &str) -> String {
        self.place.path(name).display().to_string()
    }

    /// The command of the liar, as words.
    fn liar(&self) -> Vec<String> {
        let lies = self.lies.iter().flat_map(|lie| ["--lie".to_owned(), lie.clone()]);
        strings(&[MOCK, "--log", &self.path("log")]).into_iter().chain(lies).collect()
    }

    /// The liar as one word.
    fn joined(&self) -> String {
        shlex::try_join(self.liar().iter().map(String::as_str)).expect("words")
    }

    /// Runs the program, which must have heard the lie.
    fn run(&self) {
        match self.program {
            Check => {
                let args = ["check", "--timeout", "300", "--level", "handshake,play,extensions"];
                self.leap(&args, &self.liar(), "");
            }
            Compare => {
                let args = ["compare", MOCK, &self.joined(), "--timeout", "500", "--games", "1"];
                self.leap(&args, &[], "");
            }
            Match => self.play(MOCK),
            Alone => self.play("none"),
            Referee => self.judge(),
            Gogui => {
                let args = ["gogui", "--depth", "1", "--stall", "300", "--"];
                let input =
                    "list_commands\nshowboard\nleap-moves\nplay b a1\nplay b b1\ngenmove w\nquit\n";
                self.leap(&args, &self.liar(), input);
            }
            Xboard => {
                let args = ["xboard", "--depth", "1", "--record", "/dev/null", "--"];
                self.leap(
                    &args,
                    &self.liar(),
                    "xboard\nprotover 2\nnew\nusermove a1b1\ngo\nquit\n",
                );
            }
            Analyse => self.analyse(),
        }
        assert!(self.place.path("log").exists(), "{}: the lie was not told", self.what());
    }

    fn leap(&self, args: &[&str], more: &[String], input: &str) -> Output {
        run(&[&strings(args), more].concat(), input, &self.what())
    }

    /// A match of a sound engine against the liar. The sound engine must have no fault.
    fn play(&self, referee: &str) {
        let what = self.what();
        let sound = format!("cmd={MOCK}");
        let begin = ["match", "--referee", referee, "--out", &self.path("m")];
        let engines = ["--engine", &sound, "name=sound", "--engine", &sound, "name=liar"];
        let liar: Vec<String> = self.liar()[1..].iter().map(|word| format!("arg={word}")).collect();
        let output = self.leap(&[&begin[..], &SHORT, &engines].concat(), &liar, "");
        let Ok(results) = serde_json::from_slice::<Value>(&output.stdout) else {
            // The match has not begun, because of the liar.
            let message = text(&output.stderr);
            let is_named = output.status.code() == Some(2) && message.contains("liar");
            assert!(is_named, "{what}: {message}");
            return;
        };
        let rows = results["engines"].as_array().expect("engines");
        let sound = rows.iter().find(|row| row["engine"] == "sound").expect("the sound engine");
        let mut faults = sound["faults"].as_object().expect("faults").clone();
        if referee == "none" {
            // Without a referee neither can be told to be right.
            faults.remove("disagreement");
        }
        assert!(faults.is_empty(), "{what}: the sound engine is blamed: {faults:?}");
    }

    /// A match of sound engines with the liar for referee.
    fn judge(&self) {
        let script = self.path("referee");
        fs::write(&script, format!("#!/bin/sh\nexec {}\n", self.joined())).expect("a script");
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(&script, mode).expect("a program");
        let sound = format!("cmd={MOCK}");
        let begin = ["match", "--referee", &script, "--out", &self.path("m")];
        let engines = ["--engine", &sound, "name=a", "--engine", &sound, "name=b"];
        self.leap(&[&begin[..], &SHORT, &engines].concat(), &[], "");
    }

    fn analyse(&self) {
        let game = self.path("game.ugr");
        fs::write(&game, "[Game \"race\"]\n\n1. a1b1 2. a2b2 *\n").expect("a game");
        let begin = ["analyse", &game, "--out", &self.path("a"), "--depth", "1"];
        let short = ["--patience", "2000", "--stall", "500", "--"];
        self.leap(&[&begin[..], &short].concat(), &self.liar(), "");
    }
}

/// Runs `leap`, which must end by itself, and checks what holds for every run.
fn run(args: &[String], input: &str, what: &str) -> Output {
    static RUNS: AtomicU64 = AtomicU64::new(0);
    let mark = format!("{}-{}", std::process::id(), RUNS.fetch_add(1, Ordering::Relaxed));
    let mut command = Command::new(LEAP);
    let mut child = start(command.args(args).env(MARK, &mark));
    let (stdout, stderr) = (read(child.stdout.take()), read(child.stderr.take()));
    let mut stdin = child.stdin.take().expect("a pipe");
    // A program that has ended no longer reads.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    let status = end(&mut child, what);
    let begun = Instant::now();
    while let Some(left) = process_with(&mark) {
        assert!(begun.elapsed() < GONE, "{what}: left behind: {left}");
        sleep(Duration::from_millis(5));
    }
    let [stdout, stderr] = [stdout, stderr].map(|reader| reader.join().expect("a reader"));
    let shown = text(&stdout) + &text(&stderr);
    for line in shown.lines() {
        assert_eq!(line, Visible(line).to_string(), "{what}");
    }
    assert!(!shown.contains("panicked"), "{what}: {shown}");
    assert!(matches!(status.code(), Some(0..=2)), "{what}: {status}: {shown}");
    assert!(status.success() || !shown.trim().is_empty(), "{what}: {status} without a word");
    Output { status, stdout, stderr }
}

fn read(pipe: Option<impl Read + Send + 'static>) -> JoinHandle<Vec<u8>> {
    let mut pipe = pipe.expect("a pipe");
    spawn(move || {
        let mut bytes = Vec::new();
        let _ = pipe.read_to_end(&mut bytes);
        bytes
    })
}

fn end(child: &mut Child, what: &str) -> std::process::ExitStatus {
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("a process to wait for") {
            return status;
        }
        if begun.elapsed() > LIMIT {
            let _ = child.kill();
            panic!("{what}: still running after {LIMIT:?}");
        }
        sleep(Duration::from_millis(5));
    }
}

/// The command line of a process with this mark in its environment. An ended process has no environment.
fn process_with(mark: &str) -> Option<String> {
    let marked = format!("{MARK}={mark}");
    let is_marked =
        |environment: Vec<u8>| environment.split(|byte| *byte == 0).any(|v| v == marked.as_bytes());
    fs::read_dir("/proc").expect("a list of processes").flatten().find_map(|entry| {
        let environment = fs::read(entry.path().join("environ")).ok()?;
        is_marked(environment)
            .then(|| fs::read_to_string(entry.path().join("cmdline")).unwrap_or_default())
    })
}

fn strings(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn survive(meetings: &[Meeting]) {
    at_once(meetings, |(program, lies)| {
        Run { program: *program, lies, place: Workplace::new() }.run();
    });
}

/// A liar of every sort, and the programs that take little time.
#[test]
fn programs_survive_some_lying_engines() {
    let all = [lies(), ends()].concat().into_iter();
    let some: Vec<Meeting> = all.filter(|(program, _)| *program != Check).step_by(7).collect();
    survive(&some);
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn programs_survive_every_lie() {
    survive(&lies());
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn programs_survive_every_end_at_every_stage() {
    survive(&ends());
}
