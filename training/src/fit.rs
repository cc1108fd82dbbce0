//! `leap-train fit`: logistic regression of weights on results and scores.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use leapd::eval::Learned;
use leapd::eval::model::{self, PHASES};
use leapd::eval::patterns::{Design, Layout};
use leapd::games::{GameId, Row};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;

use crate::adam::Adam;
use crate::examples::{Example, Examples};
use crate::with_learned;

/// Positions of a step.
const BATCH: usize = 32_768;
/// Parts of a batch that are summed up by themselves: a fixed number, so that the sum is the same on any number of threads.
const PARTS: usize = 4;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The game
    game: GameId,
    /// Files that `generate` has made
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The file of weights to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// How often all positions are gone through
    #[arg(long, value_name = "N", default_value_t = 10)]
    epochs: usize,
    /// The share of the result in what is learned; the rest is that of the score
    #[arg(long, value_name = "SHARE", default_value_t = 0.7)]
    blend: f32,
    /// The first step of a weight, in centipawns; it falls to none
    #[arg(long, value_name = "CP", default_value_t = 2.0)]
    rate: f32,
    /// The share of such a step by which a weight falls back to what it was before anything was learned
    #[arg(long, value_name = "SHARE", default_value_t = 0.03)]
    decay: f32,
    /// The seed of the order of positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    with_learned!(arguments.game, fit(arguments))
}

fn fit<G: Row + Learned>(arguments: &Arguments) -> Result<()> {
    let design = G::design();
    let layout = Layout::new(&design);
    let mut files = arguments.files.clone();
    files.sort_unstable();
    let examples = Examples::read::<G>(&layout, &files)?;
    let (fitted, held_out) = (examples.fitted.len(), examples.held_out.len());
    ensure!(held_out > 0, "expected positions of more games, found {fitted}");
    let scale = best_scale(&examples.fitted);
    println!(
        "{fitted} positions, {held_out} held out; {scale:.0} centipawns are a chance of e to 1"
    );
    let weights = Fit { arguments, examples: &examples, scale }.run(prior(&design, &layout));
    let recipe = format!(
        "positions {fitted} epochs {} blend {} rate {} decay {} seed {} scale {scale:.1}",
        arguments.epochs, arguments.blend, arguments.rate, arguments.decay, arguments.seed
    );
    let file = model::write(arguments.game.into(), &design, &recipe, &weights);
    let out = &arguments.out;
    fs::write(out, file).with_context(|| format!("cannot write {}", out.display()))
}

/// The weights before anything is learned.
fn prior(design: &Design, layout: &Layout) -> Vec<[f32; PHASES]> {
    let mut weights = vec![[0.0; PHASES]; layout.len()];
    for (number, count) in design.counts.iter().enumerate() {
        for (index, own, enemy) in layout.count(number) {
            weights[index as usize] = [(count.prior)(own as f32, enemy as f32); PHASES];
        }
    }
    weights
}

/// The scale by which scores tell results best.
fn best_scale(examples: &[Example]) -> f32 {
    let loss = |scale: &f32| -> f64 {
        let loss = |example: &Example| cross_entropy(chance(example.score, *scale), example.result);
        examples.iter().map(loss).sum()
    };
    let scales = (0..40).map(|step| 20.0 * 1.15_f32.powi(step));
    let scored = scales.map(|scale| (loss(&scale), scale));
    scored.min_by(|(a, _), (b, _)| a.total_cmp(b)).map_or(100.0, |(_, scale)| scale)
}

/// The chance of a win that a score stands for.
fn chance(centipawns: f32, scale: f32) -> f32 {
    1.0 / (1.0 + (-centipawns / scale).exp())
}

fn cross_entropy(guess: f32, truth: f32) -> f64 {
    let guess = guess.clamp(1e-6, 1.0 - 1e-6);
    -f64::from(truth * guess.ln() + (1.0 - truth) * (1.0 - guess).ln())
}

struct Fit<'a> {
    arguments: &'a Arguments,
    examples: &'a Examples,
    /// The centipawns that are a chance of e to 1.
    scale: f32,
}

impl Fit<'_> {
    fn run(&self, prior: Vec<[f32; PHASES]>) -> Vec<[f32; PHASES]> {
        let Arguments { epochs, rate, decay, seed, .. } = *self.arguments;
        let mut weights = prior.clone();
        println!("epoch 0, {}", self.losses(&weights));
        let mut adam = Adam::new(prior);
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut order = self.examples.fitted.clone();
        for epoch in 0..epochs {
            shuffle(&mut order, &mut random);
            let rate = rate * (1.0 - epoch as f32 / epochs as f32);
            for batch in order.chunks(BATCH) {
                let gradients = self.gradients(&weights, batch);
                adam.step(&mut weights, &gradients, rate, decay);
            }
            println!("epoch {}, {}", epoch + 1, self.losses(&weights));
        }
        weights
    }

    /// What is learned of an example.
    fn target(&self, example: &Example) -> f32 {
        let blend = self.arguments.blend;
        blend * example.result + (1.0 - blend) * chance(example.score, self.scale)
    }

    /// The gradient of the loss over a batch, in parts.
    fn gradients(&self, weights: &[[f32; PHASES]], batch: &[Example]) -> Vec<Vec<[f32; PHASES]>> {
        let part = |examples: &[Example]| {
            let mut gradient = vec![[0.0; PHASES]; weights.len()];
            for example in examples {
                let guess = chance(self.examples.value(weights, example), self.scale);
                let error = (guess - self.target(example)) / batch.len() as f32;
                for index in self.examples.indices(example) {
                    let [begin, end] = &mut gradient[*index as usize];
                    *begin += error * (1.0 - example.phase);
                    *end += error * example.phase;
                }
            }
            gradient
        };
        batch.par_chunks(batch.len().div_ceil(PARTS)).map(part).collect()
    }

    /// How far weights are from the truth, for people.
    fn losses(&self, weights: &[[f32; PHASES]]) -> String {
        let loss = |examples: &[Example], truth: &(dyn Fn(&Example) -> f32 + Sync)| {
            let loss = |example: &Example| {
                let guess = chance(self.examples.value(weights, example), self.scale);
                cross_entropy(guess, truth(example))
            };
            examples.par_iter().map(loss).sum::<f64>() / examples.len() as f64
        };
        let Examples { fitted, held_out, .. } = self.examples;
        format!(
            "loss {:.4}, held out {:.4}, of results {:.4}",
            loss(fitted, &|example| self.target(example)),
            loss(held_out, &|example| self.target(example)),
            loss(held_out, &|example| example.result)
        )
    }
}

fn shuffle<T>(items: &mut [T], random: &mut ChaCha8Rng) {
    for index in (1..items.len()).rev() {
        items.swap(index, (random.next_u64() % (index as u64 + 1)) as usize);
    }
}
