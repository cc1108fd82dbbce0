//! The program `leapd` as its users start it.

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn leapd(args: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_leapd"));
    let pipes =
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = pipes.spawn().unwrap();
    // A program that ends at once may leave its input unread.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn stdout(output: &Output) -> Vec<&str> {
    std::str::from_utf8(&output.stdout).unwrap().lines().collect()
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

#[test]
fn options_of_the_command_line_are_in_force() {
    let args = ["--game", "eximo", "--option", "MaxPlies=7", "--option", "hash=1"];
    let output = leapd(&args, "query game\n");
    assert!(output.status.success());
    assert_eq!(stdout(&output), ["response eximo MaxPlies 7"]);
}

#[test]
fn a_wrong_option_ends_the_program_with_one_line() {
    for (args, expected) in [
        (&["--option", "Hsah=64"][..], "error: no option 'Hsah'; did you mean 'Hash'?\n"),
        (&["--option", "Hash=0"], "error: option Hash takes a number from 1 to 65536, found '0'\n"),
        (&["--option", "Ponder"], "error: option Ponder takes true or false, found nothing\n"),
    ] {
        let output = leapd(args, "");
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(stderr(&output), expected);
    }
    let unknown_game = leapd(&["--game", "chess"], "");
    assert_eq!(unknown_game.status.code(), Some(2));
    assert!(stderr(&unknown_game).contains("alquerque"), "{}", stderr(&unknown_game));
}

#[test]
fn perft_prints_each_move_and_the_total() {
    let output = leapd(&["perft", "alquerque", "3"], "");
    let lines = stdout(&output);
    assert_eq!(lines.len(), 5);
    assert!(lines[4].starts_with("perft 3 nodes 33 time "), "{}", lines[4]);
    let fen = "m1M2/4m/5/mm3/4m 2 - 6 43";
    let quoted = leapd(&["perft", "alquerque", "2", fen], "");
    assert!(stdout(&quoted).last().unwrap().starts_with("perft 2 nodes 93 "));
    let mut words = vec!["perft", "alquerque", "2"];
    words.extend(fen.split(' '));
    assert!(stdout(&leapd(&words, "")).last().unwrap().starts_with("perft 2 nodes 93 "));
}

#[test]
fn perft_of_an_impossible_position_says_why() {
    let output = leapd(&["perft", "alquerque", "3", "mmmmm/5/5/5/6 1 - 0 0"], "");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).starts_with("error: "), "{}", stderr(&output));
}

#[test]
fn openings_are_printed_with_how_they_were_made() {
    let args = "openings alquerque --count 2 --plies 4..5 --nodes 200 --game-nodes 30 --margin 400";
    let output = leapd(&args.split(' ').collect::<Vec<_>>(), "");
    let lines = stdout(&output);
    assert_eq!(lines.len(), 4, "{}", stderr(&output));
    assert_eq!(
        lines[0],
        "# leapd openings alquerque --count 2 --plies 4..5 --margin 400 --nodes 200 --game-nodes 30 --seed 1"
    );
    assert!(lines[2].ends_with(" 4") || lines[2].ends_with(" 5"), "{}", lines[2]);
    assert_eq!(stderr(&output), "alquerque: won by player 1 1, drawn 0, won by player 2 1\n");

    let wrong = leapd(&["openings", "alquerque", "--plies", "9..3"], "");
    assert_eq!(wrong.status.code(), Some(2));
    assert!(stderr(&wrong).contains("expected A..B with A at most B, found '9..3'"));
}

#[test]
fn a_suite_is_that_of_the_games_named() {
    let output = leapd(&["bench", "--suite", "eximo", "--nodes", "50"], "");
    let lines = stdout(&output);
    assert!(lines[0].starts_with("eximo solved "), "{}", stderr(&output));
    assert!(lines.iter().any(|line| line.starts_with("total solved ")), "{lines:?}");
    assert!(!lines.iter().any(|line| line.starts_with("sapos ")), "{lines:?}");

    let wrong = leapd(&["bench", "eximo"], "");
    assert_eq!(wrong.status.code(), Some(2));
    assert!(stderr(&wrong).contains("--suite"), "{}", stderr(&wrong));
}

#[test]
fn problems_are_printed_with_how_they_were_made() {
    let args = "problems froglet --count 1 --games 9 --positions 20000 --game-nodes 20 --nodes 0";
    let output = leapd(&args.split(' ').collect::<Vec<_>>(), "");
    let lines = stdout(&output);
    assert_eq!(lines.len(), 2, "{}", stderr(&output));
    assert!(lines[0].starts_with(&format!("# leapd {}", &args[..35])), "{}", lines[0]);
    assert!(lines[1].ends_with("; id \"froglet.1\";"), "{}", lines[1]);
}

#[test]
fn a_session_ends_with_its_input() {
    let output = leapd(&[], "go depth 3");
    assert!(output.status.success());
    assert!(stdout(&output).last().unwrap().starts_with("bestmove "));
    assert!(output.stderr.is_empty());
}

/// SPEC 7.6.
#[test]
fn a_search_that_the_end_of_the_input_finds_running_answers() {
    for parameters in [
        "depth 3",
        "nodes 500",
        "mate 1",
        "movetime 30",
        "p1time 60 p2time 60",
        "wtime 60 btime 60",
        "infinite",
        "ponder depth 2",
        "",
    ] {
        let output = leapd(&["--game", "eximo"], &format!("go {parameters}\n"));
        assert!(output.status.success(), "go {parameters}");
        let answers = stdout(&output).iter().filter(|line| line.starts_with("bestmove ")).count();
        assert_eq!(answers, 1, "go {parameters}");
        assert!(stdout(&output).last().unwrap().starts_with("bestmove "), "go {parameters}");
    }
}

/// SPEC 3.23: GUIs rely on it.
#[test]
fn quit_ends_a_search_with_a_limit_without_its_answer() {
    let output = leapd(&["--game", "eximo"], "go depth 100\nquit\n");
    assert!(output.status.success());
    assert!(!stdout(&output).iter().any(|line| line.starts_with("bestmove")));
}

#[test]
fn a_closed_output_ends_the_program_quietly() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_leapd"));
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = pipes.spawn().unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    for _ in 0..1000 {
        if writeln!(stdin, "isready").is_err() {
            break;
        }
    }
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert!(output.stderr.is_empty(), "{}", stderr(&output));
}

#[test]
fn the_version_is_that_of_the_package() {
    let output = leapd(&["--version"], "");
    assert_eq!(stdout(&output), [concat!("leapd ", env!("CARGO_PKG_VERSION"))]);
}

#[test]
fn control_characters_in_an_echoed_mistake_are_escaped() {
    let evil = "\u{1b}[2J\u{202e}";
    let option = format!("{evil}=1");
    for args in [&["--game", evil][..], &[evil], &["--option", &option]] {
        let output = leapd(args, "");
        assert!(!output.status.success(), "{args:?}");
        let text = stderr(&output);
        assert!(text.contains("\\u{202e}"), "{args:?}: {text}");
        assert!(
            !text.contains(|c: char| c == '\u{202e}' || c.is_control() && c != '\n'),
            "{text:?}"
        );
    }
}
