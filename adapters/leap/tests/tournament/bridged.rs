//! What the runner makes of the faults of an engine behind `leap bridge`: docs/bridges.md has the table.

use super::*;
use crate::support::LEAP;

/// What the engine answers to `genmove`, and the reason its games are lost for.
const FAULTS: &[(&str, &str)] = &[
    ("=%n z9;!blank", "illegal-move"),
    ("=%n pass;!blank", "illegal-move"),
    ("?%n cannot;!blank", "refused"),
    ("=%n a b c;!blank", "crash"),
    ("!exit 0", "crash"),
    ("!abort", "crash"),
    ("!flood 1 x", "crash"),
    ("!hang", "stall"),
    ("!part =", "stall"),
];

/// The game of the mock by GTP: the bridge's engine answers `genmove` so.
fn bridged(answer: &str) -> String {
    let rules = [
        format!("genmove={answer}"),
        "list_commands==%n;!blank".to_owned(),
        "==%n;!blank".to_owned(),
    ];
    let words = ["bridge", "gtp", "--game", "mock", "--letters", "all", "--", MOCK, "puppet"];
    let words = words.into_iter().map(str::to_owned).chain(rules);
    let args: String = words
        .map(|word| format!(" {}", shlex::try_quote(&format!("arg={word}")).unwrap()))
        .collect();
    format!("--engine cmd={LEAP} name=bridged{args}")
}

#[test]
fn faults_behind_a_bridge_are_named_as_those_of_other_engines() {
    at_once(FAULTS, |(answer, reason)| {
        let place = Workplace::new();
        // A stall is known when all of these have passed.
        let [margin, patience] = if *reason == "stall" { [1000; 2] } else { [5000, 10_000] };
        let times = format!("--each movetime=500 --margin {margin} --patience {patience}");
        let more = format!("{times} {}", bridged(answer));
        let results = place.results(&mocks("sound", &more));
        assert_eq!(row(&results, "bridged")["faults"], json!({*reason: 2}), "{answer}");
        assert_eq!(row(&results, "sound")["faults"], json!({}), "{answer}");
    });
}

#[test]
fn a_resignation_is_no_fault_and_the_record_tells_it() {
    let place = Workplace::new();
    let more = format!("--each movetime=1000 --margin 5000 {}", bridged("=%n resign;!blank"));
    let results = place.results(&mocks("sound", &more));
    let given_up = row(&results, "bridged");
    assert_eq!((&given_up["losses"], &given_up["faults"]), (&json!(2), &json!({})), "{results}");
    for record in place.records("m") {
        assert_eq!(record.tag("Reason"), Some("resignation"));
    }
}
