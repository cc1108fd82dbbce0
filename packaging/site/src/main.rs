//! Writes the website, or checks the links of one: `leap-site --help`.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::{Parser, Subcommand};
use leap_site::{Site, check};

#[derive(Parser)]
#[command(about)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Writes the book into a folder that has the playable page, and checks all links
    Write {
        /// The folder of the site; the playable page is in its folder `play`
        dir: PathBuf,
        /// The engine, which tells how the games are played
        #[arg(long)]
        leapd: PathBuf,
        /// The documentation of the crates, as `cargo doc` leaves it
        #[arg(long)]
        api: Option<PathBuf>,
        /// The address of the repository, for links to files that are no pages of the site
        #[arg(long)]
        repository: Option<String>,
    },
    /// Checks all links within a site
    Check {
        /// The folder of the site
        dir: PathBuf,
    },
}

fn main() -> Result<()> {
    let dir = match Args::parse().command {
        Command::Write { dir, leapd, api, repository } => {
            let root = PathBuf::from(".");
            Site { root, leapd, api, repository }.write(&dir)?;
            dir
        }
        Command::Check { dir } => dir,
    };
    let broken = check::broken_links(&dir)?;
    if !broken.is_empty() {
        bail!("{} broken links:\n{}", broken.len(), broken.join("\n"));
    }
    Ok(())
}
