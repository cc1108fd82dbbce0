//! The lexical level of the grammar: blanks, words, numbers and rests of lines, on nom.

use std::str::FromStr;

use nom::bytes::complete::{take_while, take_while1};
use nom::character::complete::{char, digit1};
use nom::combinator::{all_consuming, eof, map_opt, opt, rest, verify};
use nom::error::{Error, ParseError};
use nom::multi::{count, many0};
use nom::sequence::{preceded, terminated};
use nom::{Finish, IResult, Parser};

/// What is left of the line, and what was parsed.
pub(crate) type Parsed<'a, T, E = Error<&'a str>> = IResult<&'a str, T, E>;

/// Whether a character separates words: space, tab, carriage return or line feed.
///
/// Line endings are blanks, so that a line can be parsed with its ending.
#[must_use]
pub fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n')
}

/// The next word, without the blanks before it.
pub(crate) fn word<'a, E: ParseError<&'a str>>(input: &'a str) -> Parsed<'a, &'a str, E> {
    preceded(take_while(is_blank), take_while1(|c| !is_blank(c))).parse(input)
}

/// The next word, as a text of its own.
pub(crate) fn owned(input: &str) -> Parsed<'_, String> {
    word.map(str::to_owned).parse(input)
}

/// The next word, if it is `expected`.
pub(crate) fn keyword<'a>(
    expected: &'static str,
) -> impl Parser<&'a str, Output = &'a str, Error = Error<&'a str>> {
    verify(word, move |found: &str| found == expected)
}

/// The next word as a number: an optional minus sign and digits, within the range of `T`.
pub(crate) fn number<T: FromStr>(input: &str) -> Parsed<'_, T> {
    map_opt(verify(word, is_decimal), |word: &str| word.parse().ok()).parse(input)
}

/// Whether a word is an optional minus sign and digits without leading zeros, of any length (SPEC A.1, `integer`).
#[must_use]
pub fn is_decimal(word: &str) -> bool {
    let digits = verify(digit1, |digits: &str| digits == "0" || !digits.starts_with('0'));
    all_consuming((opt(char::<&str, Error<&str>>('-')), digits)).parse(word).is_ok()
}

/// The words up to the first that is one of `stops`, joined by single spaces; perhaps none.
pub(crate) fn phrase<'a>(
    stops: &'static [&'static str],
) -> impl Parser<&'a str, Output = String, Error = Error<&'a str>> {
    many0(verify(word, |word: &str| !stops.contains(&word))).map(|words| words.join(" "))
}

/// All words to the end of the input.
pub(crate) fn words(input: &str) -> Parsed<'_, Vec<String>> {
    many0(owned).parse(input)
}

/// A count, with `+` if there are more, and as many items. The count is not trusted: little is allocated ahead.
pub(crate) fn counted<'a, T>(
    item: fn(&'a str) -> Parsed<'a, T>,
) -> impl FnMut(&'a str) -> Parsed<'a, (Vec<T>, bool)> {
    let count_of = |word: &'a str| {
        let digits = word.strip_suffix('+').unwrap_or(word);
        Some((whole(number::<usize>, digits)?, digits != word))
    };
    move |input| {
        let (rest, (number, more)) = map_opt(word, count_of).parse(input)?;
        count(item, number).map(|items| (items, more)).parse(rest)
    }
}

/// The rest of the input, without the blanks around it.
pub(crate) fn text<'a, E: ParseError<&'a str>>(input: &'a str) -> Parsed<'a, &'a str, E> {
    rest.map(|text: &str| text.trim_matches(is_blank)).parse(input)
}

/// Nothing but blanks.
pub(crate) fn end(input: &str) -> Parsed<'_, &str> {
    preceded(take_while(is_blank), eof).parse(input)
}

/// What `parser` makes of the whole input, trailing blanks aside.
pub(crate) fn whole<'a, T>(
    parser: impl Parser<&'a str, Output = T, Error = Error<&'a str>>,
    input: &'a str,
) -> Option<T> {
    terminated(parser, end).parse(input).finish().ok().map(|(_, output)| output)
}
