//! The option `EvalFile`: weights from a file, for experiments.

use std::fmt::{self, Display, Formatter};
use std::io::{self, Read};
use std::path::Path;

use leap_protocol::option::EMPTY;
use thiserror::Error;

use leap_games::{Evaluators, Row};
use leap_search::eval::weights::{self, WeightsError};

use crate::files;

/// The largest file that is read, in bytes.
const MAX_BYTES: u64 = 16 << 20;

/// Weights from a file, for the game that the file names; other games have those of the program.
#[derive(Clone, Debug, Default)]
pub struct EvalFile {
    path: String,
    evaluators: Evaluators,
}

/// Why the weights of a file cannot be used.
#[derive(Debug, Error)]
pub enum EvalFileError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] io::Error),
    /// The file is too large, or has no size. System files that are endless or block a reader have no size.
    #[error("expected a file of 1 to {most} bytes, found {0}", most = MAX_BYTES)]
    Size(u64),
    /// The weights belong to no known game.
    #[error("the weights are for '{0}', which is no game here")]
    Game(String),
    /// The contents do not fit the game.
    #[error(transparent)]
    Contents(#[from] WeightsError),
}

impl EvalFile {
    /// Reads the weights of a file; `<empty>` stands for none.
    ///
    /// # Errors
    /// The file cannot be read, or its weights do not fit.
    pub fn read(path: &str) -> Result<Self, EvalFileError> {
        if path == EMPTY {
            return Ok(Self::default());
        }
        let file = contents(path.as_ref())?;
        let name = weights::game(&file)?;
        let game = name.parse().map_err(|_| EvalFileError::Game(name))?;
        let mut evaluators = Evaluators::default();
        evaluators.read(game, &file)?;
        Ok(Self { path: path.to_owned(), evaluators })
    }

    /// The evaluator of a game: with the weights of the file, if they are for this game.
    #[must_use]
    pub fn evaluator<R: Row>(&self) -> R::Evaluator {
        R::evaluator(&self.evaluators).cloned().unwrap_or_default()
    }
}

/// The path; empty if there is no file.
impl Display for EvalFile {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path)
    }
}

/// The bytes of a file that can be read in bounded time and memory, whatever the path leads to.
fn contents(path: &Path) -> Result<Vec<u8>, EvalFileError> {
    let file = files::open(path)?;
    match file.metadata()?.len() {
        1..=MAX_BYTES => {}
        size => return Err(EvalFileError::Size(size)),
    }
    let mut bytes = Vec::new();
    file.take(MAX_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}
