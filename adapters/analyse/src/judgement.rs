//! Judging moves by the winning chances that they keep or lose. Pure functions of numbers.
//!
//! The page of `leap web` judges by the same rules. `tests/judgements.json` has cases that both must decide alike.
//!
//! - The *chance* of a side is its expected share of the point: 1 for a win, a half for a draw, 0 for a loss. It is
//!   exact where the game is over, and where the engine announces the end by `mate`. Elsewhere it is that between players
//!   of a level ([`Yardstick`]).
//! - The *loss* of a move is its mover's chance before the move less that after it. It is never negative. The engine's
//!   own choice loses nothing.
//! - A *label* depends on the loss alone. A move without an alternative has none.
//! - The *accuracy* of a move falls with its loss. The accuracy of a side is halfway between the arithmetic and the
//!   harmonic mean over its moves. One blunder weighs more than many good moves. Moves without an alternative are left
//!   out, and those of a decided game.
//! - A *review* values all positions of a game, and those around doubtful moves again ([`search_all`]).

use std::mem;

use leap_protocol::payload::Side;
use leap_records::Outcome;
use serde::{Deserialize, Serialize};

pub use crate::yardstick::Yardstick;

/// A change of the chance across a move that calls for a second look. A longer search may find more of it.
const DOUBTFUL: f64 = 0.03;
/// A side has lost if its chance is at most this, and has won if the other side has lost.
const DECIDED: f64 = 0.02;
/// The least accuracy of a move in a harmonic mean.
const LEAST_ACCURACY: f64 = 0.5;
/// Losses are rounded to this fraction, so that 0.60 less 0.55 is 0.05.
const ROUNDING: f64 = 1e6;

/// What is wrong with a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Label {
    /// It loses at least 0.05 of the point.
    Inaccuracy,
    /// It loses at least 0.10 of the point.
    Mistake,
    /// It loses at least 0.20 of the point.
    Blunder,
}

impl Label {
    /// All labels, from the lightest.
    pub const ALL: [Self; 3] = [Self::Inaccuracy, Self::Mistake, Self::Blunder];

    /// The least loss that has this label.
    #[must_use]
    pub fn least(self) -> f64 {
        match self {
            Self::Inaccuracy => 0.05,
            Self::Mistake => 0.10,
            Self::Blunder => 0.20,
        }
    }

    /// The numeric annotation glyph (SPEC 19.16): a dubious move, a mistake, a blunder.
    #[must_use]
    pub fn glyph(self) -> u8 {
        match self {
            Self::Inaccuracy => 6,
            Self::Mistake => 2,
            Self::Blunder => 4,
        }
    }

    /// The word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }
}

/// The chance of a side in a game that is over; `None` if the game has no result.
#[must_use]
pub fn chance_of_result(result: Outcome, side: Side) -> Option<f64> {
    let half_points = result.half_points()?[usize::from(side == Side::P2)];
    Some(f64::from(half_points) / 2.0)
}

/// A move and what it leads to, from the view of its mover.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The mover's chance before the move.
    pub before: f64,
    /// The mover's chance after the move.
    pub after: f64,
    /// The engine would have made this move.
    pub is_best: bool,
    /// There was no other move.
    pub is_forced: bool,
}

impl Choice {
    /// How much of the point the move loses, from 0 to 1.
    #[must_use]
    pub fn loss(&self) -> f64 {
        if self.is_best || self.is_forced {
            return 0.0;
        }
        (((self.before - self.after) * ROUNDING).round() / ROUNDING).max(0.0)
    }

    /// Whether the game is decided before the move, and stays so.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        let is_won = |chance: f64| chance >= 1.0 - DECIDED;
        self.before <= DECIDED || (is_won(self.before) && is_won(self.after))
    }

    /// Whether the searches around the move may be too short. No move gains anything. The engine's own and a single one
    /// lose nothing either. A change across such a move is an error of a search.
    #[must_use]
    pub fn is_doubtful(&self) -> bool {
        let change = ((self.after - self.before) * ROUNDING).round() / ROUNDING;
        change.abs() >= DOUBTFUL
    }

    /// What is wrong with the move, if anything.
    #[must_use]
    pub fn label(&self) -> Option<Label> {
        let loss = self.loss();
        Label::ALL.into_iter().rev().find(|label| loss >= label.least())
    }

    /// The accuracy of the move, from 0 to 100; `None` if there was no other, or the game is decided.
    #[must_use]
    pub fn accuracy(&self, yardstick: &Yardstick) -> Option<f64> {
        let counts = !self.is_forced && !self.is_decided();
        counts.then(|| 100.0 * (-yardstick.strictness() * self.loss()).exp())
    }
}

/// The accuracy of a side, from 0 to 100; `None` if none of its moves counts.
#[must_use]
pub fn accuracy<'a>(
    choices: impl IntoIterator<Item = &'a Choice>,
    yardstick: &Yardstick,
) -> Option<f64> {
    let each = choices.into_iter().filter_map(|choice| choice.accuracy(yardstick));
    let each: Vec<f64> = each.collect();
    let count = each.len() as f64;
    let arithmetic = each.iter().sum::<f64>() / count;
    let harmonic =
        count / each.iter().map(|accuracy| accuracy.max(LEAST_ACCURACY).recip()).sum::<f64>();
    (!each.is_empty()).then_some((arithmetic + harmonic) / 2.0)
}

/// Searches the positions of a game with this many moves: all of them once, from the end, so that the engine's table
/// knows what follows. Then those around each doubtful move again, with `second_look` times the limit. A rise of the chance
/// is as doubtful as a fall. The search before it was too short then, and an earlier move may be to blame.
///
/// `search` is given a position and how many times the limit it may take; `choice` judges the move with an index.
///
/// # Errors
/// Those of `search`.
pub fn search_all<G, E>(
    game: &mut G,
    moves: usize,
    second_look: u32,
    choice: impl Fn(&G, usize) -> Choice,
    mut search: impl FnMut(&mut G, usize, u32) -> Result<(), E>,
) -> Result<(), E> {
    for position in (0..=moves).rev() {
        search(game, position, 1)?;
    }
    let mut is_deep = vec![second_look <= 1; moves + 1];
    loop {
        let is_left =
            |at: &usize| !(is_deep[*at] && is_deep[at + 1]) && choice(game, *at).is_doubtful();
        let Some(at) = (0..moves).rev().find(is_left) else { return Ok(()) };
        for position in [at + 1, at] {
            if !mem::replace(&mut is_deep[position], true) {
                search(game, position, second_look)?;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use leap_records::Score;
    use serde_json::Value;

    use super::*;

    fn cases(kind: &str) -> Vec<Value> {
        let all: Value = serde_json::from_str(include_str!("../tests/judgements.json")).unwrap();
        let cases = all[kind].as_array().unwrap().clone();
        assert!(!cases.is_empty());
        cases
    }

    fn are_near(found: f64, expected: &Value, case: &Value) {
        let expected = expected.as_f64().unwrap();
        assert!((found - expected).abs() < 1e-6, "{case}: found {found}");
    }

    fn choice(case: &Value) -> Choice {
        Choice {
            before: case["before"].as_f64().unwrap(),
            after: case["after"].as_f64().unwrap(),
            is_best: case["best"].as_bool().unwrap(),
            is_forced: case["forced"].as_bool().unwrap(),
        }
    }

    /// For unknown players, with the chances that the engine tells.
    fn usual() -> Yardstick {
        Yardstick::new("mock", None, 50)
    }

    #[test]
    fn levels_are_judged_as_in_the_shared_cases() {
        for case in cases("levels") {
            let score: Score = serde_json::from_value(case["score"].clone()).unwrap();
            let wdl: Option<[u32; 3]> = serde_json::from_value(case["wdl"].clone()).unwrap();
            let level = case["level"].as_i64().unwrap() as i32;
            let yardstick =
                Yardstick::new(case["engine"].as_str().unwrap(), case["game"].as_str(), level);
            are_near(yardstick.chance(score, wdl), &case["chance"], &case);
            let tenth = Choice { before: 0.6, after: 0.5, is_best: false, is_forced: false };
            are_near(tenth.accuracy(&yardstick).unwrap(), &case["tenth_lost"], &case);
        }
    }

    #[test]
    fn chances_are_those_of_the_shared_cases() {
        for case in cases("chances") {
            let score: Score = serde_json::from_value(case["score"].clone()).unwrap();
            let wdl: Option<[u32; 3]> = serde_json::from_value(case["wdl"].clone()).unwrap();
            are_near(usual().chance(score, wdl), &case["chance"], &case);
        }
        for case in cases("results") {
            let result: Outcome = serde_json::from_value(case["result"].clone()).unwrap();
            let side = case["side"].as_str().unwrap().parse().unwrap();
            are_near(chance_of_result(result, side).unwrap(), &case["chance"], &case);
        }
    }

    #[test]
    fn moves_are_judged_as_in_the_shared_cases() {
        for case in cases("moves") {
            let choice = choice(&case);
            let label: Option<Label> = serde_json::from_value(case["label"].clone()).unwrap();
            are_near(choice.loss(), &case["loss"], &case);
            assert_eq!(choice.label(), label, "{case}");
            assert_eq!(choice.is_doubtful(), case["doubtful"].as_bool().unwrap(), "{case}");
            match case["accuracy"] {
                Value::Null => assert_eq!(choice.accuracy(&usual()), None, "{case}"),
                ref accuracy => are_near(choice.accuracy(&usual()).unwrap(), accuracy, &case),
            }
        }
    }

    #[test]
    fn sides_are_judged_as_in_the_shared_cases() {
        for case in cases("sides") {
            let choices: Vec<Choice> =
                case["moves"].as_array().unwrap().iter().map(choice).collect();
            match case["accuracy"] {
                Value::Null => assert_eq!(accuracy(&choices, &usual()), None, "{case}"),
                ref expected => are_near(accuracy(&choices, &usual()).unwrap(), expected, &case),
            }
        }
    }

    /// A game that is reviewed: its moves, and its positions as far as they have been searched.
    struct Reviewed {
        moves: Vec<Value>,
        positions: Vec<Value>,
    }

    impl Reviewed {
        fn choice(&self, index: usize) -> (Side, Choice) {
            let [position, next] = [index, index + 1].map(|at| &self.positions[at]);
            let side = |position: &Value| position["turn"].as_str().unwrap().parse().unwrap();
            let mover: Side = side(position);
            let of_mover = |position: &Value| {
                let score = serde_json::from_value(position["score"].clone()).unwrap();
                let own = usual().chance(score, None);
                if side(position) == mover { own } else { 1.0 - own }
            };
            let (before, after) = (of_mover(position), of_mover(next));
            let is_best = position["best"] == self.moves[index];
            (mover, Choice { before, after, is_best, is_forced: false })
        }
    }

    #[test]
    fn games_are_reviewed_as_in_the_shared_cases() {
        let all: Value = serde_json::from_str(include_str!("../tests/judgements.json")).unwrap();
        let second_look = all["limits"]["second_look"].as_u64().unwrap() as u32;
        for case in cases("reviews") {
            let moves = case["moves"].as_array().unwrap().clone();
            let count = moves.len();
            let mut game = Reviewed { moves, positions: vec![Value::Null; count + 1] };
            let mut searched = Vec::new();
            let done: Result<(), Infallible> = search_all(
                &mut game,
                count,
                second_look,
                |game, index| game.choice(index).1,
                |game, at, times| {
                    searched.push(serde_json::json!([at, times]));
                    if times == 1 {
                        game.positions[at] = case["first"][at].clone();
                    } else {
                        let again = &case["second"][at.to_string()];
                        game.positions[at]["score"] = serde_json::json!({"cp": again["cp"]});
                        if !again["best"].is_null() {
                            game.positions[at]["best"] = again["best"].clone();
                        }
                    }
                    Ok(())
                },
            );
            let Ok(()) = done;
            assert_eq!(Value::Array(searched), case["searched"], "{case}");
            let choices: Vec<(Side, Choice)> = (0..count).map(|index| game.choice(index)).collect();
            let labels = choices.iter().map(|(_, choice)| serde_json::json!(choice.label()));
            assert_eq!(labels.collect::<Value>(), case["labels"], "{case}");
            for side in [Side::P1, Side::P2] {
                let own = choices.iter().filter(|(mover, _)| *mover == side);
                let found = accuracy(own.map(|(_, choice)| choice), &usual()).unwrap();
                are_near(found, &case["accuracy"][side.to_string()], &case);
            }
        }
    }

    #[test]
    fn a_game_without_a_result_has_no_chance() {
        assert_eq!(chance_of_result(Outcome::Void, Side::P1), None);
    }
}
