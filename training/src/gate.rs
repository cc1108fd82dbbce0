//! `leap-train gate`: tests whether weights are stronger than the engine's own (docs/strength.md).

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use leap_train::{Trained, named};
use leapd::usage::positive;

/// The script that plays the matches, from the root of the repository.
const TESTING_GROUND: &str = "benches/strength/run";

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The game
    game: String,
    /// The file of weights
    file: PathBuf,
    /// The number of nodes of each move in the first match
    #[arg(long, value_name = "N", default_value_t = 4000, value_parser = positive::<u64>())]
    nodes: u64,
    /// The clock of the second match
    #[arg(long, value_name = "TC", default_value = "1+0.01")]
    tc: String,
    /// The settings of the sequential test
    #[arg(long, value_name = "SETTINGS", default_value = "elo0=0 elo1=20")]
    sprt: String,
    /// The number of games at a time
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = positive::<usize>())]
    concurrency: usize,
}

/// Plays a match at equal nodes, which no other load disturbs. Then plays one by the clock, which counts the cost of a
/// node too.
pub(crate) fn gate(arguments: &Arguments, games: &[Trained]) -> Result<()> {
    let Arguments { game, file, nodes, tc, .. } = arguments;
    named(games, game)?.check(file)?;
    for (limit, value) in [("--nodes", &nodes.to_string()), ("--tc", tc)] {
        let mut script = Command::new(TESTING_GROUND);
        script.arg(game).arg("--eval").arg(file).args([limit, value]);
        script.args(["--sprt", &arguments.sprt]);
        script.args(["--concurrency", &arguments.concurrency.to_string()]);
        let expected =
            || format!("cannot run {TESTING_GROUND}: expected the root of the repository");
        let status = script.status().with_context(expected)?;
        ensure!(status.success(), "{} did not pass the test with {limit} {value}", file.display());
    }
    println!("{} passed", file.display());
    Ok(())
}
