//! `leap play`: a board in the terminal, also over ssh.
//!
//! The state (`app`), its presentation (`scene`, `draw`) and the keys (`action`) are independent of each other. Only
//! this file touches the terminal.

mod action;
mod app;
mod board;
mod draw;
mod scene;

use std::env;
use std::io::{self, IsTerminal as _};
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, ensure};
use crossbeam_channel::{Receiver, Sender, bounded, select};
use leap_board::{Game, GameArgs, PersonArgs};
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, KeyEvent, KeyEventKind};

use action::Action;
use app::App;

/// Keys that are buffered; further ones wait.
const READ_AHEAD: usize = 64;

/// How long the app may take to shut down cleanly.
const GRACE: Duration = Duration::from_millis(700);

/// Play against an engine in the terminal.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Exit status: 0 at the end, 2 could not run.\n\nExample: leap play --game GAME --side p2"
)]
pub struct PlayArgs {
    #[command(flatten)]
    #[allow(missing_docs, reason = "clap would print it")]
    pub person: PersonArgs,
    #[command(flatten)]
    #[allow(missing_docs, reason = "clap would print it")]
    pub game: GameArgs,
}

/// An event from outside.
enum Event {
    Key(KeyEvent),
    /// The window was resized, or something similar.
    Redraw,
    /// A signal, or the end of the input.
    End,
}

/// Runs the command.
///
/// # Errors
/// If there is no terminal or no usable engine.
pub fn run(args: PlayArgs) -> anyhow::Result<ExitCode> {
    let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    ensure!(is_terminal, "expected a terminal, found a file or a pipe");
    args.person.check()?;
    let has_colour = env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let mut app = App::new(Game::open(&args.game)?, &args)?;
    let (sender, events) = bounded(READ_AHEAD);
    end_on_signals(sender.clone())?;
    let mut terminal = ratatui::try_init().context("cannot use the terminal")?;
    read_keys(sender)?;
    let done = show(&mut terminal, &mut app, &events, has_colour);
    ratatui::restore();
    done?;
    if let Some(farewell) = app.end()? {
        leap_base::terminal::show(format_args!("{farewell}\n"))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Alternates between keyboard and engine until the app is done.
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

/// At a signal the engine is killed, so that nothing waits for it and the game can still be saved. A terminal that
/// accepts no output is not waited for either.
fn end_on_signals(events: Sender<Event>) -> io::Result<()> {
    leap_client::signals::handle(move |signal| {
        leap_client::kill_engines();
        // If the queue is full, the app is busy with other events.
        let _ = events.try_send(Event::End);
        thread::sleep(GRACE);
        ratatui::restore();
        leap_client::kill_engines_and_exit(128 + signal);
    })
}

fn read_keys(events: Sender<Event>) -> io::Result<()> {
    // The first poll begins to listen for changes of the window's size. Without this call, a change between the
    // first picture and the first read would be missed.
    event::poll(Duration::ZERO)?;
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
