//! The commands of README.md run, with less to do, for every game whose evaluation is learned.
#![allow(clippy::print_stdout, reason = "skipped lines say so")]

use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

/// A line of the page, and the changes that make it do less, or the reason why it is not run.
type Line = (&'static str, Result<&'static [(&'static str, &'static str)], &'static str>);

const LINES: [Line; 7] = [
    ("cargo build --release --workspace", Err("it builds the program that is tested here")),
    (
        "target/release/leap-train generate eximo --out data/eximo --shards 200 --seed 1",
        Ok(&[("200", "2 --games 8 --nodes 20")]),
    ),
    (
        "target/release/leap-train fit eximo data/eximo/*.gz --out eximo.weights",
        Ok(&[("fit", "fit --epochs 1")]),
    ),
    ("target/release/leap-train show eximo eximo.weights", Ok(&[])),
    (
        "target/release/leap-train gate eximo eximo.weights",
        Err("it plays for an hour, with programs built for release"),
    ),
    ("cp eximo.weights games/eximo/weights", Err("it changes the engine")),
    (
        "target/release/leapd bench | grep -v ^speed > tests/bench.txt",
        Err("it changes what a test compares with; .ci/run runs it"),
    ),
];

/// The lines of the block `sh`, without comments.
fn written() -> Vec<String> {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    let blocks = page.split("\n```sh\n").skip(1).map(|block| block.split("\n```").next().unwrap());
    let lines = blocks.collect::<Vec<_>>().join("\n");
    let code = |line: &str| line.split(" #").next().unwrap().trim().to_owned();
    lines.lines().map(code).filter(|line| !line.is_empty()).collect()
}

#[test]
fn every_command_of_the_page_runs_for_every_learned_game() {
    assert_eq!(written(), LINES.map(|(line, _)| line), "how are these lines tested?");
    for game in leap_testing::sample(&["alquerque", "eximo", "tactica"]) {
        let place = tempfile::tempdir().unwrap();
        fs::create_dir(place.path().join("target")).unwrap();
        let programs = Path::new(env!("CARGO_BIN_EXE_leap-train")).parent().unwrap();
        symlink(programs, place.path().join("target/release")).unwrap();
        for (line, way) in LINES {
            let instead = match way {
                Ok(instead) => instead,
                Err(why) => {
                    println!("skipped: {line}: {why}");
                    continue;
                }
            };
            let line = line.replace("eximo", game);
            let line = instead.iter().fold(line, |line, (from, to)| line.replace(from, to));
            let output =
                Command::new("sh").args(["-c", &line]).current_dir(&place).output().unwrap();
            let told = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{line}: {told}");
        }
        // Packed numbers follow the two lines of text.
        let weights = fs::read(place.path().join(format!("{game}.weights"))).unwrap();
        let head = format!("leapd-weights 1\ngame {game}\n");
        assert!(weights.starts_with(head.as_bytes()), "{game}");
    }
}
