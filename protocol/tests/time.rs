//! No input takes more than linear time. `tests/library/fuzzed.rs` checks what any input means.

use std::time::{Duration, Instant};

use leap_protocol::payload::{GameInfo, KeyValues, Legality, MoveList, ProtocolInfo, Status, Turn};
use leap_protocol::{Command, Reply};

/// The length of long lines, in bytes.
const LONG: usize = 1 << 18;

/// What long lines are made of. A quadratic parser would take minutes for them.
const UNITS: [&str; 9] =
    [" ", "a ", "moves a b c ", "9", ": ", "\u{1F438}", "pv ", "value ", "var a "];

/// Lines that begin so and go on with one unit.
fn long_lines(prefixes: &[&str]) -> impl Iterator<Item = String> {
    let line = |unit: &str, prefix: &&str| format!("{prefix}{} x", unit.repeat(LONG / unit.len()));
    UNITS.into_iter().flat_map(move |unit| prefixes.iter().map(move |prefix| line(unit, prefix)))
}

#[test]
fn long_commands_and_replies_take_no_time() {
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
    for line in long_lines(&prefixes) {
        assert_is_quick(|| drop((Command::parse(&line), Reply::parse(&line))));
    }
}

#[test]
fn long_payloads_take_no_time() {
    for line in long_lines(&["1000000 ", "false a ", "leap ", "over "]) {
        assert_is_quick(|| {
            let _ = (line.parse::<MoveList>(), line.parse::<Legality>());
            let _ = (line.parse::<ProtocolInfo>(), line.parse::<GameInfo>());
            let _ = (line.parse::<KeyValues>(), line.parse::<Status>(), line.parse::<Turn>());
        });
    }
}

fn assert_is_quick(parse: impl Fn()) {
    // A busy machine delays one of these tries, not each.
    let is_quick = (0..5).any(|_| {
        let start = Instant::now();
        parse();
        start.elapsed() < Duration::from_secs(2)
    });
    assert!(is_quick, "took 2 s or more five times");
}
