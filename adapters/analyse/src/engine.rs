//! An engine that judges positions, or that is asked for the rules alone. Every wait has a deadline.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::time::Duration;

use leap_base::pairs::Pair;
use leap_client::{ClientError, EngineCommand, GameState, PositionCommand, Session};
use leap_protocol::payload::{GameInfo, GameResult, MoveList, Side};
use leap_protocol::{ErrorReply, Go, Info, Query, shown};
use leap_records::{Outcome, Score, StoredGame};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The most plies of a line that are kept.
pub(crate) const LINE: usize = 8;
/// What engines that have these options are set to: they tell chances, and their scores hold for both sides.
const JUDGING: [(&str, &str); 2] = [("UCI_ShowWDL", "true"), ("Contempt", "0")];

/// How to start an engine, and how long to wait for it.
#[derive(Clone, Debug)]
pub(crate) struct EngineSetup {
    pub(crate) command: EngineCommand,
    /// Options for this engine.
    pub(crate) options: Vec<Pair>,
    /// How long a reply that needs no thinking may take.
    pub(crate) patience: Duration,
    /// How long a search may take that has no limit of time.
    pub(crate) stall: Duration,
}

/// Why a game cannot be analysed.
#[derive(Debug, Error)]
pub(crate) enum Trouble {
    /// The engine does not accept the game. `line` is the line of the file on which the part stands that is refused.
    #[error("{text}")]
    Refused { line: Option<usize>, text: String },
    /// The engine failed.
    #[error(transparent)]
    Failed(#[from] ClientError),
}

/// A position of a game, as the engine describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct View {
    pub(crate) fen: Option<String>,
    pub(crate) turn: Side,
    /// The result, if the game is over.
    pub(crate) result: Option<Outcome>,
    /// There is a single legal move.
    pub(crate) is_forced: bool,
}

/// What a search has found, from the view of the side to move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Found {
    pub(crate) score: Score,
    /// Wins, draws and losses in permille.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) wdl: Option<[u32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) depth: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) nodes: Option<u64>,
    /// The engine's move and what it expects to follow, at most [`LINE`] plies.
    pub(crate) line: Vec<String>,
}

/// What a search has told so far.
#[derive(Debug, Default)]
struct Told {
    value: Option<(Score, Option<[u32; 3]>)>,
    depth: Option<u32>,
    nodes: Option<u64>,
    line: Vec<String>,
}

impl Told {
    /// Keeps what is said of the best line. A bound is no score.
    fn note(&mut self, info: Info) {
        self.nodes = info.nodes.or(self.nodes);
        if !info.is_of_best_line() {
            return;
        }
        if let Some(score) = info.exact_score() {
            let score = match score {
                leap_protocol::Score::Cp(cp) => Score::Cp(cp),
                leap_protocol::Score::Mate(moves) => Score::Mate(moves),
            };
            self.value = Some((score, info.wdl.map(|wdl| [wdl.win, wdl.draw, wdl.loss])));
        }
        self.depth = info.depth.or(self.depth);
        if !info.pv.is_empty() {
            self.line = info.pv;
            self.line.truncate(LINE);
        }
    }
}

/// A running engine with a game.
#[derive(Debug)]
pub(crate) struct Engine {
    session: Session,
    setup: EngineSetup,
    /// The id and the options of the game that was set.
    rules: Option<Rules>,
}

/// The id of a game and its options.
type Rules = (Option<String>, Vec<(String, String)>);

fn rules(game: &StoredGame) -> Rules {
    (game.id.clone(), game.options.clone())
}

impl Engine {
    /// Starts an engine and sets its own options.
    ///
    /// # Errors
    /// If it does not start, does not answer, or refuses an option.
    pub(crate) fn start(setup: &EngineSetup) -> Result<Self, ClientError> {
        let mut session = Session::start(&setup.command, setup.patience)?;
        session.set_hang_timeout(setup.stall);
        session.discover()?;
        let known = JUDGING.map(|(name, value)| session.info().setting(name, value).ok());
        session.set_all(known.into_iter().flatten())?;
        for Pair { key, value } in &setup.options {
            session.set(key, value)?;
        }
        Ok(Self { session, setup: setup.clone(), rules: None })
    }

    /// What the engine calls itself, or its program.
    pub(crate) fn name(&self) -> String {
        match self.session.info().name.as_str() {
            "" => self.setup.command.program.display().to_string(),
            name => name.to_owned(),
        }
    }

    /// Sets a game and its options, and begins it. An engine that has had other rules is started again: options that are
    /// not named must have their defaults.
    pub(crate) fn begin(&mut self, game: &StoredGame) -> Result<(), Trouble> {
        let asked = rules(game);
        if self.rules.as_ref().is_some_and(|set| *set != asked) {
            *self = Self::start(&self.setup)?;
        }
        if self.rules.is_none() {
            self.set_rules(game)?;
            self.rules = Some(asked);
        }
        Ok(self.session.new_game()?)
    }

    fn set_rules(&mut self, game: &StoredGame) -> Result<(), Trouble> {
        if let (Some(id), Some(option)) = (&game.id, self.session.info().game_option()) {
            let name = option.name.clone();
            let id = self.session.info().game(id).map_err(|error| refused(game.line, &error))?;
            self.set(game.line, &name, &id)?;
        }
        let known = self.rules_known()?;
        let is_rule = |name: &str| {
            let is = |known: &String| known.eq_ignore_ascii_case(name);
            known.as_ref().is_none_or(|known| known.iter().any(is))
        };
        for (name, value) in last_values(&game.options) {
            let declared = self.session.info().declared(name).map(|option| option.name.clone());
            match declared {
                Ok(name) if is_rule(&name) => self.set(game.line, &name, value)?,
                // A session may have set any option.
                _ if game.record.is_none() => {}
                Ok(name) => {
                    let text = format!("expected an option of the rules, found '{name}'");
                    return Err(Trouble::Refused { line: Some(game.line), text });
                }
                Err(error) => return Err(refused(game.line, &error)),
            }
        }
        Ok(())
    }

    fn set(&mut self, line: usize, name: &str, value: &str) -> Result<(), Trouble> {
        self.session.set(name, value).map_err(|error| match error {
            ClientError::Refused(reply) => Trouble::Refused {
                line: Some(line),
                text: format!("option {name}: {}", in_words(&reply)),
            },
            ClientError::NoSuchOption { .. } | ClientError::BadValue { .. } => {
                refused(line, &error)
            }
            error => error.into(),
        })
    }

    /// The options that belong to the rules of the game that is set: a file sets no others. An engine that does not tell
    /// has rules only.
    fn rules_known(&mut self) -> Result<Option<Vec<String>>, ClientError> {
        if !self.session.supports("game") {
            return Ok(None);
        }
        let known: GameInfo = self.session.ask_for(Query::Game)?;
        Ok(Some(known.options.0.into_iter().map(|(name, _)| name).collect()))
    }

    /// Sets up a position and asks for the state of the game.
    pub(crate) fn view(&mut self, position: &PositionCommand) -> Result<View, Trouble> {
        let GameState { result, turn, fen, .. } =
            self.session.state(position).map_err(position_refused)?;
        let is_forced = self.session.supports("moves") && result == GameResult::None && {
            let list = self.session.moves(Some(2))?;
            list.moves.len() == 1 && !list.more
        };
        Ok(View { fen, turn, result: Outcome::of(result), is_forced })
    }

    /// Whether the engine accepts a position.
    pub(crate) fn accepts(&mut self, position: &PositionCommand) -> Result<bool, ClientError> {
        match self.session.set_up(position) {
            Ok(()) => Ok(true),
            Err(ClientError::Refused(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// The moves of the position that was set up last, as the engine writes them; `None` if it does not tell.
    pub(crate) fn history(&mut self) -> Result<Option<Vec<String>>, ClientError> {
        if !self.session.supports("history") {
            return Ok(None);
        }
        let history: MoveList = self.session.ask_for(Query::History)?;
        Ok((!history.more).then_some(history.moves))
    }

    /// The lines that describe the board (SPEC 4.23); none if the engine does not tell.
    pub(crate) fn board(&mut self) -> Result<Vec<String>, ClientError> {
        if !self.session.supports("board") {
            return Ok(Vec::new());
        }
        self.session.board()
    }

    /// Searches a position in which the game goes on. `None` stands for a move without a score: the search was too short
    /// for one.
    pub(crate) fn search(
        &mut self,
        position: &PositionCommand,
        go: Go,
    ) -> Result<Option<Found>, Trouble> {
        self.session.set_up(position).map_err(position_refused)?;
        let mut told = Told::default();
        let best = self.session.go(&go, |info| told.note(info))?;
        let expected = "a move of the engine";
        let none = || ClientError::Unexpected { expected, found: "none".to_owned() };
        let mv = best.mv.ok_or_else(none)?;
        let Told { value, depth, nodes, mut line } = told;
        let Some((score, wdl)) = value else { return Ok(None) };
        if line.first() != Some(&mv) {
            line = vec![mv];
        }
        Ok(Some(Found { score, wdl, depth, nodes, line }))
    }
}

/// The options with their last values, in the order of their first ones. A file may set an option any number of times,
/// and nobody should wait for all of them.
fn last_values(options: &[(String, String)]) -> Vec<(&str, &str)> {
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut last: Vec<(&str, &str)> = Vec::new();
    for (name, value) in options {
        match places.entry(name.to_ascii_lowercase()) {
            Entry::Occupied(place) => last[*place.get()].1 = value,
            Entry::Vacant(place) => {
                place.insert(last.len());
                last.push((name, value));
            }
        }
    }
    last
}

/// An engine's error for a person. Where it happened is said elsewhere.
fn in_words(error: &ErrorReply) -> String {
    if error.text.is_empty() { shown(&error.to_string()) } else { shown(&error.text) }
}

/// The trouble with a position that was to be set up.
fn position_refused(error: ClientError) -> Trouble {
    match error {
        ClientError::Refused(reply) => Trouble::Refused { line: None, text: in_words(&reply) },
        error => error.into(),
    }
}

fn refused(line: usize, error: &ClientError) -> Trouble {
    Trouble::Refused { line: Some(line), text: error.to_string() }
}

#[cfg(test)]
mod tests {
    use leap_protocol::Reply;

    use super::*;

    fn told(lines: &[&str]) -> Told {
        let mut told = Told::default();
        for line in lines {
            let Reply::Info(info) = Reply::parse(line) else { unreachable!("an info line") };
            told.note(info);
        }
        told
    }

    #[test]
    fn the_last_exact_score_of_the_best_line_counts() {
        let told = told(&[
            "info depth 1 score cp 90 upperbound nodes 1 pv a1a2",
            "info depth 2 score cp 5 wdl 400 300 300 nodes 9 pv a1b1 c1d1",
            "info depth 2 multipv 2 score cp 3 nodes 9 pv e1f1",
            "info depth 3 score cp -70 upperbound nodes 30",
            "info nodes 31",
        ]);
        let (score, wdl) = told.value.unwrap();
        assert_eq!((score, wdl), (Score::Cp(5), Some([400, 300, 300])));
        assert_eq!((told.depth, told.nodes), (Some(3), Some(31)));
        assert_eq!(told.line, ["a1b1", "c1d1"]);
    }

    #[test]
    fn an_option_that_is_set_again_and_again_is_set_once() {
        let options = [("Size", "3"), ("Kind", "a"), ("size", "4"), ("Size", "5")];
        let options = options.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(last_values(&options), [("Size", "5"), ("Kind", "a")]);
    }

    #[test]
    fn a_bound_is_no_score() {
        let told = told(&[
            "info depth 1 score mate 3 lowerbound pv a b c d e f g h i j",
            "info depth 2 score cp 0 upperbound",
        ]);
        assert_eq!(told.value, None);
        assert_eq!(told.line.len(), LINE);
    }
}
