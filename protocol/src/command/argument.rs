//! Parsers of arguments, on nom, and the faults that they find.
//!
//! A fault is a nom `Error` where an argument is missing, and a `Failure` where it is wrong. So `opt` accepts that an
//! argument is left out, and never one that is wrong.

use std::ops::RangeInclusive;

use nom::combinator::verify;
use nom::error::{ErrorKind, ParseError};
use nom::multi::many1;
use nom::{Err, Offset, Parser};

use crate::error::{CommandError, ErrorCode};
use crate::scan::{self, is_decimal, word};
use crate::visible::{quoted, suggestion};

/// What is left of the line, and what was parsed.
pub(super) type Parsed<'a, T> = scan::Parsed<'a, T, Fault<'a>>;

/// A fault, and the place in the line where it begins.
pub(super) struct Fault<'a> {
    code: ErrorCode,
    at: &'a str,
    text: String,
}

impl<'a> Fault<'a> {
    pub(super) fn new(code: ErrorCode, at: &'a str, text: String) -> Self {
        Self { code, at, text }
    }

    /// `at` is a word that should have been something else.
    pub(super) fn bad_argument(at: &'a str, expected: &str) -> Self {
        let text = format!("expected {expected}, found {}", quoted(at));
        Self::new(ErrorCode::BadArgument, at, text)
    }

    /// `at` should have been one of `candidates`; names the nearest.
    pub(super) fn not_among(
        at: &'a str,
        expected: &str,
        candidates: impl IntoIterator<Item = &'static str>,
    ) -> Self {
        Self::bad_argument(at, expected).with_hint(&suggestion(at, candidates))
    }

    /// Something is missing before `at`.
    fn missing(at: &'a str, expected: &str) -> Self {
        let (at, found) = match word::<Self>(at) {
            Ok((_, word)) => (word, quoted(word)),
            Err(_) => (at, "the end of the line".to_owned()),
        };
        Self::new(ErrorCode::MissingArgument, at, format!("expected {expected}, found {found}"))
    }

    /// The fault with a hint at the end of its message.
    pub(super) fn with_hint(mut self, hint: &str) -> Self {
        self.text += hint;
        self
    }

    /// The error for the `line` that this fault's place lies in. Counting the column takes time linear in the line, so
    /// it is done here, once.
    pub(super) fn in_line(self, line: &str) -> CommandError {
        let before = line.get(..line.offset(self.at)).unwrap_or(line);
        CommandError { code: self.code, column: Some(before.chars().count() + 1), text: self.text }
    }
}

/// What combinators find. [`required`] gives it a text.
impl<'a> ParseError<&'a str> for Fault<'a> {
    fn from_error_kind(at: &'a str, _: ErrorKind) -> Self {
        Self { code: ErrorCode::MissingArgument, at, text: String::new() }
    }

    fn append(_: &'a str, _: ErrorKind, other: Self) -> Self {
        other
    }
}

/// What `parser` accepts; if that is missing, the message says what was expected.
pub(super) fn required<'a, T>(
    expected: &str,
    mut parser: impl Parser<&'a str, Output = T, Error = Fault<'a>>,
) -> impl FnMut(&'a str) -> Parsed<'a, T> {
    move |input| match parser.parse(input) {
        Err(Err::Error(_)) => Err(Err::Error(Fault::missing(input, expected))),
        result => result,
    }
}

/// The words up to the first that fails the condition, at least one.
pub(super) fn some_words<'a>(
    expected: &str,
    condition: impl Fn(&str) -> bool,
) -> impl Parser<&'a str, Output = Vec<String>, Error = Fault<'a>> {
    let word = verify(word, move |word: &str| condition(word)).map(str::to_owned);
    required(expected, many1(word))
}

/// Nothing but blanks up to the end of the line.
pub(super) fn end(input: &str) -> Parsed<'_, ()> {
    match word::<Fault<'_>>(input) {
        Ok((_, word)) => Err(Err::Failure(Fault::bad_argument(word, "the end of the line"))),
        Err(_) => Ok((input, ())),
    }
}

/// The numbers that arguments can be, with the range that messages name.
pub(super) trait Whole: TryFrom<i128> {
    const MIN: i128;
    const MAX: i128;
}

macro_rules! whole {
    ($($t:ty)+) => { $(impl Whole for $t {
        const MIN: i128 = <$t>::MIN as i128;
        const MAX: i128 = <$t>::MAX as i128;
    })+ };
}
whole!(u32 u64 i64);

/// The next word as a whole number in the range; `keyword` is what it belongs to.
pub(super) fn number_in<'a, T: Whole>(
    range: RangeInclusive<i128>,
    keyword: &str,
) -> impl FnMut(&'a str) -> Parsed<'a, T> {
    move |input| {
        let (min, max) = (range.start(), range.end());
        let expected = format!("{keyword} expects a whole number from {min} to {max}");
        let Ok((rest, word)) = word::<Fault<'_>>(input) else {
            let text = format!("{expected}, found the end of the line");
            return Err(Err::Error(Fault::new(ErrorCode::MissingArgument, input, text)));
        };
        // A number too long for i128 is out of every range.
        let number = word.parse().ok().filter(|number| range.contains(number));
        match number.and_then(|number: i128| T::try_from(number).ok()) {
            Some(number) if is_decimal(word) => Ok((rest, number)),
            _ => {
                let code =
                    if is_decimal(word) { ErrorCode::OutOfRange } else { ErrorCode::BadArgument };
                let text = format!("{expected}, found {}", quoted(word));
                Err(Err::Failure(Fault::new(code, word, text)))
            }
        }
    }
}
