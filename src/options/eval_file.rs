//! The option `EvalFile`: weights from a file, for experiments.

use std::any::Any;
use std::fmt::{self, Display, Formatter};
use std::fs::{self, File};
use std::io::{self, Read};
use std::sync::Arc;

use leap_protocol::option::EMPTY;
use thiserror::Error;

use crate::eval::model::{self, ModelError};
use crate::eval::{Evaluate, Weights};
use crate::for_each_game;
use crate::games::GameId;

/// The largest file that is read, in bytes.
const MAX_BYTES: u64 = 16 << 20;

/// Weights from a file, for the game that the file names; other games have those of the program.
#[derive(Clone, Debug, Default)]
pub struct EvalFile {
    path: String,
    /// [`Evaluate::Weights`] of the game. There are no two games with the same type.
    weights: Option<Arc<dyn Any + Send + Sync>>,
}

/// Why a file has no weights that serve.
#[derive(Debug, Error)]
pub enum EvalFileError {
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] io::Error),
    /// It is a folder or a device.
    #[error("this is no regular file")]
    NoFile,
    /// It belongs to no known game.
    #[error("the weights are for '{0}', which is no game here")]
    Game(String),
    /// Its contents do not fit.
    #[error(transparent)]
    Contents(#[from] ModelError),
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
        // A pipe would keep its reader waiting.
        if !fs::metadata(path)?.is_file() {
            return Err(EvalFileError::NoFile);
        }
        let mut file = Vec::new();
        File::open(path)?.take(MAX_BYTES).read_to_end(&mut file)?;
        Ok(Self { path: path.to_owned(), weights: Some(parse(&file)?) })
    }

    /// The weights of a game: those of the file, if it is for this game.
    #[must_use]
    pub fn weights<G: Evaluate>(&self) -> G::Weights {
        let own = self.weights.as_deref().and_then(|weights| weights.downcast_ref::<G::Weights>());
        own.cloned().unwrap_or_default()
    }
}

/// The path; empty if there is no file.
impl Display for EvalFile {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path)
    }
}

/// The weights in a file, of the type that its game has.
fn parse(file: &[u8]) -> Result<Arc<dyn Any + Send + Sync>, EvalFileError> {
    macro_rules! parse {
        ($($id:ident $rules:ident $title:literal;)*) => {
            |game| match game {
                $(GameId::$rules => {
                    let weights = <crate::rules::$id::$rules as Evaluate>::Weights::read(file)?;
                    Ok(Arc::new(weights) as Arc<dyn Any + Send + Sync>)
                })*
            }
        };
    }
    let game = model::game(file)?;
    game.parse().map_err(|_| EvalFileError::Game(game)).and_then(for_each_game!(parse))
}
