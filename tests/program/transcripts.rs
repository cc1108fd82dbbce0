//! The transcripts in `games/*/transcripts/` and `tests/transcripts/common/`.
//!
//! The daemon repeats them, and the examples of the documents. The transcripts show every clause of the rules, and
//! every option, ending, error code and reason.

mod coverage;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use leap_conformance::{replay, runner};
use leap_games::IDS;
use leap_transcript::Transcript;

use crate::process::{LEAPD, LONG, client};

/// The repository.
fn root() -> PathBuf {
    env!("CARGO_MANIFEST_DIR").into()
}

/// The path of a transcript: the games have theirs in their folders.
fn path(name: &str) -> PathBuf {
    match name.split_once('/') {
        Some(("common", _)) => root().join("tests/transcripts").join(name),
        Some((game, file)) => root().join("games").join(game).join("transcripts").join(file),
        None => panic!("expected a game or 'common', found {name}"),
    }
}

/// Every transcript: its name after its game or `common`, and what it holds. In order of the names.
fn corpus() -> Vec<(String, Transcript)> {
    let mut names: Vec<String> = Vec::new();
    for of in IDS.into_iter().chain(["common"]) {
        let folder = path(&format!("{of}/"));
        let entries =
            std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        let files = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names
            .extend(files.filter(|file| file.ends_with(".ugt")).map(|file| format!("{of}/{file}")));
    }
    names.sort();
    let read = |name: String| {
        let transcript = Transcript::parse(&std::fs::read(path(&name)).unwrap());
        (name.clone(), transcript.unwrap_or_else(|error| panic!("{name}: {error}")))
    };
    names.into_iter().map(read).collect()
}

/// Replays transcripts with the daemon.
fn replayed(files: Vec<PathBuf>, update: bool) -> ExitCode {
    let args = replay::ReplayArgs {
        files,
        engine: vec![LEAPD.to_owned()],
        update,
        unpinned: false,
        timeout: Duration::from_secs(60),
        jobs: None,
        format: replay::Format::Human,
        junit: None,
        referee: None,
    };
    replay::run(args).unwrap()
}

#[test]
fn the_daemon_repeats_every_transcript() {
    let files = corpus().into_iter().map(|(name, _)| path(&name)).collect();
    assert_eq!(replayed(files, false), ExitCode::SUCCESS, "the report above says what differs");
}

/// The blocks of a document in this language, each with the number of the line before it.
fn examples(document: &str, language: &str) -> Vec<(usize, String)> {
    let text = std::fs::read_to_string(root().join(document)).unwrap();
    let fence = format!("```{language}\n");
    let block = |(at, _): (usize, &str)| {
        let (before, after) = text.split_at(at + fence.len());
        (before.lines().count(), after.split_once("```").unwrap().0.to_owned())
    };
    text.match_indices(&fence).map(block).collect()
}

/// Plays the client of an example. A line has to come as it is printed, but for wildcards and `info` lines between.
fn is_answered(example: &str, place: &str) {
    // Without a wildcard, the whole line is meant.
    let exact = |line: &str| match line.strip_prefix("< ") {
        Some(answer) if !answer.contains("...") => format!("<= {answer}\n"),
        _ => format!("{line}\n"),
    };
    let lines: String = example.lines().map(exact).collect();
    let transcript: Transcript =
        format!("ugt 1\n{lines}").parse().unwrap_or_else(|error| panic!("{place}: {error}"));
    let mut engine = client();
    runner::repeat(transcript, &mut engine, LONG)
        .unwrap_or_else(|error| panic!("{place}: {error}"));
    let mut rest = engine.close_input(LONG).unwrap();
    rest.retain(|line| !line.starts_with("info"));
    assert!(rest.is_empty(), "{place}: the engine also said {rest:?}");
}

#[test]
fn the_daemon_answers_every_example_as_it_is_printed() {
    for (document, least) in [("SPEC.md", 20), ("README.md", 1)] {
        let examples = examples(document, "ugi");
        assert!(examples.len() >= least, "found {} examples in {document}", examples.len());
        for (line, example) in examples {
            is_answered(&example, &format!("{document}, after line {line}"));
        }
    }
}

/// Without its answers, an example becomes itself again by an update.
#[test]
fn the_daemon_repeats_the_examples_of_the_documents_and_answers_their_questions() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("example.ugt");
    let read = || std::fs::read_to_string(&file).unwrap();
    for document in ["SPEC.md", "docs/leapd.md"] {
        let examples = examples(document, "ugt");
        assert!(!examples.is_empty(), "{document}");
        for (_, example) in examples {
            std::fs::write(&file, &example).unwrap();
            assert_eq!(replayed(vec![file.clone()], false), ExitCode::SUCCESS, "{document}");
            if document == "SPEC.md" {
                continue;
            }
            let questions = example.lines().filter(|line| !line.starts_with('<'));
            std::fs::write(&file, questions.map(|line| format!("{line}\n")).collect::<String>())
                .unwrap();
            for _ in 0..2 {
                assert_eq!(replayed(vec![file.clone()], true), ExitCode::SUCCESS, "{document}");
                assert_eq!(read(), example, "{document}");
            }
        }
    }
}

#[test]
fn every_game_has_twelve_transcripts_or_more() {
    let corpus = corpus();
    for game in IDS {
        let own = corpus.iter().filter(|(name, _)| name.starts_with(&format!("{game}/")));
        assert!(own.count() >= 12, "{game}");
    }
}
