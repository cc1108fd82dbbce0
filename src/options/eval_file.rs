//! The option `EvalFile`: weights from a file, for experiments.

use std::any::Any;
use std::fmt::{self, Display, Formatter};
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::Path;
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
    /// [`Evaluate::Weights`] of the game that the file names. The type tells the game: each learned evaluation has its own,
    /// `Fitted<G>`, and games without one share `()`, which no file fits.
    weights: Option<Arc<dyn Any + Send + Sync>>,
}

/// Why a file has no weights that serve.
#[derive(Debug, Error)]
pub enum EvalFileError {
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] io::Error),
    /// It is a folder, a pipe or a device.
    #[error("expected a regular file, found a folder, a pipe or a device")]
    NoFile,
    /// It is too large, or has no size: so are files of the system that never end or keep their reader waiting.
    #[error("expected a file of 1 to {most} bytes, found {0}", most = MAX_BYTES)]
    Size(u64),
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
        let file = contents(path.as_ref())?;
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

/// The bytes of a file that can be read in bounded time and memory, whatever the path leads to.
fn contents(path: &Path) -> Result<Vec<u8>, EvalFileError> {
    // Opening a device may act on it, so it is not even opened.
    check(&fs::metadata(path)?)?;
    let file = open(path)?;
    // Something else may have taken its place meanwhile.
    check(&file.metadata()?)?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn check(metadata: &Metadata) -> Result<(), EvalFileError> {
    match metadata.len() {
        _ if !metadata.is_file() => Err(EvalFileError::NoFile),
        1..=MAX_BYTES => Ok(()),
        size => Err(EvalFileError::Size(size)),
    }
}

/// Opens a file, without waiting for the other end if it is a pipe.
#[cfg(all(unix, feature = "program"))]
fn open(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt as _;

    let flags = nix::fcntl::OFlag::O_NONBLOCK;
    File::options().read(true).custom_flags(flags.bits()).open(path)
}

#[cfg(not(all(unix, feature = "program")))]
fn open(path: &Path) -> io::Result<File> {
    File::open(path)
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
