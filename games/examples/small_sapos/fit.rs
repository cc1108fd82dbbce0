//! Which terms predict the values: logistic regression for each formula of mobility.

use std::sync::Mutex;

use super::rules::{SmallBoard, State};
use super::solve::{Known, Solution};

/// One position in this many is a sample, on average.
const SHARE: u64 = 64;

/// The steps of Newton's method.
const STEPS: usize = 12;

/// The number of terms: tempo, crowding, mobility, and the turn.
const TERMS: usize = 4;

/// A position as terms see it.
struct Sample {
    /// The reserves of the mover and of the other side.
    reserves: [f64; 2],
    /// Pieces on the board.
    pieces: [f64; 2],
    /// Jumpers, jumps over friends and captures of each side.
    mobility: [[f64; 3]; 2],
    is_won: bool,
}

/// A formula of mobility, from jumpers j, jumps over friends f, captures c and the reserve r of a side.
type Formula = fn(j: f64, f: f64, c: f64, r: f64) -> f64;

const FORMULAS: [(&str, Formula); 10] = [
    ("none", |_, _, _, _| 0.0),
    ("j", |j, _, _, _| j),
    ("f + c", |_, f, c, _| f + c),
    ("-1 / (1 + j)", |j, _, _, _| -1.0 / (1.0 + j)),
    ("-1 / (1 + f + c)", |_, f, c, _| -1.0 / (1.0 + f + c)),
    ("-1 / (1 + f)", |_, f, _, _| -1.0 / (1.0 + f)),
    ("-1 / (1 + f + c/2)", |_, f, c, _| -1.0 / (1.0 + f + c / 2.0)),
    ("-1 / (1 + j + (f + c)/2)", |j, f, c, _| -1.0 / (1.0 + j + (f + c) / 2.0)),
    ("-1 / (1 + j + f/2)", |j, f, _, _| -1.0 / (1.0 + j + f / 2.0)),
    ("-1 / (1 + f + c), without f if r = 0", |_, f, c, r| {
        -1.0 / (1.0 + c + if r > 0.0 { f } else { 0.0 })
    }),
];

/// Prints the shares of won positions, and how well each formula predicts them.
pub(crate) fn report(solution: &Solution) {
    let samples = samples(solution);
    println!("{} samples", samples.len());
    by_reserves(&samples);
    println!("formula | loss | right | tempo | crowding | mobility | turn");
    for (name, formula) in FORMULAS {
        let rows: Vec<_> =
            samples.iter().map(|sample| (terms(sample, formula), sample.is_won)).collect();
        let weights = fitted(&rows);
        let (loss, right) = quality(&rows, &weights);
        let [tempo, crowding, mobility, turn] = weights;
        println!(
            "{name} | {loss:.4} | {:.2} % | {tempo:.2} | {crowding:.2} | {mobility:.2} | {turn:.2}",
            100.0 * right
        );
    }
}

fn samples(solution: &Solution) -> Vec<Sample> {
    let samples = Mutex::new(Vec::new());
    let board = solution.board();
    solution.each(&|state| {
        let State { own, enemy } = state;
        let is_chosen =
            (own.0 << 32 | enemy.0).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40 & (SHARE - 1) == 0;
        if !is_chosen || own.is_empty() || enemy.is_empty() {
            return;
        }
        let is_won = match solution.known(state) {
            Known::Won => true,
            Known::Lost => false,
            Known::Open => return,
        };
        samples.lock().expect("no thread panics").push(sample(board, state, is_won));
    });
    samples.into_inner().expect("no thread panics")
}

fn sample(board: &SmallBoard, State { own, enemy }: State, is_won: bool) -> Sample {
    Sample {
        reserves: [own, enemy].map(|set| f64::from(board.reserve(set))),
        pieces: [own, enemy].map(|set| f64::from(set.len())),
        mobility: [(own, enemy), (enemy, own)]
            .map(|(own, enemy)| board.mobility(own, enemy).map(f64::from)),
        is_won,
    }
}

/// The share of positions that the mover wins, for each pair of reserves.
fn by_reserves(samples: &[Sample]) {
    println!("won by the mover, by its reserve (row) and the other's (column)");
    let most = samples.iter().flat_map(|sample| sample.reserves).fold(0.0, f64::max) as usize;
    for own in 0..=most {
        let cell = |other: usize| {
            let here =
                samples.iter().filter(|sample| sample.reserves == [own as f64, other as f64]);
            let (won, all) =
                here.fold((0, 0), |(won, all), sample| (won + u32::from(sample.is_won), all + 1));
            format!("{:5.1}", 100.0 * f64::from(won) / f64::from(all))
        };
        println!("{own}: {}", (0..=most).map(cell).collect::<Vec<_>>().join(" "));
    }
}

fn terms(sample: &Sample, formula: Formula) -> [f64; TERMS] {
    let [own, other] = sample.reserves;
    let tempo = if own > other { 1.0 } else { -1.0 };
    let [pieces, others] = sample.pieces;
    let [mine, theirs] = [0, 1].map(|side| {
        let [jumpers, friendly, captures] = sample.mobility[side];
        formula(jumpers, friendly, captures, sample.reserves[side])
    });
    [tempo, others * others - pieces * pieces, mine - theirs, 1.0]
}

fn chance(weights: &[f64; TERMS], terms: &[f64; TERMS]) -> f64 {
    let sum: f64 = weights.iter().zip(terms).map(|(weight, term)| weight * term).sum();
    1.0 / (1.0 + (-sum).exp())
}

fn quality(rows: &[([f64; TERMS], bool)], weights: &[f64; TERMS]) -> (f64, f64) {
    let mut sums = (0.0, 0.0);
    for (terms, is_won) in rows {
        let won = chance(weights, terms).clamp(1e-9, 1.0 - 1e-9);
        sums.0 -= if *is_won { won.ln() } else { (1.0 - won).ln() };
        sums.1 += f64::from(u8::from((won > 0.5) == *is_won));
    }
    (sums.0 / rows.len() as f64, sums.1 / rows.len() as f64)
}

/// The weights of least loss, by Newton's method.
fn fitted(rows: &[([f64; TERMS], bool)]) -> [f64; TERMS] {
    let mut weights = [0.0; TERMS];
    for _ in 0..STEPS {
        let mut gradient = [0.0; TERMS];
        let mut curvature = [[0.0; TERMS]; TERMS];
        for (terms, is_won) in rows {
            let won = chance(&weights, terms);
            let error = f64::from(u8::from(*is_won)) - won;
            for (row, term) in terms.iter().enumerate() {
                gradient[row] += error * term;
                for (column, other) in terms.iter().enumerate() {
                    curvature[row][column] += won * (1.0 - won) * term * other;
                }
            }
        }
        (0..TERMS).for_each(|at| curvature[at][at] += 1e-6);
        let step = solved(curvature, gradient);
        (0..TERMS).for_each(|at| weights[at] += step[at]);
    }
    weights
}

/// The solution of linear equations, by elimination. The matrix is positive.
fn solved(mut matrix: [[f64; TERMS]; TERMS], mut sums: [f64; TERMS]) -> [f64; TERMS] {
    for pivot in 0..TERMS {
        for row in (0..TERMS).filter(|row| *row != pivot) {
            let (factor, above) = (matrix[row][pivot] / matrix[pivot][pivot], matrix[pivot]);
            matrix[row].iter_mut().zip(above).for_each(|(cell, over)| *cell -= factor * over);
            sums[row] -= factor * sums[pivot];
        }
    }
    std::array::from_fn(|at| sums[at] / matrix[at][at])
}
