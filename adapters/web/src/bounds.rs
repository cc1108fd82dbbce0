//! Bounds for the engine options that a page may set.
//!
//! A file written by somebody else can tell a page what to send, and all pages share one machine. Engines differ in how
//! they read lines that set options. Such lines are therefore parsed strictly here: no line may have two meanings.

use clap::builder::RangedU64ValueParser;
use leap_meeting::check_characters;
use leap_protocol::option::{EMPTY, OptionKind};
use leap_protocol::{Command, ErrorCode, ErrorReply, Reply};

/// Upper bounds of the options that cost memory or processors.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Bounds {
    /// The largest Hash, in MiB, that a page may set.
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = at_least_one())]
    pub max_hash: u64,
    /// The most Threads that a page may set.
    #[arg(long, value_name = "N", default_value_t = cores(), value_parser = at_least_one())]
    pub max_threads: u64,
    /// The largest MultiPV that a page may set.
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = at_least_one())]
    pub max_multipv: u64,
}

fn at_least_one() -> RangedU64ValueParser {
    clap::value_parser!(u64).range(1..)
}

fn cores() -> u64 {
    std::thread::available_parallelism().map_or(1, |count| count.get() as u64)
}

impl Bounds {
    /// The largest value of an option; `None` if it is not bounded.
    fn largest(&self, name: &str) -> Option<u64> {
        let bounded =
            [("Hash", self.max_hash), ("Threads", self.max_threads), ("MultiPV", self.max_multipv)];
        let same = |(known, _): &(&str, u64)| known.eq_ignore_ascii_case(name);
        bounded.into_iter().find(same).map(|(_, largest)| largest)
    }

    /// Returns the line to send to the engine for a line of the page.
    ///
    /// # Errors
    /// The answer to the page, if the line must not reach the engine.
    pub(super) fn admit(&self, line: &str) -> Result<String, ErrorReply> {
        check_characters(line)?;
        let first = line.split_whitespace().next().unwrap_or_default();
        if !first.eq_ignore_ascii_case("setoption") {
            return Ok(line.to_owned());
        }
        let command = Command::parse(line)?;
        if let Some(Command::SetOption { name, value }) = &command {
            self.check(name, value.as_deref())?;
        }
        // The parsed command is printed anew, so that no engine can read it differently.
        Ok(command.map_or_else(String::new, |command| command.to_string()))
    }

    fn check(&self, name: &str, value: Option<&str>) -> Result<(), ErrorReply> {
        let fail = |code, text| Err(ErrorReply::new(code, text));
        // An engine that reads keywords in any case would end the name at this word.
        if name.split(' ').any(|word| word.eq_ignore_ascii_case("value")) {
            return fail(ErrorCode::BadArgument, "expected 'value' in lower case".to_owned());
        }
        if names_file(name) && !matches!(value, None | Some("" | EMPTY)) {
            let text = format!("{name} names a file, which no page may choose");
            return fail(ErrorCode::BadArgument, text);
        }
        let Some(largest) = self.largest(name) else { return Ok(()) };
        let expected = format!("{name} expects a whole number of at most {largest} here");
        match value {
            None => fail(ErrorCode::MissingArgument, format!("{expected}, found no value")),
            Some(value) if value.is_empty() || !value.bytes().all(|byte| byte.is_ascii_digit()) => {
                fail(ErrorCode::BadArgument, format!("{expected}, found something else"))
            }
            // A number that does not fit is also too large.
            Some(value) if !value.parse().is_ok_and(|value: u64| value <= largest) => {
                fail(ErrorCode::OutOfRange, format!("{expected}, found a larger one"))
            }
            Some(_) => Ok(()),
        }
    }

    /// Returns the line to send to the page for a line of the engine. Declared options get their bounded maximum.
    pub(super) fn declare(&self, line: String) -> String {
        if !line.starts_with("option ") {
            return line;
        }
        let Reply::Option(mut option) = Reply::parse(&line) else { return line };
        let Some(largest) = self.largest(&option.name) else { return line };
        let OptionKind::Spin { max, .. } = &mut option.kind else { return line };
        *max = (*max).min(i64::try_from(largest).unwrap_or(i64::MAX));
        Reply::Option(option).to_string()
    }
}

/// Whether an option names a file, as `EvalFile` or `SyzygyPath` do. Errors about the file would tell a page what is in
/// it.
fn names_file(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.ends_with("file") || name.ends_with("path")
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: Bounds = Bounds { max_hash: 256, max_threads: 2, max_multipv: 32 };

    fn code(line: &str) -> Option<ErrorCode> {
        BOUNDS.admit(line).err().map(|error| error.code)
    }

    #[test]
    fn options_within_their_bounds_and_all_else_pass() {
        for line in [
            "setoption name Hash value 256",
            "setoption name threads value 2",
            "setoption name Clear Hash",
            "setoption name MaxPlies value 1000000",
            "setoption name EvalFile value <empty>",
            "position startpos moves b2c3",
            "query legal \u{e9}",
            "frobnicate setoption name Hash value 65536",
            "",
        ] {
            assert_eq!(BOUNDS.admit(line).as_deref(), Ok(line));
        }
        let odd = "\t setoption\tname  hash \t value   16  ";
        assert_eq!(BOUNDS.admit(odd).as_deref(), Ok("setoption name hash value 16"));
        let empty = BOUNDS.admit("setoption name Log File value");
        assert_eq!(empty.as_deref(), Ok("setoption name Log File value <empty>"), "SPEC 3.7");
    }

    #[test]
    fn larger_values_are_refused_however_they_are_written() {
        use ErrorCode::{BadArgument, MissingArgument, OutOfRange, UnknownCommand};
        for (line, expected) in [
            ("setoption name Hash value 257", OutOfRange),
            ("setoption name hASH value 65536", OutOfRange),
            ("  setoption\tname\t HASH \tvalue\t 257 ", OutOfRange),
            ("setoption name Hash value 99999999999999999999999999999999999999999", OutOfRange),
            ("setoption name Threads value 3", OutOfRange),
            ("setoption name multipv value 33", OutOfRange),
            ("setoption name Hash value 0000000000000000000000000000000000000257", OutOfRange),
            ("setoption name evalfile value /etc/passwd", BadArgument),
            ("setoption name SyzygyPath value .", BadArgument),
            ("setoption name Hash value +65536", BadArgument),
            ("setoption name Hash value -1", BadArgument),
            ("setoption name Hash value 1e5", BadArgument),
            ("setoption name Hash value 65536 MiB", BadArgument),
            ("setoption name Hash value \u{666}\u{665}", BadArgument),
            ("setoption name Hash value", BadArgument),
            ("setoption name Hash", MissingArgument),
            ("setoption name Hash VALUE 65536", BadArgument),
            ("setoption Name Hash value 65536", BadArgument),
            ("setoption x Hash value 65536", BadArgument),
            ("setoption", MissingArgument),
            ("SetOption name Hash value 65536", UnknownCommand),
        ] {
            assert_eq!(code(line), Some(expected), "{line}");
        }
    }

    #[test]
    fn blanks_that_not_every_engine_takes_for_blanks_do_not_pass() {
        for odd in ['\u{b}', '\u{c}', '\r', '\u{1f}', '\u{85}', '\u{a0}', '\u{2003}', '\u{2028}'] {
            for line in ["setoption name Hash value 65536", "\u{e9} isready"] {
                let line = line.replace(' ', &odd.to_string());
                let error = BOUNDS.admit(&line).unwrap_err();
                let column = line.chars().position(|c| c == odd).map(|at| at + 1);
                assert_eq!((error.code.clone(), error.column()), (ErrorCode::BadArgument, column));
                assert!(!error.to_string().contains(odd), "{error}");
            }
        }
    }

    #[test]
    fn options_are_declared_with_their_bounds() {
        for (line, expected) in [
            (
                "option name Hash type spin default 16 min 1 max 65536",
                "option name Hash type spin default 16 min 1 max 256",
            ),
            (
                "option name Threads type spin max 512 default 1 min 1",
                "option name Threads type spin default 1 min 1 max 2",
            ),
            (
                "option name MultiPV type spin default 1 min 1 max 8",
                "option name MultiPV type spin default 1 min 1 max 8",
            ),
            ("option name Hash  type button", "option name Hash  type button"),
            (
                "option name MaxPlies type spin  default 400 min 0 max 1000000",
                "option name MaxPlies type spin  default 400 min 0 max 1000000",
            ),
            ("option of mine", "option of mine"),
            ("bestmove a1a2", "bestmove a1a2"),
        ] {
            assert_eq!(BOUNDS.declare(line.to_owned()), expected);
        }
    }
}
