//! However `leap` ends, no engine is left behind. Every program that runs engines is ended by every polite signal, with
//! engines that work, hang, flood or have children.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::support::{self, LEAP, LONG, MOCK, Workplace, at_once};
use nix::sys::signal::{Signal, kill};
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
    /// Its arguments before those of the engine.
    args: &'static [&'static str],
    /// Its arguments for an engine started by this shell command.
    engine: fn(&str) -> Vec<String>,
    /// Its initial input.
    input: &'static str,
    /// How many signals it takes.
    times: fn(Signal) -> u32,
}

fn at_the_end(shell: &str) -> Vec<String> {
    ["--", "sh", "-c", shell].map(str::to_owned).to_vec()
}

impl Program {
    const fn new(args: &'static [&'static str]) -> Program {
        Program { args, engine: at_the_end, input: "", times: |_| 1 }
    }

    fn is_ended_by(&self, signal: Signal, engine: &str, what: &str) {
        let place = Workplace::new();
        fs::write(place.path("game.ugt"), "ugt 1\n> go infinite\n< bestmove a1b1\n").unwrap();
        fs::write(place.path("game.ugr"), "[Game \"race\"]\n\n1. a1b1 *\n").unwrap();
        let shell = format!("echo $$ >> {PIDS}; {engine}");
        let mut command = Command::new(LEAP);
        command.args(self.args).args((self.engine)(&shell)).current_dir(place.path("."));
        let mut leap = support::start(&mut command);
        leap.stdin.as_mut().unwrap().write_all(self.input.as_bytes()).unwrap();
        let _page = (self.args[0] == "web").then(|| page(&mut leap));
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
        for id in pids(&place.path(PIDS)) {
            wait_until(SOON, || !is_alive(&id), || format!("{what}: the engine {id} is left"));
        }
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

fn programs() -> [Program; 9] {
    // The first signal lets the games in flight finish, the second one does not.
    let twice = |signal| if signal == Signal::SIGHUP { 1 } else { 2 };
    let two = |shell: &str| vec![shlex::try_join(["sh", "-c", shell]).unwrap(); 2];
    let players = |shell: &str| {
        let cmd = |name| {
            ["--engine", "cmd=sh", "arg=-c", &format!("arg={shell}"), name].map(str::to_owned)
        };
        let referee = ["--referee", MOCK].map(str::to_owned);
        [&cmd("name=A")[..], &cmd("name=B"), &referee].concat()
    };
    [
        Program {
            times: twice,
            ..Program::new(&[
                "analyse",
                "game.ugr",
                "--out",
                "a",
                "--movetime",
                "60000",
                "--patience",
                "60000",
            ])
        },
        Program::new(&["check", "--timeout", "60000"]),
        Program {
            engine: two,
            ..Program::new(&["compare", "--timeout", "60000", "--games", "1000000"])
        },
        Program { input: "ugi\ngo infinite\n", ..Program::new(&["record", "-o", "out.ugt"]) },
        Program::new(&["replay", "game.ugt", "--timeout", "60"]),
        Program {
            engine: players,
            times: twice,
            ..Program::new(&["match", "--out", "m", "--each", "movetime=30", "--games", "100000"])
        },
        Program { input: "name\ngenmove b\n", ..Program::new(&["gogui", "--depth", "1000"]) },
        Program {
            input: "xboard\nprotover 2\nnew\ngo\n",
            ..Program::new(&["xboard", "--depth", "1000"])
        },
        Program::new(&["web", "--no-open", "--port", "0"]),
    ]
}

fn no_program_leaves_an_engine_behind(is_every: bool) {
    let endings = programs().into_iter().enumerate().flat_map(|(at, program)| {
        endings(at, is_every).into_iter().map(move |ending| (program, ending))
    });
    let endings: Vec<_> = endings.collect();
    at_once(&endings, |(program, (name, engine, signal))| {
        let what = format!("{:?} with an engine that {name}, {signal}", program.args);
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
    fs::write(place.path("game.ugt"), "ugt 1\n> isready\n< readyok\n").unwrap();
    let shell = format!("echo $$ >> {PIDS}; exec {MOCK}");
    let one = shlex::try_join(["sh", "-c", &shell]).unwrap();
    let engine = ["--", "sh", "-c", &shell];
    let check = [&["check", "--verbose", "--level", "handshake"], &engine[..]].concat();
    let replay = [&["replay", "game.ugt"], &engine[..]].concat();
    let compare = vec!["compare", "--games", "2", &one, &one];
    let gogui = [&["gogui"], &engine[..]].concat();
    let xboard = [&["xboard"], &engine[..]].concat();
    for args in [check, replay, compare, gogui, xboard] {
        let mut command = Command::new(LEAP);
        command.args(&args).current_dir(place.path("."));
        let mut leap = support::start(&mut command);
        drop(leap.stdout.take());
        leap.stdin.as_mut().unwrap().write_all(b"protover 2\nname\nname\n").unwrap();
        let output = leap.wait_with_output().unwrap();
        assert_eq!(support::text(&output.stderr), "", "{args:?}");
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        for id in pids(&place.path(PIDS)) {
            wait_until(SOON, || !is_alive(&id), || format!("{args:?}: the engine {id} is left"));
        }
    }
}

/// Engines that read exit with `leap` even if it cannot kill them.
#[test]
fn engines_end_with_their_input_when_leap_is_killed() {
    let place = Workplace::new();
    let shell = format!("echo $$ >> {PIDS}; exec {MOCK}");
    let mut leap = Command::new(LEAP);
    leap.args(["gogui", "--", "sh", "-c", &shell]).current_dir(place.path("."));
    let mut leap = support::start(leap.stdout(Stdio::null()));
    wait_for_engines(&place.path(PIDS), "gogui");
    leap.kill().unwrap();
    leap.wait().unwrap();
    for id in pids(&place.path(PIDS)) {
        wait_until(SOON, || !is_alive(&id), || format!("the engine {id} is left"));
    }
}
