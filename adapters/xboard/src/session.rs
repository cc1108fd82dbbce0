//! A game played in XBoard: translates mouse events into turns and the engine's moves into positions.

mod light;
mod show;

use std::path::PathBuf;
use std::time::Instant;

use crossbeam_channel::Receiver;
use leap_board::{Decision, Game, LimitArgs, People, SearchEvent, Turn, squares};
use leap_client::ClientError;
use leap_client::notation::PASS;
use leap_protocol::Line;
use leap_protocol::payload::{GameResult, Side};

use super::view::View;
use super::{XboardArgs, options};
use light::{Light, NULL_MOVE};
use show::{TARGET, VICTIM, targets};

/// Buttons in XBoard's engine settings.
const PASS_NOW: &str = "Pass";
const TAKE_BACK: &str = "Take back";
const MOVE_NOW: &str = "Engine moves now";
const SAVE: &str = "Save record";

/// A game, the state of XBoard, and the pending output.
#[derive(Debug)]
pub(super) struct XboardSession {
    game: Game,
    view: View,
    mouse: People,
    level: LimitArgs,
    record: PathBuf,
    turn: Turn,
    /// The turn including the piece that is being dragged.
    lifted: Option<Turn>,
    /// The squares of the engine's moves since the mouse's last one: in some games it may move twice.
    trace: Vec<String>,
    shows_thoughts: bool,
    /// XBoard has been told about the board, but has not answered the `ping` yet.
    is_new: bool,
    light: Light,
    output: Vec<String>,
}

impl XboardSession {
    pub(super) fn new(mut game: Game, args: &XboardArgs) -> anyhow::Result<Self> {
        let turn = Turn::begin(&mut game)?;
        let view = View::new(game.board(), args.person.side.bottom(), puts_pieces(&turn))?;
        Ok(Self {
            game,
            view,
            mouse: args.person.side,
            level: args.game.limits,
            record: args.person.record.clone(),
            turn,
            lifted: None,
            trace: Vec::new(),
            shows_thoughts: false,
            is_new: false,
            light: Light::default(),
            output: Vec::new(),
        })
    }

    /// The engine's lines, while it thinks.
    pub(super) fn thoughts(&self) -> Option<&Receiver<(Line, Instant)>> {
        self.game.thoughts()
    }

    /// The pending output for XBoard.
    pub(super) fn take_output(&mut self) -> Vec<String> {
        std::mem::take(&mut self.output)
    }

    /// Executes a command of the Chess Engine Communication Protocol, version 2. All that are not here are ignored:
    /// `setboard`, `usermove`, clocks and others.
    pub(super) fn command(&mut self, line: &str) {
        let (name, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        let rest = rest.trim();
        let done = match name {
            "protover" => self.hello(),
            "new" => self.new_game(),
            "variant" => self.set_up(),
            "ping" => self.ping(rest),
            // A piece was picked up; the mouse is over a marked square; the piece was put down.
            "lift" => self.lift(rest),
            "hover" => self.hover(rest),
            "put" => self.put(rest),
            // A typed `pass` or `--`.
            "usermove" if rest == NULL_MOVE => self.pass(),
            "go" => self.take_over(),
            "?" => self.game.hurry(),
            "undo" => self.undo(1),
            "remove" => self.undo(2),
            "option" => match rest.split_once('=') {
                Some((name, value)) => self.option(name, Some(value)),
                None => self.option(rest, None),
            },
            _ => {
                self.note(name, rest);
                Ok(())
            }
        };
        self.survive(done);
    }

    /// Notes what needs no answer. A number that cannot be read changes nothing.
    fn note(&mut self, name: &str, rest: &str) {
        match name {
            // The game is over for XBoard too.
            "result" => self.light.ended(rest),
            // Seconds for each move.
            "st" => self.level.movetime = milliseconds(rest).or(self.level.movetime),
            "sd" => self.level.depth = rest.parse().ok().or(self.level.depth),
            "post" => self.shows_thoughts = true,
            "nopost" => self.shows_thoughts = false,
            _ => {}
        }
    }

    /// Handles a line of the engine; `None` if it has exited.
    pub(super) fn thought(&mut self, line: Option<(Line, Instant)>) {
        let done = match self.game.hear(line) {
            Ok(Some(SearchEvent::Info(info))) => self.show_thought(&info),
            Ok(Some(SearchEvent::Move(best))) => self.engine_moves(best.mv.as_deref()),
            Ok(Some(SearchEvent::Resignation)) => {
                self.game.decide(Decision::Resignation(self.game.status().turn));
                self.show_result()
            }
            Ok(None) => Ok(()),
            Err(error) => Err(error),
        };
        self.survive(done);
    }

    /// Ends the session and saves the game.
    pub(super) fn end(&mut self) {
        self.save();
    }

    fn say(&mut self, line: impl Into<String>) -> Result<(), ClientError> {
        self.output.push(line.into());
        Ok(())
    }

    /// Restarts an engine that has crashed, keeping the game.
    fn survive(&mut self, done: Result<(), ClientError>) {
        let Err(error) = done else { return };
        let told = match error {
            ClientError::Refused(error) => error.to_string(),
            lost => self.game.recover(&lost).unwrap_or_else(|told| told),
        };
        self.output.push(format!("tellusererror {told}"));
        if let Err(error) = self.show_position() {
            log::error!("{error}");
        }
    }

    fn hello(&mut self) -> Result<(), ClientError> {
        let name = self.game.engine().replace('"', "'");
        let variant = self.game.id().to_owned();
        self.say(format!(
            "feature done=0 ping=1 setboard=1 usermove=1 colors=0 sigint=0 sigterm=0 reuse=1 analyze=0 highlight=1 \
             myname=\"{name}\" variants=\"normal,{variant}\""
        ))?;
        for button in [PASS_NOW, TAKE_BACK, MOVE_NOW, SAVE] {
            self.say(format!("feature option=\"{button} -button\""))?;
        }
        for option in self.game.declared().iter().filter_map(options::feature).collect::<Vec<_>>() {
            self.say(option)?;
        }
        self.say("feature done=1")
    }

    fn new_game(&mut self) -> Result<(), ClientError> {
        self.save();
        self.trace.clear();
        self.game.begin_again()
    }

    /// Describes the board to XBoard. A position must not follow before the next `pong`: XBoard would discard the game.
    fn set_up(&mut self) -> Result<(), ClientError> {
        self.is_new = true;
        self.light.begun();
        self.say(self.view.setup(self.game.placement()))
    }

    fn ping(&mut self, number: &str) -> Result<(), ClientError> {
        self.say(format!("pong {number}"))?;
        if self.light.heard() {
            self.light_black();
        }
        if std::mem::take(&mut self.is_new) { self.show_position() } else { Ok(()) }
    }

    /// Shows the position between two turns, and lets the engine think if it is its turn.
    fn show_position(&mut self) -> Result<(), ClientError> {
        self.turn = Turn::begin(&mut self.game)?;
        self.lifted = None;
        self.push();
        if self.game.status().over {
            return self.show_result();
        }
        if self.mouse.is(self.game.status().turn) {
            return match self.turn.must_pass() {
                true => self.say("telluser there is no move: a click on any piece passes"),
                false => Ok(()),
            };
        }
        if self.game.is_hopeless() {
            return Ok(());
        }
        self.game.think(self.level.go())
    }

    /// Handles `lift`: marks the destinations.
    fn lift(&mut self, square: &str) -> Result<(), ClientError> {
        self.lifted = None;
        if self.game.is_thinking() || self.game.status().over {
            self.mark(vec![]);
            return Ok(());
        }
        if self.turn.must_pass() {
            return self.pass();
        }
        let Some(square) = self.view.turned(square) else { return self.lift_from_hand() };
        if self.turn.is_begun() {
            return self.go_on(&square);
        }
        let Some(begun) = self.turn.go_on(&mut self.game, &square)? else {
            self.mark(vec![]);
            return Ok(());
        };
        if begun.is_whole() {
            // There is no destination, as when a piece is only removed.
            return self.play_by_mouse(&begun.text());
        }
        self.mark(targets(&begun).collect());
        self.lifted = Some(begun);
        Ok(())
    }

    /// During a turn: marks where the piece may continue, and whether it may stop.
    fn go_on(&mut self, square: &str) -> Result<(), ClientError> {
        let mut marks = Vec::new();
        if self.turn.here() == Some(square) {
            marks.extend(self.stop());
            if !self.turn.drops() {
                marks.extend(targets(&self.turn));
            }
            self.lifted = Some(self.turn.clone());
        }
        self.mark(marks);
        Ok(())
    }

    fn lift_from_hand(&mut self) -> Result<(), ClientError> {
        let drops = self.turn.next().iter().filter(|token| token.starts_with('@'));
        let marks: Vec<_> = drops.map(|token| (token[1..].to_owned(), TARGET)).collect();
        self.lifted = Some(self.turn.clone());
        self.mark(marks);
        Ok(())
    }

    /// Marks the destination, the captures on the way, and the continuations.
    fn hover(&mut self, square: &str) -> Result<(), ClientError> {
        let Some((square, before)) = self.view.turned(square).zip(self.lifted.as_ref()) else {
            return Ok(());
        };
        let Some(after) = before.go_on(&mut self.game, &square)? else { return Ok(()) };
        let victims = after.captured_since(before).map(|victim| (victim.clone(), VICTIM));
        let marks = [(square, TARGET)].into_iter().chain(victims).chain(targets(before)).collect();
        self.mark(marks);
        Ok(())
    }

    fn put(&mut self, square: &str) -> Result<(), ClientError> {
        let Some((square, before)) = self.view.turned(square).zip(self.lifted.take()) else {
            self.push();
            return Ok(());
        };
        if before.is_begun() && before.may_end() && before.here() == Some(&square) {
            return self.play_by_mouse(&before.text());
        }
        let Some(after) = before.go_on(&mut self.game, &square)? else {
            self.push();
            return Ok(());
        };
        if after.is_whole() {
            return self.play_by_mouse(&after.text());
        }
        self.turn = after;
        self.push();
        Ok(())
    }

    fn play_by_mouse(&mut self, mv: &str) -> Result<(), ClientError> {
        self.game.play(mv)?;
        self.trace.clear();
        self.show_position()
    }

    /// Passes, if the rules allow it and it is the mouse's turn.
    fn pass(&mut self) -> Result<(), ClientError> {
        let may_pass = self.turn.next().iter().any(|token| token == PASS);
        if may_pass && !self.game.is_thinking() && self.mouse.is(self.game.status().turn) {
            return self.play_by_mouse(PASS);
        }
        self.push();
        self.say("tellusererror the rules allow no pass now")
    }

    fn engine_moves(&mut self, mv: Option<&str>) -> Result<(), ClientError> {
        if let Some(mv) = mv {
            self.game.play(mv)?;
            self.trace.extend(squares(mv));
        }
        self.show_position()
    }

    fn show_result(&mut self) -> Result<(), ClientError> {
        // XBoard's results are those of white and black.
        let white_wins = self.game.board().is_light(Side::P1);
        let score = match self.game.status().result {
            GameResult::Draw | GameResult::None => "1/2-1/2",
            result if (result == GameResult::P1Win) == white_wins => "1-0",
            _ => "0-1",
        };
        self.save();
        self.say(format!("{score} {{{}}}", self.game.outcome(self.mouse)))
    }

    /// From now on the engine plays the side to move, and the mouse the other one.
    fn take_over(&mut self) -> Result<(), ClientError> {
        self.mouse = People::against(self.game.status().turn);
        self.view.bottom = self.mouse.bottom();
        self.show_position()
    }

    /// Takes back a move or, during a turn, the entered part of it.
    fn undo(&mut self, count: usize) -> Result<(), ClientError> {
        self.game.stop()?;
        if !self.turn.is_begun() {
            self.trace.clear();
            let ply = self.game.moves().len().saturating_sub(count);
            self.game.go_to(ply)?;
        }
        self.show_position()
    }

    /// Like [`XboardSession::undo`], back to the mouse's last turn.
    fn take_back(&mut self) -> Result<(), ClientError> {
        self.game.stop()?;
        if !self.turn.is_begun() {
            self.trace.clear();
            self.game.take_back(self.mouse)?;
        }
        self.show_position()
    }

    fn option(&mut self, name: &str, value: Option<&str>) -> Result<(), ClientError> {
        match (name, value) {
            (PASS_NOW, _) => self.pass(),
            (TAKE_BACK, _) => self.take_back(),
            (MOVE_NOW, _) => self.game.hurry(),
            (SAVE, _) => {
                self.game.set_saved(false);
                self.save();
                Ok(())
            }
            (name, value) => {
                let option = self.game.declared().iter().find(|option| option.name == name);
                let Some(option) = option.cloned() else { return Ok(()) };
                let value = value.map(|value| options::value(&option, value));
                self.game.set_option(name, value)?;
                self.show_position()
            }
        }
    }

    /// Appends the game to the record, unless it was saved already or nobody has moved.
    fn save(&mut self) {
        if !self.game.is_unsaved() {
            return;
        }
        // An error is reported once.
        self.game.set_saved(true);
        if let Err(error) = self.game.save(&self.record, self.game.names(self.mouse)) {
            self.output.push(format!("tellusererror {error:#}"));
        }
    }
}

/// Whether moves put pieces onto empty squares, as far as the first turn tells.
pub(super) fn puts_pieces(turn: &Turn) -> bool {
    turn.targets().any(|square| turn.placement().get(square).is_none())
}

/// Seconds as milliseconds; `None` for what is no number.
fn milliseconds(seconds: &str) -> Option<u64> {
    seconds.parse().ok().map(|seconds: u64| seconds.saturating_mul(1_000))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_told_in_milliseconds() {
        assert_eq!(["3", "x", "-1"].map(milliseconds), [Some(3_000), None, None]);
    }
}
