//! What the engines of the tests do on demand:
//!
//! - a text: writes it as a line
//! - `!part <text>`: writes a text without line end
//! - `!blank`: writes an empty line
//! - `!bytes`: writes a line that is not UTF-8
//! - `!long`: writes a line that is too long
//! - `!flood <n> <text>`: writes lines endlessly, each with the text `n` times
//! - `!stderr <text>`: writes to standard error
//! - `!sleep <ms>`: waits
//! - `!hang`: does nothing more, and does not read
//! - `!deaf`: reads on, but answers nothing
//! - `!exit <status>`: exits
//! - `!abort`: dies by a signal

use std::io::{self, BufRead, Write};
use std::process::exit;
use std::thread::sleep;
use std::time::Duration;

/// How long an engine hangs if nobody kills it.
const HANG: Duration = Duration::from_secs(60);

/// The next line; `None` at the end of input.
pub(crate) fn next_line() -> io::Result<Option<String>> {
    let mut line = Vec::new();
    let length = io::stdin().lock().read_until(b'\n', &mut line)?;
    let line = String::from_utf8_lossy(line.strip_suffix(b"\n").unwrap_or(&line)).into_owned();
    Ok((length > 0).then_some(line))
}

pub(crate) fn act(action: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let (verb, argument) = action.split_once(' ').unwrap_or((action, ""));
    match verb {
        "!part" => write!(out, "{argument}")?,
        "!blank" => writeln!(out)?,
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
