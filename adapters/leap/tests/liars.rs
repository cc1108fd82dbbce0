//! Lying engines: sound but for one lie, flood, silence or death. Every program that runs them ends by itself, prints
//! no control characters, leaves no engine behind, and blames the right engine.

use std::fs;
use std::io::{Read, Write as _};
use std::process::{Child, Command, Output};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{JoinHandle, sleep, spawn};
use std::time::{Duration, Instant};

use crate::support::{LEAP, MOCK, Workplace, at_once, start, text};
use leap_protocol::Visible;
use serde_json::Value;

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

/// Lies, each as rules of the mock: `BEGINNING=ACTIONS`.
const LIES: &[&[&str]] = &[
    // What an engine announces.
    &["ugi=id name a;id name b;option name Game type combo default chess var chess;ugiok"],
    &["ugi=option name;option;option name x type spin default 9 min 5 max 1;id;id name;ugiok"],
    &["query protocol=response leap 99.0 fen moves time-travel"],
    &["query protocol=response leap -1.x"],
    &["query games=response chess go", "query game=response chess MaxPlies -1"],
    // Moves and positions.
    &["query moves=response 0"],
    &["query moves=response -2 a1b1 a1c1"],
    &["query moves=response 99999999999999999999 a1b1"],
    &["query moves=response 2 a1b1 a1b1"],
    &["query moves=response true", "query p1turn=response 2 a1b1 a1c1"],
    &["query legal=response false no-such-line at a1 : no"],
    &["query legal=response true", "query legal=response false x at - : y"],
    &["query fen=response 9/9 7 - -1 x"],
    &["query next=response a1 a1 a1", "query effects=response from z9 to"],
    &["query history=response -1", "undo="],
    // The state of the game.
    &[
        "query status=response over true result p1win reason none turn p2 ply 0 quiet 0 repetitions 1",
    ],
    &[
        "query status=response over false result none reason none turn p1 ply -1 quiet NaN repetitions 0",
    ],
    &["query gameover=response true", "query gameover=response false"],
    &["query result=response p1win", "query result=response none", "query result=response p2win"],
    &["query p1turn=response maybe"],
    // Searches.
    &["go=bestmove a2b2"],
    &["go=bestmove"],
    &["go=bestmove a1b1;bestmove a1c1"],
    &[
        "go=info depth 1 score cp NaN nps 1e999 nodes -1;info depth 99999999999999999999;bestmove none",
    ],
    &["go=info depth 1;!part bestm", "isready=readyok"],
    &["go="],
    &["position=bestmove a1b1"],
    &["isready=readyok;readyok;bestmove a1b1"],
    &["isready="],
    &["isready=response true"],
    // Boards and rules.
    &["query board=board files 99999999999 ranks 0 kind cells;boardok"],
    &["query board=board files 8 ranks 2 kind cells;board piece A;board colours;boardok"],
    &["query board=board files 8 ranks 2 kind cells"],
    &["query rules=rules language;rules clause;rules value  : x;rulesok"],
    &["eval=response total 1e999", "perft=perft -1 nodes x"],
    // Whatever the question is.
    &["query=response"],
    &["query=error internal : no"],
    &["query=\u{1b}[2J\u{202e}", "go=bestmove \u{1b}[2J"],
    &["query=!bytes", "go=!bytes"],
    &["query=!long", "go=!long"],
    &["quit="],
];

/// The beginnings of lines at which an engine dies, hangs, floods or leaves half a line.
const STAGES: &[&str] = &[
    "ugi",
    "isready",
    "setoption",
    "uginewgame",
    "position",
    "go",
    "stop",
    "query protocol",
    "query moves",
    "query legal",
    "query status",
    "query fen",
    "query board",
    "query result",
    "quit",
];
const ENDS: [&str; 4] = ["!exit 3", "!hang", "!flood 1 info depth 1", "!part respon;!exit 0"];

fn lies() -> Vec<Vec<String>> {
    LIES.iter().map(|rules| strings(rules)).collect()
}

/// Every way to end at every stage.
fn ends() -> Vec<Vec<String>> {
    let at = |stage: &&str| ENDS.map(|end| vec![format!("{stage}={end}")]);
    STAGES.iter().flat_map(at).collect()
}

/// The command of a liar, as words.
fn words(lies: &[String]) -> Vec<String> {
    let options = lies.iter().flat_map(|lie| ["--lie".to_owned(), lie.clone()]);
    std::iter::once(MOCK.to_owned()).chain(options).collect()
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

fn check(lies: &[String], levels: &str) {
    let args = strings(&["check", "--timeout", "300", "--level", levels]);
    let args = [args, words(lies)].concat();
    run(&args, "", &format!("check {lies:?}"));
}

fn compare(lies: &[String]) {
    let liar = shlex::try_join(words(lies).iter().map(String::as_str)).expect("words");
    let args = strings(&["compare", MOCK, &liar, "--timeout", "500", "--games", "1"]);
    run(&args, "", &format!("compare {lies:?}"));
}

/// A match of a sound engine against a liar. The sound engine must have no fault.
fn play(lies: &[String], referee: &str) {
    let what = format!("match with the referee {referee} {lies:?}");
    let place = Workplace::new();
    let out = place.path("m");
    let sound = format!("cmd={MOCK}");
    let begin = ["match", "--referee", referee, "--out", out.to_str().expect("text")];
    let engines = ["--engine", &sound, "name=sound", "--engine", &sound, "name=liar"];
    let liar = words(lies)[1..].iter().map(|word| format!("arg={word}")).collect();
    let args = [strings(&begin), strings(&SHORT), strings(&engines), liar];
    let output = run(&args.concat(), "", &what);
    let Ok(results) = serde_json::from_slice::<Value>(&output.stdout) else {
        // The match has not begun, because of the liar.
        let message = text(&output.stderr);
        assert!(output.status.code() == Some(2) && message.contains("liar"), "{what}: {message}");
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

/// A match of sound engines with a liar for referee.
fn judge(lies: &[String]) {
    let place = Workplace::new();
    let script = place.path("referee");
    let liar = shlex::try_join(words(lies).iter().map(String::as_str)).expect("words");
    fs::write(&script, format!("#!/bin/sh\nexec {liar}\n")).expect("a script");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(&script, mode).expect("a program");
    let out = place.path("m");
    let (referee, out) = (script.to_str().expect("text"), out.to_str().expect("text"));
    let sound = format!("cmd={MOCK}");
    let begin = ["match", "--referee", referee, "--out", out];
    let engines = ["--engine", &sound, "name=a", "--engine", &sound, "name=b"];
    let args = [strings(&begin), strings(&SHORT), strings(&engines)].concat();
    run(&args, "", &format!("referee {lies:?}"));
}

/// Shows a game. `leap play` has the same client, but needs a terminal.
fn show(lies: &[String]) {
    let gogui = "list_commands\nshowboard\nleap-moves\nplay b a1\nplay b b1\ngenmove w\nquit\n";
    let xboard = "xboard\nprotover 2\nnew\nusermove a1b1\ngo\nquit\n";
    for (program, input) in [("gogui", gogui), ("xboard", xboard)] {
        let args = strings(&[program, "--depth", "1", "--stall", "300"]);
        let args = if program == "xboard" {
            strings(&[program, "--depth", "1", "--record", "/dev/null"])
        } else {
            args
        };
        let args = [args, strings(&["--"]), words(lies)].concat();
        run(&args, input, &format!("{program} {lies:?}"));
    }
}

/// Analyses a game.
fn analyse(lies: &[String]) {
    let place = Workplace::new();
    let game = place.path("game.ugr");
    fs::write(&game, "[Game \"race\"]\n\n1. a1b1 2. a2b2 *\n").expect("a game");
    let (game, out) = (game.display().to_string(), place.path("a").display().to_string());
    let begin = strings(&["analyse", &game, "--out", &out, "--depth", "1"]);
    let short = strings(&["--patience", "2000", "--stall", "500", "--"]);
    run(&[begin, short, words(lies)].concat(), "", &format!("analyse {lies:?}"));
}

/// A liar of every sort, and the programs that take little time.
#[test]
fn programs_survive_some_lying_engines() {
    let some: Vec<Vec<String>> = lies().into_iter().chain(ends()).step_by(9).collect();
    at_once(&some, |lies| {
        check(lies, "handshake");
        compare(lies);
        play(lies, MOCK);
        analyse(lies);
    });
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn programs_survive_every_lie() {
    at_once(&lies(), |lies| {
        check(lies, "handshake,play,extensions");
        compare(lies);
        play(lies, MOCK);
        play(lies, "none");
        judge(lies);
        show(lies);
        analyse(lies);
    });
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn programs_survive_every_end_at_every_stage() {
    at_once(&ends(), |lies| {
        check(lies, "handshake");
        play(lies, MOCK);
        show(lies);
        analyse(lies);
    });
}
