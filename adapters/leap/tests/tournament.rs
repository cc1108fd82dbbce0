//! `leap match` on the mock engines: every fault is classified, results survive any interruption of the runner, and
//! parts add up to the whole.

mod bounds;
#[cfg(target_os = "linux")]
mod killed;
#[cfg(target_os = "linux")]
mod machine;
#[cfg(target_os = "linux")]
mod shared;
mod startup;
mod stored;
mod values;

use std::fs;
use std::path::{Path, PathBuf};
#[cfg(target_os = "linux")]
use std::process::{Child, Stdio};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use leap_testing::wait_until;

use crate::support::{self, LEAP, MOCK, at_once, leap, text};
use serde_json::Value;

/// A temporary directory for a match.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Place {
        Place(tempfile::tempdir().unwrap())
    }

    fn dir(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) -> String {
        fs::write(self.path(name), text).unwrap();
        self.dir(name)
    }
}

/// `--engine` for a mock with this name and, unless it is "sound", this defect.
fn engine(defect: &str) -> Vec<String> {
    let mut args = vec!["--engine".to_owned(), format!("cmd={MOCK}"), format!("name={defect}")];
    if defect != "sound" && !defect.starts_with("other") {
        args.extend(["arg=--defect".to_owned(), format!("arg={defect}")]);
    }
    args
}

/// The arguments of a match between mocks, with the mock as referee.
fn args(engines: &[&str], more: &[&str]) -> Vec<String> {
    let mut args = vec!["match".to_owned(), "--referee".to_owned(), MOCK.to_owned()];
    args.extend(engines.iter().flat_map(|defect| engine(defect)));
    args.extend(more.iter().map(|arg| (*arg).to_owned()));
    args
}

fn run(args: &[String]) -> Output {
    leap(&args.iter().map(String::as_str).collect::<Vec<_>>())
}

/// The results that a successful run prints with `--json`.
fn results(output: &Output) -> Value {
    assert!(
        output.stderr.is_empty() || output.status.code() == Some(0),
        "{}",
        text(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", text(&output.stderr)))
}

fn events(dir: &Path, kind: &str) -> Vec<Value> {
    let stream = fs::read_to_string(dir.join("events.ndjson")).unwrap();
    let events = stream.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    events.filter(|event| event["event"] == kind).collect()
}

fn row<'a>(results: &'a Value, engine: &str) -> &'a Value {
    let rows = results["engines"].as_array().unwrap();
    rows.iter().find(|row| row["engine"] == engine).unwrap()
}

/// The arguments of a match, with a directory for it.
fn args_in(place: &Place, engines: &[&str], more: &[&str], dir: &str) -> Vec<String> {
    let more = [&["--each", "depth=1", "--json"], more].concat();
    let mut args = args(engines, &more);
    args.extend(["--out".to_owned(), place.dir(dir)]);
    args
}

/// The error message of a run that must fail.
#[track_caller]
fn refusal(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stdout));
    let message = text(&output.stderr);
    assert_eq!(message.lines().count(), 1, "{message}");
    message
}

/// Defects, and the reason their games are lost for.
const FAULTS: &[(&str, &str)] = &[
    ("oversteps", "time"),
    ("illegal-bestmove", "illegal-move"),
    ("dies-in-game", "crash"),
    ("no-bestmove", "stall"),
    ("two-bestmoves", "extra-bestmove"),
    ("result-lies", "wrong-claim"),
];

#[test]
fn each_fault_is_named_and_the_others_are_unharmed() {
    at_once(FAULTS, |(defect, reason)| {
        let place = Place::new();
        let patience = if *reason == "stall" { "300" } else { "5000" };
        // The margin is less than what the defect oversteps by, and more than a busy machine delays.
        let more = ["--each", "movetime=10", "--margin", "400", "--patience", patience];
        let more = [&more[..], &["--concurrency", "2", "--json", "--out"]].concat();
        let mut args = args(&["sound", "other", defect], &more);
        args.push(place.dir("m"));
        let results = results(&run(&args));
        let [sound, guilty] = ["sound", defect].map(|name| row(&results, name));
        assert_eq!(results["finished"], 6, "{defect}");
        assert_eq!(sound["faults"], serde_json::json!({}), "{defect}");
        let faults = guilty["faults"].as_object().unwrap();
        assert!(faults.contains_key(*reason), "{defect}: {faults:?}");
        assert_eq!(faults.len(), 1, "{defect}: {faults:?}");
        assert_eq!(guilty["losses"], faults[*reason], "{defect}");
        // Players without a defect win once each by the rules of the mock's game.
        let own = events(&place.path("m"), "end");
        let rules = own.iter().filter(|end| end["reason"] == "rules").count();
        assert!(rules >= 2, "{defect}");
    });
}

#[test]
fn a_stated_latency_is_not_charged() {
    let place = Place::new();
    // The arguments go on with those of the last engine.
    let short = ["--max-plies", "2", "--json", "--out"];
    let more = [&["latency=60000", "--each", "movetime=10", "--margin", "400"], &short[..]];
    let mut args = args(&["sound", "oversteps"], &more.concat());
    args.push(place.dir("m"));
    let results = results(&run(&args));
    assert_eq!(row(&results, "oversteps")["faults"], serde_json::json!({}));
    let moves = events(&place.path("m"), "move");
    // In the first game the second engine is p2, and in the second game p1.
    let far = moves.iter().filter(|mv| (mv["game"] == 1) == (mv["side"] == 2));
    let times: Vec<&Value> = far.map(|mv| &mv["time_us"]).collect();
    assert!(!times.is_empty() && times.iter().all(|time| **time == 0), "{times:?}");
}

#[cfg(unix)]
#[test]
fn a_command_line_is_split_and_a_dead_engine_is_reported_with_its_last_words() {
    let place = Place::new();
    let far = format!("cmd=sh -c 'echo cut off >&2; exec {MOCK} --defect dies-in-game'");
    let mut args = args_in(&place, &["sound"], &[], "m");
    args.extend(["--engine".to_owned(), far, "name=far".to_owned()]);
    results(&run(&args));
    let fault = &events(&place.path("m"), "fault")[0];
    let text = fault["text"].as_str().unwrap();
    assert_eq!(fault["kind"], "crash");
    assert!(
        text.starts_with("expected ") && text.ends_with("; its standard error: cut off"),
        "{text}"
    );
}

#[test]
fn an_engine_that_starts_slowly_is_no_fault_while_there_is_patience() {
    let place = Place::new();
    let more = ["--each", "depth=1", "--patience", "20000", "--json", "--out", &place.dir("m")];
    let results = results(&run(&args(&["sound", "slow-start"], &more)));
    assert_eq!(row(&results, "slow-start")["faults"], serde_json::json!({}));
    assert_eq!(row(&results, "slow-start")["pairs"], row(&results, "sound")["pairs"]);
}

#[test]
fn two_wrong_claims_leave_the_referee_its_word() {
    let place = Place::new();
    let more = ["--each", "depth=1", "--json", "--out", &place.dir("m")];
    let mut args = args(&["result-lies", "other"], &more);
    let other = args.iter().position(|arg| arg == "name=other").unwrap();
    args.splice(other + 1..other + 1, ["arg=--defect", "arg=result-lies"].map(str::to_owned));
    let results = results(&run(&args));
    assert_eq!(row(&results, "other")["games"], 2);
    let faults = events(&place.path("m"), "fault");
    assert_eq!(faults.len(), 4);
    assert!(events(&place.path("m"), "end").iter().all(|end| end["reason"] == "rules"));
}

#[test]
fn a_player_ponders_on_legal_replies_and_hits_or_misses() {
    let place = Place::new();
    let mut args = args(&["other"], &["--each", "depth=1", "--ponder", "--games", "1", "--json"]);
    let transcript = place.dir("p1.ugt");
    let leap = format!("cmd={LEAP}");
    // The engine with this defect always expects the reply a2b2, which is legal once and later not.
    let words = [
        leap.as_str(),
        "name=ponders",
        "arg=record",
        "arg=--force",
        "arg=-o",
        &format!("arg={transcript}"),
        "arg=--",
    ];
    let mock = ["--defect", "third-token"].map(|word| format!("arg={word}"));
    let own: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    let at = args.iter().position(|arg| arg == "--engine").unwrap();
    let own = [&["--engine".to_owned()], &own[..], &[format!("arg={MOCK}")], &mock].concat();
    args.splice(at..at, own);
    args.extend(["--out".to_owned(), place.dir("m")]);
    let results = results(&run(&args));
    assert_eq!(row(&results, "ponders")["faults"], serde_json::json!({}));
    let said = fs::read_to_string(transcript).unwrap();
    assert_eq!(said.matches("> ponderhit").count(), 1, "{said}");
    assert_eq!(said.matches("> go depth 1 ponder").count(), 1, "{said}");
}

#[test]
fn lines_that_are_no_text_are_garbage() {
    for action in ["!bytes", "!long"] {
        let place = Place::new();
        let rule = format!("go={action}");
        let puppet = [
            "--engine",
            &format!("cmd={MOCK}"),
            "name=puppet",
            "arg=puppet",
            &format!("arg={rule}"),
        ];
        let puppet = puppet.map(str::to_owned);
        let mut args = args(&["sound"], &["--each", "depth=1", "--json", "--out", &place.dir("m")]);
        args.extend(puppet);
        let results = results(&run(&args));
        assert_eq!(
            row(&results, "puppet")["faults"],
            serde_json::json!({"garbage": 2}),
            "{action}"
        );
    }
}

#[test]
fn bestmove_none_in_a_game_that_goes_on_is_a_wrong_claim() {
    let place = Place::new();
    let mut args = args(&["sound"], &["--each", "depth=1", "--json", "--out", &place.dir("m")]);
    args.extend(
        ["--engine", &format!("cmd={MOCK}"), "name=puppet", "arg=puppet", "arg=go=bestmove none"]
            .map(str::to_owned),
    );
    let results = results(&run(&args));
    assert_eq!(row(&results, "puppet")["faults"], serde_json::json!({"wrong-claim": 2}));
}

#[test]
fn a_faulty_game_can_be_repeated_from_its_bundle() {
    let place = Place::new();
    let mut first = args(&["sound", "dies-in-game"], &["--each", "depth=1", "--quiet", "--out"]);
    first.push(place.dir("m"));
    assert!(run(&first).status.success());
    let fault = &events(&place.path("m"), "fault")[0];
    let bundle = place.path("m").join(fault["bundle"].as_str().unwrap());
    let wire = fs::read_to_string(bundle.join("wire.txt")).unwrap();
    assert!(wire.contains("dies-in-game > position startpos moves"), "{wire}");
    assert!(wire.ends_with("(exit status 134)\n"), "{wire}");
    let readme = fs::read_to_string(bundle.join("README.txt")).unwrap();
    let command = readme.lines().find(|line| line.contains("leap match")).unwrap();
    let words: Vec<&str> = command.split_whitespace().skip(1).collect();
    assert!(leap(&words).status.success(), "{command}");
    let again = &events(&bundle.join("again"), "fault")[0];
    assert_eq!(again["kind"], fault["kind"]);
    assert_eq!(again["shown_by"], fault["shown_by"]);
}

#[test]
fn a_spoilt_game_can_be_replayed_but_not_for_ever() {
    let place = Place::new();
    let more = ["--each", "depth=1", "--on-fault", "replay", "--json", "--games", "1", "--out"];
    let mut args = args(&["sound", "illegal-bestmove"], &more);
    args.push(place.dir("m"));
    let results = results(&run(&args));
    assert_eq!(row(&results, "illegal-bestmove")["losses"], 1);
    let ends = events(&place.path("m"), "end");
    let outcomes: Vec<&Value> = ends.iter().map(|end| &end["result"]).collect();
    assert_eq!(outcomes, ["void", "void", "p1win"]);
}

#[test]
fn without_a_referee_a_disagreement_is_shown_with_both_views() {
    let place = Place::new();
    let mut args =
        args(&["sound", "result-lies"], &["--each", "depth=1", "--json", "--out", &place.dir("m")]);
    args[2] = "none".to_owned();
    let results = results(&run(&args));
    assert_eq!(row(&results, "sound")["games"], 0, "nobody has won, and nobody has drawn");
    let fault = &events(&place.path("m"), "fault")[0];
    assert_eq!(fault["kind"], "disagreement");
    let said = fault["text"].as_str().unwrap();
    assert!(said.contains("p1 says") && said.contains("p2 says"), "{said}");
    assert!(fault["shown_by"][0].as_str().unwrap().starts_with("position startpos moves"));
    assert_eq!(fault["shown_by"][1], "query result");
}

#[test]
fn without_a_referee_sound_engines_play_to_the_end() {
    let place = Place::new();
    let mut args =
        args(&["sound", "other"], &["--each", "depth=1", "--json", "--out", &place.dir("m")]);
    args[2] = "none".to_owned();
    let results = results(&run(&args));
    assert_eq!(row(&results, "sound")["games"], 2);
    assert_eq!(row(&results, "sound")["faults"], serde_json::json!({}));
}

#[test]
fn a_test_stops_the_match_when_it_has_decided() {
    let place = Place::new();
    let dir = place.dir("m");
    let more = ["--sprt", "elo0=0", "elo1=50", "model=logistic", "--each", "depth=1", "--games"];
    let more = [&more[..], &["400", "--json", "--out", &dir]].concat();
    let results = results(&run(&args(&["sound", "illegal-bestmove"], &more)));
    assert_eq!(results["stop"], "sprt");
    assert_eq!(results["sprt"]["decision"], "h1");
    assert!(results["finished"].as_u64().unwrap() < 100, "{}", results["finished"]);
    let again = leap(&["match", "--resume", "--json", "--out", &place.dir("m")]);
    assert_eq!(
        self::results(&again)["finished"],
        results["finished"],
        "nothing is left to be played"
    );
}

#[test]
fn openings_are_played_twice_with_sides_swapped() {
    let place = Place::new();
    let openings = place.write("openings.txt", "# two\nmoves a1b1 a2c2\nmoves a1c1\n");
    let more = ["--each", "depth=1", "--quiet", "--games", "6", "--random-plies", "2", "--out"];
    let mut args = args(&["sound", "other"], &more);
    args.extend([place.dir("m"), "--openings".to_owned(), openings]);
    assert!(run(&args).status.success());
    let mut starts = events(&place.path("m"), "start");
    starts.sort_by_key(|start| start["game"].as_u64());
    assert_eq!(starts.len(), 6);
    for pair in starts.chunks(2) {
        assert_eq!(pair[0]["moves"], pair[1]["moves"]);
        assert_eq!([&pair[0]["p1"], &pair[0]["p2"]], [&pair[1]["p2"], &pair[1]["p1"]]);
    }
    let moves = |start: &Value| start["moves"].as_array().unwrap().len();
    assert_eq!(moves(&starts[0]) + moves(&starts[2]), 4 + 3);
}

#[test]
fn parts_make_up_the_whole() {
    let place = Place::new();
    let more = ["--each", "depth=1", "--games", "10", "--random-plies", "3", "--json"];
    let play = |own: &[&str]| {
        results(&run(&args(&["sound", "other", "dies-in-game"], &[&more[..], own].concat())))
    };
    let whole = play(&["--out", &place.dir("whole")]);
    play(&["--lease", &place.dir("shared"), "--batch", "5"]);
    let parts = ["1.1", "2.1", "3.1"].map(|part| place.dir(&format!("shared/batches/{part}")));
    let merge = |parts: &[&String], out: &str| {
        let out = place.dir(out);
        let words: Vec<&str> = parts.iter().map(|part| part.as_str()).collect();
        leap(&[&["merge", "--json", "--out", &out], &words[..]].concat())
    };
    let all = merge(&[&parts[2], &parts[0], &parts[1]], "all");
    assert_eq!(results(&all)["engines"], whole["engines"]);
    assert_eq!(results(&all)["plan"], whole["plan"]);

    let missing = merge(&[&parts[0], &parts[1]], "missing");
    assert_eq!(missing.status.code(), Some(1));
    let twice = merge(&[&parts[0], &parts[1], &parts[0]], "twice");
    assert_eq!(twice.status.code(), Some(2));
    assert!(text(&twice.stderr).contains("game 1 is in"), "{}", text(&twice.stderr));
    let mut other = args(&["sound", "other"], &["--each", "depth=2", "--quiet", "--out"]);
    other.push(place.dir("other"));
    assert!(run(&other).status.success());
    let mixed = merge(&[&parts[0], &place.dir("other")], "mixed");
    assert_eq!(mixed.status.code(), Some(2));

    // Missing games are played when the merged match is resumed.
    let rest = leap(&["match", "--resume", "--json", "--out", &place.dir("missing")]);
    assert_eq!(results(&rest)["engines"], whole["engines"]);
}

/// The names in a directory, hidden ones included.
#[cfg(target_os = "linux")]
fn names(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort_unstable();
    names
}

/// Starts `leap` with these arguments.
#[cfg(target_os = "linux")]
fn start(args: &[String]) -> Child {
    let mut command = Command::new(LEAP);
    command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Waits until a stream contains this many ends of games.
fn wait_for_ends(dir: &Path, count: usize) {
    wait_until(|| {
        let stream = fs::read_to_string(dir.join("events.ndjson")).unwrap_or_default();
        let ends = stream.matches(r#"{"event":"end""#).count();
        if ends >= count {
            Ok(())
        } else {
            Err(format!("the match stands still after {ends} games"))
        }
    });
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn a_killed_match_is_taken_up_again() {
    let place = Place::new();
    let games = ["--each", "movetime=1", "--margin", "5000", "--games", "60"];
    let more = [&games[..], &["--random-plies", "2", "--concurrency", "2", "--json"]].concat();
    let args = |dir: &str| {
        let mut args = args(&["sound", "other"], &more);
        args.extend(["--out".to_owned(), place.dir(dir), "--resume".to_owned()]);
        args
    };
    let undisturbed = results(&run(&args("whole")));
    for kill in 1..=3 {
        let mut command = Command::new(LEAP);
        let mut child =
            command.args(args("killed")).stdout(std::process::Stdio::null()).spawn().unwrap();
        wait_for_ends(&place.path("killed"), 10 * kill);
        child.kill().unwrap();
        child.wait().unwrap();
    }
    // The machine stopped in the middle of a line.
    let stream = place.path("killed").join("events.ndjson");
    let mut torn = fs::read(&stream).unwrap();
    torn.extend_from_slice(br#"{"event":"end","ga"#);
    fs::write(&stream, torn).unwrap();
    let ended = events_before_the_tear(&stream);
    let resumed = results(&run(&args("killed")));
    assert_eq!(resumed["engines"], undisturbed["engines"]);
    assert_eq!(resumed["finished"], 60);
    assert_eq!(events(&place.path("killed"), "resume").len(), 3);
    // No finished game was replayed.
    assert_eq!(events(&place.path("killed"), "end").len(), 60);
    assert!(ended >= 30);
    let records = fs::read_to_string(place.path("killed").join("games.ugr")).unwrap();
    let records = leap_records::Record::parse_all(&records).unwrap();
    assert_eq!(records.len(), 60);
    assert!(records.iter().all(|record| record.tag("P1").is_some() && !record.plies.is_empty()));
}

fn events_before_the_tear(stream: &Path) -> usize {
    fs::read_to_string(stream).unwrap().matches(r#"{"event":"end","game""#).count()
}

#[cfg(unix)]
#[test]
fn the_first_signal_drains_and_leaves_no_process_behind() {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;
    let place = Place::new();
    let more = ["--each", "movetime=20", "--games", "400", "--json", "--out"];
    let mut args = args(&["sound", "other"], &more);
    args.push(place.dir("m"));
    let mut command = Command::new(LEAP);
    let child = support::start(command.args(&args));
    wait_for_ends(&place.path("m"), 1);
    kill(Pid::from_raw(child.id() as i32), Signal::SIGTERM).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(events(&place.path("m"), "stop")[0]["why"], "drained");
    let (starts, ends) = (events(&place.path("m"), "start"), events(&place.path("m"), "end"));
    assert_eq!(starts.len(), ends.len(), "games in flight are played to their end");
    assert!(ends.len() < 400);
}

#[test]
fn a_knockout_has_one_winner_and_a_swiss_tournament_its_rounds() {
    for (format, engines, games) in [("knockout", 3, 4), ("swiss", 4, 8)] {
        let place = Place::new();
        let names = ["sound", "dies-in-game", "illegal-bestmove", "no-id"];
        let more = ["--each", "depth=1", "--format", format, "--rounds", "2", "--json", "--out"];
        let mut args = args(&names[..engines], &more);
        args.push(place.dir("m"));
        let results = results(&run(&args));
        assert_eq!(results["finished"], games, "{format}");
        assert_eq!(results["engines"][0]["engine"], "sound", "{format}");
    }
}

#[test]
fn a_file_says_the_same_as_the_command_line() {
    let place = Place::new();
    let toml = format!(
        "referee = '{0}'\ngames = 2\nmargin = 70\n[each]\ndepth = 1\n[option]\nMaxPlies = 300\n\
         [draw-adjudication]\ncount = 4\nscore = 10\n\
         [[engine]]\ncmd = '{0}'\nname = 'a'\noption = {{ Hash = 2 }}\n[[engine]]\ncmd = '{0}'\nname = 'b'\narg = ['--plain']\n",
        MOCK
    );
    let file = place.write("match.toml", &toml);
    let by_file = leap(&["match", "--config", &file, "--json", "--out", &place.dir("file")]);
    let cmd = format!("cmd={MOCK}");
    let words = [
        "match",
        "--referee",
        MOCK,
        "--margin",
        "70",
        "--each",
        "depth=1",
        "--option",
        "MaxPlies=300",
        "--draw-adjudication",
        "count=4",
        "score=10",
        "--engine",
        &cmd,
        "name=a",
        "option.Hash=2",
        "--engine",
        &cmd,
        "name=b",
        "arg=--plain",
        "--json",
        "--out",
        &place.dir("line"),
    ];
    let by_line = leap(&words);
    assert_eq!(results(&by_file)["plan"], results(&by_line)["plan"]);
    assert_eq!(results(&by_file)["engines"], results(&by_line)["engines"]);
}

#[test]
fn what_cannot_be_played_is_said_at_once() {
    let place = Place::new();
    let cmd = format!("cmd={MOCK}");
    for (words, expected) in [
        (&["--engine", "cmd=/nowhere"][..], "cannot start the engine /nowhere"),
        (
            &["--engine", &cmd, "option.Colour=red"],
            "expected an option of the engine, found 'Colour'",
        ),
        (&["--engine", &cmd, "--game", "chess"], "expected one of the games race, found 'chess'"),
        (&["--engine", &cmd, "colour=red"], "found 'colour'"),
        (&["--engine", &cmd, "tc=fast"], "expected a time control"),
        (&["--engine", &cmd, "--sprt", "elo0=5", "elo1=0"], "expected elo0 < elo1"),
        (&["--engine", &cmd, "--openings", "/nowhere"], "cannot read /nowhere"),
    ] {
        let out = place.dir("m");
        let words = [&["match", "--referee", MOCK, "--out", &out], words].concat();
        let output = leap(&words);
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert!(text(&output.stderr).contains(expected), "{}", text(&output.stderr));
    }
}
