//! `games.ugr`: the games with evaluations, labels and better lines.

use std::io::{self, Write};

use leap_records::{Ply, Record, Score};

use crate::engine::Found;
use crate::examine::Examination;
use crate::judgement::Label;
use crate::review::Review;

/// The tag with the name of the engine.
const ANNOTATOR: &str = "Annotator";

/// Writes the records of all reviews.
pub(crate) fn write(file: &mut dyn Write, reviews: &[Review<'_>], engine: &str) -> io::Result<()> {
    reviews.iter().try_for_each(|review| write!(file, "{}", record(review, engine)))
}

/// The record of a game with what was found.
fn record(review: &Review<'_>, engine: &str) -> Record {
    let mut record = review.game.record();
    record.result = review.result();
    record.tags.retain(|(name, _)| name != ANNOTATOR);
    // A tag is a single line.
    let name = engine.split_whitespace().collect::<Vec<_>>().join(" ");
    record.tags.push((ANNOTATOR.to_owned(), name));
    for (index, ply) in record.plies.iter_mut().enumerate().take(review.choices.len()) {
        annotate(ply, review, index);
    }
    // An engine may name moves that no record can hold.
    if Record::parse_all(&record.to_string()).ok().as_deref() != Some(&[record.clone()]) {
        record.plies.iter_mut().for_each(|ply| ply.variations.clear());
    }
    record
}

fn annotate(ply: &mut Ply, review: &Review<'_>, index: usize) {
    let (mover, choice) = review.choices[index];
    let after = review.after(index);
    let found = after.found.as_ref();
    ply.score = found.map(|found| if after.side() == mover { found.score } else { turned(found) });
    ply.depth = found.and_then(|found| found.depth);
    ply.nodes = found.and_then(|found| found.nodes);
    ply.glyphs.retain(|glyph| Label::ALL.iter().all(|label| label.glyph() != *glyph));
    let Some(label) = choice.label() else { return };
    ply.glyphs.insert(0, label.glyph());
    let Some(better) = better(review.before(index)) else { return };
    let moves = |line: &[Ply]| line.iter().map(|ply| ply.mv.clone()).collect::<Vec<_>>();
    ply.variations.retain(|line| moves(line) != moves(&better));
    ply.variations.insert(0, better);
}

/// The score from the other side.
fn turned(found: &Found) -> Score {
    match found.score {
        Score::Cp(cp) => Score::Cp(cp.saturating_neg()),
        Score::Mate(moves) => Score::Mate(moves.saturating_neg()),
    }
}

/// The better line; its first move has the evaluation.
fn better(position: &Examination) -> Option<Vec<Ply>> {
    let found = position.found.as_ref()?;
    let mut line: Vec<Ply> = found.line.iter().map(|mv| Ply::of_opening(mv)).collect();
    let first = line.first_mut()?;
    (first.score, first.depth, first.nodes) = (Some(found.score), found.depth, found.nodes);
    Some(line)
}
