//! Floods and files are bounded.

use super::*;

#[cfg(unix)]
#[test]
fn an_engine_that_floods_standard_error_fills_no_disk_and_plays_on() {
    let place = Workplace::new();
    let noisy = scripted("noisy", "yes standard error >&2 & exec MOCK");
    let results = place.results(&mocks("sound", &format!("--patience 20000 {noisy}")));
    assert_eq!(row(&results, "noisy")["faults"], json!({}));
    let names = place.names_in("m/stderr");
    assert!(names.contains(&"noisy.1.txt".to_owned()), "{names:?}");
    // The newest text, and what came before it.
    let length = |name| fs::metadata(place.path("m/stderr").join(name)).unwrap().len();
    let bytes: u64 = names.iter().map(length).sum();
    assert!(bytes <= 2 << 20, "{bytes} bytes");
}

#[test]
fn the_last_words_of_an_engine_that_dies_are_in_its_bundle() {
    let place = Workplace::new();
    let dies = puppet("go=!stderr it burns;!exit 3");
    place.succeeds(&mocks("sound", &format!("--games 1 {dies}")));
    let fault = &place.events("m", "fault")[0];
    assert_eq!(fault["kind"], "crash");
    let bundle = fault["bundle"].as_str().unwrap();
    assert_eq!(place.read(&format!("m/{bundle}/puppet.1.stderr.txt")), "it burns\n");
    assert!(place.read("m/stderr/puppet.1.txt").contains("it burns"));
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
    at_once(&sample(&engines), |(line, fault)| {
        let place = Workplace::new();
        let more = format!("--patience 1500 --engine cmd=yes name=yes 'arg={line}'");
        let command = place.command(&mocks("sound", &more));
        let message = refusal(&support::run(support::limited("-v 819200", &command), b""));
        assert!(message.contains(fault), "'{line}': {message}");
    });
}

#[test]
fn files_that_say_what_is_played_are_read_up_to_a_bound() {
    let place = Workplace::new();
    // A sparse file takes no space on disk.
    fs::File::create(place.path("endless")).unwrap().set_len(1 << 40).unwrap();
    place.write("deep.toml", format!("games = {}", "[".repeat(80_000)));
    place.write("deep.json", "[".repeat(80_000));
    place.write("deep.ugr", format!("[Game \"x\"]\n\n1. a1a2 {}\n", "{".repeat(80_000)));
    for words in [
        "--config endless",
        "--plan-file endless",
        "--openings endless --engine cmd=MOCK",
        "--config deep.toml",
        "--plan-file deep.json",
        "--openings deep.ugr --engine cmd=MOCK",
    ] {
        let output = place.run(&format!("match --referee none --out m {words}"));
        assert_eq!(output.status.code(), Some(2), "{words}");
        assert!(output.stderr.len() < 1000, "{words}: {} bytes", output.stderr.len());
    }
}
