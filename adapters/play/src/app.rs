//! The game and its players: the state of `leap play`.

mod agree;
mod entry;
mod lessons;
mod values;
mod view;

use std::path::PathBuf;
use std::time::Instant;

use crossbeam_channel::Receiver;
use leap_board::{Decision, Game, LimitArgs, People, SearchEvent, Turn, score_text, squares};
use leap_client::ClientError;
use leap_protocol::payload::Side;
use leap_protocol::{Info, Line};

use super::PlayArgs;
use super::action::Action;
use super::scene::ExactValues;
use agree::Question;
use lessons::Lessons;

/// Letters that can be typed; further ones are dropped.
const LONGEST_LINE: usize = 1_000;

/// The purpose of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    Move,
    Hint,
}

/// The state of the running program.
#[derive(Debug)]
pub(super) struct App {
    game: Game,
    turn: Turn,
    people: People,
    level: LimitArgs,
    record: PathBuf,
    bottom: Side,
    cursor: String,
    input: String,
    /// What the last action has led to, besides the board. The next action clears the notice.
    notice: String,
    /// What the person has to answer before anything else.
    question: Option<Question>,
    /// A draw is offered together with the next move.
    offers_draw: bool,
    purpose: Purpose,
    thought: Vec<String>,
    /// The squares of the last move, or of a hint.
    trace: Vec<String>,
    /// What would be captured on the way to the cursor.
    victims: Vec<String>,
    shows_help: bool,
    /// What the engine knows exactly, while it is shown.
    values: Option<ExactValues>,
    /// The pages of the rules, while they are open.
    lessons: Option<Lessons>,
    is_done: bool,
}

impl App {
    /// Starts with the game as it stands.
    ///
    /// # Errors
    /// Any failure of the engine.
    pub(super) fn new(game: Game, args: &PlayArgs) -> anyhow::Result<Self> {
        let mut app = Self {
            cursor: "a1".to_owned(),
            game,
            turn: Turn::default(),
            people: args.person.side,
            level: args.game.limits,
            record: args.person.record.clone(),
            bottom: args.person.side.bottom(),
            input: String::new(),
            notice: String::new(),
            question: None,
            offers_draw: false,
            purpose: Purpose::Move,
            thought: Vec::new(),
            trace: Vec::new(),
            victims: Vec::new(),
            shows_help: false,
            values: None,
            lessons: None,
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

    /// Saves the game; returns what to tell the user.
    ///
    /// # Errors
    /// If the record cannot be written.
    pub(super) fn end(&mut self) -> anyhow::Result<Option<String>> {
        if !self.game.is_unsaved() {
            return Ok(None);
        }
        self.game.save(&self.record, self.game.names(self.people))?;
        self.game.set_saved(true);
        Ok(Some(format!("the game is in {}", self.record.display())))
    }

    /// Performs an action.
    pub(super) fn act(&mut self, action: Action) {
        if self.shows_help && action != Action::Quit {
            self.shows_help = false;
            return;
        }
        if self.values.is_some() && action != Action::Quit {
            self.values = None;
            return;
        }
        if self.lessons.is_some() && action != Action::Quit {
            return self.turn_page(&action);
        }
        if let Some(question) = self.question.filter(|_| action != Action::Quit) {
            let done = self.reply(question, &action);
            return self.survive(done);
        }
        let is_enter = action == Action::Type(' ') && self.input.is_empty();
        if is_enter || !action.is_preparing() {
            self.notice.clear();
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
            Action::Go => self.play_as(People::against(self.game.status().turn)),
            Action::Both => self.play_as(People::Both),
            Action::Flip => {
                self.bottom = People::against(self.bottom).bottom();
                Ok(())
            }
            Action::New => self.begin(None),
            Action::Save => self.save(),
            Action::Fen(Some(fen)) => self.begin(Some(fen)),
            Action::Fen(None) => self.say(self.game.fen().to_owned()),
            Action::Draw => self.propose_draw(),
            Action::Resign => self.resign(),
            Action::Status => self.say(self.counts()),
            Action::Value => self.show_values(),
            Action::Set(name, value) => self.set(&name, value.as_deref()),
            Action::MoveTime(ms) => {
                self.limit(LimitArgs { movetime: Some(ms), ..LimitArgs::default() })
            }
            Action::Depth(n) => self.limit(LimitArgs { depth: Some(n), ..LimitArgs::default() }),
            Action::Nodes(n) => self.limit(LimitArgs { nodes: Some(n), ..LimitArgs::default() }),
            Action::Rules(language) => self.explain_game(language.as_deref()),
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

    /// Handles a line of the engine; `None` if it has exited.
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
            Ok(Some(SearchEvent::Resignation)) => match self.purpose {
                Purpose::Move => self.conclude(Decision::Resignation(self.game.status().turn)),
                Purpose::Hint => self.say("the engine would resign"),
            },
            Ok(None) => Ok(()),
            Err(error) => Err(error),
        };
        self.survive(done);
    }

    /// Reports a refusal; restarts an engine that has crashed, keeping the game.
    fn survive(&mut self, done: Result<(), ClientError>) {
        let Err(error) = done else { return };
        self.notice = match error {
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
        self.notice = message.into();
        Ok(())
    }

    /// Continues from the current position, whatever it is.
    fn settle(&mut self) -> Result<(), ClientError> {
        self.turn = Turn::begin(&mut self.game)?;
        self.victims.clear();
        if self.game.status().over {
            (self.question, self.offers_draw) = (None, false);
            return Ok(());
        }
        if self.people.is(self.game.status().turn) || self.game.is_hopeless() {
            return Ok(());
        }
        if self.deliver_offer()? {
            return self.conclude(Decision::Agreement);
        }
        self.purpose = Purpose::Move;
        self.game.think(self.level.go())
    }

    fn play(&mut self, mv: &str) -> Result<(), ClientError> {
        self.game.play(mv)?;
        self.trace = squares(&mv.to_ascii_lowercase());
        self.settle()
    }

    fn travel(
        &mut self,
        go: impl Fn(&mut Game, People) -> Result<(), ClientError>,
    ) -> Result<(), ClientError> {
        // Undoing a decision of people, such as a resignation, takes no move back.
        match self.game.is_decided() {
            true => self.game.go_to(self.game.moves().len())?,
            false => go(&mut self.game, self.people)?,
        }
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
        self.offers_draw = false;
    }

    fn play_as(&mut self, people: People) -> Result<(), ClientError> {
        self.game.stop()?;
        self.people = people;
        self.offers_draw = false;
        self.settle()
    }

    fn save(&mut self) -> Result<(), ClientError> {
        self.notice = match self.end() {
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

    fn limit(&mut self, level: LimitArgs) -> Result<(), ClientError> {
        self.level = level;
        self.say("from its next move on")
    }

    fn hint(&mut self) -> Result<(), ClientError> {
        if self.game.is_thinking() || self.game.status().over {
            return Ok(());
        }
        self.purpose = Purpose::Hint;
        self.game.think(self.level.go())
    }

    fn show_hint(&mut self, mv: &str) -> Result<(), ClientError> {
        self.trace = squares(mv);
        self.say(format!("hint: {mv}"))
    }

    /// Records the engine's information, if it is about a whole variation.
    fn note(&mut self, info: &Info) {
        let (Some((score, _)), false) = (info.score, info.pv.is_empty()) else { return };
        let score = score_text(score, self.game.board().colour(self.game.status().turn));
        let depth = info.depth.map(|depth| format!(" at depth {depth}")).unwrap_or_default();
        let nodes = info.nodes.map(|nodes| format!(", {nodes} nodes")).unwrap_or_default();
        self.thought = vec![format!("{score}{depth}{nodes}"), info.pv.join(" ")];
    }
}
