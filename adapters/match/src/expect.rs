//! `leap match --expect`: how many games a question needs, before any is played.

use std::fmt::Write as _;

use anyhow::ensure;
use leap_base::terminal;
use serde::Serialize;

use super::plan::args::MatchArgs;
use crate::stats::sprt::{Model, Sprt};
use crate::stats::{Expectation, games_for_error, signed};

/// Prints what the arguments ask about.
pub(super) fn run(args: &MatchArgs, test: Option<Sprt>) -> anyhow::Result<()> {
    let draws = args.draws.unwrap_or(0.0);
    ensure!(
        (0.0..1.0).contains(&draws),
        "--draws: expected a share from 0 to below 1, found {draws}"
    );
    if let Some(elo) = args.elo {
        ensure!(
            elo.abs() <= MOST_ELO,
            "--elo: expected at most {MOST_ELO} either way, found {elo}"
        );
    }
    let answer = match (test, args.elo) {
        (None, Some(elo)) if elo != 0.0 => {
            Answer::Match { elo: elo.abs(), games: games_for_error(elo, draws) }
        }
        (None, _) => {
            anyhow::bail!("--expect: expected --sprt or --elo with a difference, found neither")
        }
        (Some(test), Some(elo)) => Answer::Test { test, at: vec![test.expectation(elo, draws)] },
        (Some(test), None) => {
            let between = (test.elo0 + test.elo1) / 2.0;
            let at = [test.elo0, between, test.elo1].map(|elo| test.expectation(elo, draws));
            Answer::Test { test, at: at.into() }
        }
    };
    let text = if args.output.json {
        serde_json::to_string_pretty(&answer)? + "\n"
    } else {
        answer.to_text()
    };
    terminal::write_data(&text)?;
    Ok(())
}

/// Beyond this, expected scores cannot be told from 0 and 1.
const MOST_ELO: f64 = 1000.0;

#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Answer {
    /// A match of fixed length whose 95 % interval is this wide on either side.
    Match { elo: f64, games: f64 },
    /// A test, at several true differences.
    Test { test: Sprt, at: Vec<Expectation> },
}

impl Answer {
    fn to_text(&self) -> String {
        match self {
            Self::Match { elo, games } => {
                format!("{} games for a 95 % interval of ±{elo:.1} Elo\n", whole_pairs(*games))
            }
            Self::Test { test, at } => {
                let model = match test.model {
                    Model::Logistic => "logistic",
                    Model::Normalized => "normalized",
                };
                let mut text = format!("true Elo     games  accepts H1  ({model} Elo)\n");
                for Expectation { elo, games, h1 } in at {
                    let (elo, games) = (signed(*elo), whole_pairs(*games));
                    // Writing to a string cannot fail.
                    let _ = writeln!(text, "{elo:>8}  {games:>8}  {:>8.1} %", 100.0 * h1);
                }
                text
            }
        }
    }
}

/// The next even number of games.
fn whole_pairs(games: f64) -> u64 {
    2 * (games / 2.0).ceil() as u64
}
