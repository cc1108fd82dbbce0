//! The option `EvalFile`: weights of a file take the place of those of the program.

use std::fs;
use std::path::PathBuf;

use leap_protocol::Reply;
use leapd::engine;
use leapd::eval::model::{Parameters, write};
use leapd::eval::patterns::Layout;
use leapd::eval::{Evaluate, Learned, Weights};
use leapd::games::GameId;
use leapd::options::{Scope, Settings};
use leapd::rules::alquerque::Alquerque;
use leapd::rules::sapos::Sapos;

const SHIPPED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/eval/weights/eximo.weights");

fn file(name: &str, contents: &[u8]) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, contents).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Weights of Alquerque by which every position is worth the same.
fn level() -> Vec<u8> {
    let design = Alquerque::design();
    let weights = vec![[0.0; 2]; Layout::new(&design).len()];
    write(&design, "made for a test", &Parameters { weights, network: Default::default() })
}

fn total(settings: &Settings) -> i32 {
    let mut engine = engine::new(settings);
    let moves = engine.answer(&leap_protocol::Query::Moves { limit: Some(1) }).unwrap();
    let Reply::Response(moves) = &moves[0] else { panic!("{moves:?}") };
    engine.play(&[moves.rsplit(' ').next().unwrap().to_owned()]).unwrap();
    let Reply::Response(parts) = engine.evaluation(settings) else { panic!("no parts") };
    parts.rsplit(' ').next().unwrap().parse().unwrap()
}

fn refused(path: &str) -> String {
    let mut settings = Settings::default();
    let error = settings.set("EvalFile", Some(path)).unwrap_err().to_string();
    assert_eq!(settings.eval_file.to_string(), "", "a refused file changes nothing");
    error
}

#[test]
fn weights_are_for_the_game_that_their_file_names_until_none_are_wanted() {
    let mut settings = Settings::default();
    let before = total(&settings);
    assert_ne!(before, 0);
    let path = file("level alquerque.weights", &level());
    assert_eq!(settings.set("EvalFile", Some(&path)).unwrap(), Scope::ClearTable);
    assert_eq!(settings.eval_file.to_string(), path);
    assert_eq!(total(&settings), 0);
    let eximo = Settings { game: GameId::Eximo, ..settings.clone() };
    assert_eq!(total(&eximo), total(&Settings { game: GameId::Eximo, ..Settings::default() }));
    settings.set("EvalFile", Some("<empty>")).unwrap();
    assert_eq!(total(&settings), before);
}

#[test]
fn the_weights_of_the_program_are_worth_the_same_from_their_file() {
    let own = Settings { game: GameId::Eximo, ..Settings::default() };
    let mut loaded = own.clone();
    loaded.set("EvalFile", Some(SHIPPED)).unwrap();
    assert_eq!(total(&loaded), total(&own));
}

#[test]
fn a_file_that_does_not_serve_is_refused_with_the_reason() {
    let missing = refused("no-such-file");
    assert!(missing.starts_with("option EvalFile takes a file of weights, found 'no-such-file': "));
    assert!(refused(env!("CARGO_TARGET_TMPDIR")).ends_with("this is no regular file"));
    let text = file("text", b"something else\n");
    assert!(
        refused(&text).ends_with("expected the line 'leapd-weights 1', found 'something else'")
    );
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
    assert!(<Sapos as Evaluate>::Weights::read(b"anything").is_err());
}
