//! Mistakes on a command line: one line on standard error, and exit status 2.

use std::ffi::OsStr;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::process::ExitCode;

use anyhow::Result;
use clap::builder::{PossibleValue, PossibleValuesParser, RangedU64ValueParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Command, Parser};
use thiserror::Error;

use crate::io::complain;

/// The exit status for a mistake on the command line.
const STATUS: u8 = 2;

/// What is wrong with an argument of the right form.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct Mistake(String);

impl Mistake {
    /// A mistake that this error explains.
    pub fn new(error: impl Display) -> Self {
        Self(format!("{error:#}"))
    }
}

/// Reads the command line of this process and runs it. The exit status is 2 for a mistake on the command line, 1 for
/// any other error.
pub fn main<C: Parser>(run: impl FnOnce(C) -> Result<()>) -> ExitCode {
    main_of(C::command(), run)
}

/// As [`main`], with a command line that was made of `C` at run time.
pub fn main_of<C: Parser>(command: Command, run: impl FnOnce(C) -> Result<()>) -> ExitCode {
    let matches = command.clone().try_get_matches();
    let parsed = matches.and_then(|matches| {
        C::from_arg_matches(&matches).map_err(|error| error.format(&mut command.clone()))
    });
    let command = match parsed {
        Ok(command) => command,
        Err(mistake) if is_mistake(&mistake) => {
            complain(&one_line(&mistake));
            return ExitCode::from(STATUS);
        }
        Err(help) => help.exit(),
    };
    status(run(command))
}

/// The exit status of this result. An error is told in one line.
pub(crate) fn status(result: Result<()>) -> ExitCode {
    let Err(error) = result else { return ExitCode::SUCCESS };
    complain(&format!("error: {error:#}"));
    if error.is::<Mistake>() { ExitCode::from(STATUS) } else { ExitCode::FAILURE }
}

/// Whether this is a mistake, and not a request for help or for the version.
fn is_mistake(error: &clap::Error) -> bool {
    error.use_stderr() && error.kind() != ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
}

/// One line for what `clap` says in several paragraphs.
fn one_line(mistake: &clap::Error) -> String {
    let text = mistake.render().to_string();
    let paragraphs = text.split("\n\n").filter(|text| !text.starts_with("For more information"));
    let lines = |paragraph: &str| {
        let between = if paragraph.starts_with("Usage:") { " or " } else { " " };
        paragraph.lines().map(str::trim).collect::<Vec<_>>().join(between)
    };
    paragraphs.map(lines).collect::<Vec<_>>().join("; ").replace("; Usage:", "; usage:")
}

/// The command with these ids for each argument that stands as `GAME` in the help, in its subcommands too.
pub fn offer_games(command: Command, ids: impl Iterator<Item = &'static str>) -> Command {
    let ids: Vec<&str> = ids.collect();
    let offer = |argument: Arg| {
        if argument.get_value_names().is_some_and(|names| names == ["GAME"]) {
            argument.value_parser(one_of(ids.iter().copied()))
        } else {
            argument
        }
    };
    command.mut_args(offer).mut_subcommands(|subcommand| subcommand.mut_args(offer))
}

/// A parser of one of these words, which are in lower case. The argument may have either case.
pub fn one_of(
    words: impl IntoIterator<Item = &'static str>,
) -> impl TypedValueParser<Value = String> {
    AnyCase(PossibleValuesParser::new(words))
}

#[derive(Clone)]
struct AnyCase(PossibleValuesParser);

impl TypedValueParser for AnyCase {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        let folded = self.0.parse_ref(command, arg, &value.to_ascii_lowercase());
        // The error shows the argument as it was given.
        folded.or_else(|_| self.0.parse_ref(command, arg, value))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        self.0.possible_values()
    }
}

/// Reads `6..10`, a range that includes both ends.
///
/// # Errors
/// What was expected.
pub fn range(text: &str) -> Result<RangeInclusive<u32>, String> {
    let ends = text.split_once("..").map(|(a, b)| (a.parse(), b.parse()));
    match ends {
        Some((Ok(least), Ok(most))) if least <= most => Ok(least..=most),
        _ => Err(format!("expected A..B with A at most B, found '{text}'")),
    }
}

/// A parser of whole numbers from 1 on.
#[must_use]
pub fn positive<T: TryFrom<u64> + Clone + Send + Sync>() -> RangedU64ValueParser<T> {
    RangedU64ValueParser::new().range(1..)
}
