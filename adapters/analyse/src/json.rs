//! `analysis.json`: everything that was found, for programs (docs/analysis.md).

use leap_protocol::payload::Side;
use leap_records::Score;
use serde::Serialize;

use crate::examine::{Effort, Examination};
use crate::judgement::{Label, Yardstick};
use crate::review::{Review, SideReview};
use crate::store::Conditions;

/// How every such file begins.
pub(crate) const MARK: &str = "{\"format\":\"leap analysis 1\",";

#[derive(Serialize)]
struct File<'a> {
    format: &'static str,
    engine: &'a str,
    effort: Effort,
    games: Vec<Game<'a>>,
    /// The games that could not be analysed.
    failed: &'a [Failed],
}

/// A game that could not be analysed.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Failed {
    /// Its number among all games, from 1.
    pub(crate) number: usize,
    /// The file and the line of the fault.
    pub(crate) place: String,
    pub(crate) why: String,
}

/// A game with all that was found.
#[derive(Serialize)]
pub(crate) struct Game<'a> {
    number: usize,
    file: &'a str,
    line: usize,
    game: Option<&'a str>,
    result: &'static str,
    p1: SideSummary,
    p2: SideSummary,
    moves: Vec<Move<'a>>,
    positions: Vec<Position<'a>>,
}

#[derive(Serialize)]
struct SideSummary {
    name: String,
    accuracy: Option<f64>,
    inaccuracies: usize,
    mistakes: usize,
    blunders: usize,
}

#[derive(Serialize)]
struct Move<'a> {
    #[serde(rename = "move")]
    mv: &'a str,
    side: String,
    before: f64,
    after: f64,
    loss: f64,
    label: Option<Label>,
    accuracy: Option<f64>,
    /// There was no other move.
    forced: bool,
}

#[derive(Serialize)]
struct Position<'a> {
    fen: Option<&'a str>,
    turn: String,
    /// The chance of p1.
    chance: f64,
    result: Option<&'static str>,
    score: Option<Score>,
    wdl: Option<[u32; 3]>,
    depth: Option<u32>,
    nodes: Option<u64>,
    /// The best line.
    line: &'a [String],
}

/// The file.
pub(crate) fn text(
    conditions: &Conditions,
    reviews: &[Review<'_>],
    failed: &[Failed],
) -> anyhow::Result<String> {
    let file = File {
        format: "leap analysis 1",
        engine: &conditions.engine,
        effort: conditions.effort,
        games: reviews.iter().map(game).collect(),
        failed,
    };
    Ok(serde_json::to_string(&file)? + "\n")
}

pub(crate) fn game<'a>(review: &'a Review<'_>) -> Game<'a> {
    let stored = &review.game.stored;
    Game {
        number: review.game.number,
        file: &review.game.file,
        line: stored.line,
        game: stored.id.as_deref(),
        result: review.result().as_str(),
        p1: side(review, Side::P1),
        p2: side(review, Side::P2),
        moves: (0..review.choices.len()).map(|index| mv(review, index)).collect(),
        positions: review
            .examined
            .positions
            .iter()
            .map(|each| position(each, &review.yardstick))
            .collect(),
    }
}

fn side(review: &Review<'_>, side: Side) -> SideSummary {
    let SideReview { accuracy, labels } = review.side(side);
    let [inaccuracies, mistakes, blunders] = labels;
    let name = review.game.player(side);
    SideSummary { name, accuracy: accuracy.map(rounded), inaccuracies, mistakes, blunders }
}

fn mv<'a>(review: &'a Review<'_>, index: usize) -> Move<'a> {
    let (side, choice) = review.choices[index];
    Move {
        mv: &review.examined.moves[index],
        side: side.to_string(),
        before: rounded(choice.before),
        after: rounded(choice.after),
        loss: choice.loss(),
        label: choice.label(),
        accuracy: choice.accuracy(&review.yardstick).map(rounded),
        forced: choice.is_forced,
    }
}

fn position<'a>(position: &'a Examination, yardstick: &Yardstick) -> Position<'a> {
    let found = position.found.as_ref();
    Position {
        fen: position.fen.as_deref(),
        turn: position.side().to_string(),
        chance: rounded(position.chance(Side::P1, yardstick)),
        result: position.result.map(leap_records::Outcome::as_str),
        score: found.map(|found| found.score),
        wdl: found.and_then(|found| found.wdl),
        depth: found.and_then(|found| found.depth),
        nodes: found.and_then(|found| found.nodes),
        line: found.map_or(&[], |found| &found.line),
    }
}

/// The number to six decimals.
fn rounded(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}
