//! The transcript format: what is printed parses back, what is parsed prints as it was, faults have their place
//! (SPEC 16.2 to 16.8).

use leap_toys::cases::cases;
use leap_transcript::{Entry, Exit, Expected, Sent, Transcript, TranscriptError};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        "[^\r\n]{0,30}",
        "(bestmove|info|response|error|perft|go|\\.\\.\\.| |>|<|#|=|\\\\x[0-9a-f]{2}){0,5}",
    ]
}

fn word() -> impl Strategy<Value = String> {
    "[a-zA-Z0-9.é]{1,8}".prop_filter("a keyword", |word| word != "value" && word != "name")
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    vec(any::<u8>().prop_filter("a line feed", |byte| *byte != b'\n'), 0..20)
}

fn header() -> impl Strategy<Value = Vec<Entry>> {
    let option =
        || (word(), option::of(word())).prop_map(|(name, value)| Entry::Option { name, value });
    let free = || prop_oneof![Just(Entry::Blank), line().prop_map(Entry::Comment), option(),];
    let engine = vec(word(), 1..4).prop_map(|words| Entry::Engine(words.join("  ")));
    let entries = (
        vec(free(), 0..3),
        option::of(engine),
        vec(free(), 0..3),
        option::of(word().prop_map(Entry::Game)),
    );
    entries.prop_map(|(mut entries, engine, more, game)| {
        entries.extend(engine);
        entries.extend(more);
        entries.extend(game);
        entries
    })
}

fn body() -> impl Strategy<Value = Vec<Entry>> {
    let exit = prop_oneof![any::<i32>().prop_map(Exit::Code), any::<i32>().prop_map(Exit::Signal),];
    let sent = prop_oneof![
        line().prop_map(Sent::Line),
        bytes().prop_map(Sent::Bytes),
        Just(Sent::TooLong),
        Just(Sent::End),
    ];
    let expected = prop_oneof![
        line().prop_map(Expected::Default),
        line().prop_map(Expected::Exact),
        line().prop_map(Expected::Regex),
        word().prop_map(|mv| Expected::AnyMove(format!("bestmove {mv}x"))),
        line().prop_map(Expected::Ignored),
        bytes().prop_map(Expected::Bytes),
        Just(Expected::TooLong),
        option::of(exit).prop_map(Expected::End),
    ];
    let entry = prop_oneof![
        Just(Entry::Blank),
        line().prop_map(Entry::Comment),
        sent.prop_map(Entry::Sent),
        expected.prop_map(Entry::Expected),
    ];
    vec(entry, 0..12)
}

fn transcript() -> impl Strategy<Value = Transcript> {
    (header(), body()).prop_map(|(mut entries, body)| {
        entries.extend(body);
        Transcript { entries }
    })
}

/// Lines of a transcript, right or nearly right, in any order.
fn nearly() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        Just("ugt 1".to_owned()),
        "(>|<|engine|game|option|#)(x|!|\\.|=|~|\\?|\\*)?( (bestmove|too-long|exit|signal|name|value|a|-1|\\\\x0[Aa1]|\\\\)){0,4}\r?",
    ];
    vec(line, 0..6).prop_map(|lines| format!("ugt 1\n{}", lines.join("\n")))
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn a_printed_transcript_parses_back(transcript in transcript()) {
        let text = transcript.to_string();
        prop_assert_eq!(text.parse(), Ok(transcript), "{}", text);
    }

    #[test]
    fn every_entry_is_one_line(transcript in transcript()) {
        prop_assert_eq!(transcript.to_string().matches('\n').count(), transcript.entries.len() + 1);
    }

    #[test]
    fn what_parses_prints_stably(text in nearly()) {
        match Transcript::parse(text.as_bytes()) {
            Ok(transcript) => prop_assert_eq!(transcript.to_string().parse(), Ok(transcript)),
            Err(error) => assert_is_presentable(&error, &text),
        }
    }

    #[test]
    fn crlf_is_read_like_lf(transcript in transcript()) {
        let text = transcript.to_string().replace('\n', "\r\n");
        prop_assert_eq!(text.parse(), Ok(transcript));
    }

    #[test]
    fn arbitrary_bytes_do_not_panic(bytes in vec(any::<u8>(), 0..60), pinned in any::<bool>()) {
        for bytes in [bytes.clone(), [b"ugt 1\n", bytes.as_slice()].concat()] {
            if let Ok(transcript) = Transcript::parse(&bytes) {
                let _ = transcript.rules(pinned);
            }
        }
    }

    #[test]
    fn rules_can_be_made_of_every_transcript(transcript in transcript(), pinned in any::<bool>()) {
        let rules = transcript.rules(pinned);
        for (index, entry) in transcript.entries.iter().enumerate() {
            let is_expected = matches!(entry, Entry::Expected(_));
            prop_assert_eq!(rules.get(index).is_some(), is_expected);
        }
    }
}

fn assert_is_presentable(error: &TranscriptError, text: &str) {
    let message = error.to_string();
    assert!(message.len() < 1000, "a message of {} bytes", message.len());
    assert!(!message.contains(char::is_control), "control characters in {message:?}");
    let line = text.split('\n').nth(error.line - 1);
    let line = line.unwrap_or_else(|| panic!("no line {} in {text:?}", error.line));
    let columns = 1..=line.chars().count() + 1;
    assert!(columns.contains(&error.column), "column {} of {line:?}", error.column);
}

/// Texts that are not transcripts: the line and the column of the fault, and what is said of it.
const FAULTS: &[(&str, usize, usize, &str)] = &[
    ("", 1, 1, "expected 'ugt 1', found the end of the line"),
    ("ugt 2\n", 1, 1, "expected 'ugt 1', found 'ugt 2'"),
    (
        "ugt 1\nfrob x\n",
        2,
        1,
        "expected '>', '<', '#', 'engine', 'game', 'option' or an empty line, found 'frob'",
    ),
    (
        "ugt 1\n\n> é\nengin x",
        4,
        1,
        "expected '>', '<', '#', 'engine', 'game', 'option' or an empty line, found 'engin' (did you mean 'engine'?)",
    ),
    (
        "ugt 1\n > ugi",
        2,
        1,
        "expected '>', '<', '#', 'engine', 'game', 'option' or an empty line, found ' > ugi'",
    ),
    ("ugt 1\nengine", 2, 7, "expected a value for 'engine', found the end of the line"),
    ("ugt 1\ngame  eximo sapos", 2, 7, "expected one word, found 'eximo sapos'"),
    ("ugt 1\ngame a\ngame b", 3, 1, "expected 'game' once, found it again"),
    (
        "ugt 1\n> ugi\ngame b",
        3,
        1,
        "expected the header before the first line of either side, found 'game b'",
    ),
    ("ugt 1\noption name", 2, 12, "expected the name of an option, found the end of the line"),
    ("ugt 1\noption Hash", 2, 8, "expected 'name', found 'Hash'"),
    ("ugt 1\n>ugi", 2, 2, "expected a blank, 'x ', '! ' or '.' after '>', found 'ugi'"),
    (
        "ugt 1\n<ugi",
        2,
        2,
        "expected a blank or one of '= ', '~ ', '? ', '* ', 'x ', '! ' and '.' after '<', found 'ugi'",
    ),
    ("ugt 1\n<? readyok", 2, 4, "expected 'bestmove <move>' after '<?', found 'readyok'"),
    (
        "ugt 1\n<? bestmove none",
        2,
        4,
        "expected 'bestmove <move>' after '<?', found 'bestmove none'",
    ),
    (
        "ugt 1\n>x é\\xFg",
        2,
        5,
        "expected '\\\\', or '\\x' and two hexadecimal digits other than 0A, found '\\xFg'",
    ),
    (
        "ugt 1\n>x \\x0a",
        2,
        4,
        "expected '\\\\', or '\\x' and two hexadecimal digits other than 0A, found '\\x0a'",
    ),
    ("ugt 1\n>! long", 2, 4, "expected 'too-long', found 'long'"),
    ("ugt 1\n<. 0", 2, 4, "expected 'exit <n>', 'signal <n>' or nothing after '<.', found '0'"),
    ("ugt 1\n>. 0", 2, 4, "expected the end of the line, found '0'"),
    ("ugt 1\n> a\rb", 2, 4, "expected no carriage return within a line"),
];

#[test]
fn faults_have_their_place() {
    for &(text, line, column, message) in FAULTS {
        let expected = TranscriptError { line, column, text: message.to_owned() };
        assert_eq!(text.parse::<Transcript>(), Err(expected), "{text:?}");
    }
    let error = Transcript::parse(b"ugt 1\n> \xC3\xA9\xFF").unwrap_err();
    assert_eq!((error.line, error.column), (2, 4));
}

#[test]
fn the_last_line_end_may_be_missing() {
    let transcript = "ugt 1\n> quit".parse::<Transcript>().expect("a transcript");
    assert_eq!(transcript.entries, [Entry::Sent(Sent::Line("quit".to_owned()))]);
    assert_eq!("ugt 1".parse(), Ok(Transcript::default()));
}

#[test]
fn lines_keep_their_blanks() {
    let transcript = "ugt 1\n>   isready \n<\n".parse::<Transcript>().expect("a transcript");
    let sent = Entry::Sent(Sent::Line("  isready ".to_owned()));
    let expected = Entry::Expected(Expected::Default(String::new()));
    assert_eq!(transcript.entries, [sent, expected]);
}

#[test]
fn bytes_print_readably() {
    let sent = Sent::Bytes(b"go \\ \xC3\xA9 \xFF\t\r".to_vec());
    assert_eq!(sent.to_string(), r">x go \\ é \xFF\x09\x0D");
}

/// Quadratic parsing would take many minutes.
#[test]
fn large_files_take_no_time() {
    for unit in ["\n", "> a\n", ">x \\xFF\\xFF", "< ...", "#", " "] {
        let text = format!("ugt 1\n{}", unit.repeat((1 << 18) / unit.len()));
        if let Ok(transcript) = text.parse::<Transcript>() {
            let _ = transcript.rules(true);
        }
    }
}

/// The examples of SPEC are transcripts, and printed as the parser prints them.
#[test]
fn examples_of_the_standard_are_transcripts() {
    let spec = include_str!("../../../SPEC.md");
    let examples: Vec<_> = spec.split("```ugt\n").skip(1).collect();
    assert!(!examples.is_empty());
    for example in examples {
        let text = example.split("```").next().unwrap_or_default();
        let transcript =
            text.parse::<Transcript>().unwrap_or_else(|error| panic!("{error}: {text}"));
        assert_eq!(transcript.to_string(), text);
    }
}
