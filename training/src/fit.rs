//! `leap-train fit`: logistic regression of weights on results and scores.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use leap_search::Playable;
use leap_search::eval::Learned;
use leap_search::eval::network::NetworkParameters;
use leap_search::eval::patterns::{Design, FeatureSet, Form, Shape};
use leap_search::eval::weights::{self, PHASES, Parameters, Weights};
use leapd::io::Progress;
use leapd::usage::{Mistake, positive};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;

use crate::adam::{Adam, Pace};
use crate::chart;
use crate::examples::{Example, Examples};
use crate::loss::{Losses, best_scale, chance, cross_entropy};
use crate::network::{Input, add_gradient, untrained, value};
use crate::output::{self, Kind};

/// The first step of a weight of the network. Steps of output weights are multiplied by the scale.
const NETWORK_RATE: f32 = 0.003;
/// The number of parts of a batch, each summed up alone. A fixed number makes the sum the same on any number of
/// threads.
const PARTS: usize = 4;

/// The kinds of files that the options write.
const WEIGHTS: Kind = Kind { name: "a file of weights", begins: weights::MAGIC };
const CHART: Kind = Kind { name: "a chart", begins: "<svg" };

/// The command line.
#[derive(clap::Args)]
pub struct Arguments {
    /// The game
    pub(crate) game: String,
    /// Files that `generate` has made
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The file of weights to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Weights to begin with, of an evaluation by tables; decay then pulls towards them
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// The number of units of a network [default: as in the engine's own weights]
    #[arg(long, value_name = "N")]
    units: Option<usize>,
    /// The number of parts of a game with output weights of their own [default: as in the engine's own weights]
    #[arg(long, value_name = "N")]
    buckets: Option<usize>,
    /// How often the fit goes through all positions
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = positive::<usize>())]
    epochs: usize,
    /// The number of positions for each step
    #[arg(long, value_name = "N", default_value = "8192")]
    batch: NonZeroUsize,
    /// The share of the result in the target; the rest is the share of the score
    #[arg(long, value_name = "SHARE", default_value_t = 0.3, value_parser = share)]
    blend: f32,
    /// The first step of a weight, in centipawns; steps shrink to nothing
    #[arg(long, value_name = "CP", default_value_t = 2.0, value_parser = amount)]
    rate: f32,
    /// The share of a step by which a weight falls back to its value before training
    #[arg(long, value_name = "SHARE", default_value_t = 0.03, value_parser = share)]
    decay: f32,
    /// A file for a chart of the losses, in SVG
    #[arg(long, value_name = "FILE")]
    chart: Option<PathBuf>,
    /// The seed of the order of positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// A number from 0 to 1.
fn share(text: &str) -> Result<f32, String> {
    let expected = || format!("expected a number from 0 to 1, found '{text}'");
    amount(text).ok().filter(|share| *share <= 1.0).ok_or_else(expected)
}

/// A finite number that is not negative.
fn amount(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number: &f32| number.is_finite() && *number >= 0.0);
    number.ok_or_else(|| format!("expected a number from 0 on, found '{text}'"))
}

impl Arguments {
    /// Checks that writing the outputs destroys nothing.
    fn check_outputs(&self) -> Result<()> {
        let Self { files, from, out, chart, .. } = self;
        let files: Vec<PathBuf> = files.iter().chain(from).cloned().collect();
        output::check("--out", out, &WEIGHTS, &files)?;
        let Some(chart) = chart else { return Ok(()) };
        let is_twice = chart == out;
        ensure!(!is_twice, Mistake::new("expected two files for --out and --chart, found one"));
        output::check("--chart", chart, &CHART, &files)
    }

    /// The design of the weights: that of the game, perhaps with a network of another shape.
    fn design(&self, of_game: Design) -> Result<Design> {
        let Self { units, buckets, .. } = *self;
        if units.is_none() && buckets.is_none() {
            return Ok(of_game);
        }
        let is_network = of_game.form != Form::Linear;
        ensure!(
            is_network,
            Mistake::new("expected a network for --units and --buckets, found tables")
        );
        let own = of_game.form.shape();
        let shape =
            Shape { units: units.unwrap_or(own.units), buckets: buckets.unwrap_or(own.buckets) };
        let most = Shape::largest(of_game.symmetry);
        ensure!(
            shape.is_allowed(of_game.symmetry),
            Mistake::new(format!(
                "expected 1 to {} units and 1 to {} buckets, found {} and {}",
                most.units, most.buckets, shape.units, shape.buckets
            ))
        );
        Ok(of_game.shaped(shape))
    }

    /// The options that decide the weights, as text. Besides them, only the positions do.
    fn recipe(&self) -> String {
        let Self { from, epochs, batch, blend, rate, decay, seed, .. } = self;
        let from = if from.is_some() { " from earlier weights" } else { "" };
        format!(
            "epochs {epochs} batch {batch} blend {blend} rate {rate} decay {decay} seed {seed}{from}"
        )
    }
}

pub(crate) fn fit<R: Playable + Learned>(arguments: &Arguments) -> Result<()> {
    arguments.check_outputs()?;
    let design = arguments.design(R::design())?;
    let shape = design.form.shape();
    let features = FeatureSet::new(&design);
    let mut files = arguments.files.clone();
    files.sort_unstable();
    let examples = Examples::read::<R>(&features, shape, &files)?;
    println!("{}", examples.figures);
    let (fitted, held_out) = (examples.fitted.len(), examples.held_out.len());
    ensure!(held_out > 0, "expected positions of more games, found {fitted}");
    let scale = best_scale(&examples.fitted);
    println!("{fitted} positions, {held_out} held out; {scale:.0} centipawns give odds of e to 1");
    let mut random = ChaCha8Rng::seed_from_u64(arguments.seed);
    let (patterns, indices) = (features.patterns(), features.patterns_len());
    let images = if design.form != Form::Linear { features.images(&design) } else { Vec::new() };
    let network = untrained(shape, patterns, indices, scale, &mut random);
    let weights = match &arguments.from {
        None => weights::priors(&design, &features),
        Some(file) => earlier(&design, file).with_context(|| file.display().to_string())?,
    };
    let prior = Parameters { weights, network };
    let fit = Fit { arguments, examples: &examples, scale, patterns, indices, images };
    let (learned, losses) = fit.run(prior, &mut random)?;
    let recipe = format!("positions {fitted} {} scale {scale:.1}", arguments.recipe());
    let file = weights::write(&design, &recipe, &learned);
    let quantized = Weights::read(&design, &file)?;
    let valued = examples.held_out.iter().zip(&examples.views);
    let values: Vec<f32> = valued
        .map(|(example, perspective)| example.known + quantized.value(perspective) as f32)
        .collect();
    let [held_out, results] = fit.held_out(&values);
    println!("as whole numbers, held out {held_out:.4}, loss of results {results:.4}");
    output::write(&arguments.out, &file)?;
    let Some(path) = &arguments.chart else { return Ok(()) };
    output::write(path, chart::draw(&losses)?.as_bytes())
}

/// The weights of a file, to go on from.
fn earlier(design: &Design, file: &Path) -> Result<Vec<[f32; PHASES]>> {
    let is_linear = design.form == Form::Linear;
    ensure!(
        is_linear,
        Mistake::new("expected an evaluation by tables for --from, found a network")
    );
    let weights = Weights::read(design, &fs::read(file)?)?;
    Ok(weights.centipawns())
}

struct Fit<'a> {
    arguments: &'a Arguments,
    examples: &'a Examples,
    /// The score that gives odds of e to 1, in centipawns.
    scale: f32,
    /// The number of patterns of a position.
    patterns: usize,
    /// The number of indices of patterns.
    indices: usize,
    /// The images of an index, if there is a network.
    images: Vec<Vec<u32>>,
}

impl Fit<'_> {
    /// The learned weights, and the losses before each epoch and after the last.
    fn run(&self, prior: Parameters, random: &mut ChaCha8Rng) -> Result<(Parameters, Vec<Losses>)> {
        let Arguments { epochs, batch, .. } = *self.arguments;
        let mut learned = prior.clone();
        let mut losses = vec![self.losses(&learned)];
        println!("epoch 0, {}", losses[0]);
        let mut steps = Steps::new(&prior, self.paces());
        let mut order = self.examples.fitted.clone();
        let batches = epochs.saturating_mul(order.len().div_ceil(batch.get()));
        let progress = Progress::new(Some(batches as u64), "batches")?;
        for epoch in 0..epochs {
            shuffle(&mut order, random);
            let left = 1.0 - epoch as f32 / epochs as f32;
            for batch in order.chunks(batch.get()) {
                let gradients = self.gradients(&learned, batch);
                steps.step(&mut learned, &gradients, left);
                progress.inc(1);
            }
            let after = self.losses(&learned);
            progress.suspend(|| println!("epoch {}, {after}", epoch + 1));
            losses.push(after);
        }
        Ok((learned, losses))
    }

    /// The first steps of each kind of weight.
    fn paces(&self) -> Paces {
        let Arguments { rate, decay, .. } = *self.arguments;
        let free = Pace { rate: NETWORK_RATE, decay: 0.0, limit: f32::INFINITY };
        Paces {
            weights: Pace { rate, decay, ..free },
            sums: Pace { limit: NetworkParameters::limit(self.patterns), ..free },
            outputs: Pace { rate: NETWORK_RATE * self.scale, ..free },
        }
    }

    /// The target of an example: the result blended with the score, as a chance.
    fn target(&self, example: &Example) -> f32 {
        let blend = self.arguments.blend;
        blend * example.result + (1.0 - blend) * chance(example.score, self.scale)
    }

    /// The input of the network for an example.
    fn input(&self, example: &Example) -> Input<'_> {
        let indices = &self.examples.indices(example)[..self.patterns];
        Input { indices, images: &self.images, bucket: example.bucket }
    }

    /// The indices of an example that have weights.
    fn weighted(&self, example: &Example) -> &[u32] {
        let without = if self.images.is_empty() { 0 } else { self.patterns };
        &self.examples.indices(example)[without..]
    }

    /// The value of an example in centipawns, and the sums of the network's units.
    fn value(&self, learned: &Parameters, example: &Example, sums: &mut Vec<f32>) -> f32 {
        let add = |[begin, end]: [f32; PHASES], index: &u32| {
            let [more, later] = learned.weights[*index as usize];
            [begin + more, end + later]
        };
        let [begin, end] = self.weighted(example).iter().fold([0.0; PHASES], add);
        let of_weights = begin * (1.0 - example.phase) + end * example.phase;
        of_weights + example.known + self::value(&learned.network, self.input(example), sums)
    }

    /// The gradient of the loss over a batch, in parts.
    fn gradients(&self, learned: &Parameters, batch: &[Example]) -> Vec<Parameters> {
        let part = |examples: &[Example]| {
            let weights = vec![[0.0; PHASES]; learned.weights.len()];
            let network = NetworkParameters::zeros(learned.network.shape, self.indices);
            let mut gradient = Parameters { weights, network };
            let mut sums = Vec::new();
            for example in examples {
                let guess = chance(self.value(learned, example, &mut sums), self.scale);
                let error = (guess - self.target(example)) / batch.len() as f32;
                for index in self.weighted(example) {
                    let [begin, end] = &mut gradient.weights[*index as usize];
                    *begin += error * (1.0 - example.phase);
                    *end += error * example.phase;
                }
                let input = self.input(example);
                add_gradient(&learned.network, input, &mut sums, error, &mut gradient.network);
            }
            gradient
        };
        batch.par_chunks(batch.len().div_ceil(PARTS)).map(part).collect()
    }

    /// The losses of the weights.
    fn losses(&self, learned: &Parameters) -> Losses {
        let value = |example: &Example| self.value(learned, example, &mut Vec::new());
        let Examples { fitted, held_out, .. } = self.examples;
        let loss = |example: &Example| self.loss(value(example), self.target(example));
        let fitted_loss = fitted.par_iter().map(loss).sum::<f64>() / fitted.len() as f64;
        let values: Vec<f32> = held_out.par_iter().map(value).collect();
        let [held_out, results] = self.held_out(&values);
        Losses { fitted: fitted_loss, held_out, results }
    }

    /// The losses of the positions held out, from the targets and from the results. `values` has the positions' values.
    fn held_out(&self, values: &[f32]) -> [f64; 2] {
        let examples = &self.examples.held_out;
        let mean = |truth: &dyn Fn(&Example) -> f32| {
            let loss = |(example, value): (_, &f32)| self.loss(*value, truth(example));
            examples.iter().zip(values).map(loss).sum::<f64>() / examples.len() as f64
        };
        [mean(&|example| self.target(example)), mean(&|example| example.result)]
    }

    fn loss(&self, value: f32, truth: f32) -> f64 {
        cross_entropy(chance(value, self.scale), truth)
    }
}

/// The steps of the weights of indices, of the weights into units, and of the output weights.
#[derive(Clone, Copy)]
struct Paces {
    weights: Pace,
    sums: Pace,
    outputs: Pace,
}

/// An optimiser for each kind of weight.
struct Steps {
    paces: Paces,
    weights: Adam,
    rows: Adam,
    biases: Adam,
    outputs: Adam,
}

impl Steps {
    fn new(prior: &Parameters, paces: Paces) -> Self {
        let Parameters { weights, network } = prior;
        Self {
            paces,
            weights: Adam::new(weights.as_flattened()),
            rows: Adam::new(&network.rows),
            biases: Adam::new(&network.biases),
            outputs: Adam::new(&network.outputs),
        }
    }

    /// Takes a step with all weights. Its size is the share `left` of the first step.
    fn step(&mut self, learned: &mut Parameters, gradients: &[Parameters], left: f32) {
        let parts = |of: fn(&Parameters) -> &[f32]| gradients.iter().map(of).collect::<Vec<_>>();
        let pace = |first: Pace| Pace { rate: first.rate * left, ..first };
        let Paces { weights, sums, outputs } = self.paces;
        let Parameters { weights: of_indices, network } = learned;
        let of_indices = of_indices.as_flattened_mut();
        self.weights.step(of_indices, &parts(|part| part.weights.as_flattened()), pace(weights));
        self.rows.step(&mut network.rows, &parts(|part| &part.network.rows), pace(sums));
        self.biases.step(&mut network.biases, &parts(|part| &part.network.biases), pace(sums));
        self.outputs.step(
            &mut network.outputs,
            &parts(|part| &part.network.outputs),
            pace(outputs),
        );
    }
}

fn shuffle<T>(items: &mut [T], random: &mut ChaCha8Rng) {
    for index in (1..items.len()).rev() {
        items.swap(index, (random.next_u64() % (index as u64 + 1)) as usize);
    }
}
