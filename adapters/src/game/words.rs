//! Words of the protocol as people say them.

use leap_protocol::Score;

/// Why a game is over (SPEC 10.7), as a part of a sentence. A word that is not known stays as it is.
pub(crate) fn reason_text(reason: &str) -> &str {
    match reason {
        "no-moves" => "no legal move is left",
        "count" => "the count decides",
        "repetition" => "the position has been repeated",
        "quiet-limit" => "too long without a capture",
        "max-plies" => "the limit of moves is reached",
        word => word,
    }
}

/// A score for the side to move: in whole units, or the moves to mate.
pub(crate) fn score_text(score: Score) -> String {
    match score {
        Score::Cp(cp) => format!("{:+.2}", cp as f64 / 100.0),
        Score::Mate(n) => format!("mate in {n}"),
    }
}
