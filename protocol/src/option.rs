//! The `option` line: one setting of the engine, declared (SPEC 8).

use std::fmt;

use nom::Parser;

use crate::scan::{keyword, number, text, whole, word};
use crate::visible::OneLine;

/// A setting that the engine offers: `option name <name> type <type> ...`.
///
/// ```
/// use leap_protocol::{OptionDecl, OptionKind, Reply};
///
/// let hash = OptionDecl {
///     name: "Hash".to_owned(),
///     kind: OptionKind::Spin { default: 16, min: 1, max: 1024 },
/// };
/// assert_eq!(hash.to_string(), "option name Hash type spin default 16 min 1 max 1024");
/// assert_eq!(Reply::parse(&hash.to_string()), Reply::Option(hash));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionDecl {
    /// One or more words joined by single spaces, none of them `type`. Names compare without regard to letter case.
    pub name: String,
    /// Its type, with default and range.
    pub kind: OptionKind,
}

/// The type of an option. Texts are words joined by single spaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OptionKind {
    /// `true` or `false`.
    Check {
        /// The value before any `setoption`.
        default: bool,
    },
    /// A whole number.
    Spin {
        /// The value before any `setoption`.
        default: i64,
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// One of a list of texts.
    Combo {
        /// The value before any `setoption`.
        default: String,
        /// The list, in the engine's order. No text is empty or has a word `var` or `default`.
        vars: Vec<String>,
    },
    /// No value: setting it does something.
    Button,
    /// Any text on one line.
    String {
        /// The value before any `setoption`; an empty one is printed as `<empty>`.
        default: String,
    },
}

impl OptionKind {
    /// The value before any `setoption`, as text; `None` for a button.
    ///
    /// ```
    /// # use leap_protocol::OptionKind;
    /// assert_eq!(OptionKind::Check { default: true }.default().as_deref(), Some("true"));
    /// assert_eq!(OptionKind::Button.default(), None);
    /// ```
    #[must_use]
    pub fn default(&self) -> Option<String> {
        match self {
            Self::Check { default } => Some(default.to_string()),
            Self::Spin { default, .. } => Some(default.to_string()),
            Self::Combo { default, .. } | Self::String { default } => Some(default.clone()),
            Self::Button => None,
        }
    }
}

/// How an empty text is written, in `option` lines and in `setoption`.
pub const EMPTY: &str = "<empty>";

impl OptionDecl {
    /// Parses what follows the word `option`.
    pub(crate) fn parse_body(input: &str) -> Option<Self> {
        let (rest, _name) = keyword("name").parse(input).ok()?;
        let (rest, name) = words_until(rest, &["type"]);
        let (rest, (_type, kind)) = (keyword("type"), word).parse(rest).ok()?;
        let kind = match kind {
            "check" => check(rest),
            "spin" => spin(rest),
            "combo" => combo(rest),
            "button" => whole(|input| Ok((input, OptionKind::Button)), rest),
            "string" => string(rest),
            _ => None,
        };
        kind.filter(|_| !name.is_empty()).map(|kind| Self { name, kind })
    }
}

fn check(input: &str) -> Option<OptionKind> {
    let (_, value) = whole((keyword("default"), word), input)?;
    value.parse().ok().map(|default| OptionKind::Check { default })
}

/// Accepts the three keys in any order, as engines differ.
fn spin(input: &str) -> Option<OptionKind> {
    let (mut default, mut min, mut max) = (None, None, None);
    let mut rest = input;
    while let Ok((after, key)) = word(rest) {
        let slot = match key {
            "default" => &mut default,
            "min" => &mut min,
            "max" => &mut max,
            _ => return None,
        };
        let (after, value) = number(after).ok()?;
        if slot.replace(value).is_some() {
            return None;
        }
        rest = after;
    }
    Some(OptionKind::Spin { default: default?, min: min?, max: max? })
}

/// Accepts the default in any place, as engines differ.
fn combo(input: &str) -> Option<OptionKind> {
    let (mut default, mut vars) = (None, Vec::new());
    let mut rest = input;
    while let Ok((after, key)) = word(rest) {
        let (after, value) = words_until(after, &["default", "var"]);
        match key {
            "default" if default.is_none() => default = Some(unescaped(value)),
            "var" if !value.is_empty() => vars.push(unescaped(value)),
            _ => return None,
        }
        rest = after;
    }
    Some(OptionKind::Combo { default: default?, vars })
}

/// Accepts a missing default as empty, as some engines print it.
fn string(input: &str) -> Option<OptionKind> {
    if whole(|input| Ok((input, ())), input).is_some() {
        return Some(OptionKind::String { default: String::new() });
    }
    let (_, default) = whole((keyword("default"), text), input)?;
    Some(OptionKind::String { default: unescaped(default.to_owned()) })
}

/// The words before the first that is one of `stops`, joined by single spaces.
fn words_until<'a>(input: &'a str, stops: &[&str]) -> (&'a str, String) {
    let mut joined = String::new();
    let mut rest = input;
    while let Ok((after, word)) = word(rest)
        && !stops.contains(&word)
    {
        if !joined.is_empty() {
            joined.push(' ');
        }
        joined.push_str(word);
        rest = after;
    }
    (rest, joined)
}

fn unescaped(text: String) -> String {
    if text == EMPTY { String::new() } else { text }
}

fn escaped(text: &str) -> OneLine<'_> {
    OneLine(if text.is_empty() { EMPTY } else { text })
}

/// Prints the line, `option` included.
impl fmt::Display for OptionDecl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type {}", OneLine(&self.name), self.kind)
    }
}

/// Prints the type and what follows it.
impl fmt::Display for OptionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Check { default } => write!(f, "check default {default}"),
            Self::Spin { default, min, max } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            Self::Combo { default, vars } => {
                write!(f, "combo default {}", escaped(default))?;
                vars.iter().try_for_each(|var| write!(f, " var {}", escaped(var)))
            }
            Self::Button => f.write_str("button"),
            Self::String { default } => write!(f, "string default {}", escaped(default)),
        }
    }
}
