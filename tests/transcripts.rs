//! The transcripts in `games/*/transcripts/` and `tests/transcripts/common/`.
//!
//! The session repeats them, and so does the daemon. Together they hold every clause of the rules, and every option,
//! ending, error code and reason.

#[path = "transcripts/coverage.rs"]
mod coverage;
#[path = "transcripts/in_process.rs"]
mod in_process;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use leap_conformance::replay;
use leap_games::GameId;
use leap_protocol::Transcript;

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
    for of in GameId::NAMES.iter().copied().chain(["common"]) {
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

#[test]
fn the_session_repeats_every_transcript() {
    for (name, transcript) in corpus() {
        in_process::repeat(&name, &transcript);
    }
}

/// Replays transcripts with the daemon.
fn replayed(files: Vec<PathBuf>, update: bool) -> ExitCode {
    let args = replay::ReplayArgs {
        files,
        engine: vec![env!("CARGO_BIN_EXE_leapd").to_owned()],
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

/// The transcripts in a document.
fn examples(document: &str) -> Vec<String> {
    let text = std::fs::read_to_string(root().join(document)).unwrap();
    let blocks = text.split("```ugt\n").skip(1);
    blocks.map(|block| block.split_once("```").unwrap().0.to_owned()).collect()
}

/// Without its answers, an example becomes itself again by an update.
#[test]
fn the_daemon_repeats_the_examples_of_the_documents_and_answers_their_questions() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("example.ugt");
    let read = || std::fs::read_to_string(&file).unwrap();
    for document in ["SPEC.md", "docs/leapd.md"] {
        let examples = examples(document);
        assert!(!examples.is_empty(), "{document}");
        for example in examples {
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
    for game in GameId::NAMES {
        let own = corpus.iter().filter(|(name, _)| name.starts_with(&format!("{game}/")));
        assert!(own.count() >= 12, "{game}");
    }
}
