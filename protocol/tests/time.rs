//! No input takes more than linear time. `tests/library/fuzzed.rs` checks what any input means.

use std::time::{Duration, Instant};

use leap_protocol::payload::{GameInfo, KeyValues, Legality, MoveList, ProtocolInfo, Status, Turn};
use leap_protocol::{Command, Reply};

/// The length of long lines, in bytes.
const LONG: usize = 1 << 18;

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
            assert_is_quick(|| {
                let _ = (line.parse::<MoveList>(), line.parse::<Legality>());
                let _ = (line.parse::<ProtocolInfo>(), line.parse::<GameInfo>());
                let _ = (line.parse::<KeyValues>(), line.parse::<Status>(), line.parse::<Turn>());
            });
        }
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
