//! Parsing of commands.

use nom::combinator::{opt, success};
use nom::multi::many0;
use nom::sequence::{preceded, terminated};
use nom::{Err, Finish as _, Parser};

use super::argument::{Fault, Parsed, end, number_in, required, some_words};
use super::{Command, Dialect, Query, Start, go, query};
use crate::error::{CommandError, ErrorCode};
use crate::scan::{is_blank, text, word};
use crate::visible::{quoted, suggestion};

/// What to try, for a person who has typed none of the commands.
const SOME_COMMANDS: &str =
    "; try 'ugi', 'query rules', 'go movetime 1000' or 'quit' (SPEC.md has all)";

/// Parses the arguments of a command.
type Arguments = for<'a> fn(&'a str, Dialect) -> Parsed<'a, Command>;

/// The first word of each command, and its arguments.
const COMMANDS: &[(&str, Arguments)] = &[
    ("ugi", |rest, _| alone(Command::Hello(Dialect::Ugi), rest)),
    ("uci", |rest, _| alone(Command::Hello(Dialect::Uci), rest)),
    ("isready", |rest, _| alone(Command::IsReady, rest)),
    ("uginewgame", |rest, _| alone(Command::NewGame(Dialect::Ugi), rest)),
    ("ucinewgame", |rest, _| alone(Command::NewGame(Dialect::Uci), rest)),
    ("setoption", |rest, _| set_option(rest)),
    ("position", |rest, _| position(rest)),
    ("go", |rest, dialect| go::parse(rest, dialect).map(|(rest, go)| (rest, Command::Go(go)))),
    ("stop", |rest, _| alone(Command::Stop, rest)),
    ("ponderhit", |rest, _| alone(Command::PonderHit, rest)),
    ("quit", |rest, _| alone(Command::Quit, rest)),
    ("query", |rest, _| {
        let (rest, query) = query::parse(rest, |word| names().any(|name| name == word))?;
        Ok((rest, Command::Query(query)))
    }),
    ("move", |rest, _| moves(rest)),
    // SPEC 3.24: cutergames says `moves`.
    ("moves", |rest, _| moves(rest)),
    ("undo", |rest, _| {
        let count = opt(number_in(1..=u32::MAX.into(), "undo"));
        count.map(|count| Command::Undo(count.unwrap_or(1))).parse(rest)
    }),
    ("perft", |rest, _| number_in(0..=u32::MAX.into(), "perft").map(Command::Perft).parse(rest)),
    ("draw", |rest, _| choice(&[("offer", Command::DrawOffer)], rest)),
    ("eval", |rest, _| alone(Command::Eval, rest)),
    ("debug", |rest, _| {
        choice(&[("on", Command::Debug(true)), ("off", Command::Debug(false))], rest)
    }),
    ("d", |rest, _| alone(Command::Diagram, rest)),
];

/// The first words of commands. One letter is near to any other, so `d` is never suggested.
fn names() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().map(|(name, _)| *name).filter(|name| name.len() > 1)
}

impl Command {
    /// Parses one line, with or without its line ending. `None` if it holds only blanks.
    ///
    /// # Errors
    /// [`CommandError`] with one of these codes. Parsing takes time linear in the length of the line.
    ///
    /// - `unknown-command`: the first word is no command.
    /// - `missing-argument`: the line ends too early.
    /// - `out-of-range`: a whole number is outside its range.
    /// - `bad-argument`: anything else.
    ///
    /// ```
    /// # use leap_protocol::{Command, Start};
    /// let command = Command::parse("position startpos moves a1c3 d4e5\r\n")?;
    /// let moves = vec!["a1c3".to_owned(), "d4e5".to_owned()];
    /// assert_eq!(command, Some(Command::Position { start: Start::StartPos, moves }));
    /// assert_eq!(Command::parse("  ")?, None);
    /// # Ok::<(), leap_protocol::CommandError>(())
    /// ```
    pub fn parse(line: &str) -> Result<Option<Self>, CommandError> {
        Self::parse_in(line, Dialect::Ugi)
    }

    /// Like [`Command::parse`], for a client of this dialect: the UCI dialect skips unknown words of `go` (SPEC 2.15).
    ///
    /// # Errors
    /// As [`Command::parse`].
    ///
    /// ```
    /// # use leap_protocol::{Command, Dialect};
    /// let command = Command::parse_in("go depth 3 threads 4", Dialect::Uci)?;
    /// assert_eq!(command, Command::parse("go depth 3")?);
    /// # Ok::<(), leap_protocol::CommandError>(())
    /// ```
    pub fn parse_in(line: &str, dialect: Dialect) -> Result<Option<Self>, CommandError> {
        // A missing argument is reported at the end of the last word.
        let Ok((rest, first)) = word::<Fault<'_>>(line.trim_end_matches(is_blank)) else {
            return Ok(None);
        };
        let found = COMMANDS.iter().find(|(name, _)| *name == first);
        let (_, arguments) = found.ok_or_else(|| unknown(first).in_line(line))?;
        let command = terminated(|rest| arguments(rest, dialect), end).parse(rest).finish();
        command.map(|(_, command)| Some(command)).map_err(|fault| fault.in_line(line))
    }
}

fn unknown(first: &str) -> Fault<'_> {
    let suggestion = if Query::names().any(|name| name == first) {
        format!(" (did you mean 'query {first}'?)")
    } else {
        suggestion(first, names())
    };
    let hint = if suggestion.is_empty() { SOME_COMMANDS } else { &suggestion };
    let text = format!("expected a command, found {}{hint}", quoted(first));
    Fault::new(ErrorCode::UnknownCommand, first, text)
}

fn alone(command: Command, rest: &str) -> Parsed<'_, Command> {
    success(command).parse(rest)
}

fn set_option(rest: &str) -> Parsed<'_, Command> {
    let (rest, keyword) = required("'name'", word).parse(rest)?;
    if keyword != "name" {
        return Err(Err::Failure(Fault::bad_argument(keyword, "'name'")));
    }
    let name = some_words("the name of an option", |word| word != "value");
    let value = opt(preceded(word, text)).map(|value| value.map(str::to_owned));
    let setting = (name.map(|words| words.join(" ")), value);
    setting.map(|(name, value)| Command::SetOption { name, value }).parse(rest)
}

fn position(rest: &str) -> Parsed<'_, Command> {
    let expected = "'startpos' or 'fen'";
    let (rest, start) = match required(expected, word).parse(rest)? {
        (rest, "startpos") => (rest, Start::StartPos),
        (rest, "fen") => {
            let fen = some_words("a position", |word| word != "moves");
            fen.map(|words| Start::Fen(words.join(" "))).parse(rest)?
        }
        (_, word) => {
            let fault = Fault::not_among(word, expected, ["startpos", "fen"]);
            return Err(Err::Failure(fault));
        }
    };
    let (rest, keyword) = opt(word).parse(rest)?;
    if let Some(word) = keyword.filter(|word| *word != "moves") {
        let fault = Fault::bad_argument(word, "'moves' or the end of the line");
        return Err(Err::Failure(fault));
    }
    let (rest, moves) = many0(word.map(str::to_owned)).parse(rest)?;
    Ok((rest, Command::Position { start, moves }))
}

fn moves(rest: &str) -> Parsed<'_, Command> {
    some_words("a move", |_| true).map(Command::Move).parse(rest)
}

/// One word out of a few.
fn choice<'a>(choices: &[(&str, Command)], rest: &'a str) -> Parsed<'a, Command> {
    let names: Vec<_> = choices.iter().map(|(name, _)| format!("'{name}'")).collect();
    let expected = names.join(" or ");
    let (rest, word) = required(&expected, word).parse(rest)?;
    match choices.iter().find(|(name, _)| *name == word) {
        Some((_, command)) => Ok((rest, command.clone())),
        None => Err(Err::Failure(Fault::bad_argument(word, &expected))),
    }
}
