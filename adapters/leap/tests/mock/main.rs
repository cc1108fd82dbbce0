//! The engine of the tests. It plays a made-up game and does everything right, or one thing wrong:
//! `mock --defect NAME`, or `mock --lie BEGINNING=ACTIONS`. With `--plain` it speaks only UGI.
//! `mock puppet RULE...` knows no game: it does what it is told.

mod actions;
mod answers;
mod defect;
mod game;
mod puppet;
mod session;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write as _};
use std::path::PathBuf;
use std::process::exit;
use std::thread;
use std::time::{Duration, Instant};

use clap::{Parser, Subcommand};
use crossbeam_channel::{Receiver, RecvTimeoutError, bounded};
use leap_protocol::{Line, LineReader};

use defect::Defect;
use session::Session;

#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    mode: Option<Mode>,
    /// The defect.
    #[arg(long, value_enum)]
    defect: Option<Defect>,
    /// Do this, separated by `;`, instead of answering lines that begin so. Several with one beginning take turns.
    #[arg(long, value_name = "BEGINNING=ACTIONS")]
    lie: Vec<String>,
    /// Note each lie in this file, before it is told.
    #[arg(long)]
    log: Option<PathBuf>,
    /// Speak UGI without extensions.
    #[arg(long)]
    plain: bool,
}

#[derive(Subcommand)]
enum Mode {
    /// Follow these rules, each `BEGINNING=ACTIONS`.
    Puppet {
        #[arg(allow_hyphen_values = true, trailing_var_arg = true)]
        rules: Vec<String>,
    },
}

fn main() {
    let mut cli = Cli::parse();
    if let Some(Mode::Puppet { rules }) = cli.mode.take() {
        // A closed output ends the process, as in `say`.
        exit(i32::from(puppet::obey(rules).is_err()));
    }
    match cli.defect {
        Some(Defect::DiesAtStart) => exit(3),
        Some(Defect::Stall) => read_and_say_nothing(),
        Some(Defect::Deaf) => sleep_for_ever(),
        Some(Defect::SlowStart) => thread::sleep(Duration::from_millis(900)),
        Some(Defect::Leak) => read_everything(),
        _ => {}
    }
    let lines = start_reader(cli.defect);
    let mut session = Session::new(cli.defect, cli.plain);
    let mut lies = 0;
    loop {
        let line = match session.deadline() {
            Some(deadline) => lines.recv_deadline(deadline),
            None => lines.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match line {
            Ok(line) if lie(&cli, &line, &mut lies) => {}
            Ok(line) => session.line(line),
            Err(RecvTimeoutError::Timeout) => session.time_is_up(),
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    session.end_of_input();
    if cli.defect == Some(Defect::IgnoresEnd) {
        sleep_for_ever();
    }
}

/// Lies if a rule tells how; the number of lies so far chooses between rules with one beginning.
fn lie(cli: &Cli, line: &Line, lies: &mut usize) -> bool {
    let Line::Text(text) = line else { return false };
    let matching = |rule: &&String| rule.split_once('=').is_some_and(|(b, _)| text.starts_with(b));
    let matching: Vec<&String> = cli.lie.iter().filter(matching).collect();
    let Some(rule) = matching.get(*lies % matching.len().max(1)) else { return false };
    *lies += 1;
    if let Some(log) = &cli.log {
        let log = File::options().create(true).append(true).open(log);
        log.and_then(|mut log| writeln!(log, "{text}")).expect("a log");
    }
    let actions = rule.split_once('=').map_or("", |(_, actions)| actions);
    // A closed output ends the process, as in `say`.
    let done = actions.split(';').filter(|action| !action.is_empty()).try_for_each(actions::act);
    if done.is_err() {
        exit(0);
    }
    true
}

fn start_reader(defect: Option<Defect>) -> Receiver<Line> {
    let (sender, lines) = bounded(64);
    thread::spawn(move || {
        let mut input = BufReader::new(io::stdin());
        if defect == Some(Defect::HalfLineLost) {
            let mut line = String::new();
            while input.read_line(&mut line).is_ok_and(|n| n > 0) && line.ends_with('\n') {
                let _ = sender.send(Line::Text(std::mem::take(&mut line)));
            }
            return;
        }
        for line in LineReader::new(input).map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    lines
}

fn sleep_for_ever() -> ! {
    loop {
        thread::sleep(Duration::from_secs(3600));
    }
}

fn read_and_say_nothing() -> ! {
    let _ = io::copy(&mut io::stdin(), &mut io::sink());
    sleep_for_ever();
}

/// Keeps all of its input, in a separate thread.
fn read_everything() {
    let (mut kept, mut piece) = (Vec::new(), [0; 65536]);
    // The greeting and `isready` fit into the first pieces; longer input is kept but never parsed.
    let begun = Instant::now();
    loop {
        let Ok(read @ 1..) = io::stdin().read(&mut piece) else { exit(0) };
        kept.extend_from_slice(&piece[..read]);
        let text = String::from_utf8_lossy(&piece[..read]);
        for word in text.split_whitespace() {
            match word {
                "ugi" => session::say("id name mock\nid author nobody\nugiok"),
                "isready" => session::say("readyok"),
                "protocol" => session::say("response leap 1.0 fen"),
                _ => {}
            }
        }
        assert!(begun.elapsed() < Duration::from_secs(600) && kept.len() < 1 << 30);
    }
}
