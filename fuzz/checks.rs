//! Checks that must hold for any input. The fuzz targets call them with inputs of libFuzzer,
//! `tests/library/fuzzed.rs` with inputs of proptest.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use leap_core::notation::{Notation, PartialMove, PositionError};
use leap_core::{Position, RulesExt};
use leap_engine::session::{Action, Event, Session};
use leap_engine::{Engines, Job, game};
use leap_games::alquerque::Alquerque;
use leap_games::eximo::Eximo;
use leap_games::froglet::Froglet;
use leap_games::sapos::Sapos;
use leap_games::tactica::Tactica;
use leap_protocol::{Line, LineReader};
use leap_search::{Control, Playable};

/// The most moves to check in a position, which may have more moves than can be counted.
const MOVES: usize = 64;

/// The most steps to take in a turn, which may never end.
const STEPS: usize = 100;

/// A check that works for any game.
trait Check {
    fn check<R: Notation>(&self, game: &R, text: &str);

    /// Checks with the rules that the first byte of the input picks, and the rest as text.
    fn check_picked(&self, input: &[u8]) {
        let Some((pick, text)) = input.split_first() else { return };
        let (pick, text) = (usize::from(*pick), String::from_utf8_lossy(text));
        match pick % 5 {
            0 => self.check_variant::<Alquerque>(pick / 5, &text),
            1 => self.check_variant::<Eximo>(pick / 5, &text),
            2 => self.check_variant::<Sapos>(pick / 5, &text),
            3 => self.check_variant::<Froglet>(pick / 5, &text),
            _ => self.check_variant::<Tactica>(pick / 5, &text),
        }
    }

    fn check_variant<R: Playable>(&self, pick: usize, text: &str) {
        let variants = R::variants();
        self.check(&variants[pick % variants.len()], text);
    }
}

struct PositionCheck;
struct MoveCheck;

/// Checks a position text, after a byte that picks the rules.
///
/// A bad text is refused in one line. A good text is printed and read back as the same position. Its moves are played,
/// and resolved from their texts.
pub(crate) fn position(input: &[u8]) {
    PositionCheck.check_picked(input);
}

/// Checks a move text, after a byte that picks the rules, a position text and a line end.
///
/// The move is refused with a reason, or it is one of the legal moves.
pub(crate) fn mv(input: &[u8]) {
    MoveCheck.check_picked(input);
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

impl Check for PositionCheck {
    fn check<R: Notation>(&self, game: &R, text: &str) {
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

impl Check for MoveCheck {
    fn check<R: Notation>(&self, game: &R, text: &str) {
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
        check_turn(game, &position, mv.as_bytes());
    }
}

/// Walks through a turn. Each byte picks one of the possible steps.
fn check_turn<R: Notation>(game: &R, position: &R::Position, picks: &[u8]) {
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
        let games = [
            game::<Alquerque>(),
            game::<Eximo>(),
            game::<Sapos>(),
            game::<Froglet>(),
            game::<Tactica>(),
        ];
        let mut engines = Engines::new(games);
        engines.set("Hash", Some("1")).expect("Hash can be 1");
        let session = Session::new(engines).expect("a MiB can be had");
        Self { session, jobs: VecDeque::new(), replies: Vec::new(), exited: false }
    }

    fn event(&mut self, event: Event) {
        let mut actions = Vec::new();
        self.session.handle(event, &mut actions);
        for action in actions {
            match action {
                Action::Reply(reply) | Action::Info(reply) => self.replies.push(reply.to_string()),
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
