//! The rules of a game as a text for people: the lines that answer `query rules`.

use std::fmt;

use nom::Parser;
use nom::combinator::{cut, map_opt, opt, verify};
use nom::error::Error;
use nom::sequence::{preceded, separated_pair};

use super::{COLON, Effects, GameResult, PayloadError, Status, Tally, Task};
use crate::print::spaced;
use crate::scan::{keyword, number, owned, phrase, text, whole, word, words};
use crate::visible::OneLine;

/// The answer to `query rules`: the rules of the game for people (SPEC 4.34).
///
/// It says how the pieces move and what to do next, what the options mean, and how to word other answers.
///
/// ```
/// use leap_protocol::payload::Guide;
///
/// let mut rules = Guide::default();
/// for line in [
///     "language en of en es",
///     "clause Aim : Reach the last square.",
///     "example fen r7 1 - 0 0 move a1b1 effects from a1 to b1 : The runner goes one square.",
///     "prompt first : choose the runner",
/// ] {
///     rules.push(line)?;
/// }
/// assert_eq!(rules.clauses[0].examples[0].fen, "r7 1 - 0 0");
/// assert_eq!(rules.prompt("first"), Some("choose the runner"));
/// assert_eq!(rules.lines()[3], "prompt first : choose the runner");
/// # Ok::<(), leap_protocol::payload::PayloadError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Guide {
    /// The language of the texts, a tag such as `en`.
    pub language: String,
    /// The tags of all languages that the engine has.
    pub languages: Vec<String>,
    /// The name of the game.
    pub title: String,
    /// The rules in reading order.
    pub clauses: Vec<Clause>,
    /// What is awaited for each kind of token that `query next` offers. A kind is a word: `first`, `step`, `drop`,
    /// `remove` or `end`.
    pub prompts: Vec<(String, String)>,
    /// The rule options.
    pub options: Vec<RuleOption>,
    /// Words of other answers (names of pieces, colours, tallies, reasons), and how people say them.
    pub words: Vec<(String, String)>,
    /// Endings that have a text of their own.
    pub endings: Vec<Ending>,
    /// The same endings as the losing side is told of them.
    pub losses: Vec<Ending>,
    /// Reasons of endings as the losing side is told of them, where none of the `losses` applies.
    pub loss_words: Vec<(String, String)>,
}

/// The text for an ending in which the losing side has a certain number of something (SPEC 4.40).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ending {
    /// The reason of the ending, a word.
    pub reason: String,
    /// The name of a tally in `query status`, a word.
    pub key: String,
    /// That number of the losing side.
    pub count: i64,
    /// The text for people.
    pub text: String,
}

/// A paragraph of the rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clause {
    /// What it is about, without a `:` that stands alone.
    pub heading: String,
    /// The paragraph.
    pub text: String,
    /// Positions that show it.
    pub examples: Vec<Example>,
    /// Positions in which a person tries it.
    pub tasks: Vec<Task>,
}

/// A position that shows a rule, and perhaps a move in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    /// The position text.
    pub fen: String,
    /// The move, a word, and what it does.
    pub mv: Option<(String, Effects)>,
    /// What the position shows.
    pub caption: String,
}

/// A rule option, described.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleOption {
    /// The name of the option, a word.
    pub name: String,
    /// A short name for people, without a `:` that stands alone.
    pub label: String,
    /// What it changes.
    pub text: String,
    /// Values, each a word, and their names for people.
    pub values: Vec<(String, String)>,
}

impl Guide {
    /// Takes one more line of the answer, without the word `rules`. Lines of a later version are skipped.
    ///
    /// # Errors
    /// The line is not of the form that its first word announces, or lacks the line that it belongs to.
    pub fn push(&mut self, line: &str) -> Result<(), PayloadError> {
        self.take(line).ok_or_else(|| PayloadError::new("a line of the rules", line))
    }

    fn take(&mut self, line: &str) -> Option<()> {
        let (rest, key) = word::<Error<_>>(line).ok()?;
        match key {
            "language" => {
                let (tag, _, all) = whole((word, keyword("of"), words), rest)?;
                (self.language, self.languages) = (tag.to_owned(), all);
            }
            "title" => self.title = whole(text, rest)?.to_owned(),
            "clause" => {
                let (heading, text) = labelled(rest)?;
                self.clauses.push(Clause {
                    heading,
                    text,
                    examples: Vec::new(),
                    tasks: Vec::new(),
                });
            }
            "example" => self.clauses.last_mut()?.examples.push(Example::parse(rest)?),
            "task" => {
                let (head, text) = labelled(rest)?;
                self.clauses.last_mut()?.tasks.push(Task::parse(&head, text)?);
            }
            "prompt" => self.prompts.push(explained(rest)?),
            "option" => {
                let (name, rest) = explained(rest)?;
                let (label, text) = labelled(&rest)?;
                self.options.push(RuleOption { name, label, text, values: Vec::new() });
            }
            "value" => {
                let (rest, name) = word::<Error<_>>(rest).ok()?;
                let option = self.options.iter_mut().find(|option| option.name == name)?;
                option.values.push(explained(rest)?);
            }
            "word" => self.words.push(explained(rest)?),
            "ending" => self.endings.push(Ending::parse(rest)?),
            "loss" => match Ending::parse(rest) {
                Some(loss) => self.losses.push(loss),
                None => self.loss_words.push(explained(rest)?),
            },
            _ => {}
        }
        Some(())
    }

    /// The lines of the answer, without the word `rules` and without the last, `rulesok`.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if !self.language.is_empty() {
            let languages = self.languages.iter().map(|tag| format!(" {tag}"));
            lines.push(format!("language {} of{}", self.language, languages.collect::<String>()));
        }
        if !self.title.is_empty() {
            lines.push(format!("title {}", self.title));
        }
        for Clause { heading, text, examples, tasks } in &self.clauses {
            lines.push(format!("clause {}", Labelled(heading, text)));
            lines.extend(examples.iter().map(|example| format!("example {example}")));
            lines.extend(tasks.iter().map(|task| format!("task {task}")));
        }
        lines.extend(lines_of("prompt", &self.prompts));
        for RuleOption { name, label, text, values } in &self.options {
            lines.push(format!("option {name} : {}", Labelled(label, text)));
            lines.extend(lines_of(&format!("value {name}"), values));
        }
        lines.extend(lines_of("word", &self.words));
        lines.extend(self.endings.iter().map(|ending| format!("ending {ending}")));
        lines.extend(self.losses.iter().map(|loss| format!("loss {loss}")));
        lines.extend(lines_of("loss", &self.loss_words));
        lines.iter().map(|line| OneLine(line).to_string()).collect()
    }

    /// What is awaited when `query next` offers a token of this kind.
    #[must_use]
    pub fn prompt(&self, kind: &str) -> Option<&str> {
        of(&self.prompts, kind)
    }

    /// The option of this name, described.
    #[must_use]
    pub fn option(&self, name: &str) -> Option<&RuleOption> {
        self.options.iter().find(|option| option.name == name)
    }

    /// How people say a word of another answer; the word itself where nothing is told of it.
    #[must_use]
    pub fn word<'a>(&'a self, word: &'a str) -> &'a str {
        of(&self.words, word).unwrap_or(word)
    }

    /// How people say why a game is over: the ending that applies, else the word of the reason.
    ///
    /// ```
    /// use leap_protocol::payload::Guide;
    ///
    /// let mut rules = Guide::default();
    /// rules.push("word no-moves : the other side cannot move")?;
    /// rules.push("ending no-moves men 0 : all men of the other side are captured")?;
    /// let status = |men| format!("over true result p1win reason no-moves turn p2 ply 9 quiet 0 repetitions 1 men {men}");
    /// assert_eq!(rules.ending(&status("3-0").parse()?), "all men of the other side are captured");
    /// assert_eq!(rules.ending(&status("0-3").parse()?), "the other side cannot move");
    /// # Ok::<(), leap_protocol::payload::PayloadError>(())
    /// ```
    #[must_use]
    pub fn ending<'a>(&'a self, status: &'a Status) -> &'a str {
        let ending = self.endings.iter().find(|ending| ending.applies(status));
        ending.map_or_else(|| self.word(&status.reason), |ending| &ending.text)
    }

    /// Why a game is lost, as the losing side is told (SPEC 4.40b): without a text of its own, the [`Guide::ending`].
    ///
    /// ```
    /// use leap_protocol::payload::Guide;
    ///
    /// let mut rules = Guide::default();
    /// rules.push("loss no-moves men 0 : all your men are captured")?;
    /// rules.push("loss no-moves : you cannot move")?;
    /// let status = |men| format!("over true result p1win reason no-moves turn p2 ply 9 quiet 0 repetitions 1 men {men}");
    /// assert_eq!(rules.loss(&status("3-0").parse()?), "all your men are captured");
    /// assert_eq!(rules.loss(&status("0-3").parse()?), "you cannot move");
    /// # Ok::<(), leap_protocol::payload::PayloadError>(())
    /// ```
    #[must_use]
    pub fn loss<'a>(&'a self, status: &'a Status) -> &'a str {
        let loss = self.losses.iter().find(|loss| loss.applies(status));
        let text = loss.map(|loss| loss.text.as_str());
        text.or_else(|| of(&self.loss_words, &status.reason)).unwrap_or_else(|| self.ending(status))
    }
}

/// The text of the first pair with this word.
fn of<'a>(pairs: &'a [(String, String)], word: &str) -> Option<&'a str> {
    pairs.iter().find(|(known, _)| known == word).map(|(_, text)| text.as_str())
}

impl RuleOption {
    /// The name of a value for people.
    #[must_use]
    pub fn value(&self, value: &str) -> Option<&str> {
        of(&self.values, value)
    }
}

impl Ending {
    /// Whether the game is over for this reason, and the losing side has this number.
    fn applies(&self, status: &Status) -> bool {
        let Some(Tally::Each(p1, p2)) = status.tally(&self.key) else { return false };
        let lost = match status.result {
            GameResult::P1Win => p2,
            GameResult::P2Win => p1,
            GameResult::Draw | GameResult::None => return false,
        };
        status.reason == self.reason && lost == self.count
    }

    fn parse(body: &str) -> Option<Self> {
        let name = || verify(owned, |word: &str| word != COLON);
        let text = preceded(keyword(COLON), text).map(str::to_owned);
        let ending = (name(), name(), number, text);
        whole(ending.map(|(reason, key, count, text)| Self { reason, key, count, text }), body)
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { reason, key, count, text } = self;
        write!(f, "{reason} {key} {count} {COLON}")?;
        spaced(f, text)
    }
}

impl Example {
    fn parse(body: &str) -> Option<Self> {
        let (head, caption) = labelled(body)?;
        let fen = preceded(keyword("fen"), phrase(&["move"]));
        let effects = opt(preceded(keyword("effects"), text)).map(Option::unwrap_or_default);
        let effects = map_opt(effects, |effects: &str| effects.parse().ok());
        let mv = opt(preceded(keyword("move"), cut((owned, effects))));
        let (fen, mv) = whole((verify(fen, |fen: &str| !fen.is_empty()), mv), &head)?;
        Some(Self { fen, mv, caption })
    }
}

impl fmt::Display for Example {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "fen {}", self.fen)?;
        if let Some((mv, effects)) = &self.mv {
            write!(f, " move {mv} effects")?;
            spaced(f, &effects.to_string())?;
        }
        f.write_str(" :")?;
        spaced(f, &self.caption)
    }
}

/// The words before the first `:` that stands alone, joined by single blanks, and the text after it.
fn labelled(body: &str) -> Option<(String, String)> {
    whole(separated_pair(phrase(&[COLON]), keyword(COLON), text.map(str::to_owned)), body)
}

/// A word, `:` and a text.
fn explained(body: &str) -> Option<(String, String)> {
    let name = verify(owned, |word: &str| word != COLON);
    whole(separated_pair(name, keyword(COLON), text.map(str::to_owned)), body)
}

/// Lines that begin with this word.
fn lines_of(word: &str, pairs: &[(String, String)]) -> impl Iterator<Item = String> {
    pairs.iter().map(move |(label, text)| format!("{word} {}", Labelled(label, text)))
}

/// Prints as [`labelled`] reads.
struct Labelled<'a>(&'a str, &'a str);

impl fmt::Display for Labelled<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {COLON}", self.0)?;
        spaced(f, self.1)
    }
}
