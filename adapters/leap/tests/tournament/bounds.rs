//! Floods and files are bounded.

use super::*;

/// Engines started by a shell that runs this in parallel.
#[cfg(unix)]
fn engine_beside(noise: &str) -> Vec<String> {
    let script = format!("{noise} & exec '{MOCK}'");
    ["--engine", "cmd=sh", "name=noisy", "arg=-c", &format!("arg={script}")]
        .map(str::to_owned)
        .into()
}

#[cfg(unix)]
#[test]
fn an_engine_that_floods_standard_error_fills_no_disk_and_plays_on() {
    let place = Place::new();
    let more = ["--games", "2", "--patience", "20000"];
    let mut args = args_in(&place, &["sound"], &more, "m");
    args.extend(engine_beside("yes standard error >&2"));
    let results = results(&run(&args));
    assert_eq!(row(&results, "noisy")["faults"], serde_json::json!({}));
    let logs = fs::read_dir(place.path("m").join("stderr")).unwrap();
    let logs: Vec<_> = logs.map(|log| log.unwrap()).collect();
    assert!(logs.iter().any(|log| log.file_name() == "noisy.1.txt"));
    // The newest text, and what came before it.
    let bytes: u64 = logs.iter().map(|log| log.metadata().unwrap().len()).sum();
    assert!(bytes <= 2 << 20, "{bytes} bytes");
}

#[test]
fn the_last_words_of_an_engine_that_dies_are_in_its_bundle() {
    let place = Place::new();
    let mut args = args_in(&place, &["sound"], &["--games", "1"], "m");
    args.extend(
        [
            "--engine",
            &format!("cmd={MOCK}"),
            "name=puppet",
            "arg=puppet",
            "arg=go=!stderr it burns;!exit 3",
        ]
        .map(str::to_owned),
    );
    assert!(run(&args).status.success());
    let fault = &events(&place.path("m"), "fault")[0];
    assert_eq!(fault["kind"], "crash");
    let bundle = place.path("m").join(fault["bundle"].as_str().unwrap());
    assert_eq!(fs::read_to_string(bundle.join("puppet.1.stderr.txt")).unwrap(), "it burns\n");
    assert!(
        fs::read_to_string(place.path("m").join("stderr/puppet.1.txt"))
            .unwrap()
            .contains("it burns")
    );
}

/// An engine that writes endlessly, in whatever way, is noticed at the start and does not fill the memory.
#[cfg(target_os = "linux")]
#[test]
fn an_engine_that_writes_without_end_fills_no_memory() {
    let engines = [
        ("option name x type check default true", "expected some options, found no end of them"),
        ("", "expected 'ugiok', found none in "),
        ("info string x", "expected 'ugiok', found none in "),
    ];
    at_once(&engines, |(line, fault)| {
        let place = Place::new();
        let more = ["--games", "1", "--patience", "1500"];
        let mut args = args_in(&place, &["sound"], &more, "m");
        args.extend(["--engine", "cmd=yes", "name=yes", &format!("arg={line}")].map(str::to_owned));
        let mut command = Command::new(LEAP);
        let output = support::run(support::limited("-v 819200", command.args(&args)), b"");
        let message = refusal(&output);
        assert!(message.contains(fault), "'{line}': {message}");
    });
}

#[test]
fn files_that_say_what_is_played_are_read_up_to_a_bound() {
    let place = Place::new();
    let endless = place.dir("endless");
    // A sparse file takes no space on disk.
    fs::File::create(&endless).unwrap().set_len(1 << 40).unwrap();
    let deep = place.write("deep.toml", &format!("games = {}", "[".repeat(80_000)));
    let plan = place.write("deep.json", &"[".repeat(80_000));
    let cmd = format!("cmd={MOCK}");
    let openings =
        place.write("deep.ugr", &format!("[Game \"x\"]\n\n1. a1a2 {}\n", "{".repeat(80_000)));
    for words in [
        ["--config", &endless],
        ["--plan-file", &endless],
        ["--openings", &endless],
        ["--config", &deep],
        ["--plan-file", &plan],
        ["--openings", &openings],
    ] {
        let out = place.dir("m");
        let engine = ["--engine", &cmd];
        let own = if words[0] == "--openings" { &engine[..] } else { &[] };
        let words = [&["match", "--referee", "none", "--out", &out], &words[..], own].concat();
        let output = leap(&words);
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert!(output.stderr.len() < 1000, "{words:?}: {} bytes", output.stderr.len());
    }
}
