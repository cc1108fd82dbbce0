//! The tables of SPEC.md are those of the code. `tests/program/transcripts.rs` runs its examples.

use std::collections::BTreeSet;

use leap_core::notation::Reason;
use leap_engine::Engines;
use leap_protocol::ErrorCode;

fn spec() -> String {
    std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/SPEC.md")).unwrap()
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
    let own = leapd::GAMES.iter().flat_map(|tools| tools.game.reasons);
    let known: Vec<&str> = Reason::ALL.iter().chain(own).map(|reason| reason.code()).collect();
    let told = codes("reasons");
    assert_eq!(told.len(), known.len());
    assert_eq!(BTreeSet::from_iter(told.iter().map(String::as_str)), BTreeSet::from_iter(known));
}

#[test]
fn the_options_are_those_of_the_table() {
    let rows = table("options");
    let mut names = codes("options");
    assert_eq!(names.pop().as_deref(), Some("UCI_Variant"));
    let engines = Engines::new(leapd::GAMES);
    assert_eq!(names, engines.options().map(|row| &*row.name).collect::<Vec<_>>());
    for (row, option) in rows.iter().zip(engines.options()) {
        let declaration = option.declaration().to_string();
        let kind = declaration.split(" type ").nth(1).unwrap().split(' ').next().unwrap();
        assert_eq!(row[1], kind, "{}", option.name);
        let default = &option.default;
        assert_eq!(*default, engines.value(&option.name));
        let shown = if default.is_empty() { "-".to_owned() } else { format!("`{default}`") };
        assert_eq!(row[2], shown, "{}", option.name);
        if let Some((min, max)) =
            row[3].trim_matches('`').split_once("..").filter(|_| kind == "spin")
        {
            assert!(declaration.ends_with(&format!("min {min} max {max}")), "{declaration}");
        }
    }
}
