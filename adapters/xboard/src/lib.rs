//! `leap xboard`: an engine for XBoard, for every game, by mouse.
//!
//! XBoard does not know the rules of these games, so it is used as a terminal. It reports which squares the mouse picks
//! up and puts down (`lift`, `hover`, `put`). It is told which squares to mark (`highlight`), and what the board looks
//! like (`setboard`). Its other lines about moves and positions are ignored: the game is kept here.

mod art;
mod launch;
mod options;
mod pieces;
mod session;
mod view;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use crossbeam_channel::{Receiver, select};
use leap_base::terminal;
use leap_board::{Game, GameArgs, PersonArgs, read_input};

use session::XboardSession;

/// An engine for XBoard or, with --launch, XBoard with the engine.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Exit status: 0 at 'quit' or the end of the input, 2 could not run; with --launch that of XBoard.\n\n\
    Example: leap xboard --launch --game GAME --movetime 500"
)]
pub struct XboardArgs {
    /// Start XBoard with the right options and pictures.
    #[arg(long)]
    pub launch: bool,
    /// Write the pictures of pieces and board to this directory, print the XBoard options that use them, and exit.
    #[arg(long, value_name = "FOLDER", conflicts_with = "launch")]
    pub art: Option<PathBuf>,
    #[command(flatten)]
    #[allow(missing_docs, reason = "clap would print it")]
    pub person: PersonArgs,
    #[command(flatten)]
    #[allow(missing_docs, reason = "clap would print it")]
    pub game: GameArgs,
}

/// Runs the command.
///
/// # Errors
/// If there is no usable engine, or no XBoard.
pub fn run(args: XboardArgs) -> anyhow::Result<ExitCode> {
    args.person.check()?;
    if args.launch {
        return launch::launch(&args);
    }
    let mut game = Game::open(&args.game)?;
    if let Some(folder) = &args.art {
        let options = launch::draw(&mut game, args.person.side, folder)?;
        let options = shlex::try_join(options.iter().map(String::as_str))?;
        terminal::show(format_args!("{options}\n"))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut session = XboardSession::new(game, &args)?;
    serve(&mut session, &read_input()?)?;
    session.end();
    Ok(ExitCode::SUCCESS)
}

/// Alternates between XBoard and the engine until one of them ends the session.
fn serve(session: &mut XboardSession, lines: &Receiver<String>) -> anyhow::Result<()> {
    let never = crossbeam_channel::never();
    loop {
        let thoughts = session.thoughts().unwrap_or(&never).clone();
        select! {
            recv(lines) -> line => match line {
                Ok(line) if line.trim() == "quit" => return Ok(()),
                Ok(line) => session.command(&line),
                Err(_) => return Ok(()),
            },
            recv(thoughts) -> line => session.thought(line.ok()),
        }
        let lines: String = session.take_output().iter().map(|line| format!("{line}\n")).collect();
        if !terminal::show(lines).context("cannot write to XBoard")? {
            return Ok(());
        }
    }
}
