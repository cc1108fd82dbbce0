//! `leap gogui`: an engine for GoGui and other programs that speak the Go Text Protocol, version 2, with GoGui's
//! extensions for other games (`gogui-rules_*`).
//!
//! A turn is entered one vertex after the other; it lasts as long as `gogui-rules_side_to_move` stays the same. `pass`
//! ends a turn that may end but could go on. Black is p1, who moves first.

mod clock;
mod commands;
mod gtp;
mod play;
mod show;

use std::io::{self, BufReader, Write as _};
use std::process::ExitCode;
use std::thread;

use anyhow::Context as _;
use crossbeam_channel::{Receiver, bounded};
use leap_protocol::{Line, LineReader};

use crate::client::kill_engines_on_signals;
use crate::game::{Game, GameArgs, LevelArgs};
use commands::Session;
use gtp::Request;

/// Lines that are read ahead; whoever writes more has to wait.
const READ_AHEAD: usize = 256;

/// An engine for GoGui and other programs that speak GTP.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Exit status: 0 at 'quit' or the end of the input, 2 could not run.\n\n\
    In GoGui: Program > New Program, command 'leap gogui --game eximo -- leapd'; then Game > Rules > Attach, with the same \
    command.")]
pub struct Args {
    #[command(flatten)]
    #[allow(missing_docs, reason = "clap would print it")]
    pub level: LevelArgs,
    #[command(flatten)]
    #[allow(missing_docs, reason = "clap would print it")]
    pub game: GameArgs,
}

/// Runs the command. The status is 0.
///
/// # Errors
/// There is no engine that can be used, or standard output is closed.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    kill_engines_on_signals()?;
    let game = Game::open(&args.game)?;
    let lines = read_input()?;
    let mut session = Session::new(game, args.level, lines.clone())?;
    let mut out = io::stdout().lock();
    while let Some(line) = session.next_line() {
        let Some(request) = Request::parse(&line) else { continue };
        let response = session.answer(&request);
        write!(out, "{}", request.response(&response)).context("cannot write the answer")?;
        out.flush().context("cannot write the answer")?;
        if request.name == "quit" {
            break;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads standard input in a thread of its own, so that a search can be interrupted. What is no text is skipped.
fn read_input() -> io::Result<Receiver<String>> {
    let (sender, lines) = bounded(READ_AHEAD);
    let read = move || {
        for line in LineReader::new(BufReader::new(io::stdin())).map_while(Result::ok) {
            let text = match line {
                Line::Text(text) => text,
                // It gets an answer all the same: an error.
                Line::TooLong => "(a line that is too long)".to_owned(),
                Line::NotUtf8 => "(a line that is not UTF-8)".to_owned(),
            };
            if sender.send(text).is_err() {
                return;
            }
        }
    };
    thread::Builder::new().name("input".to_owned()).spawn(read)?;
    Ok(lines)
}
