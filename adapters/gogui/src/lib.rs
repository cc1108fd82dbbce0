//! `leap gogui`: an engine for GoGui and other programs that speak the Go Text Protocol, version 2, with GoGui's
//! extensions for other games (`gogui-rules_*`).
//!
//! A turn is entered one vertex at a time; it lasts as long as `gogui-rules_side_to_move` stays the same. `pass` ends a
//! turn that may end but could go on. Black is p1, who moves first.

mod analyze;
mod clock;
mod commands;
mod gtp;
mod guide;
mod options;
mod plan;
mod play;
mod shared;
mod show;
mod think;

use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context as _;
use leap_base::terminal;
use leap_board::{Game, GameArgs, read_input};

use commands::GtpSession;
use gtp::Request;

/// The longest wait, so that every deadline stays within the range of `Instant`.
const DAY_MS: u64 = 86_400_000;

/// An engine for GoGui and other programs that speak GTP.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Exit status: 0 at 'quit' or the end of the input, 2 could not run.\n\n\
    Example: gogui -program 'leap gogui --game GAME'\n\n\
    GoGui then runs the command twice, as the player and as the authority on the rules.")]
pub struct GoguiArgs {
    /// How long a search by depth or nodes alone may take, in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 600_000, value_parser = clap::value_parser!(u64).range(1..=DAY_MS))]
    pub stall: u64,
    #[command(flatten)]
    #[allow(missing_docs, reason = "clap would print it")]
    pub game: GameArgs,
}

/// Runs the command. The exit status is 0.
///
/// # Errors
/// If there is no usable engine, or standard output is closed.
pub fn run(args: GoguiArgs) -> anyhow::Result<ExitCode> {
    let game = Game::open(&args.game)?;
    let lines = read_input()?;
    let stall = Duration::from_millis(args.stall);
    let mut session = GtpSession::new(game, args.game.limits, stall, lines)?;
    while let Some(line) = session.next_line() {
        let Some(request) = Request::parse(&line) else { continue };
        let response = session.answer(&request);
        let is_read =
            terminal::show(request.response(&response)).context("cannot write the answer")?;
        if !is_read || request.name == "quit" {
            break;
        }
    }
    Ok(ExitCode::SUCCESS)
}
