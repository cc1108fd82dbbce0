//! `leap-strength`: the pages about strength say what the measurements say.
//!
//! Every match and measurement is a row of a CSV file. This program makes the charts from the rows, and the tables of
//! the pages between their markers.

use std::path::PathBuf;

use anyhow::Result;
use clap::Parser;

use leap_strength::{check, update};

/// Makes the tables and charts of the pages about strength from benches/strength/*.csv
#[derive(Parser)]
#[command(name = "leap-strength", version)]
struct Arguments {
    /// Write nothing; fail if a page or chart is not what the rows give
    #[arg(long)]
    check: bool,
    /// The root of the repository
    #[arg(long, value_name = "DIR", default_value = ".")]
    root: PathBuf,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    if arguments.check { check(&arguments.root) } else { update(&arguments.root) }
}
