//! The lexical level of the grammar: blanks, words, numbers and rests of lines, on nom.

use std::str::FromStr;

use nom::bytes::complete::{take_while, take_while1};
use nom::character::complete::{char, digit1};
use nom::combinator::{all_consuming, eof, map_res, opt, rest, verify};
use nom::error::Error;
use nom::multi::many0;
use nom::sequence::{preceded, terminated};
use nom::{Finish, IResult, Parser};

/// Whether a character separates words: space, tab, carriage return or line feed.
///
/// Line endings are blanks, so that a line can be parsed with its ending.
#[must_use]
pub fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n')
}

pub(crate) fn blanks(input: &str) -> IResult<&str, &str> {
    take_while(is_blank).parse(input)
}

/// The next word, without the blanks before it.
pub(crate) fn word(input: &str) -> IResult<&str, &str> {
    preceded(blanks, take_while1(|c| !is_blank(c))).parse(input)
}

/// The next word, if it is `expected`.
pub(crate) fn keyword<'a>(
    expected: &'static str,
) -> impl Parser<&'a str, Output = &'a str, Error = Error<&'a str>> {
    verify(word, move |found: &str| found == expected)
}

/// The next word as a number: an optional minus sign and digits, within the range of `T`.
pub(crate) fn number<T: FromStr>(input: &str) -> IResult<&str, T> {
    map_res(verify(word, is_decimal), str::parse).parse(input)
}

/// Whether a word is an optional minus sign and digits without leading zeros, of any length (SPEC A.1, `integer`).
#[must_use]
pub fn is_decimal(word: &str) -> bool {
    let digits = verify(digit1, |digits: &str| digits == "0" || !digits.starts_with('0'));
    all_consuming((opt(char::<&str, Error<&str>>('-')), digits)).parse(word).is_ok()
}

/// All words to the end of the input.
pub(crate) fn words(input: &str) -> IResult<&str, Vec<String>> {
    many0(word.map(str::to_owned)).parse(input)
}

/// The rest of the input, without the blanks around it.
pub(crate) fn text(input: &str) -> IResult<&str, &str> {
    rest.map(|text: &str| text.trim_matches(is_blank)).parse(input)
}

/// What `parser` makes of the whole input, trailing blanks aside.
pub(crate) fn whole<'a, O>(
    parser: impl Parser<&'a str, Output = O, Error = Error<&'a str>>,
    input: &'a str,
) -> Option<O> {
    terminated(parser, (blanks, eof)).parse(input).finish().ok().map(|(_, output)| output)
}
