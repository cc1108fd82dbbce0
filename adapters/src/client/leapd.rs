//! Where leapd is.

use std::env;
use std::path::PathBuf;

use anyhow::bail;

use super::EngineCommand;

/// Finds leapd beside our own program, as a build leaves it, or in `PATH`.
pub(crate) fn find_leapd() -> anyhow::Result<PathBuf> {
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

/// The engine of a command line: a program with its arguments, or leapd if there is none.
pub(crate) fn engine_or_leapd(words: &[String]) -> anyhow::Result<EngineCommand> {
    Ok(match words.split_first() {
        Some((program, args)) => {
            EngineCommand { args: args.to_vec(), ..EngineCommand::new(program) }
        }
        None => EngineCommand::new(find_leapd()?),
    })
}
