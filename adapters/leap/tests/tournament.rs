//! `leap match` on the mock engines: every fault is classified, results survive any interruption of the runner, and
//! parts add up to the whole.

mod bounds;
mod bridged;
#[cfg(target_os = "linux")]
mod killed;
#[cfg(target_os = "linux")]
mod machine;
mod rated;
#[cfg(target_os = "linux")]
mod shared;
mod startup;
mod stored;
mod values;

use std::fs;
use std::process::{Child, Output};
use std::time::{Duration, Instant};

use leap_testing::wait_until;
use serde_json::{Value, json};

use crate::support::{self, MOCK, Workplace, at_once, sample, text};

/// The words of a match between mocks with these names, each with the defect of its name unless it is "sound" or
/// "other". It is kept in `m`, and its searches have depth 1, unless `more` says something else.
fn mocks(names: &str, more: &str) -> String {
    let engine = |name| match name {
        "sound" | "other" => format!(" --engine cmd=MOCK name={name}"),
        defect => format!(" --engine cmd=MOCK name={defect} arg=--defect arg={defect}"),
    };
    let unless = |options: [&str; 2], default| {
        if options.iter().any(|option| more.contains(option)) { "" } else { default }
    };
    let depth = unless(["--each", "tc="], " --each depth=1");
    let referee = unless(["--referee", "--plan-file"], " --referee MOCK");
    let out = unless(["--out", "--lease"], " --out m");
    let engines: String = names.split_whitespace().map(engine).collect();
    format!("match --json{depth}{referee}{out}{engines} {more}")
}

/// An engine that follows this rule of the puppet.
fn puppet(rule: &str) -> String {
    format!("--engine cmd=MOCK name=puppet arg=puppet '{}'", format_args!("arg={rule}"))
}

/// An engine that the shell starts with this script.
fn scripted(name: &str, script: &str) -> String {
    let script = shlex::try_quote(script).expect("a script").into_owned();
    format!("--engine cmd=sh name={name} arg=-c arg={script}")
}

/// The results that a successful run prints with `--json`.
#[track_caller]
fn results(output: &Output) -> Value {
    let said = text(&output.stderr);
    assert!(said.is_empty() || output.status.code() == Some(0), "{said}");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{said}"))
}

/// The row of an engine in the results.
fn row<'a>(results: &'a Value, engine: &str) -> &'a Value {
    let rows = results["engines"].as_array().unwrap();
    rows.iter().find(|row| row["engine"] == engine).unwrap()
}

/// The error message of a run that must fail.
#[track_caller]
fn refusal(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stdout));
    let message = text(&output.stderr);
    assert_eq!(message.lines().count(), 1, "{message}");
    message
}

impl Workplace {
    #[track_caller]
    fn results(&self, line: &str) -> Value {
        results(&self.run(line))
    }

    #[track_caller]
    fn refusal(&self, line: &str) -> String {
        refusal(&self.run(line))
    }

    #[track_caller]
    fn succeeds(&self, line: &str) -> Output {
        let output = self.run(line);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        output
    }

    /// The events of this kind of the match in a directory.
    fn events(&self, dir: &str, kind: &str) -> Vec<Value> {
        let stream = self.read(&format!("{dir}/events.ndjson"));
        let events = stream.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        events.filter(|event| event["event"] == kind).collect()
    }

    fn records(&self, dir: &str) -> Vec<leap_records::Record> {
        leap_records::Record::parse_all(&self.read(&format!("{dir}/games.ugr"))).unwrap()
    }

    /// Waits until a stream contains this many ends of games.
    fn wait_for_ends(&self, dir: &str, count: usize) {
        let stream = self.path(dir).join("events.ndjson");
        wait_until(|| {
            let stream = fs::read_to_string(&stream).unwrap_or_default();
            let ends = stream.matches(r#"{"event":"end""#).count();
            let stands = || format!("the match stands still after {ends} games");
            (ends >= count).then_some(()).ok_or_else(stands)
        });
    }
}

/// Sends a signal to a process.
#[cfg(unix)]
fn send(child: &Child, signal: nix::sys::signal::Signal) {
    let id = nix::unistd::Pid::from_raw(child.id().cast_signed());
    nix::sys::signal::kill(id, signal).unwrap();
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
        let place = Workplace::new();
        let patience = if *reason == "stall" { 300 } else { 5000 };
        // The margin is less than what the defect oversteps by, and more than a busy machine delays.
        let more = format!("--each movetime=10 --margin 400 --patience {patience} --concurrency 2");
        let results = place.results(&mocks(&format!("sound other {defect}"), &more));
        let [sound, guilty] = ["sound", defect].map(|name| row(&results, name));
        assert_eq!(results["finished"], 6, "{defect}");
        assert_eq!(sound["faults"], json!({}), "{defect}");
        let faults = guilty["faults"].as_object().unwrap();
        assert!(faults.contains_key(*reason), "{defect}: {faults:?}");
        assert_eq!(faults.len(), 1, "{defect}: {faults:?}");
        assert_eq!(guilty["losses"], faults[*reason], "{defect}");
        // Players without a defect win once each by the rules of the mock's game.
        let ends = place.events("m", "end");
        assert!(ends.iter().filter(|end| end["reason"] == "rules").count() >= 2, "{defect}");
    });
}

#[test]
fn what_an_engine_says_in_place_of_a_move_is_its_fault() {
    for (said, fault) in
        [("!bytes", "garbage"), ("!long", "garbage"), ("bestmove none", "wrong-claim")]
    {
        let results = Workplace::new().results(&mocks("sound", &puppet(&format!("go={said}"))));
        assert_eq!(row(&results, "puppet")["faults"], json!({ fault: 2 }), "{said}");
    }
}

#[test]
fn a_stated_latency_is_not_charged() {
    let place = Workplace::new();
    // The arguments go on with those of the last engine.
    let more = "latency=60000 --each movetime=10 --margin 400 --max-plies 2";
    let results = place.results(&mocks("sound oversteps", more));
    assert_eq!(row(&results, "oversteps")["faults"], json!({}));
    let moves = place.events("m", "move");
    // In the first game the second engine is p2, and in the second game p1.
    let far = moves.iter().filter(|mv| (mv["game"] == 1) == (mv["side"] == 2));
    let times: Vec<&Value> = far.map(|mv| &mv["time_us"]).collect();
    assert!(!times.is_empty() && times.iter().all(|time| **time == 0), "{times:?}");
}

#[cfg(unix)]
#[test]
fn a_command_line_is_split_and_a_dead_engine_is_reported_with_its_last_words() {
    let place = Workplace::new();
    let far = "sh -c \"echo cut off >&2; exec MOCK --defect dies-in-game\"";
    place.results(&mocks("sound", &format!("--engine 'cmd={far}' name=far")));
    let fault = &place.events("m", "fault")[0];
    let text = fault["text"].as_str().unwrap();
    assert_eq!(fault["kind"], "crash");
    assert!(text.starts_with("expected "), "{text}");
    assert!(text.ends_with("; its standard error: cut off"), "{text}");
}

#[test]
fn an_engine_that_starts_slowly_is_no_fault_while_there_is_patience() {
    let results = Workplace::new().results(&mocks("sound slow-start", "--patience 20000"));
    assert_eq!(row(&results, "slow-start")["faults"], json!({}));
    assert_eq!(row(&results, "slow-start")["pairs"], row(&results, "sound")["pairs"]);
}

#[test]
fn two_wrong_claims_leave_the_referee_its_word() {
    let place = Workplace::new();
    let other = "--engine cmd=MOCK name=other arg=--defect arg=result-lies";
    let results = place.results(&mocks("result-lies", other));
    assert_eq!(row(&results, "other")["games"], 2);
    assert_eq!(place.events("m", "fault").len(), 4);
    assert!(place.events("m", "end").iter().all(|end| end["reason"] == "rules"));
}

#[test]
fn a_player_ponders_on_legal_replies_and_hits_or_misses() {
    // The engine with this defect always expects the reply a2b2, which is legal once and later not.
    let own =
        "arg=record arg=--force arg=-o arg=p1.ugt arg=-- arg=MOCK arg=--defect arg=third-token";
    let ponders = format!("--ponder --games 1 --engine 'cmd={}' name=ponders {own}", support::LEAP);
    for (other, hits) in [("", 1), ("arg=puppet 'arg=go=bestmove a2c2'", 0)] {
        let place = Workplace::new();
        let other = format!("{ponders} --engine cmd=MOCK name=other {other}");
        let results = place.results(&mocks("", &other));
        assert_eq!(row(&results, "ponders")["faults"], json!({}));
        let said = place.read("p1.ugt");
        assert_eq!(said.matches("> go depth 1 ponder").count(), 1, "{said}");
        assert_eq!(said.matches("> ponderhit").count(), hits, "{said}");
        assert_eq!(said.matches("> stop").count(), 1 - hits, "{said}");
    }
}

#[test]
fn a_faulty_game_can_be_repeated_from_its_bundle() {
    let place = Workplace::new();
    place.succeeds(&mocks("sound dies-in-game", "--quiet"));
    let fault = &place.events("m", "fault")[0];
    let bundle = format!("m/{}", fault["bundle"].as_str().unwrap());
    let wire = place.read(&format!("{bundle}/wire.txt"));
    assert!(wire.contains("dies-in-game > position startpos moves"), "{wire}");
    assert!(wire.ends_with("(exit status 134)\n"), "{wire}");
    let readme = place.read(&format!("{bundle}/README.txt"));
    let command = readme.lines().find_map(|line| line.trim().strip_prefix("leap ")).unwrap();
    place.succeeds(command);
    let again = &place.events(&format!("{bundle}/again"), "fault")[0];
    assert_eq!(again["kind"], fault["kind"]);
    assert_eq!(again["shown_by"], fault["shown_by"]);
}

#[test]
fn a_spoilt_game_can_be_replayed_but_not_for_ever() {
    let place = Workplace::new();
    let results = place.results(&mocks("sound illegal-bestmove", "--on-fault replay --games 1"));
    assert_eq!(row(&results, "illegal-bestmove")["losses"], 1);
    let ends = place.events("m", "end");
    let outcomes: Vec<&Value> = ends.iter().map(|end| &end["result"]).collect();
    assert_eq!(outcomes, ["void", "void", "p1win"]);
}

#[test]
fn without_a_referee_the_players_decide_and_a_disagreement_is_shown_with_both_views() {
    let place = Workplace::new();
    let sound = place.results(&mocks("sound other", "--referee none --out sound"));
    assert_eq!(
        (&row(&sound, "sound")["games"], &row(&sound, "sound")["faults"]),
        (&json!(2), &json!({}))
    );
    let results = place.results(&mocks("sound result-lies", "--referee none"));
    assert_eq!(row(&results, "sound")["games"], 0, "nobody has won, and nobody has drawn");
    let fault = &place.events("m", "fault")[0];
    assert_eq!(fault["kind"], "disagreement");
    let said = fault["text"].as_str().unwrap();
    assert!(said.contains("p1 says") && said.contains("p2 says"), "{said}");
    assert!(fault["shown_by"][0].as_str().unwrap().starts_with("position startpos moves"));
    assert_eq!(fault["shown_by"][1], "query result");
}

#[test]
fn a_test_stops_the_match_when_it_has_decided() {
    let place = Workplace::new();
    let test = "--sprt elo0=0 elo1=50 model=logistic --games 400";
    let results = place.results(&mocks("sound illegal-bestmove", test));
    assert_eq!(results["stop"], "sprt");
    assert_eq!(results["sprt"]["decision"], "h1");
    assert!(results["finished"].as_u64().unwrap() < 100, "{}", results["finished"]);
    let again = place.results("match --resume --json --out m");
    assert_eq!(again["finished"], results["finished"], "nothing is left to be played");
}

#[test]
fn openings_are_played_twice_with_sides_swapped() {
    let place = Workplace::new();
    place.write("openings.txt", "# two\nmoves a1b1 a2c2\nmoves a1c1\n");
    let more = "--games 6 --random-plies 2 --openings openings.txt";
    place.succeeds(&mocks("sound other", more));
    let mut starts = place.events("m", "start");
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
    let place = Workplace::new();
    let play = |more: &str| {
        let more = format!("--games 10 --random-plies 3 {more}");
        place.results(&mocks("sound other dies-in-game", &more))
    };
    let whole = play("--out whole");
    play("--lease shared --batch 5");
    let [one, two, three] = ["1.1", "2.1", "3.1"].map(|part| format!("shared/batches/{part}"));
    let merge = |out: &str, parts: &[&str]| {
        place.run(&format!("merge --json --out {out} {}", parts.join(" ")))
    };
    let all = results(&merge("all", &[&three, &one, &two]));
    assert_eq!([&all["engines"], &all["plan"]], [&whole["engines"], &whole["plan"]]);
    assert_eq!(merge("missing", &[&one, &two]).status.code(), Some(1));
    let twice = merge("twice", &[&one, &two, &one]);
    assert_eq!(twice.status.code(), Some(2));
    assert!(text(&twice.stderr).contains("game 1 is in"), "{}", text(&twice.stderr));
    place.succeeds(&mocks("sound other", "--each depth=2 --out other"));
    assert_eq!(merge("mixed", &[&one, "other"]).status.code(), Some(2));
    // Missing games are played when the merged match is resumed.
    let rest = place.results("match --resume --json --out missing");
    assert_eq!(rest["engines"], whole["engines"]);
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn a_killed_match_is_taken_up_again() {
    let place = Workplace::new();
    let games = "--each movetime=1 --margin 5000 --games 30 --random-plies 2 --concurrency 2";
    let line = |dir: &str| mocks("sound other", &format!("{games} --resume --out {dir}"));
    let undisturbed = place.results(&line("whole"));
    for kill in 1..=3 {
        let mut child = place.start(&line("killed"));
        place.wait_for_ends("killed", 5 * kill);
        child.kill().unwrap();
        child.wait().unwrap();
    }
    // The machine stopped in the middle of a line.
    let stream = place.read("killed/events.ndjson");
    place.write("killed/events.ndjson", format!("{stream}{{\"event\":\"end\",\"ga"));
    let resumed = place.results(&line("killed"));
    assert_eq!([&resumed["engines"], &resumed["finished"]], [&undisturbed["engines"], &json!(30)]);
    // No finished game was replayed.
    let count = |kind| place.events("killed", kind).len();
    assert_eq!((count("resume"), count("end")), (3, 30));
    assert!(stream.matches(r#"{"event":"end","game""#).count() >= 15);
    let records = place.records("killed");
    assert_eq!(records.len(), 30);
    assert!(records.iter().all(|record| record.tag("P1").is_some() && !record.plies.is_empty()));
}

#[cfg(unix)]
#[test]
fn the_first_signal_drains_and_says_how_the_match_goes_on() {
    let place = Workplace::new();
    let more = "--each movetime=20 --games 400 --out 'my match'";
    let child = place.start(&mocks("sound other", more));
    place.wait_for_ends("my match", 1);
    send(&child, nix::sys::signal::Signal::SIGTERM);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let message = text(&output.stderr);
    assert_eq!(message.matches("leap match --resume --out 'my match'").count(), 2, "{message}");
    assert_eq!(place.events("my match", "stop")[0]["why"], "drained");
    let [starts, ends] = ["start", "end"].map(|kind| place.events("my match", kind).len());
    assert_eq!(starts, ends, "games in flight are played to their end");
    assert!(ends < 400);
}

#[test]
fn a_knockout_has_one_winner_and_a_swiss_tournament_its_rounds() {
    let place = Workplace::new();
    for (format, engines, games) in [
        ("knockout", "sound dies-in-game illegal-bestmove", 4),
        ("swiss", "sound dies-in-game illegal-bestmove no-id", 8),
    ] {
        let more = format!("--format {format} --rounds 2 --out {format}");
        let results = place.results(&mocks(engines, &more));
        assert_eq!(results["finished"], games, "{format}");
        assert_eq!(results["engines"][0]["engine"], "sound", "{format}");
    }
    let resumed = text(&place.succeeds("match --resume --out knockout").stdout);
    assert!(resumed.contains("\nsound wins the knockout\n"), "{resumed}");
    place.succeeds("report knockout");
    assert!(place.read("knockout/report.html").contains("<p>sound wins the knockout</p>"));
}

#[test]
fn a_file_says_the_same_as_the_command_line() {
    let place = Workplace::new();
    let toml = "referee = 'MOCK'\ngames = 2\nmargin = 70\nconcurrency = 2\naffinity = true\n\
                [each]\ndepth = 1\n[option]\nMaxPlies = 300\n[draw-adjudication]\ncount = 4\nscore = 10\n\
                [[engine]]\ncmd = 'MOCK'\nname = 'a'\noption = { Hash = 2 }\n\
                [[engine]]\ncmd = 'MOCK'\nname = 'b'\narg = ['--plain']\n";
    place.write("match.toml", toml.replace("MOCK", MOCK));
    let by_file = place.results("match --config match.toml --json --out file");
    let by_line = place.results(&mocks(
        "",
        "--margin 70 --option MaxPlies=300 --draw-adjudication count=4 score=10 \
         --engine cmd=MOCK name=a option.Hash=2 --engine cmd=MOCK name=b arg=--plain",
    ));
    assert_eq!(by_file["plan"], by_line["plan"]);
    assert_eq!(by_file["engines"], by_line["engines"]);
    place.write("wrong.toml", toml.replace("concurrency = 2", "concurrency = 0"));
    let message = place.refusal("match --config wrong.toml --out n");
    assert!(message.contains("wrong.toml, line 4"), "{message}");
}
