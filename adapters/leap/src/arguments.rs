//! The command line, and the slips that people make on it.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgMatches, Command, Parser};
use leap_client::nearest;

/// Options of other match runners that have another name here, or none.
const ELSEWHERE: [(&str, &str); 9] = [
    ("draw", "did you mean '--draw-adjudication'?"),
    ("maxmoves", "did you mean '--max-plies', which counts the moves of both?"),
    ("pgnout", "records are always written, to games.ugr in the directory '--out'"),
    ("recover", "engines that crash are always started again"),
    ("repeat", "each opening is always played twice, with sides swapped"),
    ("resign", "did you mean '--win-adjudication'?"),
    ("srand", "did you mean '--seed'?"),
    ("tournament", "did you mean '--format'?"),
    ("variant", "did you mean '--game'?"),
];

/// Why a command line cannot be run.
#[derive(Debug)]
pub(crate) enum Mistake {
    /// A slip that is explained in one line.
    Slip(String),
    /// Anything else, help included.
    Other(clap::Error),
}

impl From<clap::Error> for Mistake {
    fn from(error: clap::Error) -> Self {
        Self::Other(error)
    }
}

/// Parses a command line, which begins with the name of the program.
///
/// # Errors
/// If it cannot be run.
pub(crate) fn parse<T: Parser>(words: &[OsString]) -> Result<T, Mistake> {
    let mut command = T::command();
    let matches = command.try_get_matches_from_mut(words).map_err(|error| {
        slip(&command, &error, words).map_or(Mistake::Other(error), Mistake::Slip)
    })?;
    if let Some(slip) = own_flag_after_engine(&command, &matches, words) {
        return Err(Mistake::Slip(slip));
    }
    Ok(T::from_arg_matches(&matches)?)
}

/// Explains what a command line that cannot be parsed was probably meant to be.
fn slip(command: &Command, error: &clap::Error, words: &[OsString]) -> Option<String> {
    match error.kind() {
        ErrorKind::UnknownArgument => {
            one_dash(command, words).or_else(|| stray_word(command, error, words))
        }
        ErrorKind::MissingRequiredArgument => {
            let sub = subcommand(command, words)?;
            let is_missing =
                sub.get_positionals().any(|arg| arg.is_last_set() && arg.is_required_set());
            (is_missing && words.iter().all(|word| word != "--"))
                .then(|| format!("expected '--' and an engine at the end of '{}'", full_name(sub)))
        }
        _ => None,
    }
}

/// Explains a word that is no option, where there is no place for one.
fn stray_word(command: &Command, error: &clap::Error, words: &[OsString]) -> Option<String> {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidArg) else { return None };
    if word.starts_with('-') {
        return None;
    }
    let sub = subcommand(command, words)?;
    let name = full_name(sub);
    if sub.get_positionals().any(|arg| arg.is_last_set()) {
        return Some(format!("expected '--' before the engine of '{name}', found '{word}'"));
    }
    has_flag(sub, "--engine").then(|| {
        format!(
            "expected an option of '{name}', found '{word}'; an engine is '--engine cmd={word}'"
        )
    })
}

fn subcommand<'a>(command: &'a Command, words: &[OsString]) -> Option<&'a Command> {
    command.find_subcommand(words.get(1)?)
}

/// Explains an option with one dash, as other programs have them: `-engine`.
fn one_dash(command: &Command, words: &[OsString]) -> Option<String> {
    let sub = subcommand(command, words).unwrap_or(command);
    let words = words.iter().skip(1).map_while(|word| word.to_str());
    let own = words.take_while(|word| *word != "--");
    let mut names = own.filter_map(|word| word.strip_prefix('-')?.split('=').next());
    names.find_map(|name| {
        let hint = match ELSEWHERE.iter().find(|(known, _)| *known == name) {
            _ if has_flag(sub, &format!("--{name}")) => format!("did you mean '--{name}'?"),
            Some((_, hint)) if sub.get_name() == "match" => (*hint).to_owned(),
            _ => return None,
        };
        Some(format!("expected an option of '{}', found '-{name}'; {hint}", full_name(sub)))
    })
}

/// Explains an option of ours that stands after ENGINE and would go to the engine.
fn own_flag_after_engine(
    command: &Command,
    matches: &ArgMatches,
    words: &[OsString],
) -> Option<String> {
    let (name, matches) = matches.subcommand()?;
    let sub = command.find_subcommand(name)?;
    let trailing = sub.get_positionals().find(|arg| arg.is_trailing_var_arg_set())?;
    let mut engine = matches.get_many::<String>(trailing.get_id().as_str())?;
    let before = words.len().checked_sub(engine.len() + 1)?;
    // After '--' all words are meant for the engine.
    if words[before] == "--" {
        return None;
    }
    let program = engine.next()?;
    if program.starts_with('-') {
        return one_dash(command, words).or_else(|| Some(unknown_flag(sub, program)));
    }
    let own = engine.take_while(|word| *word != "--");
    let flag = own.filter_map(|word| word.split('=').next()).find(|word| has_flag(sub, word))?;
    Some(format!(
        "'{flag}' comes after the engine and would go to it: put it before '{program}', or '--' before '{program}' if \
         it is the engine's"
    ))
}

/// Explains a word that stands in the place of ENGINE and is no program.
fn unknown_flag(command: &Command, word: &str) -> String {
    let flags = command.get_arguments().filter_map(|arg| arg.get_long());
    let flag = word.trim_start_matches('-').split('=').next().unwrap_or_default();
    let hint = nearest(flag, flags).map(|flag| format!("; did you mean '--{flag}'?"));
    let name = full_name(command);
    format!(
        "expected an option of '{name}' or an engine, found '{word}'{}",
        hint.unwrap_or_default()
    )
}

fn has_flag(command: &Command, word: &str) -> bool {
    command.get_arguments().any(|arg| {
        let short = arg.get_short().map(|short| format!("-{short}"));
        let long = arg.get_long().map(|long| format!("--{long}"));
        [short, long].iter().flatten().any(|flag| flag == word)
    })
}

fn full_name(command: &Command) -> String {
    command.get_bin_name().unwrap_or(command.get_name()).to_owned()
}
