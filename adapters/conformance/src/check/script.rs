//! Scripts: transcripts (SPEC 16) whose sections are steps of their own.
//!
//! A section begins with a comment `# SPEC <clause>: <name>`. Its lines are compared as those of a pinned transcript.

use leap_protocol::payload::ProtocolInfo;
use leap_transcript::{Entry, Expected, LineRules, Pattern, Rule, Sent, Transcript};

use super::context::Context;
use super::context::LEAP;
use super::engine::{CheckedEngine, first_word, quoted};
use super::outcome::{StepResult, ensure, skip};

/// One section.
#[derive(Clone, Debug)]
pub(super) struct Script {
    pub(super) clause: String,
    pub(super) name: String,
    lines: Transcript,
    rules: LineRules,
}

/// Parses a file of scripts.
///
/// # Panics
/// If it is no transcript, or a line belongs to no section or is not compared: the files are part of the program.
pub(super) fn parse(text: &str) -> Vec<Script> {
    let transcript: Transcript =
        text.parse().unwrap_or_else(|error| unreachable!("a file of scripts: {error}"));
    let mut sections: Vec<(String, String, Transcript)> = Vec::new();
    for entry in transcript.entries {
        match (&entry, sections.last_mut()) {
            (Entry::Comment(title), _) if title.starts_with(TITLE) => {
                let (clause, name) = title[TITLE.len()..].split_once(": ").unwrap_or_default();
                sections.push((clause.to_owned(), name.to_owned(), Transcript::default()));
            }
            (Entry::Sent(_) | Entry::Expected(_), Some((_, _, lines))) => lines.entries.push(entry),
            (Entry::Sent(_) | Entry::Expected(_), None) => {
                unreachable!("a line before the first section: '{entry}'")
            }
            _ => {}
        }
    }
    let script = |(clause, name, lines): (String, String, Transcript)| {
        let rules = lines.rules(true);
        let is_compared = |index| matches!(rules.get(index), None | Some(Rule::Pattern(_)));
        let are_compared = (0..lines.entries.len()).all(is_compared);
        assert!(are_compared, "{clause} {name}: a line that any engine may write in its own way");
        Script { clause, name, lines, rules }
    };
    sections.into_iter().map(script).collect()
}

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
        for entry in &self.lines.entries {
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
        let entries = &self.lines.entries;
        entries.iter().enumerate().filter_map(|(index, entry)| {
            let Entry::Sent(Sent::Line(command)) = entry else { return None };
            Some((command.as_str(), entries.get(index + 1).and_then(refusal)))
        })
    }

    /// Runs the dialogue.
    pub(super) fn run(&self, engine: &mut CheckedEngine<'_>) -> StepResult {
        let mut may_grow = false;
        for (index, entry) in self.lines.entries.iter().enumerate() {
            if let Entry::Sent(Sent::Line(command)) = entry {
                engine.send(command)?;
                may_grow = GROWING.iter().any(|question| command.starts_with(question));
            } else if let Some(Rule::Pattern(pattern)) = self.rules.get(index) {
                expect(engine, pattern, may_grow)?;
            }
        }
        engine.expect_ready()
    }
}

/// Reads a line and compares it. `info` lines are skipped unless one is expected.
fn expect(engine: &mut CheckedEngine<'_>, pattern: &Pattern, may_grow: bool) -> StepResult {
    let deadline = std::time::Instant::now() + engine.ctx.patience * 2;
    let pattern_text = pattern.to_string();
    let expected = format!("'{pattern_text}'");
    loop {
        let line = engine.line(deadline, &expected)?;
        if first_word(&line) != "info" || pattern_text.starts_with("info") {
            let right =
                pattern.matches(&line) || may_grow && matches_and_more(&pattern_text, &line);
            return ensure(right, expected, quoted(&line));
        }
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

/// Questions answered by pairs, to which later versions may append further ones (SPEC 4.3).
const GROWING: &[&str] = &["query status", "query effects", "query game"];

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

/// Whether the line is the pattern followed by pairs whose keys the pattern does not have.
fn matches_and_more(pattern: &str, line: &str) -> bool {
    let more = line.strip_prefix(pattern).and_then(|rest| rest.strip_prefix(' '));
    let words: Vec<&str> = more.map_or(Vec::new(), |more| more.split(' ').collect());
    let known: Vec<&str> = pattern.split(' ').collect();
    words.len() >= 2
        && words.len().is_multiple_of(2)
        && words.iter().step_by(2).all(|key| !known.contains(key))
}

/// Runs a script in a process in which the game of the step has been set up.
pub(super) fn run(script: &Script, ctx: &Context<'_>) -> StepResult {
    script.run(&mut ctx.set_up()?)
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
        parse(&format!("ugt 1\n# SPEC 1.1: a\n{lines}")).remove(0)
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
        let script = script(
            "> setoption name Hash value 0\n< error out-of-range ...\n> setoption name Clear Hash\n\
             > setoption name Colour value red\n< error no-such-option ...\n> isready\n< readyok\n",
        );
        assert_eq!((&*script.clause, &*script.name), ("1.1", "a"));
        assert_eq!(script.options().collect::<Vec<_>>(), ["Hash", "Clear Hash"]);
    }

    #[test]
    fn needs_are_the_extensions_used() {
        let text =
            "> query fen\n> go depth 1 id 3\n> perft 2\n< error x\n> query p1turn\n> query fen\n";
        assert_eq!(script(text).needs(), ["fen", "id", "perft", LEAP]);
    }
}
