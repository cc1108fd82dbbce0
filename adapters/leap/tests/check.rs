//! `leap check` on the mock: a correct engine passes, and each defect fails the step meant for it.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::support::{MOCK, Workplace, at_once, leap, run, text};

/// Defects and, for each, the step meant for it.
const DEFECTS: &[(&str, &str)] = &[
    ("stall", "handshake 3.2 ugiok-exact"),
    ("deaf", "handshake 3.2 ugiok-exact"),
    ("slow-start", "handshake 3.2 ugiok-exact"),
    ("dies-at-start", "handshake 3.2 ugiok-exact"),
    ("flood", "handshake 3.2 ugiok-exact"),
    ("ugiok-with-more", "handshake 3.2 ugiok-exact"),
    ("banner", "handshake 3.2 greeting-lines"),
    ("garbage", "handshake 3.5 readyok-exact"),
    ("readyok-with-more", "handshake 3.5 readyok-exact"),
    ("bad-option", "handshake 3.3 option-lines-well-formed"),
    ("options-unbounded", "handshake 3.10 options-out-of-range-refused"),
    ("option-crash", "handshake 3.9 options-settable"),
    ("uci-refuses", "handshake 2.15 uci-skips-unknown-words-of-go"),
    ("third-token", "play 5.12 two-words"),
    ("two-bestmoves", "play 5.10 one-bestmove"),
    ("no-bestmove", "play 5.10 one-bestmove"),
    ("illegal-bestmove", "play 5.10 bestmove-is-legal"),
    ("early-bestmove", "play 5.17 infinite-waits-for-stop"),
    ("stale-bestmove", "play 7.5 no-stale-bestmove"),
    ("moves-itself", "play 5.8 go-leaves-the-game"),
    ("stop-while-idle", "play 5.15 stop-while-idle-is-silent"),
    ("move-when-over", "play 5.11 bestmove-none-when-over"),
    ("busy-wait", "play 5.17 waiting-uses-no-processor"),
    ("deaf-while-searching", "session 3.5 readyok-while-searching"),
    ("not-busy", "session 7.3 busy"),
    ("forgets-position", "session 3.17 bad-position-leaves-the-old"),
    ("wrong-index", "session 6.6 fifth-move-illegal-is-named"),
    ("error-without-text", "session 6.1 error-shapes"),
    ("unknown-code", "session 6.1 error-shapes"),
    ("two-errors", "session 2.10 unknown-command-is-an-error"),
    ("crash-on-unknown", "session 2.10 unknown-command-stays-in-step"),
    ("crash-on-long-line", "robustness 2.6 line-over-1-mib"),
    ("crash-on-noise", "robustness 2.7 not-utf-8"),
    ("leak", "robustness 7.8 endless-line-takes-no-memory"),
    ("wraps", "robustness 5.2 numbers-out-of-range-refused"),
    ("oversteps", "limits 5.1 movetime-kept"),
    ("loses-on-time", "limits 7.9 clock-kept"),
    ("slow-stop", "limits 5.15 stop-is-prompt"),
    ("no-last-info", "limits 5.27 last-info-of-a-search"),
    ("unsteady", "limits 5.26 same-search-same-move"),
    ("omits-move", "extensions 4.17 legal-agrees-with-moves"),
    ("adds-move", "extensions 4.17 legal-agrees-with-moves"),
    ("unsorted", "extensions 9.27 moves-in-listing-order"),
    ("no-limit", "extensions 4.14 moves-limit"),
    ("next-omits", "extensions 4.25 next-leads-to-every-move"),
    ("next-adds", "extensions 4.25 next-leads-to-moves-only"),
    ("effects-lie", "extensions 4.28 effects-give-the-next-position"),
    ("turn-omits", "extensions 4.45 turn-offers-what-next-offers"),
    ("turn-sees-no-end", "extensions 4.44 turn-knows-what-comes-after"),
    ("turn-lies", "extensions 4.45 turn-effects-are-those-of-moves"),
    ("turn-refuses-nothing", "extensions 4.43 turn-refuses-what-legal-refuses"),
    ("perft-miscounts", "extensions 3.19 perft-adds-up"),
    ("perft-total-lies", "extensions 3.19 perft-adds-up"),
    ("omits-move", "extensions 10.16 perft-1-agrees-with-moves"),
    ("status-lies", "extensions 4.18 status-agrees-along-a-game"),
    ("result-lies", "extensions 4.18 status-agrees-along-a-game"),
    ("undo-too-much", "extensions 3.25 undo-agrees-with-position"),
    ("move-half", "extensions 3.24 move-is-all-or-nothing"),
    ("history-short", "extensions 4.29 history"),
    ("fen-drifts", "extensions 4.11 fen-round-trip"),
    ("no-id", "extensions 5.14 id"),
    ("eval-sum", "extensions 4.33 eval"),
    ("board-wrong", "extensions 4.22 board"),
    ("rules-garbled", "extensions 4.35 rules-lines"),
    ("rules-forget-a-language", "extensions 4.36 rules-languages"),
    ("rules-lie", "extensions 4.37 rules-examples"),
    ("rules-lack-words", "extensions 4.39 rules-words"),
    ("rules-end-like-no-game", "extensions 4.40 rules-endings"),
    ("tasks-lie", "extensions 4.40a rules-tasks"),
    ("problems-lie", "extensions 4.49 problems"),
    ("value-plays", "extensions 4.50 value-changes-nothing"),
    ("value-adds-move", "extensions 4.51 values-are-of-legal-moves"),
    ("value-omits-move", "extensions 4.51 values-within-reach-are-known"),
    ("value-of-the-other-side", "extensions 4.51 values-of-moves-are-those-after-them"),
    ("value-not-best", "extensions 4.52 value-is-that-of-the-best-move"),
    ("value-dawdles", "extensions 4.52 value-is-that-of-the-best-move"),
    ("value-when-over", "extensions 4.53 value-of-a-finished-game"),
    ("never-quits", "process 3.23 quit-while-idle"),
    ("quit-fails", "process 3.23 quit-while-idle"),
    ("ignores-end", "process 7.6 end-of-input-while-idle"),
    ("drops-search-at-end", "process 7.6 end-of-input-answers-a-bounded-search"),
    ("half-line-lost", "process 2.8 last-line-without-an-end"),
];

/// The verdicts of the steps with this title.
fn verdicts(step: &str, limits: &[&str], engine: &[&str]) -> (Option<i32>, Vec<String>) {
    let mut args = vec!["check", "--json", "-", "--filter", step];
    args.extend(limits);
    args.extend(engine);
    let output = leap(&args);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let steps = json["steps"].as_array().unwrap().iter();
    let verdicts = steps.map(|step| step["verdict"].as_str().unwrap().to_owned());
    (output.status.code(), verdicts.collect())
}

#[test]
fn each_defect_fails_the_step_meant_for_it() {
    at_once(DEFECTS, |(defect, step)| {
        // The unsteady mock depends on the clock: occasionally two searches agree. The one that waits busily is given
        // no processor while others are busy.
        let tries = if ["unsteady", "busy-wait"].contains(defect) { 20 } else { 1 };
        let failed = (0..tries).any(|_| {
            let (status, found) =
                verdicts(step, &["--timeout", "600"], &[MOCK, "--defect", defect]);
            status == Some(1) && found == ["failed"]
        });
        assert!(failed, "'{defect}' must fail '{step}'");
    });
}

/// The steps of these levels that an engine passes, and those that are skipped for it, by their titles. None fails.
fn passed_and_skipped(levels: &str, engine: &[&str]) -> [BTreeSet<String>; 2] {
    let listed = text(&leap(&["check", "--list", "--level", levels]).stdout);
    let title = |line: &str| line.split(['[', '(']).next().unwrap().trim().to_owned();
    let titles: BTreeSet<String> = listed.lines().map(title).collect();
    let part = |part| titles.iter().skip(part).step_by(PARTS).map(String::as_str).collect();
    let parts: Vec<Vec<&str>> = (0..PARTS).map(part).collect();
    let found: Mutex<[BTreeSet<String>; 2]> = Mutex::default();
    at_once(&parts, |steps| {
        let filters = steps.iter().flat_map(|step| ["--filter", step]);
        let args = ["check", "--margin", "3000", "--json", "-"].into_iter().chain(filters);
        let output = leap(&args.chain(engine.iter().copied()).collect::<Vec<_>>());
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(0), "{json}");
        for step in json["steps"].as_array().unwrap() {
            let title = ["level", "clause", "name"].map(|key| step[key].as_str().unwrap());
            let is_skipped = step["verdict"] == "skipped";
            found.lock().unwrap()[usize::from(is_skipped)].insert(title.join(" "));
        }
    });
    let found = found.into_inner().unwrap();
    assert_eq!(&found[0] | &found[1], titles);
    found
}

/// The waits of different steps go on side by side.
const PARTS: usize = 5;

#[test]
fn a_sound_engine_passes_everything() {
    let levels = "process,handshake,play,session,limits,robustness,extensions,rules";
    let [passed, skipped] = passed_and_skipped(levels, &[MOCK]);
    for (_, step) in DEFECTS {
        assert!(passed.contains(*step), "{step}: {passed:?}");
    }
    assert!(skipped.iter().any(|title| title.starts_with("rules ")), "{skipped:?}");
}

#[test]
fn every_step_is_listed_if_that_is_asked_for() {
    let steps = ["--filter", "5.12 two-words", "--filter", "rules 11.4 start"];
    let output = leap(&[&["check", "--verbose"], &steps[..], &[MOCK]].concat());
    let out = text(&output.stdout);
    assert!(out.contains("ok    play 5.12 two-words"), "{out}");
    assert!(out.contains("skip  rules"), "{out}");
}

#[test]
fn an_engine_of_plain_ugi_passes_up_to_limits() {
    let levels = "process,handshake,play,session,limits,robustness";
    let [passed, skipped] = passed_and_skipped(levels, &[MOCK, "--plain"]);
    assert!(passed.len() > 40 && !skipped.is_empty(), "{passed:?}");
}

/// UGI 1.0, section `go`: an infinite search may end by the engine's own limits.
#[test]
fn an_engine_of_plain_ugi_may_end_an_infinite_search() {
    let engine = [MOCK, "--plain", "--defect", "early-bestmove"];
    let [_, skipped] = passed_and_skipped("process,play,session,limits", &engine);
    assert!(skipped.iter().any(|title| title.contains("infinite-waits-for-stop")), "{skipped:?}");
}

/// What the level *ugi* finds in the mock with these arguments.
fn ugi_level(args: &[&str]) -> (Option<i32>, String) {
    let check = ["check", "--level", "ugi", "--timeout", "600", "--margin", "3000", MOCK];
    let output = leap(&[&check[..], args].concat());
    (output.status.code(), text(&output.stdout))
}

#[test]
fn the_level_of_ugi_takes_all_that_ugi_allows() {
    let allowed: &[&[&str]] = &[&[], &["--plain"], &["--plain", "--defect", "early-bestmove"]];
    at_once(allowed, |args| {
        let (status, out) = ugi_level(args);
        assert_eq!(status, Some(0), "{args:?}: {out}");
    });
}

/// Quirks of engines that were checked (docs/engines.md), and what UGI 1.0 has against them.
#[test]
fn the_level_of_ugi_cites_the_section_that_a_quirk_breaks() {
    let greeting = "ugi=id name a;id author b;option name UGI_Opponent type string;ugiok";
    let quirks: &[(&[&str], &str)] = &[
        (&["--defect", "banner"], "ugi UGI ugi greeting"),
        (&["--lie", greeting], "ugi UGI ugi options-have-defaults"),
        (&["--lie", "query result=response gamenotover"], "ugi UGI query one-response-each"),
        (&["--lie", "quit=!exit 0"], "ugi UGI quit searches-finish"),
        (&["--defect", "never-quits"], "ugi UGI quit the-process-ends"),
        (&["--defect", "no-last-info"], "ugi UGI info one-final-info"),
        (&["--lie", "go nodes="], "ugi UGI go each-way-to-search"),
        (&["--defect", "two-bestmoves"], "ugi UGI go each-way-to-search"),
        (&["--defect", "deaf-while-searching"], "ugi UGI General input-while-searching"),
        (&["--lie", "readyok=", "--lie", "uginewgame=hello"], "ugi UGI uginewgame"),
    ];
    at_once(quirks, |(args, step)| {
        let (status, out) = ugi_level(&[&["--plain"], *args].concat());
        assert_eq!(status, Some(1), "{args:?}: {out}");
        assert!(out.contains(&format!("FAIL  {step}")), "{args:?}: {out}");
    });
}

/// The rules of any game as files: written from one engine, they check another.
#[test]
fn positions_of_a_trusted_engine_find_the_fault_of_another() {
    let work = Workplace::new();
    let write = ["check", "--write", "race.jsonl", "--option", "MaxPlies=6"];
    let output = run(work.leap(&write, &[MOCK]), b"");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let rows = work.read("race.jsonl");
    assert!(
        rows.lines().count() > 5 && rows.starts_with("{\"game\":\"race\",\"options\":"),
        "{rows}"
    );
    assert!(
        rows.contains("\"reason\":\"max-plies\"") && rows.contains("\"result\":null"),
        "{rows}"
    );
    work.write(
        "race.ugt",
        "ugt 1\ngame race\noption name MaxPlies value 0\n> query history\n\
                            < response 0\n",
    );
    // What the trusted engine answers in whole games is a script.
    let write = ["check", "--write", "games.ugt", "--option", "MaxPlies=6"];
    assert_eq!(run(work.leap(&write, &[MOCK]), b"").status.code(), Some(0));
    let script = work.read("games.ugt");
    for part in [
        "\ngame race\noption name MaxPlies value 6\n",
        "\n< error illegal-move ...\n",
        "\n> undo\n",
    ] {
        assert!(script.contains(part), "{part}: {script}");
    }
    let script = ["check", "--level", "rules", "--script", "games.ugt"];
    for (engine, status) in [(&[MOCK][..], 0), (&[MOCK, "--defect", "result-lies"], 1)] {
        let output = run(work.leap(&script, engine), b"");
        assert_eq!(output.status.code(), Some(status), "{}", text(&output.stdout));
    }
    let files = ["check", "--level", "rules", "--positions", "race.jsonl", "--script", "race.ugt"];
    for (engine, failed) in [
        (&[MOCK][..], ""),
        (&[MOCK, "--defect", "perft-miscounts"], "rules 10.16 perft MaxPlies=6 [race]"),
        (&[MOCK, "--defect", "omits-move"], "rules 9.27 move-lists MaxPlies=6 [race]"),
        (&[MOCK, "--defect", "result-lies"], "rules 10.7 results-of-positions MaxPlies=6 [race]"),
        (&[MOCK, "--lie", "query history=response 7"], "rules 16 race [race]"),
    ] {
        let output = run(work.leap(&files, engine), b"");
        let out = text(&output.stdout);
        assert_eq!(output.status.code(), Some(i32::from(!failed.is_empty())), "{engine:?}: {out}");
        assert!(
            out.contains(&format!("FAIL  {failed}").trim_end().to_owned()) || failed.is_empty(),
            "{out}"
        );
    }
    // Another engine's games do not apply: nothing was checked.
    work.write("go.jsonl", "{\"game\": \"go\", \"perft\": [361]}\n");
    let output =
        run(work.leap(&["check", "--level", "rules", "--positions", "go.jsonl"], &[MOCK]), b"");
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stdout));
}

#[test]
fn a_wrong_file_of_rules_is_told_with_its_line() {
    let work = Workplace::new();
    work.write("a.jsonl", "{\"fen\": \"x\"}\n{\"fan\": \"x\"}\n");
    work.write("a.ugt", "ugt 1\n> go movetime 1\n< bestmove a1\n");
    for (option, file, expected) in [
        ("--positions", "a.jsonl", "a.jsonl: line 2: unknown field `fan`"),
        ("--script", "a.ugt", "a.ugt: line 3: expected a move that is compared"),
        ("--positions", "no.jsonl", "cannot read no.jsonl"),
    ] {
        let output = run(work.leap(&["check", option, file], &[MOCK]), b"");
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn dead_engines_are_given_up_soon() {
    at_once(&["stall", "deaf", "dies-at-start", "flood"], |defect| {
        let begun = Instant::now();
        let output = leap(&["check", "--timeout", "300", MOCK, "--defect", defect]);
        assert_eq!(output.status.code(), Some(1), "{defect}");
        assert!(begun.elapsed() < Duration::from_secs(20), "{defect}");
    });
}

#[test]
fn junit_has_a_case_for_each_step() {
    let args = ["check", "--filter", "two-words", "--junit", "-", MOCK, "--defect", "third-token"];
    let out = text(&leap(&args).stdout);
    assert!(out.starts_with("<?xml"), "{out}");
    assert!(out.contains(r#"<testcase name="play 5.12 two-words" classname="leap.play""#), "{out}");
    assert!(out.contains("<failure message="), "{out}");
}

#[test]
fn a_failure_says_what_was_sent_expected_and_got() {
    let args = ["check", "--filter", "two-words", MOCK, "--defect", "third-token"];
    let out = text(&leap(&args).stdout);
    for part in
        ["> go movetime 60", "expected 'bestmove <move>', two words", "'bestmove a1b1 ponder a2b2'"]
    {
        assert!(out.contains(part), "{part} in {out}");
    }
}

#[test]
fn the_list_needs_no_engine() {
    let output = leap(&["check", "--list", "--game", "eximo", "--level", "rules"]);
    let out = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0));
    assert!(out.contains("rules 10.16 perft [eximo] (needs perft)"), "{out}");
    assert!(!out.contains("[sapos]"), "{out}");
}

/// A file of the repository.
fn source(path: &str) -> String {
    std::fs::read_to_string(format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// The examples of the specification as a file of scripts, without the list of options, which an engine may extend. A
/// `bestmove` must be as it is printed.
fn examples(spec: &str) -> String {
    // The game that a new process starts with (SPEC 1.6).
    let mut out = "ugt 1\ngame alquerque\n\n\
                   # The examples of SPEC.md, in their order, but for the list of options, which an engine may extend.\n\
                   # LEAP_UPDATE=1 cargo test -p leap-adapters --test leap examples\n"
        .to_owned();
    let (mut clause, mut number) = (String::new(), 0);
    let mut lines = spec.lines();
    while let Some(line) = lines.next() {
        if let Some((bold, _)) = line.strip_prefix("**").and_then(|rest| rest.split_once("**"))
            && bold.split_once('.').is_some_and(|(chapter, _)| chapter.parse::<u32>().is_ok())
        {
            (clause, number) = (bold.to_owned(), 0);
        }
        if line == "```ugi" || line == "```ugi later" {
            let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            if !body.iter().any(|line| line.starts_with("< option name")) {
                number += 1;
                out += &format!("\n# SPEC {clause}: example-{number}\n");
                for line in body {
                    let is_move = line.starts_with("< bestmove ") && !line.contains("...");
                    let is_exact = is_move && line != "< bestmove none";
                    out += &if is_exact { line.replacen("< ", "<= ", 1) } else { line.to_owned() };
                    out.push('\n');
                }
            }
        }
    }
    out
}

#[test]
fn examples_equal_those_of_the_specification() {
    let spec = source("SPEC.md");
    let wanted = examples(&spec);
    if std::env::var_os("LEAP_UPDATE").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../conformance/data/examples.ugt");
        std::fs::write(path, &wanted).unwrap();
    }
    let found = source("adapters/conformance/data/examples.ugt");
    assert!(found == wanted, "data/examples.ugt: run this test with LEAP_UPDATE=1");
}

#[test]
fn reasons_equal_those_of_the_specification() {
    let spec = source("SPEC.md");
    let table = spec.split("<!-- reasons -->").nth(1).unwrap();
    let rows = table.lines().take_while(|line| !line.starts_with("<!--"));
    let codes = rows.filter_map(|row| row.strip_prefix("| `")?.split('`').next());
    let wanted: String = codes.map(|code| format!("{code}\n")).collect();
    assert_eq!(source("adapters/conformance/data/reasons.txt"), wanted, "the codes of SPEC 6.8");
}

/// A suite that takes a while tells on standard error what it tests, and how far it is.
#[cfg(unix)]
#[test]
fn a_long_suite_tells_what_it_tests() {
    let work = Workplace::new();
    // The first process tells what it is; the second one, for the first step, greets slowly.
    let slow = "echo >> starts; if [ $(wc -l < starts) = 2 ]; then sleep 2.1; fi";
    let engine = ["sh", "-c", &format!("{slow}; exec {MOCK}")];
    let filters = ["readyok-exact", "ugiok-exact", "greeting-lines"];
    let mut args = vec!["check"];
    args.extend(filters.iter().flat_map(|filter| ["--filter", filter]));
    let output = run(work.leap(&args, &engine), b"");
    let message = text(&output.stderr);
    let is_told = |line: &str| {
        line.starts_with("leap: level handshake, ") && line.contains(": 1 of 3 steps, ")
    };
    assert!(message.lines().any(is_told), "{message}");
    assert!(!text(&output.stdout).contains("leap: "), "{}", text(&output.stdout));
}
