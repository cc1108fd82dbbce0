//! How to start an engine, and where to find leapd.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

/// How to start an engine: a program, its arguments and its working directory.
///
/// ```
/// use leap_client::EngineCommand;
///
/// let command = EngineCommand::new("leapd").arg("--game").arg("eximo");
/// assert_eq!(command.args, ["--game", "eximo"]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineCommand {
    /// The program: a path, or a name looked up in `PATH`.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// Its working directory; that of this process if `None`.
    pub directory: Option<PathBuf>,
}

impl EngineCommand {
    /// Creates a command for a program without arguments.
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Self { program: program.into(), ..Self::default() }
    }

    /// The program and its arguments; `None` if `words` is empty.
    pub fn from_words(words: &[String]) -> Option<Self> {
        let (program, args) = words.split_first()?;
        Some(Self { args: args.to_vec(), ..Self::new(program) })
    }

    /// Reads the name of a program, or a command line quoted as in a shell. The name of a file is never split.
    ///
    /// ```
    /// use leap_client::EngineCommand;
    ///
    /// let command = EngineCommand::from_text("ssh -T far 'leapd -v'").unwrap();
    /// assert_eq!(command.args, ["-T", "far", "leapd -v"]);
    /// ```
    ///
    /// # Errors
    /// If a quote is left open, or if there is no word.
    pub fn from_text(text: &str) -> anyhow::Result<Self> {
        if Path::new(text).is_file() {
            return Ok(Self::new(text));
        }
        let words = split_words(text)
            .with_context(|| format!("expected a command line, found an open quote in '{text}'"))?;
        Self::from_words(&words).context("expected a program, found nothing")
    }

    /// Adds an argument.
    #[must_use]
    pub fn arg(mut self, arg: impl Into<String>) -> Self {
        self.args.push(arg.into());
        self
    }
}

/// Splits a command line into its words, as a POSIX shell does; `None` if a quote is left open. On Windows a backslash
/// separates folders and escapes nothing.
pub fn split_words(line: &str) -> Option<Vec<String>> {
    // A backslash within single quotes stays doubled, which means the same in a path.
    if cfg!(windows) { shlex::split(&line.replace('\\', r"\\")) } else { shlex::split(line) }
}

/// Finds leapd next to the running program, where a build puts it, or in `PATH`.
pub fn find_leapd() -> anyhow::Result<PathBuf> {
    let name = format!("leapd{}", env::consts::EXE_SUFFIX);
    let own = env::current_exe().ok();
    let beside = own.as_deref().and_then(|path| path.parent()).map(|dir| dir.join(&name));
    let path = env::var_os("PATH").unwrap_or_default();
    let candidates = beside.into_iter().chain(env::split_paths(&path).map(|dir| dir.join(&name)));
    match candidates.into_iter().find(|path| path.is_file()) {
        Some(path) => Ok(path),
        None => bail!(
            "cannot find leapd beside this program or in PATH: build it by 'cargo build --release -p leapd', or name \
             another engine"
        ),
    }
}

/// The engine of a command line: a program with its arguments, or leapd if `words` is empty.
pub fn engine_or_leapd(words: &[String]) -> anyhow::Result<EngineCommand> {
    match EngineCommand::from_words(words) {
        Some(command) => Ok(command),
        None => find_leapd().map(EngineCommand::new),
    }
}
