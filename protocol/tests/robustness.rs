//! No input makes the crate panic, or takes more than linear time.

use std::time::{Duration, Instant};

use leap_protocol::payload::{
    Effects, GameInfo, GameResult, Guide, KeyValues, Legality, MoveList, ProtocolInfo, Status,
    Tokens, Turn, YesNo,
};
use leap_protocol::{Command, CommandError, LineSplitter, Reply};
use leap_toys::cases::cases;
use proptest::prelude::*;

/// The length of long lines, in bytes.
const LONG: usize = 1 << 18;

/// Parses the line as everything that there is.
fn parse_as_everything(line: &str) {
    if let Err(error) = Command::parse(line) {
        assert_is_presentable(&error, line);
    }
    let reply = Reply::parse(line);
    assert!(!reply.to_string().contains(['\n', '\r']));
    let _ = line.parse::<YesNo>();
    let _ = line.parse::<GameResult>();
    let _ = line.parse::<Legality>();
    let _ = line.parse::<Status>();
    let _ = line.parse::<MoveList>();
    let _ = line.parse::<Tokens>();
    let _ = line.parse::<ProtocolInfo>();
    let _ = line.parse::<GameInfo>();
    let _ = line.parse::<KeyValues>();
    let _ = line.parse::<Effects>();
    let _ = line.parse::<Turn>();
    let mut rules = Guide::default();
    if rules.push(line).is_ok() {
        let mut again = Guide::default();
        assert!(rules.lines().iter().all(|line| again.push(line).is_ok()), "{line:?}");
        assert_eq!(again, rules);
    }
}

fn assert_is_presentable(error: &CommandError, line: &str) {
    let text = error.to_string();
    assert!(text.len() < 1000, "a message of {} bytes", text.len());
    assert!(!text.contains(char::is_control), "control characters in {text:?}");
    assert!(!text.ends_with('.'), "a final dot in {text:?}");
    let column = error.column.unwrap_or(1);
    assert!((1..=line.chars().count() + 1).contains(&column), "column {column} of {line:?}");
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn arbitrary_text_does_not_panic(line in any::<String>()) {
        parse_as_everything(&line);
    }

    #[test]
    fn arbitrary_text_after_a_known_word_does_not_panic(
        first in proptest::sample::select(vec![
            "setoption name", "position", "position fen", "go", "go depth", "query", "query moves",
            "move", "undo", "perft", "draw", "debug", "info", "info score", "option name x type",
            "bestmove", "error", "id", "response", "false", "leap", "3", "rules", "language x of",
            "clause a :", "example fen", "prompt", "option x :", "word",
        ]),
        rest in "\\PC{0,20}",
    ) {
        parse_as_everything(&format!("{first} {rest}"));
    }

    #[test]
    fn arbitrary_bytes_do_not_panic(
        chunks in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..20), 0..20),
        limit in 0_usize..10,
    ) {
        let mut splitter = LineSplitter::with_limit(limit);
        for chunk in &chunks {
            let mut input = chunk.as_slice();
            while splitter.next_line(&mut input).is_some() {}
            prop_assert!(input.is_empty());
        }
        splitter.finish();
    }
}

/// A quadratic parser would take minutes for these.
#[test]
fn long_lines_take_no_time() {
    let units = [" ", "a ", "moves a b c ", "9", ": ", "\u{1F438}", "pv ", "value ", "var a "];
    let prefixes = [
        "",
        "position startpos moves ",
        "position fen ",
        "setoption name ",
        "go searchmoves ",
        "go depth ",
        "move ",
        "info ",
        "info string ",
        "option name a type combo default ",
        "error a ",
    ];
    for unit in units {
        let long = unit.repeat(LONG / unit.len());
        for prefix in prefixes {
            let line = format!("{prefix}{long} x");
            assert_is_quick(|| {
                let _ = Command::parse(&line);
                let _ = Reply::parse(&line);
            });
        }
        for prefix in ["1000000 ", "false a ", "leap ", "over "] {
            let line = format!("{prefix}{long} x");
            assert_is_quick(|| parse_as_everything(&line));
        }
    }
}

fn assert_is_quick(parse: impl FnOnce()) {
    let start = Instant::now();
    parse();
    assert!(start.elapsed() < Duration::from_secs(2), "took {:?}", start.elapsed());
}
