//! What evaluations and losses are worth to those who play: chances fitted to games between players of a level
//! (docs/analysis.md).

use std::collections::HashMap;
use std::sync::LazyLock;

use leap_records::Score;
use serde::Deserialize;

/// The levels: values of leapd's option `Strength`.
const WEAKEST: i32 = -20;
const STRONGEST: i32 = 100;
/// The level for unknown players, and the highest that judges. With the steeper chances of stronger players, errors of a
/// short search would look like mistakes.
pub(crate) const USUAL: i32 = 50;

/// The centipawns that multiply the odds by e where the engine tells no chances.
const SLOPE: f64 = 250.0;
/// How fast the accuracy of a move falls with its loss, at the weakest level and at the usual one. Weak players have
/// flat chances, so that no move loses much.
const STRICTNESS: [f64; 2] = [12.0, 5.0];

/// The centipawns that multiply the odds by e in a game between players of the weakest and of the strongest level. Those
/// between them lie on an exponential curve.
#[derive(Clone, Copy, Debug, Deserialize)]
struct Scale {
    weakest: f64,
    strongest: f64,
}

/// The scales of leapd's evaluations, by the ids of the games. The page reads the same file.
static SCALES: LazyLock<HashMap<String, Scale>> = LazyLock::new(|| {
    serde_json::from_str(leap_page::text("review/scales.json")).expect("it is constant")
});

/// How chances and losses are judged in a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Yardstick {
    /// The centipawns that multiply the odds by e; `None` if the engine's own chances count.
    scale: Option<f64>,
    strictness: f64,
}

/// The value on an exponential curve through two values, at a share of the way.
fn between(from: f64, to: f64, share: f64) -> f64 {
    from * (to / from).powf(share)
}

impl Yardstick {
    /// That of a game between players of a level. Only evaluations of leapd are known: other engines tell their own
    /// chances.
    #[must_use]
    pub fn new(engine: &str, game: Option<&str>, level: i32) -> Self {
        let level = level.clamp(WEAKEST, USUAL);
        let share = |end: i32| f64::from(level - WEAKEST) / f64::from(end - WEAKEST);
        let known = game.filter(|_| engine.starts_with("leapd")).and_then(|game| SCALES.get(game));
        let scale = known.map(|scale| between(scale.weakest, scale.strongest, share(STRONGEST)));
        let [weakest, usual] = STRICTNESS;
        let strictness =
            if scale.is_some() { between(weakest, usual, share(USUAL)) } else { usual };
        Self { scale, strictness }
    }

    /// The chance of the side whose score it is, from 0 to 1. `wdl` has its wins, draws and losses in permille, as the
    /// engine tells them.
    #[must_use]
    pub fn chance(&self, score: Score, wdl: Option<[u32; 3]>) -> f64 {
        let logistic = |cp: i32, scale: f64| 1.0 / (1.0 + (-f64::from(cp) / scale).exp());
        match (score, self.scale, wdl) {
            (Score::Mate(moves), _, _) => f64::from(u8::from(moves > 0)),
            (Score::Cp(cp), Some(scale), _) => logistic(cp, scale),
            (_, None, Some([win, draw, _])) => {
                ((f64::from(win) + f64::from(draw) / 2.0) / 1000.0).clamp(0.0, 1.0)
            }
            (Score::Cp(cp), None, None) => logistic(cp, SLOPE),
        }
    }

    pub(crate) fn strictness(&self) -> f64 {
        self.strictness
    }
}
