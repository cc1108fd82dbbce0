//! A session without a driver: its job runs when the test says so.

use std::sync::Arc;

use leap_engine::Job;
use leap_engine::options::Settings;
use leap_engine::session::{Effect, Event, JobId, Session};
use leap_protocol::Line;
use leap_search::Control;
use leap_search::clock::Instant;

/// A session with a worker that runs its job only when told to.
pub(crate) struct Harness {
    pub(crate) session: Session,
    /// The lines that were written and not yet taken.
    pub(crate) written: Vec<String>,
    /// The job that was started and not yet run.
    pub(crate) job: Option<(JobId, Job, Arc<Control>)>,
    pub(crate) exited: bool,
}

impl Harness {
    pub(crate) fn new() -> Self {
        let session = Session::new(Settings::default()).unwrap();
        Self { session, written: Vec::new(), job: None, exited: false }
    }

    pub(crate) fn event(&mut self, event: Event) {
        let mut effects = Vec::new();
        self.session.handle(event, &mut effects);
        for effect in effects {
            match effect {
                Effect::Reply(reply) | Effect::Info(reply) => self.written.push(reply.to_string()),
                Effect::Start(id, job, control) => self.job = Some((id, job, control)),
                Effect::Quit | Effect::Finish => self.exited = true,
            }
        }
    }

    pub(crate) fn say(&mut self, line: &str) {
        self.event(Event::Line(Line::Text(line.to_owned()), Instant::now()));
    }

    /// Runs the job that was started, if any, to its end.
    pub(crate) fn work(&mut self) {
        let Some((id, job, control)) = self.job.take() else { return };
        let mut reports = Vec::new();
        let last = job(&control, &mut |reply| reports.push(reply));
        for reply in reports {
            self.event(Event::Report(id, reply));
        }
        self.event(Event::Done(id, last));
    }
}
