//! Positions to train on, as lists of the indices whose weights they add up.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use leap_core::notation::Notation;
use leap_search::eval::patterns::{FeatureSet, LAST_PHASE, Perspective, Shape};
use leap_search::eval::{Learned, total};
use leapd::io::Progress;
use rayon::prelude::*;

use crate::figures::Figures;
use crate::sample::{self, Sample};

/// One position in this many is held out.
const HELD_OUT: usize = 16;
/// The number of files that are read at a time.
const FILES: usize = 64;

/// A position to train on.
#[derive(Clone, Debug)]
pub(crate) struct Example {
    /// Where the indices of the position begin and end.
    span: (usize, usize),
    /// The phase of the game, from 0 at the beginning to 1 at the end.
    pub(crate) phase: f32,
    /// The part of the game that chooses the output weights of a network.
    pub(crate) bucket: usize,
    /// The part of the evaluation that is made by hand, in centipawns.
    pub(crate) known: f32,
    /// The score of a search, in centipawns.
    pub(crate) score: f32,
    /// The result of the game: 0 lost, 0.5 drawn, 1 won.
    pub(crate) result: f32,
}

/// Positions to train on, each once.
#[derive(Default)]
pub(crate) struct Examples {
    indices: Vec<u32>,
    /// The positions that weights are fitted to.
    pub(crate) fitted: Vec<Example>,
    /// The positions that show how well the weights do elsewhere: the last positions of each file.
    pub(crate) held_out: Vec<Example>,
    /// The positions held out, as the engine sees them.
    pub(crate) views: Vec<Perspective>,
    /// What all positions are like, those that occur again among them.
    pub(crate) figures: Figures,
}

impl Examples {
    /// Reads the positions of files.
    ///
    /// # Errors
    /// A file cannot be read, or its labels look wrong.
    pub(crate) fn read<R: Learned + Notation + Default>(
        features: &FeatureSet,
        shape: Shape,
        files: &[PathBuf],
    ) -> Result<Self> {
        let game = R::default();
        let mut examples = Self::default();
        let progress = Progress::new(Some(files.len() as u64), "files")?;
        for some in files.chunks(FILES) {
            let read = some.par_iter().map(|file| {
                let samples = trusted(&game, file);
                progress.inc(1);
                samples
            });
            let read: Result<Vec<_>> = read.collect();
            for samples in read? {
                let fitted = samples.len() - samples.len() / HELD_OUT;
                for (number, sample) in samples.into_iter().enumerate() {
                    if examples.figures.count(&sample) {
                        let example = examples.example::<R>(features, shape, &sample);
                        if number < fitted {
                            examples.fitted.push(example);
                        } else {
                            examples.held_out.push(example);
                            examples.views.push(R::perspective(&sample.position));
                        }
                    }
                }
            }
        }
        Ok(examples)
    }

    fn example<R: Learned>(
        &mut self,
        features: &FeatureSet,
        shape: Shape,
        sample: &Sample<R::Position>,
    ) -> Example {
        let perspective = R::perspective(&sample.position);
        let begin = self.indices.len();
        let mut push = |index: u32| self.indices.push(features.ties()[index as usize]);
        features.visit_patterns(&perspective, &mut push);
        features.visit_counts(&perspective, &mut push);
        Example {
            span: (begin, self.indices.len()),
            phase: perspective.phase as f32 / LAST_PHASE as f32,
            bucket: shape.bucket(perspective.phase),
            known: total(&R::by_hand(&sample.position)) as f32,
            score: sample.score as f32,
            result: (sample.result + 1) as f32 / 2.0,
        }
    }

    /// The indices of an example.
    pub(crate) fn indices(&self, example: &Example) -> &[u32] {
        &self.indices[example.span.0..example.span.1]
    }
}

/// The samples of a file whose labels look right.
fn trusted<R: Notation>(game: &R, file: &Path) -> Result<Vec<Sample<R::Position>>> {
    let samples = sample::read(game, file)?;
    let mut figures = Figures::default();
    for sample in &samples {
        figures.count(sample);
    }
    match figures.fault() {
        Some(fault) => bail!("{}: {fault}", file.display()),
        None => Ok(samples),
    }
}
