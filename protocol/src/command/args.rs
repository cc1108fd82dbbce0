//! The arguments of a command, taken word by word, and the faults found among them.

use std::ops::RangeInclusive;

use nom::Offset;

use crate::error::{CommandError, ErrorCode};
use crate::scan::{is_blank, is_decimal, text, word};
use crate::visible::{quoted, suggestion};

/// What is left of the line.
#[derive(Clone, Copy)]
pub(super) struct Args<'a> {
    rest: &'a str,
}

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
    pub(super) fn not_among(at: &'a str, expected: &str, candidates: &[&'static str]) -> Self {
        Self::bad_argument(at, expected).with_hint(&suggestion(at, candidates))
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

impl<'a> Args<'a> {
    /// Drops trailing blanks: a missing argument is reported at the end of the last word.
    pub(super) fn new(line: &'a str) -> Self {
        Self { rest: line.trim_end_matches(is_blank) }
    }

    /// The next word, if there is one.
    pub(super) fn next(&mut self) -> Option<&'a str> {
        self.next_if(|_| true)
    }

    /// The next word, if there is one and it satisfies the condition.
    pub(super) fn next_if(&mut self, condition: impl Fn(&str) -> bool) -> Option<&'a str> {
        let (rest, word) = word(self.rest).ok().filter(|(_, word)| condition(word))?;
        self.rest = rest;
        Some(word)
    }

    /// The next word; the message of the fault says what it should be.
    pub(super) fn required(&mut self, expected: &str) -> Result<&'a str, Fault<'a>> {
        self.next().ok_or_else(|| self.missing(expected))
    }

    /// The next word as a whole number; `keyword` is what it belongs to.
    pub(super) fn number<T: Whole>(&mut self, keyword: &str) -> Result<T, Fault<'a>> {
        self.number_in(T::MIN..=T::MAX, keyword)
    }

    /// The next word as a whole number in the range.
    pub(super) fn number_in<T: Whole>(
        &mut self,
        range: RangeInclusive<i128>,
        keyword: &str,
    ) -> Result<T, Fault<'a>> {
        let (min, max) = (range.start(), range.end());
        let expected = format!("{keyword} expects a whole number from {min} to {max}");
        let Some(word) = self.next() else {
            let text = format!("{expected}, found the end of the line");
            return Err(Fault::new(ErrorCode::MissingArgument, self.rest, text));
        };
        let fault = |code| Fault::new(code, word, format!("{expected}, found {}", quoted(word)));
        if !is_decimal(word) {
            return Err(fault(ErrorCode::BadArgument));
        }
        // A number too long for i128 is out of every range.
        word.parse()
            .ok()
            .filter(|number| range.contains(number))
            .and_then(|number: i128| T::try_from(number).ok())
            .ok_or_else(|| fault(ErrorCode::OutOfRange))
    }

    /// The remaining words.
    pub(super) fn words(&mut self) -> Vec<String> {
        self.words_while(|_| true)
    }

    /// The words up to the first that fails the condition.
    pub(super) fn words_while(&mut self, condition: impl Fn(&str) -> bool) -> Vec<String> {
        std::iter::from_fn(|| self.next_if(&condition)).map(str::to_owned).collect()
    }

    /// The words up to the first that fails the condition, at least one.
    pub(super) fn some_words_while(
        &mut self,
        expected: &str,
        condition: impl Fn(&str) -> bool,
    ) -> Result<Vec<String>, Fault<'a>> {
        let words = self.words_while(condition);
        if words.is_empty() { Err(self.missing(expected)) } else { Ok(words) }
    }

    /// The remaining text without the blanks around it.
    pub(super) fn text(&mut self) -> &'a str {
        let (rest, text) = text(self.rest).unwrap_or((self.rest, ""));
        self.rest = rest;
        text
    }

    /// Expects the end of the line.
    pub(super) fn end(&mut self) -> Result<(), Fault<'a>> {
        self.next().map_or(Ok(()), |word| Err(Fault::bad_argument(word, "the end of the line")))
    }

    fn missing(&self, expected: &str) -> Fault<'a> {
        let mut ahead = *self;
        let (at, found) = match ahead.next() {
            Some(word) => (word, quoted(word)),
            None => (self.rest, "the end of the line".to_owned()),
        };
        Fault::new(ErrorCode::MissingArgument, at, format!("expected {expected}, found {found}"))
    }
}
