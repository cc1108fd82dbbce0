//! What people mistype, and engines that do not start: every command says in one line what is wrong and what to try.

use std::process::Command;
use std::time::{Duration, Instant};

use crate::support::{LEAP, MOCK, Workplace, at_once, leap, run, text};

/// The message of a run that must fail: status 2, one line on standard error.
#[track_caller]
fn refusal(args: &[&str]) -> String {
    let output = leap(args);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
    assert_eq!(message.lines().count(), 1, "{args:?}: {message}");
    assert!(message.starts_with("leap: "), "{args:?}: {message}");
    message
}

#[track_caller]
fn assert_refused(args: &[&str], expected: &str) {
    let message = refusal(args);
    assert!(message.contains(expected), "{args:?}: {message}");
}

#[test]
fn an_option_with_one_dash_is_answered_with_the_one_that_was_meant() {
    for (args, expected) in [
        (&["match", "-engine", "cmd=a"][..], "found '-engine'; did you mean '--engine'?"),
        (&["match", "-each", "tc=1", "-games", "2"], "did you mean '--each'?"),
        (&["match", "-variant", "eximo"], "did you mean '--game'?"),
        (&["match", "-srand", "7"], "did you mean '--seed'?"),
        (&["match", "-repeat"], "each opening is always played twice"),
        (&["check", "-level=play", MOCK], "expected an option of 'leap check', found '-level'"),
        (&["record", "-output", "a.ugt", "--", MOCK], "did you mean '--output'?"),
        (&["-version"], "did you mean '--version'?"),
    ] {
        assert_refused(args, expected);
    }
}

#[test]
fn an_option_of_ours_after_the_engine_is_noticed() {
    for (args, expected) in [
        (&["check", MOCK, "--level", "play"][..], "'--level' comes after the engine"),
        (&["check", MOCK, "--plain", "--level=play"], "'--level' comes after the engine"),
        (&["check", MOCK, "-v"], "'-v' comes after the engine"),
        (&["play", MOCK, "--movetime", "3"], "'--movetime' comes after the engine"),
        (&["gogui", MOCK, "--game", "x"], "'--game' comes after the engine"),
        (&["web", MOCK, "--port", "0"], "'--port' comes after the engine"),
        (&["check", "--levle", "play", MOCK], "found '--levle'; did you mean '--level'?"),
        (&["check", "--nonsense", MOCK], "or an engine, found '--nonsense'"),
    ] {
        assert_refused(args, expected);
    }
}

/// After `--` everything is the engine's.
#[test]
fn an_option_of_the_engine_after_two_dashes_is_passed_on() {
    let output = leap(&["check", "--filter", "ugiok-exact", "--", MOCK, "puppet", "--level=play"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
}

#[test]
fn a_mistyped_option_of_an_engine_is_answered_with_the_nearest() {
    let two =
        "option name Hash type spin default 1 min 1 max 9;option name Depth type string default";
    let rule = format!("ugi={two};ugiok");
    for args in [
        &[
            "gogui",
            "--option",
            "Hsah=1",
            "--",
            MOCK,
            "puppet",
            &rule,
            "query protocol=response leap 1.0 fen board status next effects legal",
        ][..],
        &["match", "--engine", &format!("cmd={MOCK}"), "option.Hsah=1"],
        &["match", "--option", "Hsah=1", "--engine", &format!("cmd={MOCK}"), "--referee", MOCK],
        &["compare", MOCK, MOCK, "--option", "Hsah=1"],
    ] {
        assert_refused(args, "found 'Hsah'; did you mean 'Hash'?");
    }
    let far = ["match", "--engine", &format!("cmd={MOCK}"), "option.Colour=red"];
    assert!(!refusal(&far).contains("did you mean"));
}

/// Each command that greets an engine shows why there is no greeting.
#[test]
fn the_standard_error_of_an_engine_that_does_not_greet_is_shown() {
    let dies = ["ugi=!stderr no such weights: net.bin;!exit 3"];
    let joined = shlex::try_join([MOCK, "puppet", dies[0]]).unwrap();
    let (cmd, arg) = (format!("cmd={MOCK}"), format!("arg={}", dies[0]));
    at_once(
        &[
            &["gogui", "--", MOCK, "puppet", dies[0]][..],
            &["xboard", "--", MOCK, "puppet", dies[0]],
            &["compare", &joined, MOCK],
            &["match", "--referee", MOCK, "--engine", &cmd, "arg=puppet", &arg],
        ],
        |args| {
            let message = refusal(args);
            assert!(message.contains("exit status 3"), "{args:?}: {message}");
            assert!(message.contains("no such weights: net.bin"), "{args:?}: {message}");
        },
    );
    let checked = leap(&["check", "--level", "handshake", MOCK, "puppet", dies[0]]);
    assert_eq!(checked.status.code(), Some(1));
    assert!(text(&checked.stdout).contains("no such weights"), "{}", text(&checked.stdout));
}

/// An engine that knows `uci` alone: it complains about `ugi`, or is silent.
const UCI_ONLY: [&[&str]; 2] =
    [&["ugi=Unknown command: 'ugi'", "uci=id name Old;uciok"], &["ugi=", "uci=id name Old;uciok"]];

#[test]
fn an_engine_that_speaks_uci_only_is_known_before_patience_ends() {
    at_once(&UCI_ONLY, |rules| {
        let begun = Instant::now();
        let arg: Vec<String> = rules.iter().map(|rule| format!("arg={rule}")).collect();
        let cmd = format!("cmd={MOCK}");
        let mut args = vec!["match", "--referee", MOCK, "--patience", "25000"];
        args.extend(["--engine", &cmd, "arg=puppet"]);
        args.extend(arg.iter().map(String::as_str));
        assert_refused(&args, "speaks UCI only: it answers 'uci'; try proto=uci");
        assert_refused(&[&["gogui", "--", MOCK, "puppet"], *rules].concat(), "speaks UCI only");
        assert!(begun.elapsed() < Duration::from_secs(25), "it has waited for 'ugiok' to the end");
    });
}

#[test]
fn an_engine_that_greets_slowly_is_not_taken_for_another() {
    let slow = "ugi=!sleep 1200;id name slow;ugiok";
    let output =
        leap(&["check", "--timeout", "20000", "--filter", "readyok-exact", MOCK, "puppet", slow]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
}

#[test]
fn a_page_without_an_engine_is_not_served() {
    let serve = ["web", "--no-open", "--port", "0", "--", "./no-such-engine"];
    assert_refused(&serve, "cannot start the engine ./no-such-engine");
}

#[test]
fn a_program_that_cannot_be_started_is_explained_once() {
    let place = Workplace::new();
    std::fs::write(place.path("plain"), "text").unwrap();
    for (program, expected) in [
        ("no-such-program", "it is not in PATH"),
        ("plain", "it is not in PATH; did you mean ./plain?"),
        ("./plain", "found a file that is not executable"),
        (".", "found a directory"),
        ("/no/such/program", "No such file or directory"),
    ] {
        let mut command = Command::new(LEAP);
        command.args(["check", program]).current_dir(place.path("."));
        let output = run(command, b"");
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert_eq!(message.matches(expected).count(), 1, "{program}: {message}");
    }
}

#[test]
fn a_value_that_is_refused_is_named_once() {
    let cmd = format!("cmd={MOCK}");
    for (args, value) in [
        (&["match", "--engine", &cmd, "tc=fast"][..], "fast"),
        (&["match", "--each", "tc=fast"], "fast"),
        (&["match", "--each", "movetime=1s"], "1s"),
        (&["match", "--engine", "leapd-4"], "'leapd-4'"),
        (&["match", "--each", "depht=1"], "depht"),
        (&["match", "--sprt", "elo0=0", "elo1=x"], "'x'"),
    ] {
        let output = leap(args);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert_eq!(message.matches(value).count(), 1, "{args:?}: {message}");
    }
    assert_refused(&["match", "--each", "tc=fast"], "leap: --each: tc: expected a time control");
}

#[test]
fn a_word_in_the_wrong_place_is_answered_with_the_right_one() {
    for (args, expected) in [
        (&["record", "-o", "a.ugt", MOCK][..], "expected '--' before the engine of 'leap record'"),
        (&["record", "-o", "a.ugt"], "expected '--' and an engine at the end of 'leap record'"),
        (&["replay", "a.ugt", MOCK], "expected '--' and an engine at the end of 'leap replay'"),
        (&["match", "leapd"], "found 'leapd'; an engine is '--engine cmd=leapd'"),
        (&["check", "leapd --game x"], "a program and its arguments are separate words"),
        (&["match", "--engine", "cmd=no-such -v"], "no-such: it is not in PATH"),
        (&["match", "--engine", "cmd=ssh 'far"], "found an open quote in 'ssh 'far'"),
    ] {
        assert_refused(args, expected);
    }
}

/// Each place where a command line names a game.
#[test]
fn a_game_that_the_engine_does_not_play_is_answered_with_those_that_it_plays() {
    let cmd = format!("cmd={MOCK}");
    let expected = "expected one of the games race, found 'chess'";
    for args in [
        &["check", "--game", "chess", MOCK][..],
        &["check", "--game", "race,chess", MOCK],
        &["check", "--game", "chess", "--level", "rules", MOCK],
        &["compare", "--game", "chess", MOCK, MOCK],
        &["gogui", "--game", "chess", "--", MOCK],
        &["xboard", "--game", "chess", "--", MOCK],
        &["match", "--game", "chess", "--engine", &cmd, "--referee", MOCK],
        &["match", "--game", "chess", "--engine", &cmd, "--referee", "none"],
    ] {
        assert_refused(args, expected);
    }
    assert_refused(&["check", "--game", "rac", MOCK], "found 'rac'; did you mean 'race'?");
    assert_refused(&["web", "--game", "chess", "--", MOCK], "found '--game'");
}

#[test]
fn the_name_of_a_game_is_known_in_any_case() {
    let output = leap(&["check", "--game", "RACE", "--filter", "readyok-exact", MOCK]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

/// Every mistake on a command line has status 2 and an empty standard output. Standard error names the mistake.
#[test]
fn every_misuse_has_status_2() {
    let place = Workplace::new();
    std::fs::write(place.path("notes"), "my notes\n").unwrap();
    std::fs::write(place.path("plan.json"), "{\"games\": 2}\n").unwrap();
    std::fs::write(place.path("game.ugr"), "[Game \"race\"]\n\n1. a1b1 *\n").unwrap();
    let notes = place.path("notes").to_str().unwrap().to_owned();
    let plan = place.path("plan.json").to_str().unwrap().to_owned();
    let dir = place.path(".").to_str().unwrap().to_owned();
    let cmd = format!("cmd={MOCK}");
    let cases = include_str!("mistakes/misuse.txt").lines().filter(|line| !line.starts_with('#'));
    let word = |word| match word {
        "MOCK" => MOCK,
        "CMD" => &*cmd,
        "NOTES" => &*notes,
        "PLAN" => &*plan,
        "GAME" => "game.ugr",
        "DIR" => &*dir,
        "HUGE" => "18446744073709551616",
        word => word,
    };
    let cases: Vec<Vec<&str>> =
        cases.map(|line| line.split_whitespace().map(word).collect()).collect();
    at_once(&cases, |args| {
        let mut command = Command::new(LEAP);
        command.args(args).current_dir(place.path("."));
        let output = run(command, b"");
        let (printed, message) = (text(&output.stdout), text(&output.stderr));
        // A replay reports its files as data.
        let is_report = args.first() == Some(&"replay") && printed.contains("not run");
        assert_eq!(output.status.code(), Some(2), "{args:?}: {printed}{message}");
        assert!(printed.is_empty() || is_report, "{args:?}: {printed}");
        assert!(!message.is_empty() || is_report, "{args:?}");
        assert!(!message.contains("panicked"), "{args:?}: {message}");
    });
    assert_eq!(place.read("notes"), "my notes\n");
}
