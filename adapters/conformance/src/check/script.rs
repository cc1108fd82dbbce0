//! Scripted dialogues: what is sent to the engine and what it must answer, as in the examples of the specification
//! (SPEC 1.7).
//!
//! A script file is a list of scripts. Each begins with a line `# <clause> <name>`, followed by lines `> <command>` and
//! `< <reply>`, in which `...` matches any run of characters. Blank lines and lines that begin with `;` are ignored.

use leap_protocol::payload::ProtocolInfo;

use super::context::Context;
use super::context::LEAP;
use super::engine::{CheckedEngine, first_word, quoted};
use super::outcome::{StepResult, ensure, skip};

/// One dialogue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Script {
    pub(super) clause: &'static str,
    pub(super) name: &'static str,
    lines: Vec<Line>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    Send(&'static str),
    Expect(&'static str),
}

/// Parses a script file.
///
/// # Panics
/// If a line belongs to no script: the files are part of the program.
pub(super) fn parse(text: &'static str) -> Vec<Script> {
    let mut scripts: Vec<Script> = Vec::new();
    for line in text.lines() {
        if let Some(title) = line.strip_prefix("# ") {
            let (clause, name) = title.split_once(' ').unwrap_or((title, "example"));
            scripts.push(Script { clause, name, lines: Vec::new() });
            continue;
        }
        let parsed = match line.split_at_checked(2) {
            Some(("> ", command)) => Line::Send(command),
            Some(("< ", reply)) => Line::Expect(reply),
            _ if line.is_empty() || line.starts_with(';') => continue,
            _ => unreachable!("a line of a script: '{line}'"),
        };
        match scripts.last_mut() {
            Some(script) => script.lines.push(parsed),
            None => unreachable!("a line before the first script: '{line}'"),
        }
    }
    scripts
}

/// Commands that are extensions named after themselves.
const COMMANDS: &[&str] = &["perft", "move", "undo", "draw", "eval"];
/// Questions of UGI itself, and the one about extensions.
const PLAIN: &[&str] = &["protocol", "p1turn", "gameover", "result"];

/// How a command that sets an option begins.
const SETS: &str = "setoption name ";

impl Script {
    /// The extensions that the dialogue uses, and [`LEAP`] if it expects an error.
    pub(super) fn needs(&self) -> Vec<&'static str> {
        let mut needs = Vec::new();
        for line in &self.lines {
            let need = match *line {
                Line::Expect(reply) if reply.starts_with("error") => Some(LEAP),
                Line::Expect(_) => None,
                Line::Send(command) => need(command),
            };
            needs.extend(need.filter(|need| !needs.contains(need)));
        }
        needs
    }

    /// The games that the dialogue sets up, except those that it expects to be refused.
    pub(super) fn games(&self) -> impl Iterator<Item = &'static str> + '_ {
        let set = self.commands().filter(|(_, refusal)| refusal.is_none());
        set.filter_map(|(command, _)| command.strip_prefix(SETS)?.strip_prefix("Game value "))
    }

    /// The options that the dialogue sets, except those that it expects not to exist.
    fn options(&self) -> impl Iterator<Item = &'static str> + '_ {
        let is_known = |refusal: &str| !refusal.starts_with("error no-such-option");
        let set = self.commands().filter(move |(_, refusal)| refusal.is_none_or(is_known));
        set.filter_map(|(command, _)| {
            let option = command.strip_prefix(SETS)?;
            Some(option.split_once(" value ").map_or(option, |(name, _)| name))
        })
    }

    /// The commands, each with the error that it expects.
    fn commands(&self) -> impl Iterator<Item = (&'static str, Option<&'static str>)> + '_ {
        self.lines.iter().enumerate().filter_map(|(index, line)| {
            let Line::Send(command) = *line else { return None };
            let refusal = self.lines.get(index + 1).and_then(|next| match *next {
                Line::Expect(reply) if reply.starts_with("error") => Some(reply),
                _ => None,
            });
            Some((command, refusal))
        })
    }

    /// Runs the dialogue.
    pub(super) fn run(&self, engine: &mut CheckedEngine<'_>) -> StepResult {
        let mut may_grow = false;
        for line in &self.lines {
            match *line {
                Line::Send(command) => {
                    engine.send(command)?;
                    may_grow = GROWING.iter().any(|question| command.starts_with(question));
                }
                Line::Expect(pattern) => expect(engine, pattern, may_grow)?,
            }
        }
        engine.expect_ready()
    }
}

/// Questions answered by pairs, to which later versions may append further ones (SPEC 4.3).
const GROWING: &[&str] = &["query status", "query effects", "query game"];

fn need(command: &'static str) -> Option<&'static str> {
    let mut words = command.split(' ').filter(|word| !word.is_empty());
    match words.next()? {
        "query" => match words.next() {
            Some(question) if ProtocolInfo::EXTENSIONS.contains(&question) => Some(question),
            Some(question) if PLAIN.contains(&question) => None,
            _ => Some(LEAP),
        },
        "go" if words.any(|word| word == "id") => Some("id"),
        word => COMMANDS.iter().find(|name| **name == word).copied(),
    }
}

/// Reads a line and compares it. `info` lines are skipped unless one is expected.
fn expect(engine: &mut CheckedEngine<'_>, pattern: &str, may_grow: bool) -> StepResult {
    let deadline = std::time::Instant::now() + engine.ctx.patience * 2;
    loop {
        let line = engine.line(deadline, &format!("'{pattern}'"))?;
        if first_word(&line) != "info" || pattern.starts_with("info") {
            let right = matches(pattern, &line) || may_grow && matches_and_more(pattern, &line);
            return ensure(right, format!("'{pattern}'"), quoted(&line));
        }
    }
}

/// Whether the line is the pattern followed by pairs whose keys the pattern does not have.
fn matches_and_more(pattern: &str, line: &str) -> bool {
    let more = line.strip_prefix(pattern).and_then(|rest| rest.strip_prefix(' '));
    let words: Vec<&str> = more.map_or(Vec::new(), |more| more.split(' ').collect());
    let known: Vec<&str> = pattern.split(' ').collect();
    words.len() >= 2
        && words.len().is_multiple_of(2)
        && words.iter().step_by(2).all(|key| !known.contains(key))
}

/// Whether the line matches the pattern.
fn matches(pattern: &str, line: &str) -> bool {
    let mut parts = pattern.split("...");
    let Some(mut rest) = parts.next().and_then(|head| line.strip_prefix(head)) else {
        return false;
    };
    let mut last = None;
    for part in parts {
        if let Some(middle) = last.replace(part) {
            let Some((_, after)) = rest.split_once(middle) else { return false };
            rest = after;
        }
    }
    last.map_or(rest.is_empty(), |tail| rest.ends_with(tail))
}

/// Runs a script in a process in which the game of the step has been set up.
pub(super) fn run(script: &Script, ctx: &Context<'_>) -> StepResult {
    script.run(&mut ctx.set_up()?)
}

/// Runs an example in a fresh process that has not been sent anything.
pub(super) fn run_example(script: &Script, ctx: &Context<'_>) -> StepResult {
    // Engines of an earlier major version do what its examples say (SPEC 18.6).
    if ctx.info.protocol.as_ref().is_some_and(|info| info.major() == Some(1)) {
        return skip("the example is of 'leap 2.0', which the engine does not speak");
    }
    if let Some(game) = script.games().find(|game| !ctx.info.games.iter().any(|g| g == game)) {
        return skip(format!("the engine does not announce the game '{game}'"));
    }
    if let Some(option) = script.options().find(|option| ctx.info.option(option).is_none()) {
        return skip(format!("the engine does not announce the option '{option}'"));
    }
    script.run(&mut ctx.start()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_dots_match_any_run() {
        assert!(matches("response ... none", "response over false result none"));
        assert!(matches("bestmove ...", "bestmove a1b1"));
        assert!(matches("a...b...c", "a-b-b-c"));
        assert!(matches("readyok", "readyok"));
        assert!(!matches("readyok", "readyok 1"));
        assert!(!matches("a...b...c", "a-c"));
        assert!(!matches("response ... none", "response over true result p1win"));
        assert!(!matches("error illegal-move ...", "error bad-argument : x"));
    }

    #[test]
    fn further_pairs_are_let_pass_and_known_ones_are_not() {
        let pattern = "response from a1 to b2 captured c3";
        assert!(matches_and_more(pattern, "response from a1 to b2 captured c3 side 2 ply 7"));
        assert!(!matches_and_more(pattern, "response from a1 to b2 captured c3 captured d3"));
        assert!(!matches_and_more(pattern, "response from a1 to b2 captured c3 side"));
        assert!(!matches_and_more(pattern, "response from a1 to b2 captured c33"));
    }

    #[test]
    fn options_are_those_that_an_engine_must_have() {
        let text = "# 1.1 a\n> setoption name Hash value 0\n< error out-of-range ...\n\
                    > setoption name Clear Hash\n> setoption name Colour value red\n\
                    < error no-such-option ...\n> isready\n< readyok\n";
        let scripts = parse(text);
        assert_eq!(scripts[0].options().collect::<Vec<_>>(), ["Hash", "Clear Hash"]);
    }

    #[test]
    fn needs_are_the_extensions_used() {
        let text = "# 1.1 a\n> query fen\n> go depth 1 id 3\n> perft 2\n< error x\n> query p1turn\n> query fen\n";
        assert_eq!(parse(text)[0].needs(), ["fen", "id", "perft", LEAP]);
    }
}
