//! `leap rate`: one list of several matches.

use super::*;

#[test]
fn engines_of_several_matches_are_in_one_list() {
    let place = Workplace::new();
    for (names, more) in [
        ("sound other", "--games 4 --random-plies 2 --out a"),
        ("other illegal-bestmove", "--games 2 --out b"),
        ("sound other", "--each depth=2 --games 2 --out c"),
    ] {
        place.succeeds(&mocks(names, more));
    }
    let list = place.results("rate --json a b");
    let rows = list["engines"].as_array().unwrap();
    let games = |engine: &str| row(&list, engine)["games"].as_u64().unwrap();
    assert_eq!(
        (rows.len(), games("sound"), games("other"), games("illegal-bestmove")),
        (3, 4, 6, 2)
    );
    assert_eq!(row(&list, "illegal-bestmove")["faults"], json!({"illegal-move": 2}));
    // An engine that has lost all games has no finite rating.
    let last = rows.last().unwrap();
    assert_eq!((&last["engine"], &last["elo"]), (&json!("illegal-bestmove"), &Value::Null));
    assert!(
        list["next"][0]["engines"].as_array().unwrap().contains(&json!("illegal-bestmove")),
        "{list}"
    );
    // Another limit makes another engine, unless the name decides.
    assert_eq!(place.results("rate --json a c")["engines"].as_array().unwrap().len(), 4);
    let by_name = place.results("rate --json --by-name a c");
    assert_eq!(row(&by_name, "sound")["games"], 6);
    let table = text(&place.succeeds("rate a c").stdout);
    assert!(table.contains("\nsound-2 is ") && table.contains(", depth=2\n"), "{table}");
    let message = place.refusal("rate a a");
    assert!(message.contains("game 1 of a is in a too"), "{message}");
    let message = place.refusal("rate a nowhere");
    assert!(message.contains("expected a match, found no nowhere"), "{message}");
}
