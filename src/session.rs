//! The session: a pure state machine. Events go in, effects come out; it has no thread, no clock and no I/O, so that
//! everything SPEC 7 says about order can be tested without either.

use std::sync::Arc;
use std::time::Instant;

use leap_protocol::{Command, Dialect, ErrorCode, ErrorReply, Go, Line, Query, Reply};

use crate::engine::{self, Engine, Job};
use crate::options::{GAMES, OPTIONS, OptionError, Scope, Settings, UCI_VARIANT};
use crate::search::{Control, Table};

/// What happens to a session.
#[derive(Debug)]
pub enum Event {
    /// A line of input, with the moment at which it was read.
    Line(Line, Instant),
    /// There will be no more input.
    EndOfInput,
    /// A job reports something while it runs.
    Report(JobId, Reply),
    /// A job has ended with its last reply.
    Done(JobId, Reply),
}

/// What a session wants to be done.
pub enum Effect {
    /// Write this line.
    Reply(Reply),
    /// Write this line, unless the client is slow to read.
    Info(Reply),
    /// Run this job on the worker; its reports come back as events.
    Start(JobId, Job),
    /// Write what is still to be written and end the process.
    Exit,
}

/// Tells the events of one job from those of earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JobId(u64);

/// The work in progress. Holding a finished search until it is released is what makes an early `bestmove` impossible.
struct Running {
    id: JobId,
    control: Arc<Control>,
    /// An `infinite` search answers no earlier than `stop`.
    infinite: bool,
    /// A `ponder` search answers no earlier than `ponderhit` or `stop`.
    ponder: bool,
    /// The answer of a search that has ended before it was released.
    held: Option<Reply>,
}

impl Running {
    const fn is_held(&self) -> bool {
        self.infinite || self.ponder
    }

    fn release(&mut self) {
        (self.infinite, self.ponder) = (false, false);
    }
}

/// One client's session.
pub struct Session {
    settings: Settings,
    engine: Box<dyn Engine>,
    table: Arc<Table>,
    running: Option<Running>,
    jobs: u64,
    /// The input has ended: the session ends with the work in progress.
    closing: bool,
}
