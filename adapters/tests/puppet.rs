//! An engine for tests that does what it is told. Every argument is a rule `<prefix of a line>=<action>;<action>...`;
//! the first rule whose prefix matches a line of the client is followed. The actions:
//!
//! - a text: writes it as a line; `%s` in it stands for the client's line
//! - `!part <text>`: writes a text without line end
//! - `!bytes`: writes a line that is not UTF-8
//! - `!long`: writes a line that is too long
//! - `!flood <n> <text>`: writes lines endlessly, each with the text `n` times
//! - `!stderr <text>`: writes to standard error
//! - `!sleep <ms>`: waits
//! - `!hang`: does nothing more, and does not read
//! - `!deaf`: reads on, but answers nothing
//! - `!exit <status>`: exits
//! - `!abort`: dies by a signal
//!
//! The rule for `eof` is followed at the end of input. Lines without a rule are answered like a UGI engine.

use std::io::{self, BufRead, Write};
use std::process::exit;
use std::thread::sleep;
use std::time::Duration;

/// How long an engine hangs if nobody kills it.
const HANG: Duration = Duration::from_secs(60);

/// The default behaviour, for lines without a rule.
const DEFAULTS: &[&str] = &[
    "ugi=id name mock 1.0;id author nobody;ugiok",
    "isready=readyok",
    "query protocol=response leap 1.0 fen legal",
    "query fen=response %f",
    "query legal z=response false bad-text at - : no move",
    "query legal=response true",
    "quit=!exit 0",
    "eof=!exit 0",
    "go=bestmove a1a2",
    "=",
];

fn main() -> io::Result<()> {
    let mut rules: Vec<String> = std::env::args().skip(1).collect();
    rules.extend(DEFAULTS.iter().map(|rule| (*rule).to_owned()));
    let mut position = "start".to_owned();
    while let Some(line) = next_line()? {
        if line.starts_with("position") {
            position.clone_from(&line);
        }
        follow(&rules, &line, &position)?;
    }
    follow(&rules, "eof", &position)
}

/// The next line; `None` at the end of input.
fn next_line() -> io::Result<Option<String>> {
    let mut line = Vec::new();
    let length = io::stdin().lock().read_until(b'\n', &mut line)?;
    let line = String::from_utf8_lossy(line.strip_suffix(b"\n").unwrap_or(&line)).into_owned();
    Ok((length > 0).then_some(line))
}

fn follow(rules: &[String], line: &str, position: &str) -> io::Result<()> {
    let rule = rules.iter().find_map(|rule| {
        let (beginning, actions) = rule.split_once('=')?;
        line.starts_with(beginning).then_some(actions)
    });
    let actions = rule.unwrap_or_default().split(';').filter(|action| !action.is_empty());
    for action in actions {
        act(&action.replace("%s", line).replace("%f", position))?;
    }
    Ok(())
}

fn act(action: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let (verb, argument) = action.split_once(' ').unwrap_or((action, ""));
    match verb {
        "!part" => write!(out, "{argument}")?,
        "!bytes" => out.write_all(b"\xFF\xFE\n")?,
        "!long" => writeln!(out, "{}", "x".repeat(1 << 21))?,
        "!flood" => {
            let (times, text) = argument.split_once(' ').unwrap_or(("1", argument));
            let line = text.repeat(times.parse().unwrap_or(1));
            while writeln!(out, "{line}").is_ok() {}
        }
        "!stderr" => writeln!(io::stderr(), "{argument}")?,
        "!sleep" => sleep(Duration::from_millis(argument.parse().unwrap_or(0))),
        "!hang" => {
            out.flush()?;
            sleep(HANG);
        }
        "!deaf" => {
            out.flush()?;
            while next_line()?.is_some() {}
            sleep(HANG);
        }
        "!exit" => {
            out.flush()?;
            exit(argument.parse().unwrap_or(0));
        }
        "!abort" => {
            out.flush()?;
            std::process::abort();
        }
        _ => writeln!(out, "{action}")?,
    }
    out.flush()
}
