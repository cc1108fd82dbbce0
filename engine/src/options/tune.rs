//! The constants of the search as options, for programs that tune them (feature `tune`).
//!
//! Each game has its own constants, so the names begin with the game: `TuneEximoAspiration`.

use std::collections::HashMap;

use leap_games::{GameId, Kind, Row, for_each_game};
use leap_search::{PARAMETERS, Parameter, SearchTuning};

use super::{OptionRow, Scope};

/// The end of SPSA's learning rate that suits most constants.
const LEARNING_RATE: f64 = 0.002;

/// The constants of the games that differ from those of the program.
#[derive(Clone, Debug, Default)]
pub struct Tunings(HashMap<GameId, SearchTuning>);

impl Tunings {
    /// The constants of a game.
    #[must_use]
    pub fn of<R: Row>(&self) -> SearchTuning {
        self.0.get(&R::ID).copied().unwrap_or(R::TUNING)
    }

    fn set<R: Row>(&mut self, parameter: &Parameter, value: i32) {
        (parameter.set)(self.0.entry(R::ID).or_insert(R::TUNING), value);
    }
}

/// The options of all games.
pub(super) fn rows() -> Vec<OptionRow> {
    let mut rows = Vec::new();
    macro_rules! options {
        ($($id:ident $rules:ident $title:literal;)*) => {
            $(rows.extend(parameters::<leap_games::$id::$rules>().map(option::<leap_games::$id::$rules>));)*
        };
    }
    for_each_game!(options);
    rows
}

/// The constants that the search of a game uses.
fn parameters<R: Row>() -> impl Iterator<Item = &'static Parameter> {
    PARAMETERS.iter().filter(|parameter| R::TUNING.quiescence || !parameter.is_of_quiescence)
}

fn option<R: Row>(parameter: &'static Parameter) -> OptionRow {
    OptionRow {
        // There is one table of options in a process.
        name: name::<R>(parameter).leak(),
        kind: Kind::Spin(parameter.min.into(), parameter.max.into()),
        scope: Scope::ClearTable,
        help: "a constant of the search, to be tuned",
        get: Box::new(|settings| (parameter.get)(&settings.tunings.of::<R>()).to_string()),
        set: Box::new(|settings, value| {
            // The kind has checked the range.
            settings.tunings.set::<R>(parameter, value.number as i32);
            Ok(())
        }),
    }
}

/// The name of an option: `Tune`, the game, and the constant.
fn name<R: Row>(parameter: &Parameter) -> String {
    let (first, rest) = <&str>::from(R::ID).split_at(1);
    format!("Tune{}{rest}{}", first.to_uppercase(), parameter.name)
}

/// The constants of a game as OpenBench's form for SPSA takes them.
///
/// A line has the name, the type, the value, the least and the largest value, the last step and the last learning rate.
#[must_use]
pub fn spsa_lines(game: GameId) -> Vec<String> {
    macro_rules! lines {
        ($($id:ident $rules:ident $title:literal;)*) => {
            match game {
                $(GameId::$rules => parameters::<leap_games::$id::$rules>()
                    .map(line::<leap_games::$id::$rules>)
                    .collect(),)*
            }
        };
    }
    for_each_game!(lines)
}

fn line<R: Row>(parameter: &Parameter) -> String {
    let Parameter { min, max, step, .. } = parameter;
    let value = (parameter.get)(&R::TUNING);
    format!("{}, int, {value}, {min}, {max}, {step}, {LEARNING_RATE}", name::<R>(parameter))
}
