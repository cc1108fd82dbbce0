//! A game and whoever plays it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use crossbeam_channel::Receiver;
use leap_protocol::payload::{Player, Tally};
use leap_protocol::{Info, Line, Score};

use super::Args;
use super::action::Action;
use super::scene::{Mark, Scene};
use crate::client::ClientError;
use crate::game::{Game, LevelArgs, SearchEvent, Side, Turn, split, squares};
use crate::notation::square_index;

/// Letters that may be typed; more are dropped.
const LONGEST_LINE: usize = 1_000;

/// What the engine thinks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    Move,
    Hint,
}

/// Everything that there is while the program runs.
#[derive(Debug)]
pub(super) struct App {
    game: Game,
    turn: Turn,
    people: Side,
    level: LevelArgs,
    record: PathBuf,
    bottom: Player,
    cursor: String,
    input: String,
    message: String,
    purpose: Purpose,
    thought: Vec<String>,
    /// The squares of the last move, or of a hint.
    trace: Vec<String>,
    /// What would be taken on the way to the cursor.
    victims: Vec<String>,
    shows_help: bool,
    is_done: bool,
}

impl App {
    /// # Errors
    /// What can happen to an engine.
    pub(super) fn new(game: Game, args: &Args) -> anyhow::Result<App> {
        let mut app = App {
            cursor: "a1".to_owned(),
            game,
            turn: Turn::default(),
            people: args.person.side,
            level: args.game.level,
            record: args.person.record.clone(),
            bottom: args.person.side.bottom(),
            input: String::new(),
            message: String::new(),
            purpose: Purpose::Move,
            thought: Vec::new(),
            trace: Vec::new(),
            victims: Vec::new(),
            shows_help: false,
            is_done: false,
        };
        app.settle()?;
        Ok(app)
    }

    pub(super) fn is_done(&self) -> bool {
        self.is_done
    }

    /// The engine's lines, while it thinks.
    pub(super) fn thoughts(&self) -> Option<&Receiver<(Line, Instant)>> {
        self.game.thoughts()
    }

    /// Records the game; what is to be said of that.
    ///
    /// # Errors
    /// The record cannot be written.
    pub(super) fn end(&mut self) -> anyhow::Result<Option<String>> {
        if !self.game.is_unsaved() {
            return Ok(None);
        }
        self.game.save(&self.record, self.game.names(self.people))?;
        self.game.set_saved(true);
        Ok(Some(format!("the game is in {}", self.record.display())))
    }

    /// Does what a person wants done.
    pub(super) fn act(&mut self, action: Action) {
        if self.shows_help && action != Action::Quit {
            self.shows_help = false;
            return;
        }
        let done = match action {
            Action::Step(right, up) => self.step(right, up),
            Action::Tab(forward) => self.tab(forward),
            Action::Enter => self.enter(),
            Action::Back => self.back(),
            Action::Type(' ') if self.input.is_empty() => self.enter(),
            Action::Type(c) => {
                if self.input.len() < LONGEST_LINE {
                    self.input.push(c);
                }
                Ok(())
            }
            Action::Erase => {
                self.input.pop();
                Ok(())
            }
            Action::Undo => self.travel(Game::take_back),
            Action::Redo => self.travel(Game::make_again),
            Action::Hint => self.hint(),
            Action::Go => self.play_as(Side::against(self.game.status().turn)),
            Action::Both => self.play_as(Side::Both),
            Action::Flip => {
                self.bottom = Side::against(self.bottom).bottom();
                Ok(())
            }
            Action::New => self.begin(None),
            Action::Save => self.save(),
            Action::Fen(Some(fen)) => self.begin(Some(fen)),
            Action::Fen(None) => self.say(self.game.fen().to_owned()),
            Action::Set(name, value) => self.set(&name, value.as_deref()),
            Action::MoveTime(ms) => {
                self.limit(LevelArgs { movetime: Some(ms), ..LevelArgs::default() })
            }
            Action::Depth(n) => self.limit(LevelArgs { depth: Some(n), ..LevelArgs::default() }),
            Action::Nodes(n) => self.limit(LevelArgs { nodes: Some(n), ..LevelArgs::default() }),
            Action::Help => {
                self.shows_help = true;
                Ok(())
            }
            Action::Quit => {
                self.is_done = true;
                Ok(())
            }
        };
        self.survive(done);
    }

    /// Hears the engine; `None` if it has ended.
    pub(super) fn thought(&mut self, line: Option<(Line, Instant)>) {
        let done = match self.game.hear(line) {
            Ok(Some(SearchEvent::Info(info))) => {
                self.note(&info);
                Ok(())
            }
            Ok(Some(SearchEvent::Move(best))) => match (self.purpose, best.mv) {
                (Purpose::Move, Some(mv)) => self.play(&mv),
                (Purpose::Hint, Some(mv)) => self.show_hint(&mv),
                (_, None) => self.say("the engine has no move"),
            },
            Ok(None) => Ok(()),
            Err(error) => Err(error),
        };
        self.survive(done);
    }

    /// What is refused is told; an engine that is lost is started again, with the game as it was.
    fn survive(&mut self, done: Result<(), ClientError>) {
        let Err(error) = done else { return };
        self.message = match error {
            ClientError::Refused(error) => error.text,
            lost => match self.game.recover(&lost) {
                Ok(told) => match self.settle() {
                    Ok(()) => told,
                    Err(error) => format!("{told}, but {error}"),
                },
                Err(told) => told,
            },
        };
    }

    fn say(&mut self, message: impl Into<String>) -> Result<(), ClientError> {
        self.message = message.into();
        Ok(())
    }

    /// Whatever the position is now, goes on from there.
    fn settle(&mut self) -> Result<(), ClientError> {
        self.turn = Turn::begin(&mut self.game)?;
        self.victims.clear();
        self.message.clear();
        if self.game.status().over {
            self.message = self.game.outcome();
            return Ok(());
        }
        if self.people.is(self.game.status().turn) || self.game.is_hopeless() {
            return Ok(());
        }
        self.purpose = Purpose::Move;
        self.game.think(self.level.go())
    }

    fn play(&mut self, mv: &str) -> Result<(), ClientError> {
        self.game.play(mv)?;
        self.trace = squares(mv);
        self.settle()
    }

    fn step(&mut self, right: i32, up: i32) -> Result<(), ClientError> {
        let (rank, file) = square_index(&self.cursor).unwrap_or((1, 1));
        let turned = if self.bottom == Player::P2 { -1 } else { 1 };
        let moved = |index: usize, by: i32, most: usize| {
            let index = i32::try_from(index).unwrap_or(1) + by * turned;
            usize::try_from(index).unwrap_or(1).clamp(1, most)
        };
        let file = moved(file, right, self.game.board().files);
        let rank = moved(rank, up, self.game.board().ranks);
        let file = ('a'..='z').nth(file - 1).unwrap_or('a');
        self.look_at(format!("{file}{rank}"))
    }

    /// To the next of the squares that go on, in ascending order and round again.
    fn tab(&mut self, forward: bool) -> Result<(), ClientError> {
        let mut targets: Vec<String> = self.turn.targets().map(str::to_owned).collect();
        if self.turn.may_end() {
            targets.extend(self.turn.here().map(str::to_owned));
        }
        targets.sort_by_key(|square| square_index(square));
        let here = square_index(&self.cursor);
        let next = if forward {
            targets.iter().find(|square| square_index(square) > here).or(targets.first())
        } else {
            targets.iter().rfind(|square| square_index(square) < here).or(targets.last())
        };
        match next.cloned() {
            Some(square) => self.look_at(square),
            None => Ok(()),
        }
    }

    /// Moves the cursor, and finds out what going there would take.
    fn look_at(&mut self, square: String) -> Result<(), ClientError> {
        self.victims.clear();
        if !self.game.is_thinking()
            && let Some(after) = self.turn.go_on(&mut self.game, &square)?
        {
            self.victims = after.captured_since(&self.turn).cloned().collect();
        }
        self.cursor = square;
        Ok(())
    }

    fn enter(&mut self) -> Result<(), ClientError> {
        if !self.input.is_empty() {
            let line = std::mem::take(&mut self.input);
            return self.read(line.trim());
        }
        if self.game.is_thinking() {
            return self.game.hurry();
        }
        if self.game.status().over {
            return self.say(format!("{}; 'new' begins another game", self.game.outcome()));
        }
        let cursor = self.cursor.clone();
        if self.turn.is_begun() && self.turn.may_end() && self.turn.here() == Some(&cursor) {
            return self.play(&self.turn.text());
        }
        match self.turn.go_on(&mut self.game, &cursor)? {
            Some(turn) => self.take(turn),
            None => self.refuse(&cursor),
        }
    }

    /// Goes on with a turn, or makes it if nothing can follow.
    fn take(&mut self, turn: Turn) -> Result<(), ClientError> {
        if turn.is_whole() {
            return self.play(&turn.text());
        }
        self.turn = turn;
        self.victims.clear();
        self.trace.clear();
        let may_end =
            if self.turn.may_end() { ", or Enter on the piece to end the turn" } else { "" };
        let what = match self.turn.drops() {
            true => format!("drop a piece, {} to go", self.turn.due().max(1)),
            false => format!("where to?{may_end}"),
        };
        self.say(what)
    }

    /// Says why a square does not go on.
    fn refuse(&mut self, square: &str) -> Result<(), ClientError> {
        let reason = self.game.why_not(&self.turn.text_with(square))?;
        self.explain(square, reason.as_deref().unwrap_or("not now"))
    }

    /// A typed line: one of the words, a move, or the beginning of one.
    fn read(&mut self, line: &str) -> Result<(), ClientError> {
        if let Some(action) = Action::named(line) {
            self.act(action);
            return Ok(());
        }
        if self.game.is_thinking() {
            return self.say("the engine is thinking; Enter has it move at once");
        }
        let longer = format!("{}{line}", self.turn.text());
        let Some(reason) = self.game.why_not(line)? else { return self.play(line) };
        if self.turn.is_begun() && self.game.why_not(&longer)?.is_none() {
            return self.play(&longer);
        }
        for text in [line, &longer] {
            if let Some(turn) = self.begun(text)? {
                self.cursor = turn.here().map_or_else(|| self.cursor.clone(), str::to_owned);
                return self.take(turn);
            }
        }
        self.explain(line, &reason)
    }

    /// A reason, with what it is about unless it names that itself.
    fn explain(&mut self, subject: &str, reason: &str) -> Result<(), ClientError> {
        let names_it = reason.starts_with(subject);
        self.say(if names_it { reason.to_owned() } else { format!("{subject}: {reason}") })
    }

    /// The turn that begins like this, if there is one. A square alone stands for what may be done there.
    fn begun(&mut self, text: &str) -> Result<Option<Turn>, ClientError> {
        let mut turn = Turn::begin(&mut self.game)?;
        for token in split(text) {
            let known = turn.next().iter().find(|next| **next == token);
            let Some(token) = known.map(String::as_str).or_else(|| turn.token_at(&token)) else {
                return Ok(None);
            };
            turn = turn.push(&mut self.game, token)?;
        }
        Ok(Some(turn))
    }

    fn back(&mut self) -> Result<(), ClientError> {
        if !self.input.is_empty() {
            self.input.clear();
            return Ok(());
        }
        if self.game.is_thinking() {
            // Only people's own turns can be gone back in.
            return if self.purpose == Purpose::Hint { self.game.stop() } else { Ok(()) };
        }
        self.turn = self.turn.pop(&mut self.game)?;
        self.victims.clear();
        self.message.clear();
        Ok(())
    }

    fn travel(
        &mut self,
        go: impl Fn(&mut Game, Side) -> Result<(), ClientError>,
    ) -> Result<(), ClientError> {
        go(&mut self.game, self.people)?;
        self.forget();
        self.settle()
    }

    fn begin(&mut self, fen: Option<String>) -> Result<(), ClientError> {
        let saved = self.end();
        match fen {
            Some(fen) => self.game.begin(Some(fen))?,
            None => self.game.begin_again()?,
        }
        self.forget();
        self.settle()?;
        match saved {
            Ok(None) => Ok(()),
            Ok(Some(said)) => self.say(said),
            Err(error) => self.say(format!("{error:#}")),
        }
    }

    fn forget(&mut self) {
        self.trace.clear();
        self.thought.clear();
    }

    fn play_as(&mut self, people: Side) -> Result<(), ClientError> {
        self.game.stop()?;
        self.people = people;
        self.settle()
    }

    fn save(&mut self) -> Result<(), ClientError> {
        self.message = match self.end() {
            Ok(Some(said)) => said,
            Ok(None) => "nothing new to save".to_owned(),
            Err(error) => format!("{error:#}"),
        };
        Ok(())
    }

    fn set(&mut self, name: &str, value: Option<&str>) -> Result<(), ClientError> {
        self.game.set_option(name, value)?;
        self.settle()?;
        self.say(format!("{name} is set"))
    }

    fn limit(&mut self, level: LevelArgs) -> Result<(), ClientError> {
        self.level = level;
        self.say("from its next move on")
    }

    fn hint(&mut self) -> Result<(), ClientError> {
        if self.game.is_thinking() || self.game.status().over {
            return Ok(());
        }
        self.purpose = Purpose::Hint;
        self.game.think(self.level.go())?;
        self.say("thinking about a hint …")
    }

    fn show_hint(&mut self, mv: &str) -> Result<(), ClientError> {
        self.trace = squares(mv);
        self.say(format!("hint: {mv}"))
    }

    /// Keeps what the engine says, if it is about a whole variation.
    fn note(&mut self, info: &Info) {
        let (Some((score, _)), false) = (info.score, info.pv.is_empty()) else { return };
        let score = match score {
            Score::Cp(cp) => format!("{:+.2}", cp as f64 / 100.0),
            Score::Mate(n) => format!("mate in {n}"),
        };
        let colour = self.game.board().colour(self.game.status().turn);
        let depth = info.depth.map(|depth| format!(" at depth {depth}")).unwrap_or_default();
        let nodes = info.nodes.map(|nodes| format!(", {nodes} nodes")).unwrap_or_default();
        self.thought = vec![format!("{score} for {colour}{depth}{nodes}"), info.pv.join(" ")];
    }

    /// What is to be seen.
    pub(super) fn scene(&self, has_colour: bool) -> Scene<'_> {
        Scene {
            board: self.game.board(),
            placement: self.turn.placement(),
            bottom: self.bottom,
            cursor: &self.cursor,
            marks: self.marks(),
            facts: self.facts(),
            thought: self.thought.clone(),
            moves: self.game.moves(),
            entered: self.turn.text(),
            input: &self.input,
            message: &self.message,
            shows_help: self.shows_help,
            has_colour,
        }
    }

    /// By square; where there are several, that counts which is put in last.
    fn marks(&self) -> BTreeMap<String, Mark> {
        let mut marks = BTreeMap::new();
        let mut put = |squares: Vec<String>, mark| {
            marks.extend(squares.into_iter().map(|square| (square, mark)));
        };
        put(self.trace.clone(), Mark::Trace);
        if self.turn.is_begun() {
            put(self.turn.targets().map(str::to_owned).collect(), Mark::Target);
            put(self.turn.here().map(str::to_owned).into_iter().collect(), Mark::Here);
        }
        put(self.victims.clone(), Mark::Victim);
        marks
    }

    fn facts(&self) -> Vec<String> {
        let status = self.game.status();
        let player = |player| {
            let name = if self.people.is(player) { "you" } else { self.game.engine() };
            format!("{}: {name}", self.game.board().colour(player))
        };
        let state = match self.game.is_thinking() {
            true => format!("{} …", self.game.outcome()),
            false => self.game.outcome(),
        };
        let mut facts =
            vec![self.game.id().to_owned(), player(Player::P1), player(Player::P2), state];
        facts.extend(status.tallies.iter().map(|(name, tally)| match tally {
            Tally::Each(p1, p2) => format!("{name} {p1} : {p2}"),
            Tally::Total(count) => format!("{name} {count}"),
        }));
        facts
    }
}
