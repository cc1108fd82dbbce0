//! What people mistype, and engines that do not start: every command says in one line what is wrong and what to try.

use std::time::{Duration, Instant};

use crate::support::{MOCK, Workplace, at_once, leap, text};

/// Every mistake on a command line has status 2 and an empty standard output. Standard error names the mistake, and
/// nothing is written.
#[test]
fn every_misuse_has_status_2() {
    let place = Workplace::new();
    place.write("notes", "my notes\n");
    place.write("plan.json", "{\"games\": 2}\n");
    place.write("game.ugr", "[Game \"race\"]\n\n1. a1b1 *\n");
    let lines = include_str!("mistakes/misuse.txt").lines();
    let cases = lines.filter(|line| !line.is_empty() && !line.starts_with('#')).chain([""]);
    at_once(&cases.collect::<Vec<_>>(), |case| {
        let mut parts = case.split(" => ");
        let line = parts.next().unwrap_or_default();
        let output = place.run(line);
        let (printed, message) = (text(&output.stdout), text(&output.stderr));
        // A replay reports its files as data, and a check that no step applies.
        let is_report = printed.contains("not run") || printed.contains("skipped");
        assert_eq!(output.status.code(), Some(2), "{line}: {printed}{message}");
        assert!(printed.is_empty() || is_report, "{line}: {printed}");
        assert!(!message.is_empty() || is_report, "{line}");
        assert!(!message.contains("panicked"), "{line}: {message}");
        for part in parts {
            let (part, is_end) = part.strip_suffix('$').map_or((part, false), |part| (part, true));
            assert_eq!(message.matches(part).count(), 1, "{line}: {message}");
            assert!(!is_end || message.trim_end().ends_with(part), "{line}: {message}");
            let is_one_line = message.starts_with("leap: ") && message.lines().count() == 1;
            assert!(is_one_line || message.starts_with("error: "), "{line}: {message}");
        }
    });
    assert_eq!(place.names(), ["game.ugr", "notes", "plan.json"]);
    assert_eq!(place.read("notes"), "my notes\n");
}

/// What looks like a mistake and is none.
#[test]
fn what_is_meant_is_done() {
    let place = Workplace::new();
    for line in [
        // After two dashes everything is the engine's.
        "check --filter ugiok-exact -- MOCK puppet --level=play",
        // An engine that greets slowly is not taken for one of another dialect.
        "check --timeout 20000 --filter readyok-exact MOCK puppet 'ugi=!sleep 1200;id name slow;ugiok'",
        "check --game RACE --filter readyok-exact MOCK",
    ] {
        let output = place.run(line);
        assert_eq!(output.status.code(), Some(0), "{line}: {}", text(&output.stdout));
    }
}

#[test]
fn a_check_shows_the_standard_error_of_an_engine_that_does_not_greet() {
    let dies = "ugi=!stderr no such weights: net.bin;!exit 3";
    let checked = leap(&["check", "--level", "handshake", MOCK, "puppet", dies]);
    assert_eq!(checked.status.code(), Some(1));
    assert!(text(&checked.stdout).contains("no such weights"), "{}", text(&checked.stdout));
}

/// An engine that knows `uci` alone: it complains about `ugi`, or is silent.
#[test]
fn an_engine_that_speaks_uci_only_is_known_before_patience_ends() {
    at_once(&["Unknown command", ""], |complaint| {
        let place = Workplace::new();
        let rules = format!("'ugi={complaint}' 'uci=id name Old;uciok'");
        let args = rules.replace("'u", "'arg=u");
        let begun = Instant::now();
        for (line, expected) in [
            (
                format!(
                    "match --referee MOCK --patience 25000 --engine cmd=MOCK arg=puppet {args}"
                ),
                "speaks UCI only: it answers 'uci'; try proto=uci",
            ),
            (format!("gogui -- MOCK puppet {rules}"), "speaks UCI only"),
        ] {
            let output = place.run(&line);
            let message = text(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{message}");
            assert!(message.contains(expected) && message.lines().count() == 1, "{message}");
        }
        assert!(begun.elapsed() < Duration::from_secs(25), "it has waited for 'ugiok' to the end");
    });
}
