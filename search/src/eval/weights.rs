//! Weights that were learned from games, and the files that they are kept in.
//!
//! A file begins with lines of text, which `head` shows, and an empty line. The weights follow as little-endian 16-bit
//! numbers. The weights of the [network](super::network) come first, if the design has one. Then each index with a weight
//! of its own has [`PHASES`] numbers. `training/` makes these files.
//!
//! ```text
//! leapd-weights 1
//! game eximo
//! design 8x8 mirror 2 4x2+0+0 4x2+0+1 ... men16
//! unit 4
//! recipe positions 1754411 epochs 8 ...
//! checksum 89abcdef
//! ```

use std::borrow::Cow;
use std::fmt::Write as _;
use std::sync::Arc;

use thiserror::Error;

use super::network::{Network, NetworkParameters};
use super::patterns::{Design, FeatureSet, Form, LAST_PHASE, Perspective, Shape, Symmetry};
use super::{Learned, Terms, total};
use leap_core::Square;

/// The number of weights of an index: for the beginning of a game, and for its end. An evaluation interpolates between
/// them.
pub const PHASES: usize = 2;

/// The number of steps of a weight that make a centipawn.
pub const UNIT: i32 = 4;

/// The weights of an index.
pub type Weight = [i16; PHASES];

/// The first line of a file of weights.
pub const MAGIC: &str = "leapd-weights 1";

/// The most characters of a line that a message quotes.
const MAX_QUOTED: usize = 200;

/// A learned evaluation.
#[derive(Clone, Debug)]
pub struct Weights {
    features: FeatureSet,
    weights: Vec<Weight>,
    /// The network of a design with units, where patterns have no weights.
    network: Option<Network>,
    counts: Vec<&'static str>,
}

/// The learned numbers, before they are rounded to integers.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameters {
    /// The weights of each index, in centipawns. In a design with units only counts have weights.
    pub weights: Vec<[f32; PHASES]>,
    /// The network; empty in a design without units.
    pub network: NetworkParameters,
}

/// Pieces on some squares, and their value for the side to move.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// The squares, and the state of each: 0 if empty, otherwise a kind of piece from 1 on.
    pub squares: Vec<(Square, usize)>,
    /// The value at the beginning of a game and at its end.
    pub centipawns: [i32; PHASES],
}

/// What is wrong with a file of weights.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WeightsError {
    /// The file is of another kind. The message quotes nothing of the file, which may be private.
    #[error("expected the line '{}' at the beginning, found another", MAGIC)]
    Foreign,
    /// A line of the head is missing or says something else.
    #[error("expected the line '{expected}', found '{found}'")]
    Head {
        /// The line that the evaluation needs.
        expected: String,
        /// The line in the file.
        found: String,
    },
    /// The file is too short or too long.
    #[error("expected {expected} bytes of weights, found {found}")]
    Size {
        /// The number of bytes that the design needs.
        expected: usize,
        /// The number of bytes in the file.
        found: usize,
    },
    /// The game's evaluation has no weights.
    #[error("expected a game whose evaluation is learned, found one made by hand")]
    ByHand,
    /// The weights do not match the checksum in the head.
    #[error("expected weights with checksum {expected}, found {found}")]
    Checksum {
        /// The checksum in the head.
        expected: String,
        /// The checksum of the weights.
        found: String,
    },
}

impl Weights {
    /// Reads the weights of a file for the design of a game. A network may have any shape that the file names.
    ///
    /// # Errors
    /// The file has no weights, belongs to another game, design or version, or is damaged.
    pub fn read(design: &Design, file: &[u8]) -> Result<Self, WeightsError> {
        let (head, body) = split(file)?;
        let shaped = shaped(design, &head);
        let design = shaped.as_ref().unwrap_or(design);
        let expected = expected_checksum(&head, design)?;
        let features = FeatureSet::new(design);
        let of_network = Network::len(features.patterns_len(), design.form.shape());
        let needed = 2 * (of_network + PHASES * weighted(&features, design).count());
        if body.len() != needed {
            return Err(WeightsError::Size { expected: needed, found: body.len() });
        }
        let found = checksum(body);
        if found != expected {
            return Err(WeightsError::Checksum { expected: quotable(expected), found });
        }
        let (pairs, _) = body.as_chunks::<2>();
        let numbers: Vec<i16> = pairs.iter().copied().map(i16::from_le_bytes).collect();
        let (of_network, stored) = numbers.split_at(of_network);
        let weights = expanded(&features, design, stored);
        let network =
            (design.form != Form::Linear).then(|| Network::new(&features, design, of_network));
        let counts = design.counts.iter().map(|count| count.name).collect();
        Ok(Self { features, weights, network, counts })
    }

    /// The weights before training: each count has its [prior](super::patterns::Count::prior), and patterns are worth
    /// nothing.
    ///
    /// # Panics
    /// The design is none: it has more windows, kinds or counts than the limits allow.
    #[must_use]
    pub fn untrained(design: &Design) -> Self {
        let features = FeatureSet::new(design);
        let network = NetworkParameters::zeros(design.form.shape(), features.patterns_len());
        let learned = Parameters { weights: priors(design, &features), network };
        let weights = Self::read(design, &write(design, "none", &learned));
        weights.unwrap_or_else(|error| panic!("the design of {} is none: {error}", design.game))
    }

    /// The weights that are part of the program.
    ///
    /// # Panics
    /// The weights do not fit the game. A test verifies that they fit.
    #[must_use]
    pub fn built_in<R: Learned>(file: &[u8]) -> Arc<Self> {
        let design = R::design();
        let weights = Self::read(&design, file);
        Arc::new(
            weights.unwrap_or_else(|e| panic!("the weights of {} do not fit: {e}", design.game)),
        )
    }

    /// The weights of each index, in centipawns, as [`Parameters`] has them.
    #[must_use]
    pub fn centipawns(&self) -> Vec<[f32; PHASES]> {
        let real = |weight: &Weight| weight.map(|steps| f32::from(steps) / UNIT as f32);
        self.weights.iter().map(real).collect()
    }

    /// The value of a position for the side to move, in centipawns.
    #[inline]
    #[must_use]
    pub fn value(&self, perspective: &Perspective) -> i32 {
        let mut sums = [0; PHASES];
        match &self.network {
            Some(network) => sums = [network.value(&self.features, perspective); PHASES],
            None => self.features.visit_patterns(perspective, |index| self.add(&mut sums, index)),
        }
        self.features.visit_counts(perspective, |index| self.add(&mut sums, index));
        interpolated(sums, perspective.phase)
    }

    /// The value in parts: each count, and the patterns together.
    #[must_use]
    pub fn terms(&self, perspective: &Perspective) -> Terms {
        let mut terms = Terms::new();
        self.features.visit_counts(perspective, |index| {
            let mut sums = [0; PHASES];
            self.add(&mut sums, index);
            terms.push((self.counts[terms.len()], interpolated(sums, perspective.phase)));
        });
        // The rest, so that rounding loses nothing.
        terms.push(("patterns", self.value(perspective) - total(&terms)));
        terms
    }

    /// The value of each pattern by itself. Patterns that are worth nothing are left out.
    pub fn patterns(&self, design: &Design) -> impl Iterator<Item = Pattern> {
        let is_own = |index: &usize| self.features.ties()[*index] as usize == *index;
        (0..self.features.patterns_len()).filter(is_own).filter_map(|index| {
            let steps = match &self.network {
                Some(network) => [network.alone(index as u32); PHASES],
                None => self.weights[index].map(i32::from),
            };
            let centipawns = steps.map(|steps| steps / UNIT);
            let squares = self.features.pattern(design, index);
            (centipawns != [0; PHASES]).then_some(Pattern { squares, centipawns })
        })
    }

    #[inline]
    fn add(&self, sums: &mut [i32; PHASES], index: u32) {
        for (sum, weight) in sums.iter_mut().zip(self.weights[index as usize]) {
            *sum += i32::from(weight);
        }
    }
}

#[inline]
const fn interpolated([begin, end]: [i32; PHASES], phase: i32) -> i32 {
    (begin * (LAST_PHASE - phase) + end * phase) / (LAST_PHASE * UNIT)
}

/// The weights of each index before training, as [`Parameters`] has them.
#[must_use]
pub fn priors(design: &Design, features: &FeatureSet) -> Vec<[f32; PHASES]> {
    let mut weights = vec![[0.0; PHASES]; features.ties().len()];
    for (number, count) in design.counts.iter().enumerate() {
        for (index, own, enemy) in features.count(number) {
            weights[index as usize] = [(count.prior)(own as f32, enemy as f32); PHASES];
        }
    }
    weights
}

/// The id of the game that a file of weights is for.
///
/// # Errors
/// The file is not a file of weights.
pub fn game(file: &[u8]) -> Result<String, WeightsError> {
    let (head, _) = split(file)?;
    let line = head.lines().nth(1).unwrap_or_default();
    let game = line.strip_prefix("game ").map(quotable);
    game.ok_or_else(|| WeightsError::Head {
        expected: "game ...".to_owned(),
        found: quotable(line),
    })
}

/// A file of learned weights. Indices that share a weight take the weight of the first.
#[must_use]
pub fn write(design: &Design, recipe: &str, learned: &Parameters) -> Vec<u8> {
    let features = FeatureSet::new(design);
    let round = |weight: f32| {
        let most = f32::from(i16::MAX);
        (weight * UNIT as f32).round().clamp(-most, most) as i16
    };
    let weights = weighted(&features, design).flat_map(|index| learned.weights[index].map(round));
    let of_network = learned.network.quantised(features.patterns(), UNIT).into_iter();
    let body: Vec<u8> = of_network.chain(weights).flat_map(i16::to_le_bytes).collect();
    let mut head = head_lines(design).join("\n");
    let _ = write!(head, "\nrecipe {recipe}\nchecksum {}\n\n", checksum(&body));
    [head.into_bytes(), body].concat()
}

/// The first lines of a file, which say what the weights are for.
fn head_lines(design: &Design) -> [String; 4] {
    let symmetry = match design.symmetry {
        Symmetry::Mirror => "mirror",
        Symmetry::Square => "square",
    };
    let mut text = format!(
        "design {}x{} {symmetry} {}",
        design.board.files,
        design.board.ranks,
        design.kinds.len()
    );
    for window in &design.windows {
        let ((file, rank), (files, ranks)) = (window.at, window.size);
        let _ = write!(text, " {files}x{ranks}+{file}+{rank}");
    }
    for count in &design.counts {
        let _ = write!(text, " {}{}", count.name, count.most);
    }
    if let Form::Network(Shape { units, buckets }) = design.form {
        let _ = write!(text, " units{units}");
        // Files of networks with one bucket are older than buckets.
        if buckets > 1 {
            let _ = write!(text, " buckets{buckets}");
        }
    }
    [MAGIC.to_owned(), format!("game {}", design.game), text, format!("unit {UNIT}")]
}

/// The design with the shape that a file's head names, if the design has a network and may have the shape.
fn shaped(design: &Design, head: &str) -> Option<Design> {
    let line = head.lines().nth(2).filter(|_| design.form != Form::Linear)?;
    let number = |name| line.split(' ').find_map(|word| word.strip_prefix(name)?.parse().ok());
    let shape = Shape { units: number("units")?, buckets: number("buckets").unwrap_or(1) };
    shape.is_allowed(design.symmetry).then(|| design.shaped(shape))
}

/// Splits a file into the lines of its head, and its weights.
fn split(file: &[u8]) -> Result<(Cow<'_, str>, &[u8]), WeightsError> {
    let rest = file.strip_prefix(MAGIC.as_bytes());
    if !rest.is_some_and(|rest| rest.starts_with(b"\n")) {
        return Err(WeightsError::Foreign);
    }
    let end = file.windows(2).position(|two| two == b"\n\n").unwrap_or(file.len());
    Ok((String::from_utf8_lossy(&file[..end]), file.get(end + 2..).unwrap_or_default()))
}

/// A line of the head, short enough for a message.
fn quotable(text: &str) -> String {
    text.chars().take(MAX_QUOTED).collect()
}

/// The checksum in a head, if the other lines are what the game needs.
fn expected_checksum<'a>(head: &'a str, design: &Design) -> Result<&'a str, WeightsError> {
    let mut lines = head.lines();
    for expected in head_lines(design) {
        let found = lines.next().unwrap_or_default();
        if found != expected {
            return Err(WeightsError::Head { expected, found: quotable(found) });
        }
    }
    Ok(lines.find_map(|line| line.strip_prefix("checksum ")).unwrap_or_default())
}

/// The indices with a weight of their own. Of indices that share a weight, this is the first.
fn weighted<'a>(features: &'a FeatureSet, design: &Design) -> impl Iterator<Item = usize> + 'a {
    let first = if design.form == Form::Linear { 0 } else { features.patterns_len() };
    let is_own = |(index, tie): &(usize, &u32)| **tie as usize == *index;
    features.ties().iter().enumerate().skip(first).filter(is_own).map(|(index, _)| index)
}

/// The weights of all indices, from the weights stored in a file.
fn expanded(features: &FeatureSet, design: &Design, stored: &[i16]) -> Vec<Weight> {
    let mut weights = vec![[0; PHASES]; features.ties().len()];
    let (stored, _) = stored.as_chunks::<PHASES>();
    for (index, stored) in weighted(features, design).zip(stored) {
        weights[index] = *stored;
    }
    for (index, tie) in features.ties().iter().enumerate() {
        weights[index] = weights[*tie as usize];
    }
    weights
}

fn checksum(body: &[u8]) -> String {
    format!("{:08x}", crc32fast::hash(body))
}

#[cfg(test)]
mod tests {
    use arrayvec::ArrayVec;
    use leap_core::{Geometry, SquareSet};

    use super::*;
    use crate::eval::patterns::{Count, Symmetry, Window, tests};

    fn design(game: &'static str) -> Design {
        let count = |name| Count { name, most: 12, prior: |own, enemy| own - enemy };
        let windows =
            vec![Window { at: (0, 0), size: (3, 3) }, Window { at: (0, 1), size: (5, 1) }];
        let board = Geometry { files: 5, ranks: 5 };
        let counts = vec![count("men"), count("mobility")];
        Design { game, board, counts, ..tests::windows(Symmetry::Square, windows) }
    }

    fn weights() -> Vec<[f32; PHASES]> {
        let features = FeatureSet::new(&design("one"));
        (0..features.ties().len()).map(|index| [index as f32 / 1000.0, -1.0]).collect()
    }

    fn file() -> Vec<u8> {
        let network = NetworkParameters::default();
        let learned = Parameters { weights: weights(), network };
        write(&design("one"), "made for a test", &learned)
    }

    fn read(file: &[u8]) -> Result<Weights, WeightsError> {
        Weights::read(&design("one"), file)
    }

    #[test]
    fn what_is_written_is_read() {
        let read = read(&file()).unwrap();
        let kinds = ArrayVec::from_iter([SquareSet(0x1ff), SquareSet(0xff << 17)]);
        let perspective =
            Perspective { kinds, counts: ArrayVec::from_iter([(9, 8), (3, 5)]), phase: 0 };
        let (mut patterns, mut count) = (Vec::new(), 0);
        read.features.visit_patterns(&perspective, |index| {
            patterns.push(read.features.ties()[index as usize])
        });
        read.features.visit_counts(&perspective, |_| count += 1);
        let expected: f32 = patterns.iter().map(|index| weights()[*index as usize][0]).sum();
        let mut counted = 0.0;
        read.features.visit_counts(&perspective, |index| counted += weights()[index as usize][0]);
        assert_eq!(count, 2);
        assert!((read.value(&perspective) as f32 - expected - counted).abs() < 5.0);
    }

    #[test]
    fn before_training_counts_have_their_priors_and_patterns_are_worth_nothing() {
        let tables = design("one");
        for design in [tables.shaped(Shape { units: 4, buckets: 2 }), tables] {
            let untrained = Weights::untrained(&design);
            let kinds = ArrayVec::from_iter([SquareSet(0x1ff), SquareSet(0xff << 17)]);
            let perspective =
                Perspective { kinds, counts: ArrayVec::from_iter([(9, 8), (3, 5)]), phase: 7 };
            let terms = untrained.terms(&perspective);
            assert_eq!(terms[..], [("men", 1), ("mobility", -2), ("patterns", 0)]);
        }
    }

    /// Networks of other shapes can be tried without another program.
    #[test]
    fn a_file_of_a_network_decides_its_shape() {
        let of = |units, buckets| Shape { units, buckets };
        let design = design("one").shaped(of(4, 1));
        let features = FeatureSet::new(&design);
        let file = |shape: Shape| {
            let network = NetworkParameters::zeros(shape, features.patterns_len());
            let weights = vec![[0.0; PHASES]; features.ties().len()];
            write(&design.shaped(shape), "", &Parameters { weights, network })
        };
        for shape in [of(4, 1), of(16, 3), of(1, 16)] {
            Weights::read(&design, &file(shape)).unwrap();
        }
        for shape in [of(17, 1), of(4, 17)] {
            let refused = Weights::read(&design, &file(shape));
            assert!(matches!(refused, Err(WeightsError::Head { .. })), "{shape:?}: {refused:?}");
        }
    }

    /// `tests/program/eval_file.rs` has the files that no game could read.
    #[test]
    fn files_of_other_games_and_damaged_weights_are_refused() {
        let message = |result: Result<Weights, WeightsError>| result.unwrap_err().to_string();
        let other = Weights::read(&design("two"), &file());
        assert_eq!(message(other), "expected the line 'game two', found 'game one'");
        let mut damaged = file();
        *damaged.last_mut().unwrap() ^= 1;
        assert!(matches!(read(&damaged), Err(WeightsError::Checksum { .. })));
        assert_eq!(read(b"leapd-weights 10\n").unwrap_err(), WeightsError::Foreign);
    }
}
