//! The constants of the search that programs can tune: one table.

use super::SearchTuning;

/// A constant of the search, as a whole number.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// The name.
    pub name: &'static str,
    /// The least value.
    pub min: i32,
    /// The largest value.
    pub max: i32,
    /// A change that a match of some thousand games can measure.
    pub step: i32,
    /// Whether only games with quiescence search use the constant.
    pub is_of_quiescence: bool,
    /// Returns the value.
    pub get: fn(&SearchTuning) -> i32,
    /// Sets the value, which must be within the range.
    pub set: fn(&mut SearchTuning, i32),
}

/// A row for a whole number.
macro_rules! whole {
    ($name:literal, $min:literal..=$max:literal, $step:literal, $($field:tt)+) => {
        Parameter {
            name: $name,
            min: $min,
            max: $max,
            step: $step,
            is_of_quiescence: false,
            get: |tuning| tuning.$($field)+,
            set: |tuning, value| tuning.$($field)+ = value,
        }
    };
}

/// A row for a fraction, in hundredths.
macro_rules! hundredths {
    ($name:literal, $min:literal..=$max:literal, $step:literal, $($field:tt)+) => {
        Parameter {
            get: |tuning| (tuning.$($field)+ * 100.0).round() as i32,
            set: |tuning, value| tuning.$($field)+ = value as f32 / 100.0,
            ..whole!($name, $min..=$max, $step, gain_weight)
        }
    };
}

const fn of_quiescence(parameter: Parameter) -> Parameter {
    Parameter { is_of_quiescence: true, ..parameter }
}

/// All constants that programs can tune.
pub static PARAMETERS: [Parameter; 24] = [
    whole!("GainWeight", 0..=4_096, 64, gain_weight),
    whole!("FirstKiller", 0..=65_536, 2_000, killers[0]),
    whole!("SecondKiller", 0..=65_536, 2_000, killers[1]),
    whole!("HistoryBonus", 1..=128, 3, history.per_square),
    whole!("HistoryMost", 100..=8_000, 200, history.most),
    whole!("FutilityDepth", 0..=16, 1, reverse_futility.depth),
    whole!("FutilityMargin", 0..=400, 15, reverse_futility.per_ply),
    whole!("LateMoveDepth", 0..=16, 1, late_moves.depth),
    whole!("LateMoveBase", 0..=40, 1, late_moves.base),
    whole!("LateMoveSquare", 0..=400, 15, late_moves.per_square),
    whole!("ProbCutDepth", 0..=40, 1, probcut.depth),
    whole!("ProbCutShare", 0..=90, 5, probcut.share),
    whole!("ProbCutConfidence", 0..=400, 15, probcut.confidence),
    hundredths!("ReductionBase", 0..=300, 15, reductions.base),
    hundredths!("ReductionDivisor", 50..=1_000, 20, reductions.divisor),
    whole!("ReductionHistory", 256..=65_536, 1_000, reductions.history),
    of_quiescence(whole!("CapturePlies", 1..=30, 2, captures.plies)),
    of_quiescence(whole!("CaptureMargin", 0..=1_000, 30, captures.margin)),
    whole!("Aspiration", 5..=300, 5, aspiration),
    whole!("TimeShare0", 50..=400, 10, time_shares[0]),
    whole!("TimeShare1", 50..=400, 10, time_shares[1]),
    whole!("TimeShare2", 50..=400, 10, time_shares[2]),
    whole!("TimeShare3", 50..=400, 10, time_shares[3]),
    whole!("TimeShare4", 50..=400, 10, time_shares[4]),
];
