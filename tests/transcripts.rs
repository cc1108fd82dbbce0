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

#[test]
fn the_daemon_repeats_every_transcript() {
    let args = replay::ReplayArgs {
        files: corpus().into_iter().map(|(name, _)| path(&name)).collect(),
        engine: vec![env!("CARGO_BIN_EXE_leapd").to_owned()],
        update: false,
        unpinned: false,
        timeout: Duration::from_secs(60),
        jobs: None,
        format: replay::Format::Human,
        referee: None,
    };
    assert_eq!(replay::run(args).unwrap(), ExitCode::SUCCESS, "the report above says what differs");
}

#[test]
fn every_game_has_twelve_transcripts_or_more() {
    let corpus = corpus();
    for game in GameId::NAMES {
        let own = corpus.iter().filter(|(name, _)| name.starts_with(&format!("{game}/")));
        assert!(own.count() >= 12, "{game}");
    }
}
