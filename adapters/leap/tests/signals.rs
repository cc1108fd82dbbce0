//! However `leap` ends, no engine is left behind. Every program that runs engines is ended by every polite signal, with
//! engines that work, hang, flood or have children.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::support::{self, LEAP, LONG, MOCK, Workplace, at_once, words};
use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;

const SIGNALS: [Signal; 3] = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP];
/// A generous limit for everything, since machines are busy.
const SOON: Duration = Duration::from_secs(5);
/// The file in which engines write their process ids, one per line.
const PIDS: &str = "pids";

/// What engines do once they have written their ids, as shell commands.
fn engines() -> [(&'static str, String); 4] {
    [
        ("works", format!("exec {MOCK}")),
        ("hangs", "exec sleep 1000".to_owned()),
        ("floods", "exec yes info depth 1".to_owned()),
        ("has a child", format!("sleep 1000 & echo $! >> {PIDS}; exec {MOCK}")),
    ]
}

/// Each engine with one signal, such that this program meets each signal, or with every signal.
fn endings(program: usize, is_every: bool) -> Vec<(&'static str, String, Signal)> {
    let endings = engines().into_iter().enumerate().flat_map(|(at, (name, engine))| {
        let one = vec![SIGNALS[(program + at) % SIGNALS.len()]];
        let signals = if is_every { SIGNALS.to_vec() } else { one };
        signals.into_iter().map(move |signal| (name, engine.clone(), signal))
    });
    endings.collect()
}

/// A program of `leap` that runs engines.
#[derive(Clone, Copy)]
struct Program {
    /// Its words. `SHELL` stands for a shell command that starts an engine.
    line: &'static str,
    /// Its initial input.
    input: &'static str,
    /// How many signals it takes.
    times: fn(Signal) -> u32,
}

impl Program {
    const fn new(line: &'static str, input: &'static str) -> Program {
        Program { line, input, times: |_| 1 }
    }

    /// The first signal lets the work in hand finish, the second one does not.
    const fn twice(line: &'static str) -> Program {
        Program {
            line,
            input: "",
            times: |signal| if matches!(signal, Signal::SIGHUP) { 1 } else { 2 },
        }
    }

    fn is_ended_by(&self, signal: Signal, engine: &str, what: &str) {
        let place = Workplace::new();
        place.write("game.ugt", "ugt 1\n> go infinite\n< bestmove a1b1\n");
        place.write("game.ugr", "[Game \"race\"]\n\n1. a1b1 *\n");
        let shell = format!("echo $$ >> {PIDS}; {engine}");
        let words = words(self.line).into_iter().map(|word| word.replace("SHELL", &shell));
        let mut command = Command::new(LEAP);
        let mut leap = support::start(command.args(words).current_dir(place.path(".")));
        leap.stdin.as_mut().unwrap().write_all(self.input.as_bytes()).unwrap();
        let _page = self.line.starts_with("web").then(|| page(&mut leap));
        drain(leap.stdout.take());
        drain(leap.stderr.take());
        wait_for_engines(&place.path(PIDS), what);
        let id = Pid::from_raw(leap.id().cast_signed());
        for _ in 1..(self.times)(signal) {
            kill(id, signal).unwrap();
            sleep(Duration::from_millis(50));
        }
        kill(id, signal).unwrap();
        if (self.times)(signal) > 1 && !is_over(&mut leap, SOON / 2) {
            // On a busy machine two signals may have come as one: the second came while the first was pending.
            kill(id, signal).unwrap();
        }
        is_gone(&mut leap, what);
        no_engine_is_left(&place, what);
    }
}

fn no_engine_is_left(place: &Workplace, what: &str) {
    for id in pids(&place.path(PIDS)) {
        wait_until(SOON, || !is_alive(&id), || format!("{what}: the engine {id} is left"));
    }
}

/// Reads a pipe to its end, so that its writer does not block.
fn drain(pipe: Option<impl Read + Send + 'static>) {
    let Some(mut pipe) = pipe else { return };
    std::thread::spawn(move || std::io::copy(&mut pipe, &mut std::io::sink()));
}

/// Opens the page of a server, up to the start of its engine.
fn page(leap: &mut Child) -> TcpStream {
    let mut url = String::new();
    BufReader::new(leap.stdout.take().unwrap()).read_line(&mut url).unwrap();
    let host = url.trim().trim_start_matches("http://").trim_end_matches('/');
    let mut stream = TcpStream::connect(host).unwrap();
    let request = format!(
        "GET /engine HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nConnection: Upgrade\r\n\
         Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).unwrap();
    stream
}

fn pids(path: &Path) -> Vec<String> {
    fs::read_to_string(path).unwrap_or_default().lines().map(str::to_owned).collect()
}

/// Waits until an engine has started and is at work.
fn wait_for_engines(path: &Path, what: &str) {
    wait_until(LONG, || !pids(path).is_empty(), || format!("{what}: no engine has been started"));
    sleep(Duration::from_millis(150));
}

/// Whether a process ends within this time.
fn is_over(process: &mut Child, patience: Duration) -> bool {
    let begun = Instant::now();
    while begun.elapsed() < patience {
        if process.try_wait().unwrap().is_some() {
            return true;
        }
        sleep(Duration::from_millis(5));
    }
    false
}

fn is_gone(leap: &mut Child, what: &str) {
    let gone = || leap.try_wait().unwrap().is_some();
    wait_until(SOON, gone, || format!("{what}: leap is still there"));
}

fn wait_until(patience: Duration, mut is_so: impl FnMut() -> bool, what: impl Fn() -> String) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < patience, "{}", what());
        sleep(Duration::from_millis(5));
    }
}

/// Whether a process is running. One that has exited may still be listed if nobody reaps orphans.
fn is_alive(id: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    let state = stat.rsplit_once(") ").map(|(_, rest)| rest.as_bytes()[0]);
    state.is_some_and(|state| state != b'Z')
}

const PROGRAMS: [Program; 9] = [
    Program::twice("analyse game.ugr --out a --movetime 60000 --patience 60000 -- sh -c SHELL"),
    Program::new("check --timeout 60000 -- sh -c SHELL", ""),
    Program::new("compare --timeout 60000 --games 1000000 \"sh -c 'SHELL'\" \"sh -c 'SHELL'\"", ""),
    Program::new("record -o out.ugt -- sh -c SHELL", "ugi\ngo infinite\n"),
    Program::new("replay game.ugt --timeout 60 -- sh -c SHELL", ""),
    Program::twice(
        "match --out m --each movetime=30 --games 100000 --referee MOCK \
         --engine cmd=sh arg=-c arg=SHELL name=A --engine cmd=sh arg=-c arg=SHELL name=B",
    ),
    Program::new("gogui --depth 1000 -- sh -c SHELL", "name\ngenmove b\n"),
    Program::new("xboard --depth 1000 -- sh -c SHELL", "xboard\nprotover 2\nnew\ngo\n"),
    Program::new("web --no-open --port 0 -- sh -c SHELL", ""),
];

fn no_program_leaves_an_engine_behind(is_every: bool) {
    let endings = PROGRAMS.into_iter().enumerate().flat_map(|(at, program)| {
        endings(at, is_every).into_iter().map(move |ending| (program, ending))
    });
    let endings: Vec<_> = endings.collect();
    at_once(&endings, |(program, (name, engine, signal))| {
        let what = format!("{} with an engine that {name}, {signal}", program.line);
        program.is_ended_by(*signal, engine, &what);
    });
}

#[test]
fn programs_that_are_ended_leave_no_engine_behind() {
    no_program_leaves_an_engine_behind(false);
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn programs_that_are_ended_by_any_signal_leave_no_engine_behind() {
    no_program_leaves_an_engine_behind(true);
}

/// Runs `leap play` in a terminal made by `script`, which is part of every Linux.
#[test]
fn a_game_in_a_terminal_that_is_ended_leaves_no_engine_behind() {
    at_once(&endings(0, false), |(name, engine, signal)| play(name, engine, *signal));
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn a_game_in_a_terminal_that_is_ended_by_any_signal_leaves_no_engine_behind() {
    at_once(&endings(0, true), |(name, engine, signal)| play(name, engine, *signal));
}

fn play(name: &str, engine: &str, signal: Signal) {
    let what = format!("play with an engine that {name}, {signal}");
    let place = Workplace::new();
    let shell = format!("echo $$ >> {PIDS}; {engine}");
    let words = [LEAP, "play", "--", "sh", "-c", &shell];
    let leap = format!("echo $$ > leap; exec {}", shlex::try_join(words).unwrap());
    let mut script = Command::new("script");
    script.args(["-qec", &leap, "/dev/null"]).current_dir(place.path("."));
    let mut script = support::start(script.env("TERM", "xterm").env("SHELL", "/bin/sh"));
    drain(script.stdout.take());
    wait_for_engines(&place.path(PIDS), &what);
    let id = pids(&place.path("leap")).remove(0);
    kill(Pid::from_raw(id.parse().unwrap()), signal).unwrap();
    is_gone(&mut script, &what);
    for id in pids(&place.path(PIDS)).iter().chain([&id]) {
        wait_until(SOON, || !is_alive(id), || format!("{what}: process {id} is left"));
    }
}

/// `leap ... | true`: prints no error, and the exit status still counts.
#[test]
fn a_closed_output_is_no_fault() {
    let place = Workplace::new();
    place.write("game.ugt", "ugt 1\n> isready\n< readyok\n");
    place.write("engine", format!("#!/bin/sh\necho $$ >> {PIDS}; exec {MOCK}\n"));
    for line in [
        "check --verbose --level handshake -- sh engine",
        "replay game.ugt -- sh engine",
        "compare --games 1 --max-plies 2 'sh engine' 'sh engine'",
        "gogui -- sh engine",
        "xboard -- sh engine",
    ] {
        let mut leap = place.start(line);
        drop(leap.stdout.take());
        leap.stdin.as_mut().unwrap().write_all(b"protover 2\nname\nname\n").unwrap();
        let output = leap.wait_with_output().unwrap();
        assert_eq!(support::text(&output.stderr), "", "{line}");
        assert_eq!(output.status.code(), Some(0), "{line}");
        no_engine_is_left(&place, line);
    }
}

/// Engines that read exit with `leap` even if it cannot kill them.
#[test]
fn engines_end_with_their_input_when_leap_is_killed() {
    let place = Workplace::new();
    let mut leap = place.start(&format!("gogui -- sh -c 'echo $$ >> {PIDS}; exec MOCK'"));
    wait_for_engines(&place.path(PIDS), "gogui");
    leap.kill().unwrap();
    leap.wait().unwrap();
    no_engine_is_left(&place, "gogui");
}

/// A match runner kills the process group that it has started. The engine may not read on, so the end of its input does
/// not reach it.
#[test]
fn an_engine_ends_with_the_program_before_it() {
    let engine = format!("echo $$ >> {PIDS}; exec sleep 1000");
    for (words, signal) in [
        ("bridge gtp", Signal::SIGKILL),
        ("bridge uai", Signal::SIGKILL),
        ("bridge tei", Signal::SIGTERM),
        ("record -o a.ugt", Signal::SIGKILL),
    ] {
        let place = Workplace::new();
        let mut command = Command::new(LEAP);
        command.args(words.split(' ')).args(["--", "sh", "-c", &engine]);
        let mut bridge = support::start(command.current_dir(place.path(".")).process_group(0));
        let what = format!("{words}, {signal}");
        wait_for_engines(&place.path(PIDS), &what);
        let id = Pid::from_raw(bridge.id().cast_signed());
        match signal {
            Signal::SIGKILL => killpg(id, signal).unwrap(),
            _ => kill(id, signal).unwrap(),
        }
        is_gone(&mut bridge, &what);
        no_engine_is_left(&place, &what);
    }
}
