//! `leap check` on engines in Python that use `leapclient.serve`. The stub has Alquerque's rules, written from SPEC.md
//! alone. It passes. With any rule broken on purpose it fails the step of the level *rules* that is meant for this rule.
//! The examples of the package pass too, and their player beats its own random moves.
//! Without python3 these tests are skipped, with a message.

use std::collections::BTreeSet;
use std::process::Command;

use leap_testing::skip;

use crate::support::{LEAP, Workplace, at_once, leap, text};

const STUB: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/stub/alquerque.py");
const PYTHON: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../python");

/// The broken rules that the stub lists and, for each, the step meant for it.
const BREAKS: &[(&str, &str)] = &[
    ("diagonals-everywhere", "rules 11.18 capture"),
    ("no-diagonals", "rules 11.17 first-moves"),
    ("centre-to-the-left", "rules 11.4 start"),
    ("p2-begins", "rules 11.4 start"),
    ("thirteen-men", "rules 9.17 too-many-men"),
    ("forward-only", "rules 11.18 capture"),
    ("captured-man-stays", "rules 11.18 capture"),
    ("captured-men-leave-late", "rules 9.27 move-lists"),
    ("origin-stays-occupied", "rules 11.19 chains-may-stop-and-come-back"),
    ("own-men-hopped", "rules 11.17 first-moves"),
    ("one-hop-only", "rules 11.19 chains-may-stop-and-come-back"),
    ("must-go-on", "rules 11.19 chains-may-stop-and-come-back"),
    ("step-after-hops", "rules 11.18 capture"),
    ("mandatory-ignored", "rules 8.11 example-1"),
    ("mandatory-at-first-only", "rules 11.21 perft-mandatory"),
    ("mandatory-chains-only", "rules 8.11 example-1"),
    ("mandatory-most", "rules 11.11 mandatory-capture-game"),
    ("listing-by-letter", "rules 11.18 capture"),
    ("routes-twice", "rules 9.27 move-lists"),
    ("canonical-is-greatest", "rules 4.29 history-is-canonical-1"),
    ("quiet-not-reset", "rules 11.18 capture"),
    ("stuck-draws", "rules 11.12 no-men-loses"),
    ("stuck-counts", "rules 11.12 no-move-loses-with-more-men"),
    ("count-reversed", "rules 11.14 quiet-limit-counts"),
    ("count-draws", "rules 11.14 quiet-limit-counts"),
    ("quiet-limit-late", "rules 11.14 quiet-limit-counts"),
    ("quiet-limit-early", "rules 11.14 quiet-limit-counts"),
    ("max-plies-late", "rules 8.11 example-3"),
    ("max-plies-first", "rules 10.7 quiet-limit-comes-before-max-plies"),
    ("limits-first", "rules 10.7 no-moves-comes-before-limits"),
    ("repetition-ignored", "rules 10.12 third-repetition-1"),
    ("repetition-of-two", "rules 10.12 third-repetition-1"),
];

/// The games of the package, each a file in `examples`, and the levels that it must pass. What no game decides is the
/// package's own: the stub shows it.
const EXAMPLES: &[(&str, &str)] =
    &[("connect_four", "play,extensions,rules"), ("othello", "play,extensions,rules")];
/// An example, and what no game decides.
const WHOLE: &[(&str, &str)] =
    &[("connect_four", "process,handshake,session,robustness"), ("connect_four", "limits")];

/// The lines of `--list`; `None` without python3.
fn list() -> Option<String> {
    let Ok(output) = Command::new("python3").args([STUB, "--list"]).output() else {
        skip("python3", "apt install python3");
        return None;
    };
    assert!(output.status.success(), "{}", text(&output.stderr));
    Some(text(&output.stdout))
}

/// Exit status and result of `leap check` on the stub, with time for slow machines.
fn check(options: &[&str], stub: &[&str]) -> (Option<i32>, serde_json::Value) {
    let common = ["check", "--margin", "3000", "--json", "-"];
    let output = leap(&[&common, options, &["--", "python3", STUB], stub].concat());
    let json = serde_json::from_slice(&output.stdout).unwrap_or_default();
    (output.status.code(), json)
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn the_stub_passes_every_level() {
    const LEVELS: &[(&str, u64)] = &[
        ("play", 17),
        ("session,robustness", 27),
        ("process,handshake,limits", 32),
        ("extensions", 28),
        ("rules", 48),
    ];
    if list().is_none() {
        return;
    }
    at_once(LEVELS, |(levels, at_least)| {
        let (status, json) = check(&["--timeout", "30000", "--level", levels], &[]);
        assert_eq!(status, Some(0), "{json:#}");
        let passed = json["passed"].as_u64().unwrap();
        assert!(passed >= *at_least, "{levels}: {passed} passed, expected {at_least}");
    });
}

/// The `leap` command with Python's path to the package.
fn leap_with_package() -> Command {
    let mut command = Command::new(LEAP);
    command.env("PYTHONPATH", format!("{PYTHON}/src")).env("PYTHONDONTWRITEBYTECODE", "1");
    command
}

fn pass_their_levels(examples: &[(&str, &str)]) {
    if list().is_none() {
        return;
    }
    at_once(examples, |(game, levels)| {
        let output = leap_with_package()
            .args(["check", "--margin", "3000", "--timeout", "60000", "--level", levels, "python3"])
            .arg(format!("{PYTHON}/examples/{game}.py"))
            .output()
            .expect("the command runs");
        assert!(
            output.status.success(),
            "{game}: {}{}",
            text(&output.stdout),
            text(&output.stderr)
        );
    });
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn the_examples_in_python_pass_the_levels_that_a_game_decides() {
    pass_their_levels(EXAMPLES);
}

#[cfg(unix)]
#[test]
#[ignore = "slow: run by .ci/run"]
fn an_example_in_python_beats_its_own_random_moves() {
    if list().is_none() {
        return;
    }
    let place = Workplace::new();
    let example = format!("{PYTHON}/examples/connect_four.py");
    // Without a seed its random moves differ from run to run, and some win.
    let seeded = format!(
        "import random, runpy; random.seed(1); runpy.run_path({example:?}, run_name='__main__')\n"
    );
    place.write("seeded.py", seeded);
    let seeded = format!("cmd=python3 {}", place.path("seeded.py").display());
    let output = leap_with_package()
        .args(["match", "--games", "2", "--margin", "5000", "--referee", &example, "--out"])
        .arg(place.path("match"))
        .args(["--engine", &format!("cmd={example}"), "name=search", "nodes=4000"])
        .args(["--engine", &seeded, "name=random", "option.Strength=-20", "nodes=1"])
        .output()
        .expect("the command runs");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let table = text(&output.stdout);
    assert!(table.contains("1  search      2    2      0     0"), "{table}");
}

#[test]
fn each_broken_rule_has_a_step_meant_for_it() {
    let Some(list) = list() else { return };
    let found: BTreeSet<&str> =
        list.lines().filter_map(|line| Some(line.split_once(':')?.0)).collect();
    let known: BTreeSet<&str> = BREAKS.iter().map(|(name, _)| *name).collect();
    assert_eq!(found, known);
    assert!(known.len() >= 10);
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn each_broken_rule_fails_the_step_meant_for_it() {
    if list().is_some() {
        at_once(BREAKS, must_fail);
    }
}

/// With this rule broken the step must fail. The test of the level *rules* shows that it passes otherwise.
fn must_fail(&(name, step): &(&str, &str)) {
    // Some broken rules show only as an answer that never comes. On a busy machine Python needs seconds to start.
    let options = ["--timeout", "10000", "--game", "alquerque", "--filter", step];
    let (status, json) = check(&options, &["--break", name]);
    assert_eq!(status, Some(1), "'{name}' must fail '{step}': {json:#}");
    let steps = json["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 1, "'{step}' must be one step: {json:#}");
    assert_eq!((&steps[0]["level"], &steps[0]["verdict"]), (&"rules".into(), &"failed".into()));
}

/// Run by `.ci/run exhaustive`: minutes.
mod exhaustive {
    use super::*;

    #[test]
    #[ignore = "exhaustive: run by .ci/run exhaustive"]
    fn an_example_in_python_passes_the_other_levels() {
        pass_their_levels(WHOLE);
    }
}
