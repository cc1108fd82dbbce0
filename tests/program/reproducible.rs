//! A search limited by depth or nodes alone is reproducible, bit for bit (SPEC 5.26).

use leap_client::Client;
use leap_games::IDS;

use crate::process::{LONG, client, hear};

/// The lines of a search without what the clock puts into them.
fn answer(engine: &mut Client, go: &str) -> Vec<String> {
    engine.send_line(go).unwrap();
    let mut lines = Vec::new();
    loop {
        let line = hear(engine);
        let mut words: Vec<&str> = line.split(' ').collect();
        for clocked in ["time", "nps"] {
            if let Some(at) = words.iter().position(|word| *word == clocked) {
                words.drain(at..at + 2);
            }
        }
        lines.push(words.join(" "));
        if line.starts_with("bestmove") {
            return lines;
        }
    }
}

/// A search must not use scores of other rules or games: their positions may have the same keys. A new game begins with
/// an empty table (SPEC 3.11).
#[test]
fn a_search_depends_on_no_search_of_another_game_or_under_other_rules() {
    for change in [
        "setoption name AlquerqueCapture value mandatory",
        "setoption name MaxPlies value 12",
        "setoption name Game value eximo",
        "setoption name Clear Hash",
        "uginewgame",
    ] {
        let after = |before: &[&str]| {
            let mut engine = client();
            for go in before {
                answer(&mut engine, go);
            }
            engine.send_line(change).unwrap();
            answer(&mut engine, "go depth 6")
        };
        assert_eq!(after(&["go depth 8"]), after(&[]), "{change}");
    }
}

#[test]
fn the_same_search_gives_the_same_output() {
    for game in IDS {
        for go in ["go depth 4", "go nodes 3000"] {
            let search = || {
                let mut engine = client();
                engine.send_line(&format!("setoption name Game value {game}")).unwrap();
                let lines = answer(&mut engine, go);
                assert_eq!(engine.close_input(LONG).unwrap(), [""; 0]);
                lines
            };
            let first = search();
            assert!(first.len() > 1, "{game}: {first:?}");
            assert_eq!(first, search(), "{game}: {go}");
        }
    }
}
