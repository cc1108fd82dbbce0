//! Checks that must hold for any input. The fuzz targets call them with inputs of libFuzzer,
//! `tests/library/fuzzed.rs` with inputs of proptest.

#![allow(dead_code, reason = "each fuzz target calls one of them")]

use std::collections::VecDeque;
use std::fmt::{Debug, Display};
use std::ops::ControlFlow;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Instant;

use leap_core::notation::{PartialMove, PositionError};
use leap_core::{Position, RulesExt};
use leap_engine::session::{Action, Event, Session};
use leap_engine::{Engines, Job, game};
use leap_protocol::payload::{
    BoardLine, Effects, Evaluation, GameInfo, GameResult, Guide, KeyValues, Legality, MoveList,
    Problem, ProtocolInfo, Status, Tokens, Turn, Values, YesNo,
};
use leap_protocol::{Command, Line, LineReader, LineSplitter, Reply};
use leap_search::{Control, Playable};

/// The most moves to check in a position, which may have more moves than can be counted.
const MOVES: usize = 64;

/// The most steps to take in a turn, which may never end.
const STEPS: usize = 100;

/// Lines of a client may be this long, in bytes: short enough that inputs reach the limit.
const LONGEST_LINE: usize = 256;

/// Checks the bytes of a client. Each line is refused in one presentable line, or is a command that prints as itself.
pub(crate) fn commands(mut bytes: &[u8]) {
    let mut splitter = LineSplitter::with_limit(LONGEST_LINE);
    while let Some(line) = splitter.next_line(&mut bytes) {
        command(line);
    }
    assert!(bytes.is_empty());
    splitter.finish().into_iter().for_each(command);
}

fn command(line: Line) {
    let Line::Text(text) = line else { return };
    assert!(text.len() <= LONGEST_LINE);
    match Command::parse(&text) {
        Ok(None) => {}
        Ok(Some(command)) => {
            let printed = command.to_string();
            // A carriage return inside a value prints as a space. Everything else is kept.
            let parsed = Command::parse(&printed);
            assert!(text.contains('\r') || parsed == Ok(Some(command)), "{printed:?}");
        }
        Err(error) => {
            let (message, column) = (error.to_string(), error.column.unwrap_or(1));
            assert!(message.len() < 1000 && !message.contains(char::is_control), "{message:?}");
            assert!(!message.ends_with('.'), "a final dot in {message:?}");
            assert!((1..=text.chars().count() + 1).contains(&column), "{column} of {text:?}");
        }
    }
}

/// Checks a line of an engine: as a reply, and as every body that a reply can have.
pub(crate) fn reply(line: &str) {
    let line = line.replace(['\n', '\r'], " ");
    let printed = Reply::parse(&line).to_string();
    assert!(!printed.contains(['\n', '\r']));
    assert_eq!(Reply::parse(&printed), Reply::parse(&line));
    body::<YesNo>(&line);
    body::<GameResult>(&line);
    body::<Legality>(&line);
    body::<Status>(&line);
    body::<MoveList>(&line);
    body::<Tokens>(&line);
    body::<ProtocolInfo>(&line);
    body::<GameInfo>(&line);
    body::<KeyValues>(&line);
    body::<Effects>(&line);
    body::<Evaluation>(&line);
    body::<Turn>(&line);
    body::<Values>(&line);
    body::<Problem>(&line);
    body::<BoardLine>(&line);
    let (mut told, mut again) = (Guide::default(), Guide::default());
    if told.push(&line).is_ok() {
        assert!(told.lines().iter().all(|line| again.push(line).is_ok()), "{line:?}");
        assert_eq!(told, again);
    }
}

/// What is not refused prints as a text that means the same.
fn body<T: FromStr + Display + Debug + PartialEq>(line: &str) {
    if let Ok(value) = line.parse::<T>() {
        let printed = value.to_string();
        assert_eq!(printed.parse::<T>().ok(), Some(value), "{printed:?}");
    }
}

/// Checks a text with the rules of a variant of a game.
type Check = fn(variant: usize, text: &str);

/// Checks with the rules that the first byte of the input picks, and the rest as text.
fn check_picked(checks: [Check; 5], input: &[u8]) {
    let Some((pick, text)) = input.split_first() else { return };
    let pick = usize::from(*pick);
    checks[pick % checks.len()](pick / checks.len(), &String::from_utf8_lossy(text));
}

fn variant<R: Playable>(pick: usize) -> R {
    let mut variants = R::variants();
    variants.swap_remove(pick % variants.len())
}

/// Checks a position text, after a byte that picks the rules.
///
/// A bad text is refused in one line. A good text is printed and read back as the same position. Its moves are played,
/// and resolved from their texts.
pub(crate) fn position(input: &[u8]) {
    check_picked(leap_games::games!(position_check()), input);
}

/// Checks a move text, after a byte that picks the rules, a position text and a line end.
///
/// The move is refused with a reason, or it is one of the legal moves.
pub(crate) fn mv(input: &[u8]) {
    check_picked(leap_games::games!(move_check()), input);
}

/// Checks a session with the lines of a client. At an empty line, the worker ends its jobs.
pub(crate) fn session(input: &[u8]) {
    let mut harness = Harness::new();
    for line in LineReader::new(input).map_while(Result::ok) {
        if line == Line::Text(String::new()) {
            harness.finish_jobs();
        }
        harness.event(Event::Line(line, Instant::now()));
    }
    harness.finish_jobs();
    if !harness.exited {
        harness.replies.clear();
        harness.event(Event::Line(Line::Text("isready".to_owned()), Instant::now()));
        assert_eq!(harness.replies, ["readyok"]);
    }
}

const fn position_check<R: Playable>() -> Check {
    |pick, text| {
        let game = variant::<R>(pick);
        let position = match game.parse_position(text) {
            Ok(position) => position,
            Err(error) => return check_refusal(&error, text),
        };
        let printed = game.print_position(&position);
        assert_eq!(game.parse_position(&printed).as_ref(), Ok(&position), "{printed}");
        assert_eq!(position.key(), position.fresh_key());
        let mut moves = Vec::new();
        let _ = game.visit_moves(&position, |mv| {
            moves.push(mv);
            if moves.len() == MOVES { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!(game.has_move(&position), !moves.is_empty(), "{printed}");
        for mv in moves {
            let text = game.print_move(&position, mv);
            let is_playable = !game.at_limit(&position);
            if is_playable {
                assert_eq!(game.parse_move(&position, &text), Ok(mv), "{text} in {printed}");
            }
            let mut child = position;
            game.play_unchecked(&mut child, mv);
            assert_eq!(child.key(), child.fresh_key(), "{text} in {printed}");
            let after = game.print_position(&child);
            assert_eq!(game.parse_position(&after), Ok(child), "{text} in {printed}");
            assert!(is_playable || game.parse_move(&position, &text).is_err());
        }
    }
}

fn check_refusal(error: &PositionError, text: &str) {
    let message = error.to_string();
    assert!(!message.contains(char::is_control), "{message:?} for {text:?}");
}

const fn move_check<R: Playable>() -> Check {
    |pick, text| {
        let game = variant::<R>(pick);
        let (position, mv) = text.split_once('\n').unwrap_or(("startpos", text));
        let position = match position {
            "startpos" => game.start(),
            text => match game.parse_position(text) {
                Ok(position) => position,
                Err(_) => return,
            },
        };
        match game.parse_move(&position, mv) {
            Ok(found) => {
                let canonical = game.print_move(&position, found);
                assert_eq!(game.parse_move(&position, &canonical), Ok(found), "{mv}");
            }
            Err(illegal) => {
                assert!(
                    illegal.at.is_none_or(|at| at.index() < R::GEOMETRY.squares()),
                    "{illegal:?}"
                );
            }
        }
        check_turn(&game, &position, mv.as_bytes());
    }
}

/// Walks through a turn. Each byte picks one of the possible steps.
fn check_turn<R: Playable>(game: &R, position: &R::Position, picks: &[u8]) {
    if game.at_limit(position) {
        return;
    }
    let mut turn = game.partial_move(position, None);
    for pick in picks.iter().take(STEPS) {
        let next = turn.next();
        assert_eq!(next.may_end, turn.finish().is_ok());
        if next.steps.is_empty() {
            break;
        }
        let step = next.steps[usize::from(*pick) % next.steps.len()];
        turn.take(step).unwrap_or_else(|refusal| panic!("{step:?}: {refusal:?}"));
    }
}

/// A session with a worker whose jobs are stopped before they begin.
struct Harness {
    session: Session,
    jobs: VecDeque<(Job, Arc<Control>)>,
    replies: Vec<String>,
    exited: bool,
}

impl Harness {
    fn new() -> Self {
        // The smallest table, since every input needs a fresh one.
        let mut engines = Engines::new(leap_games::games!(game()));
        engines.set("Hash", Some("1")).expect("Hash can be 1");
        let session = Session::new(engines).expect("a MiB can be had");
        Self { session, jobs: VecDeque::new(), replies: Vec::new(), exited: false }
    }

    fn event(&mut self, event: Event) {
        let mut actions = Vec::new();
        self.session.handle(event, &mut actions);
        for action in actions {
            match action {
                Action::Reply(reply) => self.replies.push(reply.to_string()),
                Action::Start(job, control) => self.jobs.push_back((job, control)),
                Action::Quit | Action::Finish => self.exited = true,
            }
        }
    }

    fn finish_jobs(&mut self) {
        while let Some((job, control)) = self.jobs.pop_front() {
            control.stop.raise();
            let mut reports = Vec::new();
            let last = job(&control, &mut |reply| reports.push(reply));
            for reply in reports {
                self.event(Event::Report(reply));
            }
            self.event(Event::Done(last));
            // Releases a search that waits for `stop`.
            self.event(Event::Line(Line::Text("stop".to_owned()), Instant::now()));
        }
    }
}
