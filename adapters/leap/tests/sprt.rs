//! `leap sprt` and `leap match --expect`: questions about strength that need no engine.

use crate::support::{Workplace, leap, text};

#[track_caller]
fn said(args: &[&str]) -> String {
    let output = leap(args);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// cutechess, issue 543.
#[test]
fn a_result_of_games_says_what_cutechess_says() {
    let args = ["sprt", "880", "1863", "759", "--elo1", "5", "--model", "logistic"];
    let said = said(&args);
    assert!(said.starts_with("3502 games, score 51.7 %\nElo +12.0 ±7.9, "), "{said}");
    assert!(said.ends_with(", LOS 99.9 %\nLLR 2.95 (-2.94, 2.94), H1 is accepted\n"), "{said}");
}

/// github.com/princesslana/princhess, pull request 343.
#[test]
fn a_result_of_pairs_says_what_fastchess_says() {
    let said = said(&["sprt", "1", "22", "52", "21", "4", "--elo0", "-5", "--elo1", "0"]);
    assert!(
        said.starts_with("100 pairs of games, score 51.2 %\nElo +8.7 ±27.0, normalized +15.5"),
        "{said}"
    );
    assert!(said.ends_with(", LOS 73.6 %\nLLR 0.15 (-2.94, 2.94), undecided\n"), "{said}");
}

#[test]
fn a_result_without_games_says_nothing() {
    assert_eq!(
        said(&["sprt", "0", "0", "0"]),
        "0 games, score -\nElo -, normalized -, LOS -\nLLR 0.00 (-2.94, 2.94), undecided\n"
    );
}

#[test]
fn a_test_tells_how_many_games_it_takes() {
    let said = said(&["match", "--expect", "--sprt", "elo0=0", "elo1=5"]);
    let rows: Vec<Vec<&str>> = said.lines().map(|line| line.split_whitespace().collect()).collect();
    let expected = [
        ["+0.0", "25592", "5.0", "%"],
        ["+2.5", "41862", "50.0", "%"],
        ["+5.0", "25592", "95.0", "%"],
    ];
    assert_eq!(rows[1..], expected);
}

#[test]
fn a_match_of_fixed_length_tells_its_interval() {
    let said = said(&["match", "--expect", "--elo", "10", "--draws", "0.5"]);
    assert_eq!(said, "2320 games for a 95 % interval of ±10.0 Elo\n");
}

#[test]
fn expectations_are_json_too_and_read_the_file_of_a_match() {
    let place = Workplace::new();
    place.write("match.toml", "[sprt]\nelo0 = 0\nelo1 = 10\nmodel = 'logistic'\n");
    let output = place.run("match --config match.toml --expect --elo 5 --json");
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["test"]["test"]["elo1"], 10.0);
    assert_eq!(answer["test"]["at"][0]["elo"], 5.0);
    assert!(answer["test"]["at"][0]["games"].as_f64().is_some_and(|games| games > 1000.0));
    assert_eq!(place.names(), ["match.toml"]);
}

#[test]
fn absurd_counts_say_nothing_absurd() {
    let most = u64::MAX.to_string();
    for counts in [
        vec![&*most, &most, &most],
        vec!["9999999999999999", "0", "0"],
        vec!["0", &most, "0"],
        vec!["0", "0", &most],
        vec!["1", "0", &most],
        vec![&most, &most, &most, &most, &most],
        vec!["0", "0", "0", "0", &most],
    ] {
        for model in ["logistic", "normalized"] {
            let said = said(&[&["sprt"], &*counts, &["--model", model]].concat());
            assert!(!said.contains("NaN") && !said.contains("inf"), "{counts:?}: {said}");
            let score = said.split("score ").nth(1).unwrap().split(' ').next().unwrap();
            assert!((0.0..=100.0).contains(&score.parse::<f64>().unwrap()), "{counts:?}: {said}");
        }
    }
    let said = said(&["sprt", &most, &most, &most]);
    assert!(said.starts_with("55340232221128654845 games, score 50.0 %\n"), "{said}");
}
