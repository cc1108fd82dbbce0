//! How expected lines are compared (SPEC 16.11 to 16.14).

use leap_protocol::Reply;

use crate::context::Context;
use crate::pattern::WILDCARD;
use crate::{Entry, Exit, Expected, Pattern, Transcript};

/// How one expected line is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rule {
    /// The line must fit the pattern.
    Pattern(Pattern),
    /// The regular expression must match the line as a whole.
    Regex(String),
    /// The line must be a `bestmove` with a legal move (SPEC 16.13).
    AnyMove {
        /// The id that it must carry.
        id: Option<String>,
        /// Whether it may name an expected reply.
        ponder: bool,
    },
    /// The line is neither waited for nor compared.
    Ignored,
    /// The line must not be valid UTF-8.
    NotUtf8,
    /// The line must exceed the limit.
    TooLong,
    /// The engine must end, with this status if it is given.
    End(Option<Exit>),
}

/// Lines of one stream keep their order; lines of different streams may interleave in any order (SPEC 16.17).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stream {
    /// Results of searches and perft.
    Search,
    /// All other lines.
    Reply,
}

impl Stream {
    /// The stream that a line belongs to, by its first words.
    #[must_use]
    pub fn of(line: &str) -> Self {
        let mut words = line.split_ascii_whitespace();
        match (words.next(), words.next()) {
            (Some("bestmove" | "perft"), _) | (Some("info"), Some("perft")) => Self::Search,
            _ => Self::Reply,
        }
    }
}

impl Entry {
    /// The stream that the expected line belongs to; that of replies where no line is expected.
    #[must_use]
    pub fn stream(&self) -> Stream {
        match self {
            Self::Expected(
                Expected::Default(line)
                | Expected::Exact(line)
                | Expected::Regex(line)
                | Expected::AnyMove(line),
            ) => Stream::of(line),
            _ => Stream::Reply,
        }
    }
}

/// How the expected lines of a transcript are compared.
#[derive(Debug, Clone)]
pub struct LineRules {
    /// One for each entry.
    rules: Vec<Option<Rule>>,
    pinned: bool,
    /// Texts of `<*`.
    ignored: Vec<String>,
    /// For each entry, whether it stands among the lines of a perft that is going to be stopped.
    in_stopped_perft: Vec<bool>,
    /// The `quit` during a search: after it, a `bestmove` does not count.
    quit: Option<usize>,
    leaves_search: bool,
}

impl LineRules {
    pub(crate) fn new(transcript: &Transcript, pinned: bool) -> Self {
        let in_stopped_perft = stopped_perfts(&transcript.entries);
        let mut context = Context::new(transcript, pinned);
        let mut rules = Self {
            rules: Vec::with_capacity(transcript.entries.len()),
            pinned,
            ignored: Vec::new(),
            in_stopped_perft,
            quit: None,
            leaves_search: false,
        };
        for (index, entry) in transcript.entries.iter().enumerate() {
            let rule = match entry {
                Entry::Expected(expected) => {
                    Some(rules.make(&mut context, expected, rules.is_in_stopped_perft(index)))
                }
                _ => None,
            };
            rules.rules.push(rule);
            if let Entry::Expected(Expected::Ignored(line)) = entry {
                rules.ignored.push(line.clone());
            }
            context.pass(entry);
            if context.has_quit && rules.quit.is_none() {
                rules.quit = Some(index);
            }
        }
        rules.leaves_search = context.is_searching();
        rules
    }

    /// The rule for the entry with this index; `None` if it is not an [`Entry::Expected`].
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&Rule> {
        self.rules.get(index)?.as_ref()
    }

    /// Whether the engine may write this line while the entry with this index is awaited. At the end, the index is the
    /// number of entries.
    #[must_use]
    pub fn may_come(&self, line: &str, index: usize) -> bool {
        let mut words = line.split_ascii_whitespace();
        let by_kind = match (words.next(), words.next()) {
            (Some("info"), Some("perft")) => self.is_in_stopped_perft(index),
            (Some("info"), _) => true,
            (Some("id" | "option" | "rules"), _) => !self.pinned,
            (Some("bestmove"), _) => self.quit.is_some_and(|quit| index > quit),
            _ => false,
        };
        by_kind || self.ignored.iter().any(|ignored| ignored == line)
    }

    /// Whether the transcript ends while a search or perft is still running.
    #[must_use]
    pub fn leaves_search(&self) -> bool {
        self.leaves_search
    }

    fn is_in_stopped_perft(&self, index: usize) -> bool {
        self.in_stopped_perft.get(index).copied().unwrap_or_default()
    }

    fn make(&self, context: &mut Context, expected: &Expected, in_stopped_perft: bool) -> Rule {
        // A `bestmove` ends its search, however it is compared.
        let reproducible = match expected {
            Expected::Default(line)
            | Expected::Exact(line)
            | Expected::AnyMove(line)
            | Expected::Regex(line)
                if first_word(line) == "bestmove" =>
            {
                context.end_search()
            }
            _ => false,
        };
        match expected {
            Expected::Default(line) => default_rule(context, line, reproducible, in_stopped_perft),
            Expected::Exact(line) => Rule::Pattern(Pattern::exact(line)),
            Expected::Regex(regex) => Rule::Regex(regex.clone()),
            Expected::AnyMove(line) => any_move(context, line),
            Expected::Ignored(_) => Rule::Ignored,
            Expected::Bytes(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => Rule::Pattern(Pattern::exact(text)),
                Err(_) => Rule::NotUtf8,
            },
            Expected::TooLong => Rule::TooLong,
            Expected::End(exit) => Rule::End(*exit),
        }
    }
}

/// The table of SPEC 16.12, row by row.
fn default_rule(context: &Context, line: &str, reproducible: bool, in_stopped_perft: bool) -> Rule {
    let exactly_if_pinned = |otherwise| {
        if context.pinned { Rule::Pattern(Pattern::exact(line)) } else { otherwise }
    };
    if line.contains(WILDCARD) {
        return Rule::Pattern(pattern(line));
    }
    let mut words = line.split_whitespace();
    match (words.next().unwrap_or_default(), words.next().unwrap_or_default()) {
        ("info", "perft") if in_stopped_perft => Rule::Ignored,
        ("info", "perft") => Rule::Pattern(pattern(line)),
        ("info", _) => Rule::Ignored,
        ("id" | "option" | "rules", _) => exactly_if_pinned(Rule::Ignored),
        ("perft", depth) if is_stopped_perft(line) => {
            Rule::Pattern(Pattern::wildcards(&format!("perft {depth} {WILDCARD}")))
        }
        (first @ "draw", _) => exactly_if_pinned(any_of(first)),
        (first @ "response", _) if context.asked_eval => exactly_if_pinned(any_of(first)),
        ("bestmove", _) if context.has_quit => Rule::Ignored,
        ("bestmove", "none") => Rule::Pattern(Pattern::exact(line)),
        ("bestmove", _) if reproducible => exactly_if_pinned(any_move(context, line)),
        ("bestmove", _) => any_move(context, line),
        _ => Rule::Pattern(pattern(line)),
    }
}

/// Stands before the text for people of a refusal.
const COLON: &str = " : ";

/// A refusal without its text for people, which may be reworded (SPEC 16.11). `None` for any other line.
///
/// ```
/// use leap_transcript::without_text;
///
/// let line = "error illegal-move index 1 : why not";
/// assert_eq!(without_text(line), Some("error illegal-move index 1"));
/// assert_eq!(without_text("response 8/8 : 1"), None);
/// ```
#[must_use]
pub fn without_text(line: &str) -> Option<&str> {
    let refusals = ["error ", "response false ", "response entered "];
    let is_refusal = refusals.iter().any(|refusal| line.starts_with(refusal));
    line.split_once(COLON).filter(|_| is_refusal).map(|(fixed, _)| fixed)
}

/// The line with wildcards where SPEC 16.11 puts them.
fn pattern(line: &str) -> Pattern {
    if let Some(fixed) = without_text(line) {
        return Pattern::wildcards(&format!("{fixed}{COLON}{WILDCARD}"));
    }
    if first_word(line) == "perft" {
        return Pattern::wildcards(&without_times(line));
    }
    Pattern::wildcards(line)
}

/// The line with the values of `time` and `nps` made wildcards.
fn without_times(line: &str) -> String {
    let mut words: Vec<&str> = Vec::new();
    for word in line.split(' ') {
        let is_time = matches!(words.last(), Some(&("time" | "nps")));
        words.push(if is_time { WILDCARD } else { word });
    }
    words.join(" ")
}

fn any_of(first: &str) -> Rule {
    Rule::Pattern(Pattern::wildcards(&format!("{first} {WILDCARD}")))
}

fn any_move(context: &Context, line: &str) -> Rule {
    match Reply::parse_strict(line) {
        Reply::BestMove { ponder, id, .. } => {
            Rule::AnyMove { id, ponder: ponder.is_some() || context.ponder }
        }
        // Not a well-formed `bestmove`: nothing in it can vary.
        _ => Rule::Pattern(Pattern::exact(line)),
    }
}

fn first_word(line: &str) -> &str {
    line.split_whitespace().next().unwrap_or_default()
}

fn is_stopped_perft(line: &str) -> bool {
    first_word(line) == "perft" && line.trim_end().ends_with(" stopped true")
}

/// For each entry, whether the next `perft` line belongs to a stopped perft. Its number of `info perft` lines depends
/// on time.
fn stopped_perfts(entries: &[Entry]) -> Vec<bool> {
    let mut stopped = false;
    let mut flags: Vec<bool> = entries
        .iter()
        .rev()
        .map(|entry| {
            if let Entry::Expected(Expected::Default(line) | Expected::Exact(line)) = entry
                && first_word(line) == "perft"
            {
                stopped = is_stopped_perft(line);
            }
            stopped
        })
        .collect();
    flags.reverse();
    flags
}
