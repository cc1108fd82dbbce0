//! A session without a driver: its job runs when the test says so.

use std::sync::Arc;

use leap_engine::session::{Action, Event, Session};
use leap_engine::{Engines, Job};
use leap_protocol::Line;
use leap_search::Control;
use leap_search::clock::Instant;
use leapd::GAMES;

/// A session with a worker that runs its job only when told to.
pub(crate) struct Harness {
    pub(crate) session: Session,
    /// The lines that were written and not yet taken.
    pub(crate) written: Vec<String>,
    /// The job that was started and not yet run.
    pub(crate) job: Option<(Job, Arc<Control>)>,
    pub(crate) exited: bool,
}

impl Harness {
    pub(crate) fn new() -> Self {
        let session = Session::new(Engines::new(GAMES)).unwrap();
        Self { session, written: Vec::new(), job: None, exited: false }
    }

    pub(crate) fn event(&mut self, event: Event) {
        let mut actions = Vec::new();
        self.session.handle(event, &mut actions);
        for action in actions {
            match action {
                Action::Reply(reply) => self.written.push(reply.to_string()),
                Action::Start(job, control) => self.job = Some((job, control)),
                Action::Quit | Action::Finish => self.exited = true,
            }
        }
    }

    pub(crate) fn say(&mut self, line: &str) {
        self.event(Event::Line(Line::Text(line.to_owned()), Instant::now()));
    }

    /// Runs the job that was started, if any, to its end.
    pub(crate) fn work(&mut self) {
        let Some((job, control)) = self.job.take() else { return };
        let mut reports = Vec::new();
        let last = job(&control, &mut |reply| reports.push(reply));
        for reply in reports {
            self.event(Event::Report(reply));
        }
        self.event(Event::Done(last));
    }
}
