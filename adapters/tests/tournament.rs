//! `leap match` on the mock engines: every fault is classified, results survive any interruption of the runner, and
//! parts add up to the whole.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use crate::support::{self, LEAP, MOCK, PUPPET, at_once, leap, text};
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

/// Defects, and the reason their games are lost for.
const FAULTS: &[(&str, &str)] = &[
    ("illegal-bestmove", "illegal-move"),
    ("dies-in-game", "crash"),
    ("dies-at-start", "crash"),
    ("no-bestmove", "stall"),
    ("stall", "stall"),
    ("flood", "stall"),
    ("two-bestmoves", "extra-bestmove"),
    ("result-lies", "wrong-claim"),
    ("oversteps", "time"),
];

#[test]
fn each_fault_is_named_and_the_others_are_unharmed() {
    at_once(FAULTS, |(defect, reason)| {
        let place = Place::new();
        let patience = if *reason == "stall" { "300" } else { "5000" };
        let more = ["--each", "movetime=10", "--patience", patience, "--json", "--out"];
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
    // This defect is to expect the fixed reply a2b2: it is legal once, and later not.
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
        let puppet = ["--engine", &format!("cmd={PUPPET}"), "name=puppet", &format!("arg={rule}")];
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
        ["--engine", &format!("cmd={PUPPET}"), "name=puppet", "arg=go=bestmove none"]
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
    let more = ["--each", "depth=1", "--games", "10", "--random-plies", "3", "--json", "--out"];
    let play = |dir: &str, shard: Option<&str>| {
        let mut args = args(&["sound", "other", "dies-in-game"], &more);
        args.push(place.dir(dir));
        args.extend(shard.iter().flat_map(|shard| ["--shard".to_owned(), (*shard).to_owned()]));
        results(&run(&args))
    };
    let whole = play("whole", None);
    for shard in ["1/3", "2/3", "3/3"] {
        play(&shard.replace('/', "-"), Some(shard));
    }
    let parts = ["1-3", "2-3", "3-3"].map(|part| place.dir(part));
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

/// Waits until a stream contains this many ends of games.
fn wait_for_ends(dir: &Path, count: usize) {
    let deadline = Instant::now() + Duration::from_secs(30);
    loop {
        let stream = fs::read_to_string(dir.join("events.ndjson")).unwrap_or_default();
        if stream.matches(r#"{"event":"end""#).count() >= count {
            return;
        }
        assert!(Instant::now() < deadline, "the match does not go on");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
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
    let records = leap_adapters::records::Record::parse_all(&records).unwrap();
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
        (&["--engine", &cmd, "option.Colour=red"], "expected an option 'Colour'"),
        (&["--engine", &cmd, "--game", "chess"], "no-such-game"),
        (&["--engine", &cmd, "colour=red"], "found 'colour'"),
        (&["--engine", &cmd, "tc=fast"], "expected a time control"),
        (&["--engine", &cmd, "--shard", "1/2", "--format", "swiss"], "--shard"),
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

#[test]
fn to_go_on_there_must_be_a_match_or_what_is_to_be_played() {
    let place = Place::new();
    let message = refusal(&leap(&["match", "--resume", "--out", &place.dir("m")]));
    assert!(message.contains("expected a match to go on with"), "{message}");
    assert!(!place.path("m").exists(), "nothing is begun");
    // When repeated with the plan, the same command starts a part and resumes it.
    let begun = args_in(&place, &["sound", "other"], &["--resume"], "m");
    let first = results(&run(&begun));
    assert_eq!(results(&run(&begun))["engines"], first["engines"]);
    let other = args_in(&place, &["sound", "other"], &["--resume", "--seed", "2"], "m");
    let message = refusal(&run(&other));
    assert!(message.contains("holds a match of another plan: expected "), "{message}");
    let message =
        refusal(&leap(&["match", "--resume", "--shard", "1/2", "--out", &place.dir("m")]));
    assert!(message.contains("another part of the plan: expected 1/2, found all"), "{message}");
}

#[test]
fn nothing_of_another_match_is_overwritten() {
    let place = Place::new();
    let begun = args_in(&place, &["sound", "other"], &[], "m");
    assert!(run(&begun).status.success());
    assert!(refusal(&run(&begun)).contains("holds a match already"));
    let merge =
        |part: &str, out: &str| leap(&["merge", &place.dir(part), "--out", &place.dir(out)]);
    assert!(refusal(&merge("m", "m")).contains("holds a match already"));
    fs::remove_file(place.path("m").join("events.ndjson")).unwrap();
    let records = fs::read(place.path("m").join("games.ugr")).unwrap();
    assert!(refusal(&run(&begun)).contains("found games.ugr without events.ndjson"));
    assert_eq!(fs::read(place.path("m").join("games.ugr")).unwrap(), records);
    let message = refusal(&merge("m", "all"));
    assert!(message.contains("expected a match, found no "), "{message}");
    assert!(!place.path("all").join("events.ndjson").exists());
}

#[test]
fn a_stream_whose_lines_are_twice_swapped_or_missing_is_refused_with_the_line() {
    let place = Place::new();
    assert!(run(&args_in(&place, &["sound", "other"], &["--games", "2"], "m")).status.success());
    let stream = place.path("m").join("events.ndjson");
    let whole = fs::read_to_string(&stream).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    let end = lines.iter().position(|line| line.starts_with(r#"{"event":"end""#)).unwrap();
    // A change to the lines, and the number of the first line that is out of order, from 1.
    type Edit = fn(&mut Vec<&str>, usize);
    let edits: [(Edit, usize); 4] = [
        (|lines, end| lines.insert(end, lines[end]), end + 2),
        (|lines, end| lines.swap(end, end - 1), end),
        (|lines, end| lines.swap(end - 2, end - 1), end - 1),
        (|lines, end| lines[end - 1] = lines.remove(end), end),
    ];
    for (edit, number) in edits {
        let mut edited = lines.clone();
        edit(&mut edited, end);
        fs::write(&stream, edited.join("\n") + "\n").unwrap();
        let (dir, out) = (place.dir("m"), place.dir("all"));
        for words in [
            &["match", "--resume", "--out", &dir][..],
            &["merge", &dir, "--out", &out],
            &["report", "--no-engine", &dir],
        ] {
            let message = refusal(&leap(words));
            let expected = format!("events.ndjson, line {number}: ");
            assert!(message.contains(&expected), "{expected}, {message}");
        }
        assert!(!Path::new(&out).join("events.ndjson").exists());
    }
}

#[test]
fn what_was_begun_and_never_ended_is_not_merged() {
    let place = Place::new();
    for shard in ["1/2", "2/2"] {
        let dir = shard.replace('/', "-");
        let more = ["--games", "4", "--shard", shard];
        assert!(run(&args_in(&place, &["sound", "other"], &more, &dir)).status.success());
    }
    // The first part was killed just before its last game ended.
    let stream = place.path("1-2").join("events.ndjson");
    let whole = fs::read_to_string(&stream).unwrap();
    let end = whole.rfind(r#"{"event":"end""#).unwrap();
    fs::write(&stream, &whole[..end]).unwrap();
    let merged = leap(&["merge", &place.dir("1-2"), &place.dir("2-2"), "--out", &place.dir("all")]);
    assert_eq!(merged.status.code(), Some(1));
    assert_eq!(events(&place.path("all"), "start").len(), 3);
    let rest = leap(&["match", "--resume", "--json", "--out", &place.dir("all")]);
    assert_eq!(results(&rest)["finished"], 4);
    assert_eq!(events(&place.path("all"), "resume")[0]["dropped"], serde_json::json!([]));
}

/// A failed write in the middle of the stream leaves complete lines, and the match can be resumed.
#[cfg(unix)]
#[test]
fn a_full_disk_ends_a_match_that_can_be_taken_up_again() {
    let place = Place::new();
    let more = ["--games", "20", "--random-plies", "2", "--concurrency", "2"];
    let whole = results(&run(&args_in(&place, &["sound", "other"], &more, "whole")));
    let mut command = Command::new(LEAP);
    command.args(args_in(&place, &["sound", "other"], &more, "full"));
    let output = support::run(support::limited("-f 16", &command), b"");
    assert!(refusal(&output).contains("cannot write the events"), "{}", text(&output.stderr));
    let stream = fs::read_to_string(place.path("full").join("events.ndjson")).unwrap();
    assert!(stream.ends_with('\n'));
    assert!(!events(&place.path("full"), "end").is_empty(), "it was not the first event");
    let resumed = leap(&["match", "--resume", "--json", "--out", &place.dir("full")]);
    assert_eq!(results(&resumed)["engines"], whole["engines"]);
}

#[cfg(unix)]
#[test]
fn on_a_full_disk_no_half_of_a_match_is_begun() {
    let place = Place::new();
    assert!(run(&args_in(&place, &["sound", "other"], &["--games", "8"], "m")).status.success());
    let full = |args: &[String]| {
        let mut command = Command::new(LEAP);
        support::run(support::limited(support::FULL_DISK, command.args(args)), b"")
    };
    let merge = ["merge", &place.dir("m"), "--out", &place.dir("all")].map(str::to_owned);
    assert!(refusal(&full(&merge)).contains("cannot create "));
    let begun = args_in(&place, &["sound", "other"], &[], "begun");
    assert!(refusal(&full(&begun)).contains("cannot create "));
    for dir in ["all", "begun"] {
        let left = fs::read_dir(place.path(dir)).unwrap().count();
        assert_eq!(left, 0, "{dir}");
    }
    assert!(run(&merge).status.success());
    assert!(run(&begun).status.success());
}

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
    // Two files from trying all engines, and two from the engine of the worker.
    let bytes: u64 = logs.iter().map(|log| log.metadata().unwrap().len()).sum();
    assert!(bytes <= 4 << 20, "{bytes} bytes");
}

#[test]
fn the_last_words_of_an_engine_that_dies_are_in_its_bundle() {
    let place = Place::new();
    let mut args = args_in(&place, &["sound"], &["--games", "1"], "m");
    args.extend(
        ["--engine", &format!("cmd={PUPPET}"), "name=puppet", "arg=go=!stderr it burns;!exit 3"]
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

/// An engine that writes endlessly, in whatever way, loses its games in time and does not fill the memory.
#[cfg(target_os = "linux")]
#[test]
fn an_engine_that_writes_without_end_fills_no_memory() {
    let engines = [
        ("option name x type check default true", "garbage"),
        ("", "stall"),
        ("info string x", "stall"),
    ];
    at_once(&engines, |(line, fault)| {
        let place = Place::new();
        let more = ["--games", "1", "--patience", "3000"];
        let mut args = args_in(&place, &["sound"], &more, "m");
        args.extend(["--engine", "cmd=yes", "name=yes", &format!("arg={line}")].map(str::to_owned));
        let mut command = Command::new(LEAP);
        let output = support::run(support::limited("-v 819200", command.args(&args)), b"");
        let faults = serde_json::json!({*fault: 1});
        assert_eq!(row(&results(&output), "yes")["faults"], faults, "'{line}'");
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
