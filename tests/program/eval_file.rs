//! The option `EvalFile`: weights of a file take the place of those of the program.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use leap_engine::Engines;
use leap_engine::options::{Agent, Scope};
use leap_games::alquerque::Alquerque;
use leap_games::sapos::Sapos;
use leap_protocol::{Go, Info, Reply, Score};
use leap_search::eval::patterns::FeatureSet;
use leap_search::eval::weights::{Parameters, write};
use leap_search::eval::{Evaluator, Learned};
use leap_search::{Control, Searchable, TranspositionTable};

use crate::process::{assert_ends, start};

fn engines() -> Engines {
    Engines::new(leapd::GAMES)
}

const SHIPPED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/games/eximo/weights");

fn file(name: &str, contents: &[u8]) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, contents).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Weights of Alquerque by which every position is worth the same.
fn level() -> Vec<u8> {
    let design = Alquerque::design();
    let weights = vec![[0.0; 2]; FeatureSet::new(&design).ties().len()];
    write(&design, "made for a test", &Parameters { weights, network: Default::default() })
}

/// The evaluation of a game after its first move.
fn total(engines: &mut Engines, game: &str) -> i32 {
    engines.set("Game", Some(game)).unwrap();
    let moves = engines.answer(&leap_protocol::Query::Moves { limit: Some(1) }).unwrap();
    let Reply::Response(moves) = &moves[0] else { panic!("{moves:?}") };
    engines.engine_mut().play(&[moves.rsplit(' ').next().unwrap().to_owned()]).unwrap();
    let Reply::Response(parts) = engines.engine().evaluation() else { panic!("no parts") };
    parts.rsplit(' ').next().unwrap().parse().unwrap()
}

fn refused(path: &str) -> String {
    let mut engines = engines();
    let error = engines.set("EvalFile", Some(path)).unwrap_err().text;
    assert_eq!(engines.value("EvalFile"), "", "a refused file changes nothing");
    error
}

#[test]
fn weights_are_for_the_game_that_their_file_names_until_none_are_wanted() {
    let mut engines = engines();
    let before = ["alquerque", "eximo"].map(|game| total(&mut engines, game));
    assert_ne!(before[0], 0);
    let path = file("level alquerque.weights", &level());
    assert_eq!(engines.set("EvalFile", Some(&path)).unwrap(), Scope::Weights);
    assert_eq!(engines.value("EvalFile"), path);
    let totals = ["alquerque", "eximo"].map(|game| total(&mut engines, game));
    assert_eq!(totals, [0, before[1]]);
    engines.set("EvalFile", Some("<empty>")).unwrap();
    assert_eq!(total(&mut engines, "alquerque"), before[0]);
}

/// The player tells the score of the move that it makes.
#[test]
fn the_score_of_a_sparring_player_is_by_the_weights_of_the_file() {
    let mut engines = engines();
    engines.set("EvalFile", Some(&file("level player.weights", &level()))).unwrap();
    engines.settings.agent = Agent::Greedy;
    let table = Arc::new(TranspositionTable::new(1).unwrap());
    let job =
        engines.engine().search(&Go::default(), &engines.settings, table, Arc::default()).unwrap();
    let mut scores = Vec::new();
    job(&Control::new(), &mut |reply| {
        if let Reply::Info(Info { score: Some((score, _)), .. }) = reply {
            scores.push(score);
        }
    });
    assert!(!scores.is_empty());
    assert!(scores.iter().all(|score| *score == Score::Cp(0)), "{scores:?}");
}

#[test]
fn weights_of_another_game_take_the_place_of_those_before() {
    let mut engines = engines();
    let before = total(&mut engines, "alquerque");
    engines.set("EvalFile", Some(&file("level.weights", &level()))).unwrap();
    assert_eq!(total(&mut engines, "alquerque"), 0);
    engines.set("EvalFile", Some(SHIPPED)).unwrap();
    assert_eq!(total(&mut engines, "alquerque"), before);
}

#[test]
fn the_weights_of_the_program_are_worth_the_same_from_their_file() {
    let mut engines = engines();
    let own = total(&mut engines, "eximo");
    engines.set("EvalFile", Some(SHIPPED)).unwrap();
    assert_eq!(total(&mut engines, "eximo"), own);
}

#[test]
fn a_file_that_does_not_serve_is_refused_with_the_reason() {
    let missing = refused("no-such-file");
    assert!(missing.starts_with("option EvalFile takes a file of weights, found 'no-such-file': "));
    let chess = file("chess.weights", b"leapd-weights 1\ngame chess\n\n");
    assert!(refused(&chess).ends_with("the weights are for 'chess', which is no game here"));
    let sapos = file("sapos.weights", b"leapd-weights 1\ngame sapos\n\n");
    assert!(
        refused(&sapos).ends_with("a game whose evaluation is learned, found one made by hand")
    );
    let shipped = fs::read(SHIPPED).unwrap();
    let short = file("short.weights", &shipped[..shipped.len() - 1]);
    assert!(refused(&short).contains("bytes of weights, found"));
}

#[test]
fn an_evaluation_made_by_hand_takes_no_weights() {
    assert!(<Sapos as Searchable>::Evaluator::read(b"anything").is_err());
}

const FOREIGN: &str = "expected the line 'leapd-weights 1' at the beginning, found another";
const NO_FILE: &str = "expected a regular file, found a folder, a pipe or a device";

/// The reason for which the program refuses a file. It has to answer what follows, and to end.
fn refused_by_the_program(path: &str) -> String {
    let mut child = start(&[]);
    let lines = format!("setoption name EvalFile value {path}\nisready\nquit\n");
    child.stdin.as_mut().unwrap().write_all(lines.as_bytes()).unwrap();
    assert_ends(&mut child, path);
    let output = child.wait_with_output().unwrap();
    let output = String::from_utf8(output.stdout).unwrap();
    let [error, "readyok"] = output.lines().collect::<Vec<_>>()[..] else {
        panic!("{path}: {output}")
    };
    let start = "error bad-argument : option EvalFile takes a file of weights, found ";
    assert!(error.starts_with(start), "{error}");
    error.split_once("': ").unwrap_or_else(|| panic!("{error}")).1.to_owned()
}

#[test]
fn a_path_to_no_file_is_refused_at_once() {
    assert_eq!(refused_by_the_program(env!("CARGO_TARGET_TMPDIR")), NO_FILE);
    assert_eq!(
        refused_by_the_program(&file("empty.weights", b"")),
        "expected a file of 1 to 16777216 bytes, found 0"
    );
    let huge = file("huge.weights", b"");
    fs::File::options().write(true).open(&huge).unwrap().set_len(1 << 35).unwrap();
    assert_eq!(
        refused_by_the_program(&huge),
        "expected a file of 1 to 16777216 bytes, found 34359738368"
    );
    fs::remove_file(huge).unwrap();
}

#[cfg(unix)]
#[test]
fn pipes_devices_and_files_of_the_system_neither_block_nor_fill_the_memory() {
    let pipe = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pipe.weights");
    let _ = fs::remove_file(&pipe);
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for path in [pipe.to_str().unwrap(), "/dev/zero", "/dev/stdin", "/dev/tty"] {
        // A test may run where a device is missing, such as a terminal.
        if fs::metadata(path).is_ok() || path == "/dev/stdin" {
            assert_eq!(refused_by_the_program(path), NO_FILE, "{path}");
        }
    }
    // Such files have no size, and some of them no end. Not every system has them, or lets them be read.
    for path in ["/proc/kmsg", "/proc/self/mem", "/proc/self/environ"] {
        let reason = refused_by_the_program(path);
        if fs::File::open(path).is_ok() {
            assert_eq!(reason, "expected a file of 1 to 16777216 bytes, found 0", "{path}");
        }
    }
}

#[test]
fn an_error_quotes_nothing_of_a_foreign_file() {
    for secret in
        ["root:hunter2:0", "hunter2\n\n", "game hunter2", "\nleapd-weights 1\ngame hunter2"]
    {
        let path = file("secret", secret.as_bytes());
        let error = refused(&path);
        assert!(error.ends_with(FOREIGN) && !error.contains("hunter2"), "{error}");
    }
}
