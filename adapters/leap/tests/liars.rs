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

use leap_protocol::Visible;
use serde_json::Value;

use crate::support::{Workplace, at_once, start, text};

/// Every program takes less time: each of its waits has a deadline, usually of some seconds.
const LIMIT: Duration = Duration::from_secs(150);
/// How long a killed engine may take to be gone.
const GONE: Duration = Duration::from_secs(10);
/// The environment variable that tells the engines of one run from all others.
const MARK: &str = "LEAP_LIARS_RUN";
/// Arguments of a match that ends soon: a search by depth alone may take ten minutes by default. A sound engine is
/// silent for a second where the machine is busy.
const SHORT: &str = "--json --each depth=1 --games 2 --patience 2000 --stall 2000";

/// A program of `leap` in which an engine lies. In `match` and `alone` a player lies, with a sound referee and without
/// one. In `referee` the referee of sound players lies. `leap play` and `leap web` have the client of `gogui` and
/// `xboard`, but need a terminal or a browser.
type Program = &'static str;

/// The programs that hear a lie, and the lie as rules of the mock, `BEGINNING=ACTIONS`.
const LIES: &str = "\
# What an engine announces.
check gogui | ugi=id name a;id name b;option name Game type combo default chess var chess;ugiok
match xboard | ugi=option name;option;option name x type spin default 9 min 5 max 1;id;id name;ugiok
compare alone | query protocol=response leap 99.0 fen moves time-travel
referee analyse | query protocol=response leap -1.x
match gogui | query games=response chess go | query game=response chess MaxPlies -1
# Moves and positions.
compare analyse | query moves=response 0
compare analyse | query moves=response -2 a1b1 a1c1
check compare | query moves=response 99999999999999999999 a1b1
check analyse | query moves=response 2 a1b1 a1b1
compare alone | query moves=response true | query p1turn=response 2 a1b1 a1c1
check | query legal=response false no-such-line at a1 : no
check | query legal=response true | query legal=response false x at - : y
referee gogui xboard | query fen=response 9/9 7 - -1 x
check compare | query next=response a1 a1 a1 | query effects=response from z9 to
compare gogui | query history=response -1 | undo=
# The state of the game.
referee gogui | query status=response over true result p1win reason none turn p2 ply 0 quiet 0 repetitions 1
xboard analyse | query status=response over false result none reason none turn p1 ply -1 quiet NaN repetitions 0
compare match | query gameover=response true | query gameover=response false
match alone | query result=response p1win | query result=response none | query result=response p2win
check alone | query p1turn=response maybe
# Searches.
check match gogui | go=bestmove a2b2
alone analyse | go=bestmove
check match | go=bestmove a1b1;bestmove a1c1
alone analyse | go=info depth 1 score cp NaN nps 1e999 nodes -1;info depth 99999999999999999999;bestmove none
gogui analyse | go=info depth 1;!part bestm | isready=readyok
match gogui | go=
referee xboard | position=bestmove a1b1
compare xboard | isready=readyok;readyok;bestmove a1b1
compare referee | isready=
alone analyse | isready=response true
# Boards and rules.
check gogui | query board=board files 99999999999 ranks 0 kind cells;boardok
gogui xboard | query board=board files 8 ranks 2 kind cells;board piece A;board colours;boardok
xboard analyse | query board=board files 8 ranks 2 kind cells
check gogui | query rules=rules language;rules clause;rules value  : x;rulesok
check | eval=response total 1e999 | perft=perft -1 nodes x
# Whatever the question is.
check compare | query=response
referee xboard | query=error internal : no
match gogui | query=\u{1b}[2J\u{202e} | go=bestmove \u{1b}[2J
alone analyse | query=!bytes | go=!bytes
compare xboard | query=!long | go=!long
match referee | quit=";

/// The beginnings of lines at which an engine dies, hangs, floods or leaves half a line, and the programs that send
/// such lines.
const STAGES: &[(&str, &str)] = &[
    ("ugi", "check compare match gogui"),
    ("isready", "alone referee xboard analyse"),
    ("setoption", "check compare analyse"),
    ("uginewgame", "match alone referee analyse"),
    ("position", "compare referee gogui analyse"),
    ("go", "match alone analyse gogui"),
    ("stop", "check"),
    ("query protocol", "gogui xboard compare match"),
    ("query moves", "compare analyse"),
    ("query legal", "check"),
    ("query status", "xboard compare gogui referee"),
    ("query fen", "analyse gogui compare xboard"),
    ("query board", "gogui xboard analyse"),
    ("query result", "match alone"),
    ("quit", "match alone referee"),
];
const ENDS: [&str; 4] = ["!exit 3", "!hang", "!flood 1 info depth 1", "!part respon;!exit 0"];

/// A liar and a program that runs it.
type Meeting = (Program, Vec<String>);

/// Each lie with each program that is meant to hear it.
fn lies() -> Vec<Meeting> {
    let rows = LIES.lines().filter(|row| !row.starts_with('#'));
    let meetings = rows.flat_map(|row| {
        let (programs, rules) = row.split_once(" | ").expect("programs and rules");
        let rules: Vec<String> = rules.split(" | ").map(str::to_owned).collect();
        programs.split(' ').map(move |program| (program, rules.clone()))
    });
    meetings.collect()
}

/// Every way to end at every stage, with one program of this stage after the other.
fn ends() -> Vec<Meeting> {
    let meetings = STAGES.iter().flat_map(|(stage, programs)| {
        let programs = programs.split(' ').cycle();
        ENDS.into_iter()
            .zip(programs)
            .map(move |(end, program)| (program, vec![format!("{stage}={end}")]))
    });
    meetings.collect()
}

/// One run of a program with a liar, in a directory of its own.
struct Run<'a> {
    program: Program,
    lies: &'a [String],
    place: Workplace,
}

impl Run<'_> {
    fn what(&self) -> String {
        format!("{} {:?}", self.program, self.lies)
    }

    /// The command of the liar, for a shell.
    fn liar(&self) -> String {
        let lies = self.lies.iter().flat_map(|lie| ["--lie", lie]);
        shlex::try_join(["MOCK", "--log", "log"].into_iter().chain(lies)).expect("words")
    }

    /// Runs the program, which must have heard the lie.
    fn run(&self) {
        let (liar, quoted) =
            (self.liar(), shlex::try_quote(&self.liar()).expect("a word").into_owned());
        self.place.write("game.ugr", "[Game \"race\"]\n\n1. a1b1 2. a2b2 *\n");
        match self.program {
            "check" => {
                self.leap(
                    &format!("check --timeout 300 --level handshake,play,extensions {liar}"),
                    "",
                );
            }
            "compare" => {
                self.leap(&format!("compare MOCK {quoted} --timeout 500 --games 1"), "");
            }
            "match" => self.play("MOCK"),
            "alone" => self.play("none"),
            "referee" => {
                let engines = "--engine cmd=MOCK name=a --engine cmd=MOCK name=b";
                self.leap(&format!("match --referee {quoted} --out m {SHORT} {engines}"), "");
            }
            "gogui" => {
                let input =
                    "list_commands\nshowboard\nleap-moves\nplay b a1\nplay b b1\ngenmove w\nquit\n";
                self.leap(&format!("gogui --depth 1 --stall 300 -- {liar}"), input);
            }
            "xboard" => {
                let input = "xboard\nprotover 2\nnew\nusermove a1b1\ngo\nquit\n";
                self.leap(&format!("xboard --depth 1 --record /dev/null -- {liar}"), input);
            }
            _ => {
                let short = "--depth 1 --patience 2000 --stall 500";
                self.leap(&format!("analyse game.ugr --out a {short} -- {liar}"), "");
            }
        }
        assert!(self.place.path("log").exists(), "{}: the lie was not told", self.what());
    }

    /// A match of a sound engine against the liar. The sound engine must have no fault.
    fn play(&self, referee: &str) {
        let what = self.what();
        let lies: Vec<String> = self.lies.iter().map(|lie| format!("arg={lie}")).collect();
        let lies = lies.iter().flat_map(|lie| ["arg=--lie", lie]);
        let liar = shlex::try_join(
            ["cmd=MOCK", "name=liar", "arg=--log", "arg=log"].into_iter().chain(lies),
        );
        let engines = format!("--engine cmd=MOCK name=sound --engine {}", liar.expect("words"));
        let output = self.leap(&format!("match --referee {referee} --out m {SHORT} {engines}"), "");
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

    fn leap(&self, line: &str, input: &str) -> Output {
        run(self.place.command(line), input, &self.what())
    }
}

/// Runs `leap`, which must end by itself, and checks what holds for every run.
fn run(mut command: Command, input: &str, what: &str) -> Output {
    static RUNS: AtomicU64 = AtomicU64::new(0);
    let mark = format!("{}-{}", std::process::id(), RUNS.fetch_add(1, Ordering::Relaxed));
    let mut child = start(command.env(MARK, &mark));
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

fn survive(meetings: &[Meeting]) {
    at_once(meetings, |(program, lies)| {
        Run { program, lies, place: Workplace::new() }.run();
    });
}

/// One meeting of each `step`, of these programs.
fn survive_some(step: usize, is_wanted: impl Fn(&str) -> bool) {
    let all = [lies(), ends()].concat().into_iter();
    let some: Vec<Meeting> = all.filter(|(program, _)| is_wanted(program)).step_by(step).collect();
    survive(&some);
}

/// A liar of every sort, and the programs that take little time.
#[test]
fn programs_survive_some_lying_engines() {
    survive_some(7, |program| program != "check");
}

/// `leap check` asks most, so it takes the longest.
#[test]
#[ignore = "slow: run by .ci/run"]
fn a_check_survives_some_lying_engines() {
    survive_some(5, |program| program == "check");
}

/// Run by `.ci/run exhaustive`: minutes.
mod exhaustive {
    use super::*;

    #[test]
    #[ignore = "exhaustive: run by .ci/run exhaustive"]
    fn programs_survive_every_lie() {
        survive(&lies());
    }

    #[test]
    #[ignore = "exhaustive: run by .ci/run exhaustive"]
    fn programs_survive_every_end_at_every_stage() {
        survive(&ends());
    }
}
