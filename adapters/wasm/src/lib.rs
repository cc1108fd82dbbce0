//! leapd as a WebAssembly module, for hosts without threads: bytes of the protocol go in, lines come out.
//!
//! A session is driven by one thread, which runs its jobs too. While a job runs it pauses every few milliseconds, and
//! the host may then pass on further lines: `stop`, `isready`, a question. `host.rs` has the interface.

// Other targets have no host to link with.
#![cfg(all(target_family = "wasm", target_os = "unknown"))]

mod host;

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::time::Duration;

use leap_engine::session::{Action, Event, Session};
use leap_engine::{AnyGame, Engines, Job, game};
use leap_protocol::LineSplitter;
use leap_search::Control;
use leap_search::clock::{self, Instant};

/// The games, in the order of their announcement.
const GAMES: [AnyGame; 5] = leap_games::games!(game());

/// How long a job runs between two pauses. A pause takes some ten microseconds.
const SLICE: Duration = Duration::from_millis(5);

/// What is known between two calls of the host.
struct Driver {
    session: RefCell<Session>,
    lines: RefCell<LineSplitter>,
    /// The job that is to be run.
    job: Cell<Option<(Job, Arc<Control>)>>,
    /// When the job in progress has last paused.
    paused: Cell<Instant>,
}

thread_local! {
    static DRIVER: Driver = {
        clock::bring(host::time);
        let session = Session::new(Engines::new(GAMES)).expect("a table of the default size");
        Driver {
            session: RefCell::new(session.polling(pause_if_due)),
            lines: RefCell::default(),
            job: Cell::default(),
            paused: Cell::new(Instant::now()),
        }
    };
}

fn pause_if_due() {
    let is_due = DRIVER.with(|driver| driver.paused.get().elapsed() >= SLICE);
    if is_due {
        host::give_way();
        DRIVER.with(|driver| driver.paused.set(Instant::now()));
    }
}

/// Takes bytes of the input, with the endings of their lines; `false` once the session is over.
fn take(mut bytes: &[u8]) -> bool {
    let mut next = || DRIVER.with(|driver| driver.lines.borrow_mut().next_line(&mut bytes));
    while let Some(line) = next() {
        if !handle(Event::Line(line, Instant::now())) {
            return false;
        }
    }
    run_job()
}

/// Ends the input; `false` if the session is over.
fn end() -> bool {
    let last = DRIVER.with(|driver| driver.lines.borrow_mut().finish());
    let goes_on = last.is_none_or(|line| handle(Event::Line(line, Instant::now())));
    goes_on && handle(Event::EndOfInput) && run_job()
}

/// Runs the job that has been started, if any; `false` if the session ends with it.
///
/// While the job pauses, another call may handle further lines. So no part of the driver stays borrowed here.
fn run_job() -> bool {
    let Some((job, control)) = DRIVER.with(|driver| driver.job.take()) else { return true };
    DRIVER.with(|driver| driver.paused.set(Instant::now()));
    let last = job(&control, &mut |reply| {
        handle(Event::Report(reply));
    });
    handle(Event::Done(last))
}

/// Passes an event to the session; `false` once it is over.
fn handle(event: Event) -> bool {
    let mut actions = Vec::new();
    DRIVER.with(|driver| driver.session.borrow_mut().handle(event, &mut actions));
    actions.into_iter().all(carry_out)
}

/// Carries out an action; `false` for the last action of the session.
///
/// A job begins only after all lines that came together with its own: one of them may stop the job.
fn carry_out(action: Action) -> bool {
    match action {
        Action::Reply(reply) => host::write(&reply.to_string()),
        Action::Start(job, control) => {
            DRIVER.with(|driver| driver.job.set(Some((job, control))));
        }
        Action::Quit | Action::Finish => return false,
    }
    true
}
