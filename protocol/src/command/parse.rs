//! Parsing of commands.

use super::args::{Args, Fault};
use super::words::{COMMANDS, QUESTIONS};
use super::{Command, Dialect, Start, go, query};
use crate::error::{CommandError, ErrorCode};
use crate::visible::{quoted, suggestion};

/// What to try, for a person who has typed none of the commands.
const SOME_COMMANDS: &str =
    "; try 'ugi', 'query rules', 'go movetime 1000' or 'quit' (SPEC.md has all)";

pub(super) fn command(line: &str, dialect: Dialect) -> Result<Option<Command>, CommandError> {
    let mut args = Args::new(line);
    let Some(first) = args.next() else { return Ok(None) };
    let command = arguments(first, &mut args, dialect).and_then(|command| {
        args.end()?;
        Ok(command)
    });
    command.map(Some).map_err(|fault| fault.in_line(line))
}

fn arguments<'a>(
    first: &'a str,
    args: &mut Args<'a>,
    dialect: Dialect,
) -> Result<Command, Fault<'a>> {
    Ok(match first {
        "ugi" => Command::Hello(Dialect::Ugi),
        "uci" => Command::Hello(Dialect::Uci),
        "isready" => Command::IsReady,
        "uginewgame" => Command::NewGame(Dialect::Ugi),
        "ucinewgame" => Command::NewGame(Dialect::Uci),
        "setoption" => set_option(args)?,
        "position" => position(args)?,
        "go" => Command::Go(go::parse(args, dialect)?),
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit,
        "quit" => Command::Quit,
        "query" => Command::Query(query::parse(args)?),
        // SPEC 3.24: cutergames says `moves`.
        "move" | "moves" => Command::Move(args.some_words_while("a move", |_| true)?),
        "undo" => Command::Undo(undo_count(args)?),
        "perft" => Command::Perft(args.number(first)?),
        "draw" => choice(args, &[("offer", Command::DrawOffer)])?,
        "eval" => Command::Eval,
        "d" => Command::Diagram,
        "debug" => choice(args, &[("on", Command::Debug(true)), ("off", Command::Debug(false))])?,
        _ => return Err(unknown(first)),
    })
}

fn unknown(first: &str) -> Fault<'_> {
    let suggestion = if QUESTIONS.contains(&first) {
        format!(" (did you mean 'query {first}'?)")
    } else {
        suggestion(first, COMMANDS)
    };
    let hint = if suggestion.is_empty() { SOME_COMMANDS } else { &suggestion };
    let text = format!("expected a command, found {}{hint}", quoted(first));
    Fault::new(ErrorCode::UnknownCommand, first, text)
}

fn set_option<'a>(args: &mut Args<'a>) -> Result<Command, Fault<'a>> {
    let word = args.required("'name'")?;
    if word != "name" {
        return Err(Fault::bad_argument(word, "'name'"));
    }
    let name = args.some_words_while("the name of an option", |word| word != "value")?.join(" ");
    let value = args.next().map(|_value| args.text().to_owned());
    Ok(Command::SetOption { name, value })
}

fn position<'a>(args: &mut Args<'a>) -> Result<Command, Fault<'a>> {
    let expected = "'startpos' or 'fen'";
    let start = match args.required(expected)? {
        "startpos" => Start::StartPos,
        "fen" => Start::Fen(args.some_words_while("a position", |word| word != "moves")?.join(" ")),
        word => return Err(Fault::not_among(word, expected, &["startpos", "fen"])),
    };
    let moves = match args.next() {
        None => Vec::new(),
        Some("moves") => args.words(),
        Some(word) => return Err(Fault::bad_argument(word, "'moves' or the end of the line")),
    };
    Ok(Command::Position { start, moves })
}

fn undo_count<'a>(args: &mut Args<'a>) -> Result<u32, Fault<'a>> {
    let mut ahead = *args;
    if ahead.next().is_none() {
        return Ok(1);
    }
    args.number_in(1..=u32::MAX.into(), "undo")
}

/// One word out of a few.
fn choice<'a>(
    args: &mut Args<'a>,
    choices: &[(&'static str, Command)],
) -> Result<Command, Fault<'a>> {
    let names: Vec<_> = choices.iter().map(|(name, _)| format!("'{name}'")).collect();
    let expected = names.join(" or ");
    let word = args.required(&expected)?;
    let found = choices.iter().find(|(name, _)| *name == word);
    found.map(|(_, command)| command.clone()).ok_or_else(|| Fault::bad_argument(word, &expected))
}
