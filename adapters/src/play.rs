//! `leap play`: a board in the terminal, for people over ssh.
//!
//! What there is (`app`), how it looks (`scene`, `draw`) and how keys become actions (`action`) know nothing of each
//! other's business; only this file touches the terminal.

mod action;
mod app;
mod board;
mod draw;
mod scene;

use std::env;
use std::io::{self, IsTerminal as _};
use std::process::ExitCode;
use std::thread;
#[cfg(unix)]
use std::time::Duration;

use anyhow::{Context as _, ensure};
use crossbeam_channel::{Receiver, Sender, bounded, select};
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, KeyEvent, KeyEventKind};

use crate::game::{Game, GameArgs, PersonArgs};
use action::Action;
use app::App;

/// Keys that are read ahead; whoever types more has to wait.
const READ_AHEAD: usize = 64;

/// How long the app has to end in good order.
#[cfg(unix)]
const GRACE: Duration = Duration::from_millis(700);

/// Play against an engine in the terminal.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Exit status: 0 at the end, 2 could not run.\n\nExample: leap play --game froglet --side p2"
)]
pub struct PlayArgs {
    #[command(flatten)]
    #[allow(missing_docs, reason = "clap would print it")]
    pub person: PersonArgs,
    #[command(flatten)]
    #[allow(missing_docs, reason = "clap would print it")]
    pub game: GameArgs,
}

/// What happens outside.
enum Event {
    Key(KeyEvent),
    /// The window has another size, or the like.
    Redraw,
    /// A signal, or the end of the input.
    End,
}

/// Runs the command.
///
/// # Errors
/// There is no terminal, or no engine that can be used.
pub fn run(args: PlayArgs) -> anyhow::Result<ExitCode> {
    let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    ensure!(is_terminal, "expected a terminal, found a file or a pipe");
    let has_colour = env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let mut app = App::new(Game::open(&args.game)?, &args)?;
    let (sender, events) = bounded(READ_AHEAD);
    #[cfg(unix)]
    end_on_signals(sender.clone())?;
    let mut terminal = ratatui::try_init().context("cannot use the terminal")?;
    read_keys(sender)?;
    let done = show(&mut terminal, &mut app, &events, has_colour);
    ratatui::restore();
    done?;
    if let Some(farewell) = app.end()? {
        crate::terminal::show(format_args!("{farewell}\n"))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Takes turns with whoever is at the keyboard and the engine until it is to end.
fn show(
    terminal: &mut DefaultTerminal,
    app: &mut App,
    events: &Receiver<Event>,
    has_colour: bool,
) -> anyhow::Result<()> {
    let never = crossbeam_channel::never();
    while !app.is_done() {
        let scene = app.scene(has_colour);
        terminal.draw(|frame| draw::draw(&scene, frame)).context("cannot draw")?;
        let thoughts = app.thoughts().unwrap_or(&never).clone();
        select! {
            recv(events) -> event => match event {
                Ok(Event::Key(key)) => {
                    if let Some(action) = Action::of(key) {
                        app.act(action);
                    }
                }
                Ok(Event::Redraw) => {}
                Ok(Event::End) | Err(_) => return Ok(()),
            },
            recv(thoughts) -> line => app.thought(line.ok()),
        }
    }
    Ok(())
}

/// At a signal the engine is killed: nobody waits for it any more, and the game can be saved. A terminal that takes nothing
/// is not waited for either.
#[cfg(unix)]
fn end_on_signals(events: Sender<Event>) -> io::Result<()> {
    crate::client::signals::handle(move |signal| {
        crate::client::kill_engines();
        // If there is no room, there are other events that the app is busy with.
        let _ = events.try_send(Event::End);
        thread::sleep(GRACE);
        ratatui::restore();
        crate::client::kill_engines_and_exit(128 + signal);
    })
}

fn read_keys(events: Sender<Event>) -> io::Result<()> {
    let read = move || {
        loop {
            let event = match event::read() {
                Ok(event::Event::Key(key)) if key.kind != KeyEventKind::Release => Event::Key(key),
                Ok(_) => Event::Redraw,
                Err(_) => Event::End,
            };
            let is_last = matches!(event, Event::End);
            if events.send(event).is_err() || is_last {
                return;
            }
        }
    };
    thread::Builder::new().name("keys".to_owned()).spawn(read)?;
    Ok(())
}
