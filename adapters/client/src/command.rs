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

    /// A program and its arguments. A single word may be a whole command line, as [`EngineCommand::from_text`] reads it.
    ///
    /// # Errors
    /// If there is no word, or if a single word leaves a quote open.
    pub fn from_words(words: &[String]) -> anyhow::Result<Self> {
        match words {
            [] => bail!("expected an engine, found none"),
            [text] => Self::from_text(text),
            [program, args @ ..] => Ok(Self { args: args.to_vec(), ..Self::new(program) }),
        }
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
        Self::from_text_in(text, None)
    }

    /// Like [`EngineCommand::from_text`], for a program that is started in a directory. A path names a file in that
    /// directory if there is one, and otherwise a file in the directory of this process.
    ///
    /// # Errors
    /// As [`EngineCommand::from_text`].
    pub fn from_text_in(text: &str, directory: Option<&Path>) -> anyhow::Result<Self> {
        let directory = directory.map(Path::to_owned);
        if let Some(program) = file(text, directory.as_deref()) {
            return Ok(Self { directory, ..Self::new(program) });
        }
        let words = split_words(text)
            .with_context(|| format!("expected a command line, found an open quote in '{text}'"))?;
        let (name, args) = words.split_first().context("expected an engine, found none")?;
        let program = file(name, directory.as_deref()).unwrap_or_else(|| name.into());
        Ok(Self { program, args: args.to_vec(), directory })
    }

    /// Adds an argument.
    #[must_use]
    pub fn arg(mut self, arg: impl Into<String>) -> Self {
        self.args.push(arg.into());
        self
    }
}

/// The file that a text names; `None` if there is none. A name that is one word is no path: it is looked up in `PATH`.
fn file(text: &str, directory: Option<&Path>) -> Option<PathBuf> {
    let path = Path::new(text);
    let is_path = path.components().count() > 1 || text.contains(char::is_whitespace);
    let inside = directory.filter(|_| is_path).map(|directory| directory.join(path));
    inside.into_iter().chain([path.to_owned()]).find(|path| path.is_file())
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
    if words.is_empty() {
        return find_leapd().map(EngineCommand::new);
    }
    EngineCommand::from_words(words)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn command(text: &str, directory: Option<&Path>) -> (PathBuf, Vec<String>) {
        let EngineCommand { program, args, .. } =
            EngineCommand::from_text_in(text, directory).unwrap();
        (program, args)
    }

    #[test]
    fn a_text_that_names_a_file_in_the_directory_is_the_program() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["new", "new engine", "-v"] {
            fs::write(dir.path().join(name), "").unwrap();
        }
        let inside = |name: &str| dir.path().join(name);
        for (text, program, args) in [
            ("./new engine", inside("./new engine"), &[][..]),
            ("new engine", inside("new engine"), &[]),
            ("./new", inside("./new"), &[]),
            ("./new -v 'a b'", inside("./new"), &["-v", "a b"]),
            ("'./new engine' -v", inside("./new engine"), &["-v"]),
            ("./other engine", PathBuf::from("./other"), &["engine"]),
            // A word is looked up in PATH.
            ("new", PathBuf::from("new"), &[]),
        ] {
            let args: Vec<String> = args.iter().map(|&arg| arg.to_owned()).collect();
            assert_eq!(command(text, Some(dir.path())), (program, args), "{text}");
        }
        let whole = inside("new engine");
        assert_eq!(command(whole.to_str().unwrap(), None), (whole, Vec::new()));
    }

    #[test]
    fn a_single_word_may_be_a_command_line() {
        let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
        let expected = EngineCommand::new("python3").arg("game.py");
        for given in [&["python3 game.py"][..], &["python3", "game.py"]] {
            assert_eq!(EngineCommand::from_words(&words(given)).unwrap(), expected);
        }
        let spaced = EngineCommand::new("a b").arg("c");
        assert_eq!(EngineCommand::from_words(&words(&["a b", "c"])).unwrap(), spaced);
        assert!(EngineCommand::from_words(&[]).is_err());
    }
}
