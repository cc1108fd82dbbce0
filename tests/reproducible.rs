//! A search limited by depth or nodes alone is reproducible, bit for bit (SPEC 5.26).

mod support;

use support::Connection;

/// The lines of a search without what the clock puts into them.
fn search(game: &str, go: &str) -> Vec<String> {
    let mut engine = Connection::open();
    engine.send(&format!("setoption name Game value {game}"));
    let lines = answer(&mut engine, go);
    assert_eq!(engine.close(), Vec::<String>::new());
    lines
}

fn answer(engine: &mut Connection, go: &str) -> Vec<String> {
    engine.send(go);
    let mut lines = Vec::new();
    loop {
        let line = engine.receive().unwrap();
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

/// A search must not use scores of other rules or games: their positions may have the same keys.
#[test]
fn a_search_depends_on_no_search_under_other_rules() {
    let rules = [
        "name AlquerqueCapture value mandatory",
        "name MaxPlies value 12",
        "name Game value eximo",
    ];
    for change in rules {
        let after = |before: &[&str]| {
            let mut engine = Connection::open();
            for go in before {
                answer(&mut engine, go);
            }
            engine.send(&format!("setoption {change}"));
            answer(&mut engine, "go depth 6")
        };
        assert_eq!(after(&["go depth 8"]), after(&[]), "{change}");
    }
}

#[test]
fn the_same_search_gives_the_same_output() {
    for game in leap_games::GameId::NAMES {
        for go in ["go depth 4", "go nodes 3000"] {
            let first = search(game, go);
            assert!(first.len() > 1, "{game}: {first:?}");
            assert_eq!(first, search(game, go), "{game}: {go}");
        }
    }
}
