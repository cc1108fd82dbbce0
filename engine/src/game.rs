//! Games as values: what a program puts into its list of games.

use std::sync::{Arc, OnceLock};

use leap_core::notation::Reason;
use leap_core::{Game, Position as _, Side};
use leap_protocol::payload::{Evaluation, GameInfo, KeyValues, YesNo};
use leap_protocol::{ErrorCode, ErrorReply, Go, Query, Reply, Start};
use leap_search::eval::weights::WeightsError;
use leap_search::eval::{Evaluator, total};
use leap_search::option::OptionValue;
use leap_search::{BenchPosition, Lag, Playable, TranspositionTable};

use crate::game_engine::{GameEngine, history, push_all};
#[cfg(feature = "tune")]
use crate::options::tune;
use crate::options::{OptionRow, Refusal, Settings};
use crate::refusal::bad_position;
use crate::{Engine, Job, answer, guide, jobs, turn};

/// A game that a program offers. [`game`] makes one of any [`Playable`] rules.
#[derive(Clone, Copy, Debug)]
pub struct AnyGame {
    /// The id on the wire: one word in lower case.
    pub id: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// The reasons for illegal moves that only this game has.
    pub reasons: &'static [Reason],
    /// The positions that `leapd bench` searches.
    pub bench: &'static [BenchPosition],
    /// The built-in problems, a line each.
    pub problems: &'static str,
    /// Makes an engine at the start position of the default rules.
    pub engine: fn() -> Box<dyn Engine>,
    /// The constants of the game's search as OpenBench's form for SPSA takes them.
    ///
    /// A line has the name, the type, the value, the least and the largest value, the last step and the last learning
    /// rate.
    #[cfg(feature = "tune")]
    pub spsa_lines: fn() -> Vec<String>,
}

impl AsRef<Self> for AnyGame {
    fn as_ref(&self) -> &Self {
        self
    }
}

/// The game with the rules `R`, for a list of games. A game whose pieces are no letters does not compile.
#[must_use]
pub const fn game<R: Playable>() -> AnyGame {
    const { R::DIAGRAM.check() };
    AnyGame {
        id: R::ID,
        title: R::TITLE,
        reasons: R::REASONS,
        bench: R::BENCH,
        problems: R::PROBLEMS,
        engine: || engine(R::default()),
        #[cfg(feature = "tune")]
        spsa_lines: tune::spsa_lines::<R>,
    }
}

impl<R: Playable> Engine for GameEngine<R> {
    fn id(&self) -> &'static str {
        R::ID
    }

    fn options(&self) -> Vec<OptionRow> {
        let rows = Self::rule_options();
        #[cfg(feature = "tune")]
        let rows = rows.into_iter().chain(tune::rows::<R>()).collect();
        rows
    }

    fn option(&self, index: usize) -> String {
        #[cfg(feature = "tune")]
        if let Some(parameter) = tune::at::<R>(index, Self::specs().count()) {
            return (parameter.get)(&self.tuning).to_string();
        }
        Self::specs().nth(index).map(|spec| (spec.get)(self.game.rules())).unwrap_or_default()
    }

    fn set_option(&mut self, index: usize, value: OptionValue<'_>) -> Result<(), Refusal> {
        #[cfg(feature = "tune")]
        if let Some(parameter) = tune::at::<R>(index, Self::specs().count()) {
            // The kind has checked the range.
            (parameter.set)(&mut self.tuning, value.number as i32);
            return Ok(());
        }
        let mut rules = self.game.rules().clone();
        if let Some(spec) = Self::specs().nth(index) {
            (spec.set)(&mut rules, value)?;
        }
        let mut game = Game::new(rules, self.game.positions()[0]);
        push_all(&mut game, &history(&self.game))?;
        self.game = game;
        Ok(())
    }

    fn read_weights(&mut self, file: Option<&[u8]>) -> Result<(), WeightsError> {
        self.evaluator =
            file.map(R::Evaluator::read).transpose()?.map(OnceLock::from).unwrap_or_default();
        Ok(())
    }

    fn rules_in_force(&self) -> GameInfo {
        let rules = self.game.rules();
        let options = Self::specs().map(|spec| (spec.name.to_owned(), (spec.get)(rules)));
        GameInfo { game: R::ID.to_owned(), options: KeyValues(options.collect()) }
    }

    fn start(&mut self) {
        self.game = Game::start(self.game.rules().clone());
    }

    fn set_up(&mut self, start: &Start, moves: &[String]) -> Result<(), ErrorReply> {
        let rules = self.game.rules();
        let start = match start {
            Start::StartPos => rules.start(),
            Start::Fen(text) => rules.parse_position(text).map_err(|error| bad_position(&error))?,
        };
        let mut game = Game::new(rules.clone(), start);
        push_all(&mut game, moves)?;
        self.game = game;
        Ok(())
    }

    fn play(&mut self, moves: &[String]) -> Result<(), ErrorReply> {
        let before = self.game.moves().len();
        push_all(&mut self.game, moves).inspect_err(|_| {
            let made = self.game.moves().len() - before;
            self.game.undo(made);
        })
    }

    fn undo(&mut self, count: u32) -> Result<(), ErrorReply> {
        if self.game.undo(count as usize) {
            return Ok(());
        }
        let made = self.game.moves().len();
        let text =
            format!("cannot take back {count}: the game has {made} moves since it was set up");
        Err(ErrorReply::new(ErrorCode::NothingToUndo, text))
    }

    fn answer(&self, query: &Query, settings: &Settings) -> Result<Vec<Reply>, ErrorReply> {
        let game = &self.game;
        let text = match query {
            Query::Protocol => answer::protocol::<R>().to_string(),
            Query::Games => settings.games.join(" "),
            Query::Game => self.rules_in_force().to_string(),
            Query::P1Turn => YesNo(game.current().side() == Side::One).to_string(),
            Query::GameOver => YesNo(game.outcome().is_some()).to_string(),
            Query::Result => answer::result(game).to_string(),
            Query::Fen => game.rules().print_position(game.current()),
            Query::Moves { limit } => answer::moves(game, *limit).to_string(),
            Query::Legal(text) => answer::legality(game, text).to_string(),
            Query::Status => answer::status(game).to_string(),
            Query::History => answer::last_moves(game).to_string(),
            Query::Next(partial) => turn::next(game, partial.as_deref())?.to_string(),
            Query::Effects(text) => turn::effects(game, text)?.to_string(),
            Query::Turn(text) => turn::turn(game, text.as_deref()).to_string(),
            Query::Value => {
                answer::values(game, settings.tables_of(game.rules()).as_deref()).to_string()
            }
            Query::Board => return Ok(answer::board::<R>()),
            Query::Rules(language) => return guide::rules::<R>(language.as_deref()),
            Query::Problems => return Ok(guide::problems::<R>()),
        };
        Ok(vec![Reply::Response(text)])
    }

    fn diagram(&self) -> Vec<Reply> {
        answer::diagram(&self.game)
    }

    fn evaluation(&self) -> Reply {
        let terms = self.evaluator().terms(self.game.rules(), self.game.current());
        let parts = terms.iter().map(|(name, value)| ((*name).to_owned(), (*value).into()));
        // The search bounds the total; here the parts have to add up to it.
        let evaluation = Evaluation { parts: parts.collect(), total: total(&terms).into() };
        Reply::Response(evaluation.to_string())
    }

    fn consider_draw(&self, settings: &Settings) -> Result<Reply, ErrorReply> {
        if !R::DRAW_BY_AGREEMENT {
            let text = format!("{} knows no draw by agreement", R::ID);
            return Err(ErrorReply::new(ErrorCode::NotInThisGame, text));
        }
        Ok(Reply::Draw { accept: jobs::accepts_draw(self, settings) })
    }

    fn search(
        &self,
        go: &Go,
        settings: &Settings,
        table: Arc<TranspositionTable>,
        lag: Arc<Lag>,
    ) -> Result<Job, ErrorReply> {
        jobs::search(self, go, settings, table, lag)
    }

    fn perft(&self, depth: u32) -> Job {
        jobs::perft(&self.game, depth)
    }
}

/// An engine at the start position of these rules.
#[must_use]
pub fn engine<R: Playable>(rules: R) -> Box<dyn Engine> {
    Box::new(GameEngine {
        game: Game::start(rules),
        evaluator: OnceLock::new(),
        #[cfg(feature = "tune")]
        tuning: R::TUNING,
    })
}

/// The rules with these options, by name: those that `query game` reports.
///
/// # Errors
/// What is wrong with a name or a value.
pub fn rules<'a, R: Playable>(
    options: impl IntoIterator<Item = (&'a str, Option<&'a str>)>,
) -> Result<R, ErrorReply> {
    let (mut rules, rows) = (R::default(), GameEngine::<R>::rule_options());
    let specs: Vec<_> = GameEngine::<R>::specs().collect();
    for (name, value) in options {
        let index = OptionRow::find(&rows, name)?;
        let spec = specs[index];
        rows[index].apply(spec.name, value, |value| Ok((spec.set)(&mut rules, value)?))?;
    }
    Ok(rules)
}
