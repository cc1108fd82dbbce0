//! Lines out of bytes.

use std::io::{BufReader, Cursor};

use leap_protocol::line::MAX_LINE_BYTES;
use leap_protocol::{Line, LineReader, LineSplitter};
use leap_toys::cases::cases;
use proptest::prelude::*;

fn text(text: &str) -> Line {
    Line::Text(text.to_owned())
}

/// What a splitter makes of chunks and the end of input.
fn split(limit: usize, chunks: &[&[u8]]) -> Vec<Line> {
    let mut splitter = LineSplitter::with_limit(limit);
    let mut lines = Vec::new();
    for mut chunk in chunks.iter().copied() {
        while let Some(line) = splitter.next_line(&mut chunk) {
            lines.push(line);
        }
    }
    lines.extend(splitter.finish());
    lines
}

#[test]
fn a_line_ends_in_lf_or_crlf() {
    assert_eq!(
        split(10, &[b"a\nb\r\n\r\n\nc d\n"]),
        [text("a"), text("b"), text(""), text(""), text("c d")]
    );
}

#[test]
fn only_one_carriage_return_belongs_to_the_ending() {
    assert_eq!(split(10, &[b"a\r\r\n\rb\n"]), [text("a\r"), text("\rb")]);
}

#[test]
fn the_last_line_needs_no_ending() {
    assert_eq!(split(10, &[b"a\nquit"]), [text("a"), text("quit")]);
    assert_eq!(split(10, &[b"a\nquit\r"]), [text("a"), text("quit")]);
    assert_eq!(split(10, &[b"a\n"]), [text("a")]);
    assert_eq!(split(10, &[]), []);
}

#[test]
fn the_limit_counts_neither_lf_nor_crlf() {
    assert_eq!(split(3, &[b"abc\nabc\r\nabc"]), [text("abc"), text("abc"), text("abc")]);
    assert_eq!(split(3, &[b"abc", b"\r", b"\n"]), [text("abc")]);
    assert_eq!(
        split(3, &[b"abcd\n", b"abcd\r\n", b"abcd"]),
        [Line::TooLong, Line::TooLong, Line::TooLong]
    );
    assert_eq!(split(3, &[b"abc\r", b"d\n"]), [Line::TooLong]);
}

#[test]
fn an_over_long_line_is_reported_once_and_skipped() {
    let chunks: [&[u8]; 6] = [b"abcdef", b"ghi", b"\xff\r", b"jkl\nok", b"\nabcd", b"\nok"];
    assert_eq!(split(3, &chunks), [Line::TooLong, text("ok"), Line::TooLong, text("ok")]);
}

#[test]
fn an_over_long_line_is_reported_before_it_ends() {
    let mut splitter = LineSplitter::with_limit(3);
    let mut input: &[u8] = b"abcdef";
    assert_eq!(splitter.next_line(&mut input), Some(Line::TooLong));
    assert_eq!(splitter.next_line(&mut input), None);
    assert_eq!(splitter.finish(), None);
}

#[test]
fn the_default_limit_is_one_mebibyte() {
    let mut bytes = vec![b'x'; 1 << 20];
    bytes.push(b'\n');
    bytes.extend(vec![b'x'; (1 << 20) + 1]);
    let lines: Vec<_> = LineReader::new(bytes.as_slice()).map(Result::unwrap).collect();
    assert_eq!(lines, [text(&"x".repeat(MAX_LINE_BYTES)), Line::TooLong]);
}

#[test]
fn bytes_that_are_not_utf8_spoil_their_own_line_only() {
    assert_eq!(
        split(10, &[b"a\n\xff\xfe\n\xc3\nb\n"]),
        [text("a"), Line::NotUtf8, Line::NotUtf8, text("b")]
    );
}

#[test]
fn a_character_may_be_split_between_chunks() {
    assert_eq!(split(10, &[b"T\xc3", b"\xa1ctica\n"]), [text("T\u{e1}ctica")]);
}

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn chunking_makes_no_difference(
        bytes in proptest::collection::vec(
            prop_oneof![Just(b'\n'), Just(b'\r'), Just(b'a'), Just(0xc3), Just(0xa1)], 0..60),
        size in 1_usize..20,
        limit in 0_usize..8,
    ) {
        let whole = split(limit, &[&bytes]);
        let chunks: Vec<_> = bytes.chunks(size).collect();
        prop_assert_eq!(split(limit, &chunks), whole);
    }

    #[test]
    fn a_reader_gives_the_lines_of_a_splitter(
        bytes in proptest::collection::vec(prop_oneof![Just(b'\n'), Just(b'\r'), Just(b'a')], 0..60),
        size in 1_usize..20,
    ) {
        let reader = BufReader::with_capacity(size, Cursor::new(&bytes));
        let lines: Vec<_> = LineReader::new(reader).map(Result::unwrap).collect();
        prop_assert_eq!(lines, split(MAX_LINE_BYTES, &[&bytes]));
    }
}
