//! The `option` line: one setting of the engine, declared (SPEC 8).

use std::fmt;

use nom::Parser;
use nom::branch::permutation;
use nom::combinator::{fail, map_opt, opt, verify};
use nom::multi::many0;
use nom::sequence::{delimited, preceded};

use crate::scan::{Parsed, keyword, number, phrase, text, word};
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
    pub(crate) fn parse_body(input: &str) -> Parsed<'_, Self> {
        let name = delimited(keyword("name"), phrase(&["type"]), keyword("type"));
        let (rest, (name, kind)) =
            (verify(name, |name: &str| !name.is_empty()), word).parse(input)?;
        let (rest, kind) = match kind {
            "check" => check(rest),
            "spin" => spin(rest),
            "combo" => combo(rest),
            "button" => Ok((rest, OptionKind::Button)),
            "string" => string(rest),
            _ => fail().parse(rest),
        }?;
        Ok((rest, Self { name, kind }))
    }
}

fn check(input: &str) -> Parsed<'_, OptionKind> {
    let value = preceded(keyword("default"), word);
    map_opt(value, |value: &str| value.parse().ok())
        .map(|default| OptionKind::Check { default })
        .parse(input)
}

/// Accepts the three keys in any order, as engines differ.
fn spin(input: &str) -> Parsed<'_, OptionKind> {
    let key = |key| preceded(keyword(key), number);
    permutation((key("default"), key("min"), key("max")))
        .map(|(default, min, max)| OptionKind::Spin { default, min, max })
        .parse(input)
}

/// Accepts the default in any place, as engines differ.
fn combo(input: &str) -> Parsed<'_, OptionKind> {
    let text = || phrase(&["default", "var"]);
    let default = preceded(keyword("default"), text().map(unescaped));
    let var = || preceded(keyword("var"), verify(text(), |text: &str| !text.is_empty()));
    let vars = || many0(var().map(unescaped));
    let (rest, (mut vars, default, more)) = (vars(), default, vars()).parse(input)?;
    vars.extend(more);
    Ok((rest, OptionKind::Combo { default, vars }))
}

/// Accepts a missing default as empty, as some engines print it.
fn string(input: &str) -> Parsed<'_, OptionKind> {
    let default = opt(preceded(keyword("default"), text));
    default
        .map(|default| unescaped(default.unwrap_or_default().to_owned()))
        .map(|default| OptionKind::String { default })
        .parse(input)
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
