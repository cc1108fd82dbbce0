use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use leap_protocol::payload::{GameResult, Legality, Side};
use leap_protocol::{Dialect, Go, Query};
use leap_testing::at_once;

use super::*;
use crate::PositionCommand;

/// Longer than anything here takes.
const LONG: Duration = Duration::from_secs(20);

/// An engine in which a shell answers. `cases` are patterns of lines with their answers; the first one counts.
fn engine(cases: &str) -> EngineCommand {
    let last = "ugi) echo id name a; echo ugiok;; isready) echo readyok;; quit) exit;;";
    let script = format!("while read -r line; do case $line in {cases} {last} esac; done");
    EngineCommand::new("sh").arg("-c").arg(script)
}

fn session(cases: &str) -> Session {
    Session::start(&engine(cases), LONG).unwrap()
}

#[test]
fn a_greeting_ends_well_or_says_which_one_the_engine_knows() {
    let greetings = [
        ("", "Ok(())"),
        // It starts slowly: the greeting is answered with what comes after it.
        ("ugi) read -r line; echo ugiok; echo readyok;;", "Ok(())"),
        ("ugi) ;;", "Err(Ignored(Ugi))"),
        ("ugi) ;; uci) echo uciok;;", "Err(Speaks(Uci))"),
        ("*) ;;", "Err(Timeout(400ms))"),
        ("ugi) exit;;", "Err(Closed)"),
    ];
    at_once(&greetings, |(cases, expected)| {
        let client = Client::start(&engine(cases), Stdio::null()).unwrap();
        let mut session = Session::new(client, Dialect::Ugi, Duration::from_millis(400));
        assert_eq!(format!("{:?}", session.greet()), *expected, "{cases}");
    });
}

#[test]
fn the_error_of_a_failed_start_ends_with_what_the_engine_said() {
    let error = Session::start(&engine("ugi) echo no weights >&2; exit 3;;"), LONG).unwrap_err();
    let expected =
        "no answer to 'ugi': the engine has ended: exit status 3; its standard error: no weights";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn a_refusal_leaves_the_session_usable() {
    let mut session = session(
        "position*bad) echo error illegal-position : no;; *gameover) echo response false;; \
         *result) echo response none;; *p1turn) echo response false;; *legal*) echo response true;;",
    );
    let [good, bad] = ["good", "bad"].map(|fen| PositionCommand::new(Some(fen), &[]));
    for _ in 0..2 {
        assert!(matches!(session.set_up(&bad), Err(ClientError::Refused(_))));
        assert!(matches!(session.state(&bad), Err(ClientError::Refused(_))));
        let state = session.state(&good).unwrap();
        assert_eq!((state.result, state.turn, state.fen), (GameResult::None, Side::P2, None));
        assert_eq!(session.legal("a1a2").unwrap(), Legality::Legal);
    }
    assert!(session.quit().unwrap());
}

#[test]
fn what_nobody_asked_for_is_an_error_of_a_strict_session_alone() {
    for (cases, fault) in [
        ("position*) echo bestmove a1a2;;", "Unasked(\"a1a2\")"),
        ("position*) printf '\\377\\n';;", "NoText(\"a line that is no text\")"),
    ] {
        let position = PositionCommand::new(None, &[]);
        let mut session = session(cases);
        session.set_up(&position).unwrap();
        session.be_strict();
        assert_eq!(format!("{:?}", session.set_up(&position).unwrap_err()), fault);
    }
}

#[test]
fn a_search_ends_with_a_move_or_an_error() {
    for (answer, expected) in [
        ("echo info depth 3; echo bestmove a1a2 ponder b1b2", Ok("a1a2")),
        ("echo bestmove", Err("expected 'bestmove <move>', found 'bestmove'")),
        ("echo error busy : no", Err("the engine refused: error busy : no")),
        ("exit", Err("the engine has closed the connection")),
    ] {
        let mut depths = Vec::new();
        let best = session(&format!("go*) {answer};;"))
            .go(&Go { depth: Some(3), ..Go::default() }, |info| depths.extend(info.depth));
        let found = best.map(|best| best.mv.unwrap()).map_err(|error| error.to_string());
        assert_eq!(found.as_deref().map_err(String::as_str), expected);
        assert_eq!(depths.is_empty(), expected.is_err());
    }
}

#[test]
fn an_observer_sees_both_directions_and_a_deadline_holds_for_all_replies() {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let mut session = session("query*) echo response 1;; isready) ;;");
    let kept = Arc::clone(&lines);
    session.observe(move |direction, line| {
        kept.lock().unwrap().push((direction, line.to_owned()));
    });
    assert_eq!(session.ask(Query::Fen).unwrap(), "1");
    let seen = [(Direction::To, "query fen"), (Direction::From, "response 1")];
    assert_eq!(*lines.lock().unwrap(), seen.map(|(way, line)| (way, line.to_owned())));
    let begun = Instant::now();
    session.set_deadline(Some(begun));
    assert!(matches!(session.ready(), Err(ClientError::Timeout(_))));
    assert!(begun.elapsed() < LONG);
}
