//! What the corpus holds: `tests/transcripts/COVERAGE.md`, made from the transcripts and compared with SPEC.md.
//!
//! A transcript says with a comment `# SPEC 11.8, 10.3: text` which clauses the lines after it show.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use leap_core::EndReason;
use leap_core::notation::Reason;
use leap_engine::Engines;
use leap_protocol::ErrorCode;
use leap_transcript::{Entry, Expected, Sent, Transcript};

use super::{corpus, root};

/// The chapters of which every clause must be shown: notation, common rules, the five games.
const CHAPTERS: std::ops::RangeInclusive<u32> = 9..=15;

/// Why no transcript of leapd shows a clause about games that leapd does not have.
const OTHER_GAMES: &str = "is about other games: `examples/try` checks Othello and Hex";

/// Clauses of those chapters that an engine cannot be seen to hold or break.
const NOT_BEHAVIOUR: [(Clause, &str); 13] = [
    (Clause(9, 29), OTHER_GAMES),
    (Clause(9, 30), OTHER_GAMES),
    (Clause(9, 31), OTHER_GAMES),
    (Clause(9, 32), OTHER_GAMES),
    (Clause(9, 33), OTHER_GAMES),
    (Clause(9, 34), OTHER_GAMES),
    (Clause(10, 15), "says why 10.14 is there"),
    (Clause(10, 19), "says how to read the numbers of other clauses"),
    (Clause(11, 1), "names the source"),
    (Clause(12, 1), "names the source"),
    (Clause(13, 1), "names the source"),
    (Clause(14, 1), "names the source"),
    (Clause(15, 1), "names the source"),
];

/// The number of a clause: chapter, clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Clause(u32, u32);

impl Clause {
    fn parse(text: &str) -> Option<Self> {
        let (chapter, number) = text.split_once('.')?;
        Some(Self(chapter.parse().ok()?, number.parse().ok()?))
    }
}

/// The clauses of SPEC.md: where a line begins with `**n.m**`.
fn clauses() -> BTreeSet<Clause> {
    let spec = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/SPEC.md")).unwrap();
    let bold = spec.lines().filter_map(|line| line.strip_prefix("**")?.split("**").next());
    bold.filter_map(Clause::parse).collect()
}

/// For each clause, the transcripts that name it.
fn shown() -> BTreeMap<Clause, Vec<String>> {
    let mut shown: BTreeMap<Clause, Vec<String>> = BTreeMap::new();
    for (name, transcript) in corpus() {
        let comments = transcript.entries.iter().filter_map(|entry| match entry {
            Entry::Comment(text) => text.trim_start().strip_prefix("SPEC "),
            _ => None,
        });
        let mut own = BTreeSet::new();
        for comment in comments {
            let numbers = comment.split(':').next().unwrap_or_default().split(", ");
            own.extend(numbers.map(|number| {
                Clause::parse(number).unwrap_or_else(|| {
                    panic!("{name}: expected '# SPEC 11.8, 10.3: text', found '# SPEC {comment}'")
                })
            }));
        }
        assert!(!own.is_empty(), "{name}: expected a comment '# SPEC 11.8: text', found none");
        for clause in own {
            shown.entry(clause).or_default().push(name.clone());
        }
    }
    shown
}

fn table() -> String {
    let mut text = String::from(
        "# What the transcripts show\n\n\
         Made by `LEAP_UPDATE=1 cargo test --test program coverage` from the comments in the transcripts.\n\n\
         | SPEC | transcripts |\n|---|---|\n",
    );
    for (Clause(chapter, number), names) in shown() {
        writeln!(text, "| {chapter}.{number} | {} |", names.join(", ")).unwrap();
    }
    text
}

#[test]
fn the_coverage_table_is_up_to_date() {
    let path = root().join("tests/transcripts/COVERAGE.md");
    if std::env::var_os("LEAP_UPDATE").is_some() {
        std::fs::write(&path, table()).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == table(), "run LEAP_UPDATE=1 cargo test --test program coverage");
}

#[test]
fn every_clause_of_the_rules_is_shown() {
    let (clauses, shown) = (clauses(), shown());
    let unknown: Vec<_> = shown.keys().filter(|clause| !clauses.contains(clause)).collect();
    assert!(unknown.is_empty(), "SPEC.md has no {unknown:?}");
    let exempt = |clause: &Clause| NOT_BEHAVIOUR.iter().any(|(other, _)| other == clause);
    let missing: Vec<_> = clauses
        .iter()
        .filter(|clause| CHAPTERS.contains(&clause.0))
        .filter(|clause| !shown.contains_key(clause) && !exempt(clause))
        .collect();
    assert!(missing.is_empty(), "no transcript shows {missing:?}");
}

/// The lines of the engine that begin with these words, what follows split into words.
fn lines<'a>(corpus: &'a [(String, Transcript)], beginning: &str) -> Vec<Vec<&'a str>> {
    let entries = corpus.iter().flat_map(|(_, transcript)| &transcript.entries);
    let lines = entries.filter_map(|entry| match entry {
        Entry::Expected(Expected::Default(line) | Expected::Exact(line)) => {
            line.strip_prefix(beginning)
        }
        _ => None,
    });
    lines.map(|line| line.split_whitespace().collect()).collect()
}

#[test]
fn every_error_code_is_shown() {
    let corpus = corpus();
    let found = lines(&corpus, "error ");
    // No input may cause `internal`.
    let codes = ErrorCode::all().filter(|code| *code != ErrorCode::Internal);
    let is_shown = |code: &str| found.iter().any(|line| line.first() == Some(&code));
    let missing: Vec<_> = codes.filter(|code| !is_shown(code.as_str())).collect();
    assert!(missing.is_empty(), "no transcript shows the errors {missing:?}");
}

#[test]
fn every_reason_is_shown() {
    let corpus = corpus();
    let found = lines(&corpus, "response false ");
    let own = leapd::GAMES.iter().flat_map(|tools| tools.game.reasons);
    let reasons = Reason::ALL.iter().chain(own).map(|reason| reason.code());
    let missing: Vec<_> =
        reasons.filter(|reason| !found.iter().any(|line| line.first() == Some(reason))).collect();
    assert!(missing.is_empty(), "no transcript shows the reasons {missing:?}");
}

#[test]
fn every_ending_is_shown() {
    let corpus = corpus();
    let found = lines(&corpus, "response over true result ");
    let reasons = EndReason::ALL.iter().map(|reason| reason.code());
    let missing: Vec<_> =
        reasons.filter(|reason| !found.iter().any(|line| line.get(2) == Some(reason))).collect();
    assert!(missing.is_empty(), "no transcript shows the endings {missing:?}");
}

#[test]
fn every_option_is_set() {
    let corpus = corpus();
    let sent = corpus.iter().flat_map(|(_, transcript)| &transcript.entries);
    let names: BTreeSet<&str> = sent
        .filter_map(|entry| match entry {
            Entry::Sent(Sent::Line(line)) => {
                line.strip_prefix("setoption name ")?.split(' ').next()
            }
            _ => None,
        })
        .chain(corpus.iter().flat_map(|(_, transcript)| transcript.options().map(|(name, _)| name)))
        .collect();
    let engines = Engines::new(leapd::GAMES);
    let own = engines.options().map(|row| row.name.split(' ').next().unwrap());
    let missing: Vec<_> = own.filter(|name| !names.contains(name)).collect();
    assert!(missing.is_empty(), "no transcript sets the options {missing:?}");
}
