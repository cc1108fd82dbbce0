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
fn a_line_ends_in_lf_or_crlf_and_is_bounded() {
    // `^` stands for a line that is too long, `?` for one that is not UTF-8. Pieces make no difference (see below).
    for (limit, bytes, lines) in [
        (10, &b"a\nb\r\n\r\n\nc d\n"[..], "a|b|||c d"),
        (10, b"a\r\r\n\rb\n", "a\r|\rb"),
        (10, b"a\nquit", "a|quit"),
        (10, b"a\nquit\r", "a|quit"),
        (3, b"abc\nabc\r\nabc", "abc|abc|abc"),
        (3, b"abcd\nabcd\r\nabcd", "^|^|^"),
        (3, b"abc\rd\n", "^"),
        (3, b"abcdefghi\xff\rjkl\nok\nabcd\nok", "^|ok|^|ok"),
        (10, b"a\n\xff\xfe\n\xc3\nb\nT\xc3\xa1c\n", "a|?|?|b|T\u{e1}c"),
    ] {
        let found = split(limit, &[bytes]).into_iter().map(|line| match line {
            Line::Text(text) => text,
            Line::TooLong => "^".to_owned(),
            Line::NotUtf8 => "?".to_owned(),
        });
        assert_eq!(found.collect::<Vec<_>>().join("|"), lines);
    }
    assert_eq!(split(10, &[]), []);
    assert_eq!(split(10, &[b"a\n"]), [text("a")]);
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
