//! Positions as sums of weights.

use std::collections::HashSet;
use std::path::PathBuf;

use anyhow::Result;
use leap_core::Position;
use leap_core::notation::Notation;
use leap_search::eval::patterns::{FeatureSet, LAST_PHASE, Perspective};
use leap_search::eval::{Learned, balance};
use leapd::io::Progress;
use rayon::prelude::*;

use crate::sample::{self, Sample};

/// One position of so many is held out.
const HELD_OUT: usize = 16;
/// Files that are read at a time.
const FILES: usize = 64;

/// A position as a sum of weights.
#[derive(Clone, Debug)]
pub(crate) struct Example {
    /// Where its indices begin and end.
    span: (usize, usize),
    /// How much of it is ending, from 0 to 1.
    pub(crate) phase: f32,
    /// What is known of it without learning, in centipawns.
    pub(crate) known: f32,
    /// What a search says, in centipawns.
    pub(crate) score: f32,
    /// How the game ended: 0 lost, 0.5 drawn, 1 won.
    pub(crate) result: f32,
}

/// Positions, each once.
#[derive(Default)]
pub(crate) struct Examples {
    indices: Vec<u32>,
    /// Those that weights are fitted to.
    pub(crate) fitted: Vec<Example>,
    /// Those that tell how well they do elsewhere: the last games of each file.
    pub(crate) held_out: Vec<Example>,
    /// Those held out as the engine sees them.
    pub(crate) views: Vec<Perspective>,
}

impl Examples {
    /// The positions of files.
    ///
    /// # Errors
    /// A file cannot be read.
    pub(crate) fn read<G: Learned + Notation + Default>(
        features: &FeatureSet,
        files: &[PathBuf],
    ) -> Result<Self> {
        let game = G::default();
        let mut seen = HashSet::new();
        let mut examples = Self::default();
        let progress = Progress::new(Some(files.len() as u64), "files")?;
        for some in files.chunks(FILES) {
            let read = some.par_iter().map(|file| {
                let samples = sample::read(&game, file);
                progress.inc(1);
                samples
            });
            let read: Result<Vec<_>> = read.collect();
            for samples in read? {
                let fitted = samples.len() - samples.len() / HELD_OUT;
                for (number, sample) in samples.into_iter().enumerate() {
                    if seen.insert(sample.position.key()) {
                        let example = examples.example::<G>(features, &sample);
                        if number < fitted {
                            examples.fitted.push(example);
                        } else {
                            examples.held_out.push(example);
                            examples.views.push(G::perspective(&sample.position));
                        }
                    }
                }
            }
        }
        Ok(examples)
    }

    fn example<G: Learned>(
        &mut self,
        features: &FeatureSet,
        sample: &Sample<G::Position>,
    ) -> Example {
        let perspective = G::perspective(&sample.position);
        let begin = self.indices.len();
        let mut push = |index: u32| self.indices.push(features.ties()[index as usize]);
        features.visit_patterns(&perspective, &mut push);
        features.visit_counts(&perspective, &mut push);
        Example {
            span: (begin, self.indices.len()),
            phase: perspective.phase as f32 / LAST_PHASE as f32,
            known: balance(&G::by_hand(&sample.position), sample.position.side()) as f32,
            score: sample.score as f32,
            result: (sample.result + 1) as f32 / 2.0,
        }
    }

    /// The indices whose weights an example adds up.
    pub(crate) fn indices(&self, example: &Example) -> &[u32] {
        &self.indices[example.span.0..example.span.1]
    }
}
