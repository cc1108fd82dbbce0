//! Games as values: what a program puts into its list of games.

use std::marker::PhantomData;

use leap_core::Game;
use leap_core::notation::Reason;
use leap_protocol::payload::GameInfo;
use leap_protocol::{ErrorCode, ErrorReply, Query, Reply, Start};
use leap_search::eval::Evaluator;
use leap_search::eval::weights::WeightsError;
use leap_search::option::OptionValue;
use leap_search::{BenchPosition, Playable};

#[cfg(feature = "tune")]
use crate::options::tune;
use crate::options::{OptionError, OptionRow, Refusal, Settings};
use crate::typed::{Typed, push_all};
use crate::{Engine, Job, SearchRequest, answer, jobs};

/// A game that a program offers. [`game`] makes one of any [`Playable`] rules.
pub trait AnyGame: Send + Sync {
    /// The id on the wire: one word in lower case.
    fn id(&self) -> &'static str;

    /// The name for people.
    fn title(&self) -> &'static str;

    /// The reasons for illegal moves that only this game has.
    fn reasons(&self) -> &'static [Reason];

    /// The positions that `leapd bench` searches.
    fn bench(&self) -> &'static [BenchPosition];

    /// The built-in problems, a line each.
    fn problems(&self) -> &'static str;

    /// An engine at the start position of the default rules.
    fn engine(&self) -> Box<dyn Engine>;

    /// The constants of its search as OpenBench's form for SPSA takes them.
    ///
    /// A line has the name, the type, the value, the least and the largest value, the last step and the last learning
    /// rate.
    #[cfg(feature = "tune")]
    fn spsa_lines(&self) -> Vec<String>;
}

/// The value that stands for the game with the rules `R`.
#[derive(Debug)]
pub struct GameOf<R>(PhantomData<fn() -> R>);

impl<R> GameOf<R> {
    /// The only value of the type.
    pub const VALUE: Self = Self(PhantomData);
}

impl<R: Playable> AnyGame for GameOf<R> {
    fn id(&self) -> &'static str {
        R::ID
    }

    fn title(&self) -> &'static str {
        R::TITLE
    }

    fn reasons(&self) -> &'static [Reason] {
        R::REASONS
    }

    fn bench(&self) -> &'static [BenchPosition] {
        R::BENCH
    }

    fn problems(&self) -> &'static str {
        R::PROBLEMS
    }

    fn engine(&self) -> Box<dyn Engine> {
        engine(R::default())
    }

    #[cfg(feature = "tune")]
    fn spsa_lines(&self) -> Vec<String> {
        tune::spsa_lines::<R>()
    }
}

impl<R: Playable> Engine for Typed<R> {
    fn id(&self) -> &'static str {
        R::ID
    }

    fn options(&self) -> Vec<OptionRow> {
        let rows = self.rule_options();
        #[cfg(feature = "tune")]
        let rows = rows.into_iter().chain(tune::rows::<R>()).collect();
        rows
    }

    fn option(&self, index: usize) -> String {
        #[cfg(feature = "tune")]
        if let Some(parameter) = tune::at::<R>(index) {
            return (parameter.get)(&self.tuning).to_string();
        }
        Self::specs().nth(index).map(|spec| (spec.get)(self.rules())).unwrap_or_default()
    }

    fn set_option(&mut self, index: usize, value: OptionValue<'_>) -> Result<(), Refusal> {
        #[cfg(feature = "tune")]
        if let Some(parameter) = tune::at::<R>(index) {
            // The kind has checked the range.
            (parameter.set)(&mut self.tuning, value.number as i32);
            return Ok(());
        }
        let mut rules = self.rules().clone();
        if let Some(spec) = Self::specs().nth(index) {
            (spec.set)(&mut rules, value)?;
        }
        Ok(self.change_rules(rules)?)
    }

    fn read_weights(&mut self, file: Option<&[u8]>) -> Result<(), WeightsError> {
        self.evaluator = file.map(Evaluator::read).transpose()?.unwrap_or_default();
        Ok(())
    }

    fn rules_in_force(&self) -> GameInfo {
        self.rules_in_force()
    }

    fn start(&mut self) {
        self.game = Game::start(self.rules().clone());
    }

    fn set_up(&mut self, start: &Start, moves: &[String]) -> Result<(), ErrorReply> {
        let mut game = Game::new(self.rules().clone(), self.position(start)?);
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
        answer::answer(self, query, settings)
    }

    fn diagram(&self) -> Vec<Reply> {
        answer::diagram(&self.game)
    }

    fn evaluation(&self) -> Reply {
        answer::evaluation(&self.game, &self.evaluator)
    }

    fn consider_draw(&self, settings: &Settings) -> Result<Reply, ErrorReply> {
        if !R::DRAW_BY_AGREEMENT {
            let text = format!("{} knows no draw by agreement", R::ID);
            return Err(ErrorReply::new(ErrorCode::NotInThisGame, text));
        }
        Ok(Reply::Draw { accept: jobs::accepts_draw(self, settings) })
    }

    fn search(&self, request: SearchRequest<'_>) -> Result<Job, ErrorReply> {
        jobs::search(self, request)
    }

    fn perft(&self, depth: u32) -> Job {
        jobs::perft(&self.game, depth)
    }
}

/// The game with the rules `R`, for a list of games.
///
/// ```
/// use leap_games::eximo::Eximo;
///
/// assert_eq!(leap_engine::game::<Eximo>().title(), "Eximo");
/// ```
#[must_use]
pub const fn game<R: Playable>() -> &'static dyn AnyGame {
    &const { GameOf::<R>::VALUE }
}

/// An engine at the start position of these rules.
///
/// ```
/// use leap_engine::options::Settings;
/// use leap_games::alquerque::Alquerque;
/// use leap_protocol::{Query, Reply};
///
/// let engine = leap_engine::engine(Alquerque::default());
/// let start = "mmmmm/mmmmm/mm1MM/MMMMM/MMMMM 1 - 0 0";
/// assert_eq!(engine.answer(&Query::Fen, &Settings::default())?, [Reply::Response(start.to_owned())]);
/// # Ok::<(), leap_protocol::ErrorReply>(())
/// ```
#[must_use]
pub fn engine<R: Playable>(rules: R) -> Box<dyn Engine> {
    Box::new(Typed::new(rules))
}

/// The rules with these options, by name: those that `query game` reports.
///
/// # Errors
/// What is wrong with a name or a value.
pub fn rules<'a, R: Playable>(
    options: impl IntoIterator<Item = (&'a str, Option<&'a str>)>,
) -> Result<R, OptionError> {
    let mut engine = Typed::new(R::default());
    let rows = engine.rule_options();
    for (name, value) in options {
        let index = OptionRow::find(&rows, name)?;
        rows[index].apply(&rows[index].name, value, |value| engine.set_option(index, value))?;
    }
    Ok(engine.rules().clone())
}
