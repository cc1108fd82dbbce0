//! The transcripts in `tests/transcripts/`: the session repeats them, the daemon repeats them, and together they hold
//! every clause of the rules, every option, ending, error code and reason.

#[path = "transcripts/coverage.rs"]
mod coverage;
#[path = "transcripts/in_process.rs"]
mod in_process;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use leap_conformance::replay;
use leap_protocol::Transcript;

/// The directory of the corpus.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts")
}

/// Every transcript: its path below [`root`], and what it holds. In order of the paths.
fn corpus() -> Vec<(String, Transcript)> {
    let mut files: Vec<PathBuf> = Vec::new();
    let mut folders = vec![root()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "ugt") {
                files.push(path);
            }
        }
    }
    files.sort();
    let read = |path: PathBuf| {
        let name = path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
        let bytes = std::fs::read(&path).unwrap();
        let transcript = Transcript::parse(&bytes);
        (name.clone(), transcript.unwrap_or_else(|error| panic!("{name}: {error}")))
    };
    files.into_iter().map(read).collect()
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
        files: corpus().into_iter().map(|(name, _)| root().join(name)).collect(),
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
    for game in leapd::games::GameId::NAMES {
        let own = corpus.iter().filter(|(name, _)| name.starts_with(&format!("{game}/")));
        assert!(own.count() >= 12, "{game}");
    }
}
