//! Writes the man pages of `leapd` and `leap`, and their completions for shells: `cargo run -p leap-packaging DIR`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Command, CommandFactory, Parser};
use clap_complete::aot::{Shell, generate_to};

#[derive(Parser)]
struct Args {
    /// The directory that gets the folders `man` and `completions`
    dir: PathBuf,
}

/// Shells whose users find a completion in a package. Elvish has no directory for them.
const SHELLS: [Shell; 4] = [Shell::Bash, Shell::Fish, Shell::PowerShell, Shell::Zsh];

fn main() -> Result<()> {
    let Args { dir } = Args::parse();
    for command in [leapd::cli::command(&leapd::GAMES), leap_adapters::cli::Cli::command()] {
        write(command, &dir).with_context(|| format!("cannot write to {}", dir.display()))?;
    }
    Ok(())
}

/// Writes a page for the program and each of its subcommands, and a completion for each shell.
fn write(mut command: Command, dir: &Path) -> Result<()> {
    let [man, completions] = ["man", "completions"].map(|folder| dir.join(folder));
    fs::create_dir_all(&man)?;
    fs::create_dir_all(&completions)?;
    // `help` would get a page for each subcommand that it explains.
    clap_mangen::generate_to(command.clone().disable_help_subcommand(true), &man)?;
    let name = command.get_name().to_owned();
    for shell in SHELLS {
        generate_to(shell, &mut command, &name, &completions)?;
    }
    Ok(())
}
