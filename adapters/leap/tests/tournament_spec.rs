//! SPEC 19 and the match runner agree.

use leap_match::events::{Event, Reason};
use leap_records::Record;

fn spec() -> String {
    std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../SPEC.md")).unwrap()
}

/// The fenced blocks with this info string.
fn blocks(info: &str) -> Vec<String> {
    let spec = spec();
    let fence = format!("```{info}\n");
    let parts = spec.split(&fence).skip(1);
    let blocks: Vec<String> =
        parts.map(|part| part.split("```\n").next().unwrap().to_owned()).collect();
    assert!(!blocks.is_empty(), "no example of {info}");
    blocks
}

#[test]
fn the_reasons_are_those_of_the_table() {
    let spec = spec();
    let table = spec.split("<!-- match-reasons -->").nth(1).unwrap();
    let table = table.split("<!-- /match-reasons -->").next().unwrap();
    let rows = table.lines().filter_map(|line| line.strip_prefix("| `"));
    let words: Vec<&str> = rows.map(|row| row.split('`').next().unwrap()).collect();
    let known: Vec<&str> = Reason::ALL.iter().map(|reason| reason.as_str()).collect();
    assert_eq!(words, known);
}

#[test]
fn the_events_of_the_examples_are_read_and_written_alike() {
    for line in blocks("ndjson").iter().flat_map(|block| block.lines()) {
        let event: Event = serde_json::from_str(line).unwrap();
        assert_eq!(serde_json::to_string(&event).unwrap(), line);
    }
}

#[test]
fn the_records_of_the_examples_are_read_and_written_alike() {
    for block in blocks("ugr") {
        let records = Record::parse_all(&block).unwrap();
        assert_eq!(records.iter().map(Record::to_string).collect::<String>(), block);
    }
}
