//! The mock that does what it is told. A rule is `<prefix of a line>=<action>;<action>...`; the first rule whose prefix
//! matches a line of the client is followed. `actions.rs` has the actions; in a text `%s` stands for the client's line,
//! and `%f` for its last `position`. A number before a line, as commands of GTP have, is no part of it; in a text it is
//! `%n`. `%c` is a semicolon. `!blank` writes an empty line.
//!
//! The rule for `eof` is followed at the end of input. Lines without a rule are answered like a UGI engine.

use std::io;

use super::actions::{act, next_line};

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

/// Follows these rules until the end of input.
pub(crate) fn obey(mut rules: Vec<String>) -> io::Result<()> {
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

fn follow(rules: &[String], line: &str, position: &str) -> io::Result<()> {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let (number, line) = line.split_at(digits);
    let line = line.trim_start();
    let rule = rules.iter().find_map(|rule| {
        let (beginning, actions) = rule.split_once('=')?;
        line.starts_with(beginning).then_some(actions)
    });
    let actions = rule.unwrap_or_default().split(';').filter(|action| !action.is_empty());
    for action in actions {
        act(&action
            .replace("%s", line)
            .replace("%f", position)
            .replace("%n", number)
            .replace("%c", ";"))?;
    }
    Ok(())
}
