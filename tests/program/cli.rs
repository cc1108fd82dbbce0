//! The program `leapd` as its users start it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Output, Stdio};
use std::sync::PoisonError;

use leap_games::IDS;

use crate::process::{LEAPD, PROCESSORS, leapd};

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

/// The message of a command line that must be refused: status 2, one line, nothing on standard output.
#[track_caller]
fn refusal(args: &[&str]) -> String {
    let output = leapd(args, "");
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
    assert!(output.stdout.is_empty(), "{args:?}");
    let line = message.strip_suffix('\n').unwrap();
    assert!(line.starts_with("error: ") && !line.contains('\n'), "{args:?}: {message}");
    line.to_owned()
}

/// As `setoption` does with `<empty>`.
#[test]
fn an_empty_text_is_a_value() {
    for option in ["EvalFile=", "evalfile=<empty>", "TablePath="] {
        let output = leapd(&["--option", option], "isready\n");
        assert_eq!((output.status.code(), stderr(&output)), (Some(0), ""), "{option}");
    }
    let expected = "error: option Hash takes a number from 1 to 65536, found nothing";
    assert_eq!(refusal(&["--option", "Hash="]), expected);
}

#[test]
fn a_wrong_option_of_the_engine_is_a_mistake_on_the_command_line() {
    for (args, expected) in [
        (&["--option", "Hsah=64"][..], "error: no option 'Hsah' (did you mean 'Hash'?)"),
        (&["--option", "Hash=0"], "error: option Hash takes a number from 1 to 65536, found '0'"),
        (&["--option", "Ponder"], "error: option Ponder takes true or false, found nothing"),
    ] {
        assert_eq!(refusal(args), expected);
        assert_eq!(refusal(&[&["perft", "eximo", "1"], args].concat()), expected);
    }
}

#[test]
fn an_unknown_game_is_answered_with_the_games_that_there_are() {
    let games = IDS.join(", ");
    for args in [
        "--game chess",
        "--option Game=chess",
        "perft chess 3",
        "perft eximo 3 --option Game=chess",
        "bench --suite chess",
        "openings chess",
        "problems chess",
    ] {
        let message = refusal(&args.split(' ').collect::<Vec<_>>());
        assert!(message.contains("'chess'") && message.contains(&games), "{args}: {message}");
    }
}

#[test]
fn every_mistake_on_the_command_line_is_one_line_with_status_2() {
    for (args, expected) in [
        ("frob", "unrecognized subcommand 'frob'"),
        ("--gmae eximo", "unexpected argument '--gmae' found"),
        ("--game eximo bench", "the subcommand 'bench' cannot be used with '--game <GAME>'"),
        ("--player chess", "invalid value 'chess' for '--player <PLAYER>'"),
        ("--log loud", "invalid value 'loud' for '--log <LEVEL>'"),
        ("perft", "required arguments were not provided: <GAME> <PLIES>"),
        ("perft eximo", "required arguments were not provided: <PLIES>"),
        ("perft eximo -1", "unexpected argument '-1' found"),
        ("perft eximo 4294967296", "invalid value '4294967296' for '<PLIES>'"),
        ("perft eximo 3 chess", "position, field side, column 6: expected five fields"),
        ("bench eximo", "required arguments were not provided: --suite"),
        ("bench --nodes 5", "required arguments were not provided: --suite"),
        ("bench --suite --nodes 0", "invalid value '0' for '--nodes <N>'"),
        ("openings", "required arguments were not provided: <GAME>"),
        ("openings eximo sapos", "unexpected argument 'sapos' found"),
        ("openings eximo --count 0", "invalid value '0' for '--count <N>'"),
        ("openings eximo --plies 9..3", "expected A..B with A at most B, found '9..3'"),
        ("openings eximo --threads 0", "invalid value '0' for '--threads <N>'"),
        ("problems eximo --count 0", "invalid value '0' for '--count <N>'"),
        ("problems eximo --plies 8", "invalid value '8' for '--plies <N>'"),
        ("tables alquerque --men 7", "tables is a command of the program leap-tables: make"),
        ("solve --check file", "solve is a command of the program leap-tables"),
    ] {
        let message = refusal(&args.split(' ').collect::<Vec<_>>());
        assert!(message.contains(expected), "{args}: {message}");
    }
}

/// No option takes everything.
#[test]
fn every_option_of_every_command_refuses_what_it_does_not_take() {
    let program = leapd::cli::command(&leapd::GAMES);
    let commands = program.get_subcommands().map(|command| (Some(command.get_name()), command));
    let mut refused = 0;
    for (name, command) in commands.chain([(None, &program)]) {
        let before: &[&str] = match name {
            Some("perft") => &["perft", "eximo", "1"],
            Some("bench") => &["bench", "--suite"],
            Some(name) => &[name, "eximo"],
            None => &[],
        };
        let options = command.get_arguments().filter(|arg| arg.get_action().takes_values());
        for option in options.filter_map(|arg| arg.get_long()) {
            let option = format!("--{option}");
            refusal(&[before, &[&option, "?"]].concat());
            refusal(&[before, &[&option]].concat());
            refused += 1;
        }
    }
    assert!(refused > 20, "{refused}");
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
fn perft_of_an_impossible_position_says_why_and_where() {
    let message = refusal(&["perft", "alquerque", "3", "mmmmm/5/5/5/6 1 - 0 0"]);
    assert_eq!(
        message,
        "error: position, field board, column 13: expected one number from 1 to 5 for empty squares"
    );
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
    let last = stderr(&output).lines().last();
    assert_eq!(last, Some("alquerque: won by player 1 1, drawn 0, won by player 2 1"));
}

/// The margin that suits a game depends on what its evaluation counts.
#[test]
fn the_margin_of_openings_fits_every_game() {
    for game in IDS {
        let args = format!("openings {game} --count 4 --nodes 500 --game-nodes 100");
        let output = leapd(&args.split(' ').collect::<Vec<_>>(), "");
        assert!(output.status.success(), "{game}: {}", stderr(&output));
        assert_eq!(stdout(&output).len(), 6, "{game}");
    }
}

#[test]
fn fewer_problems_than_wanted_are_an_error_that_says_what_was_tried() {
    let tried = "--games 1 --plies 5 --positions 5 --game-nodes 5 --nodes 1000 --seed 1";
    let output = leapd(&["problems", "sapos", "--games=1", "--positions=5", "--game-nodes=5"], "");
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty(), "no file without a problem");
    assert_eq!(
        stderr(&output).lines().last().unwrap(),
        format!(
            "error: sapos: found 0 of 100 problems with {tried}; more --games or --positions, fewer --plies or --nodes may help"
        )
    );

    let args = "problems froglet --games 9 --positions 20000 --game-nodes 20 --nodes 0";
    let output = leapd(&args.split(' ').collect::<Vec<_>>(), "");
    assert_eq!(output.status.code(), Some(1));
    let found = stdout(&output).len() - 1;
    assert!(found > 0, "those that were found are printed");
    let expected = format!("error: froglet: found {found} of 100 problems with --games 9 ");
    assert!(stderr(&output).lines().last().unwrap().starts_with(&expected), "{}", stderr(&output));
}

/// Long work soon says what it is doing. The work of these commands takes far longer than that.
#[test]
#[ignore = "slow: run by .ci/run"]
fn long_work_speaks_though_its_output_is_no_terminal() {
    let commands = [
        ("perft froglet 60", " moves, "),
        ("perft eximo 60", " moves, "),
        ("bench --suite sapos --nodes 4000000000", " of 50 problems, "),
        ("openings sapos --count 1000000 --odds 8", " of 1000000 openings from "),
        ("problems sapos --count 1000000 --games 1000000", " of 1000000 problems in "),
    ];
    let _busy = PROCESSORS.write().unwrap_or_else(PoisonError::into_inner);
    let started = commands.into_iter().map(|(args, expected)| {
        let mut command = Command::new(LEAPD);
        command.args(args.split(' ')).stdout(Stdio::null()).stderr(Stdio::piped());
        (args, expected, command.spawn().unwrap())
    });
    for (args, expected, mut child) in started.collect::<Vec<_>>() {
        let mut line = String::new();
        BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(line.contains(expected), "{args}: {line}");
        assert!(line.ends_with(" so far\n") || line.ends_with(" left\n"), "{args}: {line}");
    }
}

#[test]
fn a_suite_is_that_of_the_games_named() {
    let output = leapd(&["bench", "--suite", "eximo", "--nodes", "50"], "");
    let lines = stdout(&output);
    assert!(lines[0].starts_with("eximo solved "), "{}", stderr(&output));
    assert!(lines.iter().any(|line| line.starts_with("total solved ")), "{lines:?}");
    assert!(!lines.iter().any(|line| line.starts_with("sapos ")), "{lines:?}");
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

/// SPEC 3.23: a search ends as by `stop`. On a busy machine its answer may come too late to be written.
#[test]
fn quit_ends_a_search_with_a_limit_and_reads_no_further() {
    let output = leapd(&["--game", "eximo"], "go depth 100\nquit\nisready\n");
    assert!(output.status.success());
    let found: Vec<_> =
        stdout(&output).iter().filter(|line| !line.starts_with("info ")).cloned().collect();
    assert!(
        found.len() <= 1 && found.iter().all(|line| line.starts_with("bestmove ")),
        "{found:?}"
    );
}

#[test]
fn games_and_players_are_read_in_either_case() {
    for game in ["Eximo", "EXIMO", "eximo"] {
        let output = leapd(&["--game", game, "--player", "Random"], "query game\n");
        assert!(stdout(&output)[0].starts_with("response eximo "), "{game}");
    }
    let count = leapd(&["perft", "Sapos", "1"], "");
    assert!(count.status.success(), "{}", stderr(&count));
    let unknown = leapd(&["--game", "Exima"], "");
    assert!(stderr(&unknown).contains("'Exima'"), "{}", stderr(&unknown));
}

#[test]
fn a_closed_output_ends_the_program_quietly() {
    let mut command = Command::new(LEAPD);
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

/// The constants of the search are options only in programs that are built to tune them.
#[test]
fn constants_of_the_search_are_options_with_the_feature_alone() {
    let output = leapd(&[], "ugi\n");
    let has_tune = stdout(&output).iter().any(|line| line.starts_with("option name Tune"));
    assert_eq!(has_tune, cfg!(feature = "tune"));
}

#[test]
fn a_player_is_named_and_has_only_its_options() {
    let says = |player: &str, line: &str| {
        let output = leapd(&["--player", player], &format!("{line}\n"));
        String::from_utf8(output.stdout).unwrap()
    };
    let greeting = says("greedy", "ugi");
    assert!(greeting.contains(" greedy\n"), "{greeting}");
    assert!(greeting.contains("option name Seed type spin default 1 min 0 max 2147483647\n"));
    assert!(!greeting.contains("option name Hash"), "{greeting}");
    assert!(says("mcts", "ugi").contains("option name Hash"));
    assert!(says("random", "setoption name Hash value 8").starts_with("error no-such-option"));
    let best = says("mcts", "go nodes 500");
    assert!(best.contains("info depth") && best.contains("\nbestmove "), "{best}");
}
