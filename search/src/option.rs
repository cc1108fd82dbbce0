//! Options, and how their values are read.

use std::borrow::Cow;
use std::str::FromStr;

use leap_core::Counters;

/// An option that sets something in `T`: the rules of a game, or the settings of the engine.
#[derive(Debug)]
pub struct OptionSpec<T: 'static> {
    /// The name, matched without regard to case. Names of rule options begin with the name of their game (SPEC 8.2).
    pub name: &'static str,
    /// The type and range of the value.
    pub kind: Kind,
    /// A description for people.
    pub help: &'static str,
    /// Returns the current value as text.
    pub get: fn(&T) -> String,
    /// Stores a value that the kind allows. It may still refuse the value for another reason.
    pub set: fn(&mut T, OptionValue<'_>) -> Result<(), OptionRefusal>,
}

/// Why an option refuses a value that its kind allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionRefusal {
    /// What was expected.
    pub expected: Cow<'static, str>,
    /// What is wrong, if the value alone does not show it.
    pub reason: Option<String>,
}

impl From<&'static str> for OptionRefusal {
    fn from(expected: &'static str) -> Self {
        Self { expected: expected.into(), reason: None }
    }
}

/// The kind of an option with its range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A whole number within these bounds.
    Spin(i64, i64),
    /// `true` or `false`.
    Check,
    /// One of these words.
    Combo(Cow<'static, [&'static str]>),
    /// No value: the option is an action.
    Button,
    /// Any text, checked when it is set.
    Text,
}

/// A value that has passed the check of its option's kind.
#[derive(Clone, Copy, Debug)]
pub struct OptionValue<'a> {
    /// The value as it was given.
    pub text: &'a str,
    /// The value as a number, or 0 if it is not a number.
    pub number: i64,
}

impl<'a> From<&'a str> for OptionValue<'a> {
    fn from(text: &'a str) -> Self {
        Self { text, number: text.parse().unwrap_or_default() }
    }
}

impl Kind {
    /// A number of plies, up to the end of the counters.
    pub const PLIES: Self = Self::Spin(0, Counters::MAX as i64);

    /// A choice of one of these words.
    #[must_use]
    pub const fn one_of(words: &'static [&'static str]) -> Self {
        Self::Combo(Cow::Borrowed(words))
    }

    /// The words to choose from. Empty if the value is not a choice among words.
    #[must_use]
    pub fn words(&self) -> &[&'static str] {
        match self {
            Self::Combo(words) => words,
            Self::Check => &["true", "false"],
            Self::Spin(..) | Self::Button | Self::Text => &[],
        }
    }
}

/// An option that a field holds: its name, its kind, the function that stores a value in the field, and a description.
#[macro_export]
macro_rules! field_option {
    ($name:literal: $kind:expr => $store:ident($field:ident), $help:literal) => {
        $crate::option::OptionSpec {
            name: $name,
            kind: $kind,
            help: $help,
            get: |of| of.$field.to_string(),
            set: |of, value| $crate::option::$store(&mut of.$field, value),
        }
    };
}

/// Stores a number in a field.
///
/// # Errors
/// The number does not fit.
pub fn store<T: TryFrom<i64>>(field: &mut T, value: OptionValue<'_>) -> Result<(), OptionRefusal> {
    *field = T::try_from(value.number).map_err(|_| "a smaller number")?;
    Ok(())
}

/// Stores a word or a text that the field's type reads.
///
/// # Errors
/// The field's type does not read the value.
pub fn choose<T: FromStr>(field: &mut T, value: OptionValue<'_>) -> Result<(), OptionRefusal> {
    *field = value.text.parse().map_err(|_| "another word")?;
    Ok(())
}
