//! Level *rules*: the rules of games, as files.
//!
//! Nothing here knows a rule. A file of positions ([`positions`]) has positions with their moves, counts and results. A
//! script is a transcript. Those of SPEC.md's games are part of the program:
//!
//! - `data/perft`: positions that were computed and cross-checked outside this project
//! - `data/rules`: scripts, written from the clauses that they name
//! - `data/examples.ugt`: the examples of SPEC.md

use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use include_dir::{Dir, include_dir};
use leap_base::files;

use super::context::Context;
use super::positions;
use super::script::{self, Script};
use super::step::{Step, step};

/// Positions with known results, one file for each game.
static POSITIONS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/data/perft");
/// Scripts, one file for each game.
static SCRIPTS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/data/rules");

/// The examples of SPEC.md that do not depend on the engine's options and games.
const EXAMPLES: &str = include_str!("../../data/examples.ugt");

/// The longest file that is read.
const MAX_BYTES: u64 = 64 << 20;

/// The rules of a game, as files.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct RulesArgs {
    /// Positions with their moves, counts and results: the level *rules* is these files, not the games of SPEC.md.
    #[arg(long, value_name = "FILE")]
    pub positions: Vec<PathBuf>,
    /// Transcripts as scripts, as --positions.
    #[arg(long, value_name = "FILE")]
    pub script: Vec<PathBuf>,
}

/// The steps of the given files; those of the program's own data if there are none.
///
/// # Errors
/// The file, its line, and what was expected there.
pub(super) fn steps(files: &RulesArgs) -> anyhow::Result<Vec<Step>> {
    let mut steps = Vec::new();
    if files.positions.is_empty() && files.script.is_empty() {
        for text in own(&POSITIONS) {
            steps.extend(positions::steps(text)?);
        }
        for text in own(&SCRIPTS) {
            steps.extend(script::parse(text, "script")?.into_iter().map(script_step));
        }
        steps.extend(script::parse(EXAMPLES, "example")?.into_iter().map(example_step));
    }
    for path in &files.positions {
        let shown = || path.display().to_string();
        steps.extend(positions::steps(&read(path)?).with_context(shown)?);
    }
    for path in &files.script {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let scripts = script::parse(&read(path)?, &name);
        let scripts = scripts.with_context(|| path.display().to_string())?;
        steps.extend(scripts.into_iter().map(script_step));
    }
    Ok(steps)
}

fn read(path: &Path) -> anyhow::Result<String> {
    let cannot = || format!("cannot read {}", path.display());
    let bytes = files::read(path, MAX_BYTES).with_context(cannot)?;
    String::from_utf8(bytes).map_err(|_| anyhow!("expected UTF-8")).with_context(cannot)
}

/// Whether SPEC.md defines the game.
pub(super) fn defines(game: &str) -> bool {
    let names = SCRIPTS.files().filter_map(|file| file.path().file_stem());
    names.into_iter().any(|name| name == game)
}

/// The contents of each file.
fn own(folder: &'static Dir<'_>) -> impl Iterator<Item = &'static str> {
    folder.files().filter_map(|file| file.contents_utf8())
}

fn script_step(script: Script) -> Step {
    let (needs, game) = (script.needs(), script.game.clone());
    let (clause, name) = (script.clause.clone(), script.name.clone());
    step(clause, name, move |ctx: &Context<'_>| script.run(&mut ctx.set_up()?))
        .needs(&needs)
        .of_game(game)
}

/// An example belongs to the first game that it sets up.
fn example_step(script: Script) -> Step {
    let (needs, clause, name) = (script.needs(), script.clause.clone(), script.name.clone());
    let game = script.games().next().map(str::to_owned).or_else(|| script.game.clone());
    step(clause, name, move |ctx| script::run_example(&script, ctx)).needs(&needs).of_game(game)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_data_can_be_read() {
        assert!(steps(&RulesArgs::default()).unwrap().len() > 100);
    }
}
