//! The constants of the search as options, for programs that tune them (feature `tune`).
//!
//! Each game has its own constants, so the names begin with the game: `TuneEximoAspiration`.

use leap_search::option::Kind;
use leap_search::{PARAMETERS, Parameter, Playable};

use super::{OptionRow, Scope};

/// The end of SPSA's learning rate that suits most constants.
const LEARNING_RATE: f64 = 0.002;

/// The constants that the search of a game uses.
fn parameters<R: Playable>() -> impl Iterator<Item = &'static Parameter> {
    PARAMETERS.iter().filter(|parameter| R::TUNING.quiescence || !parameter.is_of_quiescence)
}

/// The constant that an option of the game sets. The options of the rules, `of_rules` in number, come first.
pub(crate) fn at<R: Playable>(index: usize, of_rules: usize) -> Option<&'static Parameter> {
    parameters::<R>().nth(index.checked_sub(of_rules)?)
}

/// The options of a game.
pub(crate) fn rows<R: Playable>() -> impl Iterator<Item = OptionRow> {
    parameters::<R>().map(|parameter| OptionRow {
        name: name::<R>(parameter).into(),
        kind: Kind::Spin(parameter.min.into(), parameter.max.into()),
        scope: Scope::ClearTable,
        help: "a constant of the search, to be tuned",
        default: (parameter.get)(&R::TUNING).to_string(),
    })
}

/// The name of an option: `Tune`, the game, and the constant.
fn name<R: Playable>(parameter: &Parameter) -> String {
    let (first, rest) = R::ID.split_at(1);
    format!("Tune{}{rest}{}", first.to_uppercase(), parameter.name)
}

/// The constants of a game as [`AnyGame::spsa_lines`](crate::AnyGame::spsa_lines) has them.
pub(crate) fn spsa_lines<R: Playable>() -> Vec<String> {
    let line = |parameter: &Parameter| {
        let Parameter { min, max, step, .. } = parameter;
        let value = (parameter.get)(&R::TUNING);
        format!("{}, int, {value}, {min}, {max}, {step}, {LEARNING_RATE}", name::<R>(parameter))
    };
    parameters::<R>().map(line).collect()
}
