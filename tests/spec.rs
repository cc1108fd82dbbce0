//! SPEC.md, README.md and the engine say the same: every example is run, every table is compared.

mod support;

use std::collections::BTreeSet;

use leap_engine::options::{OPTIONS, Settings};
use leap_protocol::ErrorCode;
use support::Connection;

fn file(name: &str) -> String {
    std::fs::read_to_string(format!("{}/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn spec() -> String {
    file("SPEC.md")
}

/// The fenced blocks with this info string, each with the number of its first line.
fn blocks(spec: &str, info: &str) -> Vec<(usize, Vec<String>)> {
    let fence = format!("```{info}");
    let mut blocks = Vec::new();
    let mut lines = spec.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        if line == fence {
            let body = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```");
            blocks.push((number + 2, body.map(str::to_owned).collect()));
        }
    }
    blocks
}

/// Whether a line is what a pattern expects, in which `...` stands for any text.
fn matches(pattern: &str, line: &str) -> bool {
    let parts: Vec<&str> = pattern.split("...").collect();
    let Some(mut rest) = line.strip_prefix(parts[0]) else { return false };
    let Some((last, middle)) = parts[1..].split_last() else { return rest.is_empty() };
    for part in middle {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

fn run(file: &str, first_line: usize, block: &[String]) {
    let mut engine = Connection::open();
    for (offset, line) in block.iter().enumerate() {
        if let Some(command) = line.strip_prefix("> ") {
            engine.send(command);
        } else if let Some(expected) = line.strip_prefix("< ") {
            let found = loop {
                let found = engine.receive().unwrap_or_default();
                if expected.starts_with("info") || !found.starts_with("info") {
                    break found;
                }
            };
            let place = first_line + offset;
            assert!(
                matches(expected, &found),
                "{file}:{place}: expected {expected}\nfound {found}"
            );
        } else {
            panic!("{file}:{}: expected '> ' or '< ', found '{line}'", first_line + offset);
        }
    }
    let rest: Vec<String> =
        engine.close().into_iter().filter(|line| !line.starts_with("info")).collect();
    assert!(rest.is_empty(), "{file}:{first_line}: the engine also said {rest:?}");
}

#[test]
fn every_example_is_what_the_engine_answers() {
    for (name, least) in [("SPEC.md", 20), ("README.md", 1)] {
        let blocks = blocks(&file(name), "ugi");
        assert!(blocks.len() >= least, "found {} examples in {name}", blocks.len());
        for (first_line, block) in blocks {
            run(name, first_line, &block);
        }
    }
}

/// The rows between two markers, without the table's head, each split into cells.
fn table(name: &str) -> Vec<Vec<String>> {
    let spec = spec();
    let start = spec.find(&format!("<!-- {name} -->")).unwrap();
    let end = spec.find(&format!("<!-- /{name} -->")).unwrap();
    let rows = spec[start..end].lines().filter(|line| line.starts_with('|')).skip(2);
    let cells =
        |row: &str| row.trim_matches('|').split(" | ").map(|cell| cell.trim().to_owned()).collect();
    rows.map(cells).collect()
}

fn codes(name: &str) -> Vec<String> {
    table(name).into_iter().map(|row| row[0].trim_matches('`').to_owned()).collect()
}

#[test]
fn the_error_codes_are_those_of_the_table() {
    let known: Vec<_> = ErrorCode::all().map(|code| code.to_string()).collect();
    assert_eq!(codes("errors"), known);
}

#[test]
fn the_reasons_are_those_of_the_table() {
    let known: Vec<&str> = leap_games::reasons().map(|reason| reason.code()).collect();
    let told = codes("reasons");
    assert_eq!(told.len(), known.len());
    assert_eq!(BTreeSet::from_iter(told.iter().map(String::as_str)), BTreeSet::from_iter(known));
}

#[test]
fn the_options_are_those_of_the_table() {
    let rows = table("options");
    let mut names = codes("options");
    assert_eq!(names.pop().as_deref(), Some("UCI_Variant"));
    assert_eq!(names, OPTIONS.iter().map(|row| row.name).collect::<Vec<_>>());
    for (row, option) in rows.iter().zip(OPTIONS.iter()) {
        let declaration = option.declaration().to_string();
        let kind = declaration.split(" type ").nth(1).unwrap().split(' ').next().unwrap();
        assert_eq!(row[1], kind, "{}", option.name);
        let default = option.value(&Settings::default());
        let shown = if default.is_empty() { "-".to_owned() } else { format!("`{default}`") };
        assert_eq!(row[2], shown, "{}", option.name);
        if let Some((min, max)) =
            row[3].trim_matches('`').split_once("..").filter(|_| kind == "spin")
        {
            assert!(declaration.ends_with(&format!("min {min} max {max}")), "{declaration}");
        }
    }
}

#[test]
fn patterns_match_as_the_spec_says() {
    assert!(matches("bestmove ...", "bestmove a1a2"));
    assert!(matches("a ... c ... e", "a b c d e"));
    assert!(!matches("readyok", "readyok now"));
    assert!(!matches("a ... z", "a b c"));
}
