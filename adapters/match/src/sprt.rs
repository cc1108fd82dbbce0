//! `leap sprt`: what a result says about strength.

use std::process::ExitCode;

use anyhow::bail;
use leap_base::terminal;

use crate::stats::sprt::{Model, Sprt};
use crate::stats::{Estimate, Outcomes, Pentanomial, Trinomial};

/// Tell what a result says: Elo, the likelihood of superiority, and the state of a sequential test.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Example: leap sprt 880 1863 759 --elo1 5 --model logistic")]
pub struct SprtArgs {
    /// Games won, drawn and lost; or pairs of games with 0, 1/2, 1, 3/2 and 2 points, as `leap match --json` counts
    /// them.
    #[arg(value_name = "COUNT", required = true)]
    counts: Vec<u64>,
    /// The difference of the null hypothesis.
    #[arg(long, value_name = "ELO", default_value_t = 0.0, allow_negative_numbers = true)]
    elo0: f64,
    /// The difference of the alternative.
    #[arg(long, value_name = "ELO", default_value_t = 5.0, allow_negative_numbers = true)]
    elo1: f64,
    /// The probability of accepting the alternative wrongly.
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    alpha: f64,
    /// The probability of accepting the null hypothesis wrongly.
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    beta: f64,
    /// The meaning of Elo in the test.
    #[arg(long, value_enum, default_value_t)]
    model: Model,
}

/// Runs the command.
///
/// # Errors
/// If the counts are neither three nor five, or the test cannot be made.
pub fn run(args: SprtArgs) -> anyhow::Result<ExitCode> {
    let SprtArgs { elo0, elo1, alpha, beta, model, .. } = args;
    let test = Sprt { elo0, elo1, alpha, beta, model };
    test.check()?;
    let lines = match args.counts[..] {
        [wins, draws, losses] => {
            let games = Trinomial { wins, draws, losses };
            format!("{} games, {}", games.sample().count(), lines(&games, &test))
        }
        [a, b, c, d, e] => {
            let pairs = Pentanomial([a, b, c, d, e]);
            format!("{} pairs of games, {}", pairs.sample().count(), lines(&pairs, &test))
        }
        ref other => bail!(
            "expected 3 counts (won, drawn, lost) or 5 (pairs with 0, 1/2, 1, 3/2 and 2 points), found {}",
            other.len()
        ),
    };
    terminal::show(lines)?;
    Ok(ExitCode::SUCCESS)
}

fn lines(results: &impl Outcomes, test: &Sprt) -> String {
    let percent = |share: Option<f64>| {
        share.map_or_else(|| "-".to_owned(), |share| format!("{:.1} %", 100.0 * share))
    };
    let elo = |elo: Option<Estimate>| elo.map_or_else(|| "-".to_owned(), |elo| elo.to_string());
    let status = test.status(results);
    let open = if status.decision.is_none() { ", undecided" } else { "" };
    format!(
        "score {}\nElo {}, normalized {}, LOS {}\n{status}{open}\n",
        percent(results.score()),
        elo(results.elo()),
        elo(results.normalized_elo()),
        percent(results.los()),
    )
}
