//! Scripts: transcripts (SPEC 16), whose sections are steps of their own if they have titles.
//!
//! A section begins with a comment `# SPEC <clause>: <name>`. Its lines are compared as those of a pinned transcript.

use anyhow::{Context as _, anyhow, ensure};
use leap_protocol::payload::ProtocolInfo;
use leap_transcript::{Entry, Expected, Rule, Sent, Transcript};

use super::context::{Context, LEAP, shorten};
use super::engine::CheckedEngine;
use super::outcome::{StepResult, fail, skip};
use crate::runner::{self, Difference};

/// One section.
#[derive(Clone, Debug)]
pub(super) struct Script {
    /// The game of the file.
    pub(super) game: Option<String>,
    pub(super) clause: String,
    pub(super) name: String,
    lines: runner::Script,
}

/// Parses a file of scripts. A file without sections is one, with this name.
///
/// # Errors
/// The line, and what was expected there.
pub(super) fn parse(text: &str, name: &str) -> anyhow::Result<Vec<Script>> {
    let transcript: Transcript = text.parse()?;
    let game = transcript.game().map(str::to_owned);
    let options = transcript.entries.iter().filter(|entry| matches!(entry, Entry::Option { .. }));
    // The game is set up with the process; its options belong to every section.
    let header = Transcript { entries: options.cloned().collect() };
    let rules = transcript.rules(true);
    let mut sections: Vec<(String, String, Transcript)> = Vec::new();
    for (index, entry) in transcript.entries.into_iter().enumerate() {
        let line = || format!("line {}", Transcript::line_of(index));
        if let Some(Rule::AnyMove { .. }) = rules.get(index) {
            let expected =
                "expected a move that is compared: '<= bestmove ...' or '< bestmove ...'";
            return Err(anyhow!(expected)).with_context(line);
        }
        match &entry {
            Entry::Comment(title) if title.starts_with(TITLE) => {
                let (clause, name) = title[TITLE.len()..].split_once(": ").unwrap_or_default();
                sections.push((clause.to_owned(), name.to_owned(), header.clone()));
            }
            Entry::Sent(_) | Entry::Expected(_) => {
                if sections.is_empty() {
                    sections.push((NO_CLAUSE.to_owned(), name.to_owned(), header.clone()));
                }
                sections.iter_mut().rev().take(1).for_each(|(.., lines)| {
                    lines.entries.push(entry.clone());
                });
            }
            _ => {}
        }
    }
    ensure!(!sections.is_empty(), "expected lines of a client and an engine, found none");
    let script = |(clause, name, lines)| {
        let lines = runner::Script::new(lines)?;
        Ok(Script { game: game.clone(), clause, name, lines })
    };
    sections.into_iter().map(script).collect()
}

/// The clause of a script whose title names none.
const NO_CLAUSE: &str = "16";

/// How the comment that begins a section begins.
const TITLE: &str = " SPEC ";

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
        for entry in &self.lines.transcript.entries {
            let need = match entry {
                Entry::Sent(Sent::Line(command)) => need(command),
                entry => refusal(entry).map(|_| LEAP),
            };
            needs.extend(need.filter(|need| !needs.contains(need)));
        }
        needs
    }

    /// The games that the dialogue sets up, except those that it expects to be refused.
    pub(super) fn games(&self) -> impl Iterator<Item = &str> {
        let set = self.commands().filter(|(_, refusal)| refusal.is_none());
        set.filter_map(|(command, _)| command.strip_prefix(SETS)?.strip_prefix("Game value "))
    }

    /// The options that the dialogue sets, except those that it expects not to exist.
    fn options(&self) -> impl Iterator<Item = &str> {
        let is_known = |refusal: &str| !refusal.starts_with("error no-such-option");
        let set = self.commands().filter(move |(_, refusal)| refusal.is_none_or(is_known));
        set.filter_map(|(command, _)| {
            let option = command.strip_prefix(SETS)?;
            Some(option.split_once(" value ").map_or(option, |(name, _)| name))
        })
    }

    /// The commands, each with the error that it expects.
    fn commands(&self) -> impl Iterator<Item = (&str, Option<&str>)> {
        let entries = &self.lines.transcript.entries;
        entries.iter().enumerate().filter_map(|(index, entry)| {
            let Entry::Sent(Sent::Line(command)) = entry else { return None };
            Some((command.as_str(), entries.get(index + 1).and_then(refusal)))
        })
    }

    /// Runs the dialogue.
    pub(super) fn run(&self, engine: &mut CheckedEngine<'_>) -> StepResult {
        let timeout = engine.ctx.patience * 2;
        let fail = |Difference { expected, found, .. }| fail(expected, shorten(&found));
        self.lines.run(engine, timeout).or_else(fail)?;
        engine.expect_ready()
    }
}

/// The error that an entry expects, if it does.
fn refusal(entry: &Entry) -> Option<&str> {
    match entry {
        Entry::Expected(Expected::Default(line) | Expected::Exact(line)) => {
            line.starts_with("error").then_some(line)
        }
        _ => None,
    }
}

fn need(command: &str) -> Option<&'static str> {
    let mut words = command.split(' ').filter(|word| !word.is_empty());
    match words.next()? {
        "query" => match words.next() {
            Some(question) if PLAIN.contains(&question) => None,
            question => {
                let known = ProtocolInfo::EXTENSIONS.iter().copied();
                Some(known.clone().find(|known| question == Some(known)).unwrap_or(LEAP))
            }
        },
        "go" if words.any(|word| word == "id") => Some("id"),
        word => COMMANDS.iter().find(|name| **name == word).copied(),
    }
}

/// Runs an example in a fresh process that has not been sent anything.
pub(super) fn run_example(script: &Script, ctx: &Context<'_>) -> StepResult {
    // Engines of an earlier major version do what its examples say (SPEC 18.6).
    if ctx.info.protocol.as_ref().is_some_and(|info| info.major() == Some(1)) {
        return skip("the example is of 'leap 2', which the engine does not speak");
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

    fn script(lines: &str) -> Script {
        parse(&format!("ugt 1\n# SPEC 1.1: a\n{lines}"), "b").unwrap().remove(0)
    }

    #[test]
    fn options_are_those_that_an_engine_must_have() {
        let script = script(
            "> setoption name Hash value 0\n< error out-of-range ...\n> setoption name Clear Hash\n\
             > setoption name Colour value red\n< error no-such-option ...\n> isready\n< readyok\n",
        );
        assert_eq!((&*script.clause, &*script.name), ("1.1", "a"));
        assert_eq!(script.options().collect::<Vec<_>>(), ["Hash", "Clear Hash"]);
    }

    #[test]
    fn a_file_without_sections_is_one_and_its_moves_must_be_compared() {
        let found = parse("ugt 1\ngame hex\noption name Size value 5\n> isready\n", "b").unwrap();
        let [script] = &found[..] else { panic!("{found:?}") };
        assert_eq!((script.game.as_deref(), &*script.name), (Some("hex"), "b"));
        for text in ["ugt 1\n> go movetime 9\n< bestmove a1\n", "ugt 1\n# only this\n"] {
            assert!(parse(text, "b").is_err(), "{text}");
        }
    }

    #[test]
    fn needs_are_the_extensions_used() {
        let text =
            "> query fen\n> go depth 1 id 3\n> perft 2\n< error x\n> query p1turn\n> query fen\n";
        assert_eq!(script(text).needs(), ["fen", "id", "perft", LEAP]);
    }
}
