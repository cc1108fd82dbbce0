//! Replaying one transcript, and updating it.

use anyhow::{Context, anyhow};
use leap_client::{Client, ClientError, Session, StderrTail};
use leap_protocol::payload::ProtocolInfo;
use leap_protocol::{Dialect, Query};
use leap_transcript::Transcript;

use super::outcome::{Mismatch, ReplayOutcome, Setup};
use super::questions;
use super::referee::Referee;
use super::report::describe;
use super::update::updated;
use crate::runner::{Divergence, Matcher, Runner, Stop};

/// How long an engine that has failed may take to report its position.
const AFTERWARDS: std::time::Duration = std::time::Duration::from_secs(2);

/// Replays a transcript. With `--update`, one that differs or lacks an answer is recorded anew.
///
/// # Errors
/// If it could not be run: the engine cannot be started, a regular expression is malformed, or the referee fails. Also if
/// the transcript expects an illegal move.
pub(super) fn replay(transcript: &Transcript, setup: &Setup) -> anyhow::Result<ReplayOutcome> {
    let pinned = setup.takes_for_pinned(transcript);
    let session = Replay { transcript, setup, pinned, matcher: Matcher::new(transcript, pinned)? };
    let due = questions::due(&transcript.entries);
    let lacks_answers = setup.update && due.contains(&true);
    let compared = if lacks_answers { None } else { Some(session.compare()?) };
    match compared {
        Some(Ok(())) => Ok(ReplayOutcome::Equal),
        Some(Err(mismatch)) if !setup.update || !mismatch.fault.may_be_updated() => {
            session.mismatch(mismatch)
        }
        _ => match session.update(&due)? {
            Ok(new) if new == *transcript => Ok(ReplayOutcome::Equal),
            Ok(new) => Ok(ReplayOutcome::Updated(new)),
            Err(mismatch) => session.mismatch(mismatch),
        },
    }
}

struct Replay<'a> {
    transcript: &'a Transcript,
    setup: &'a Setup,
    pinned: bool,
    matcher: Matcher,
}

/// What a session with the engine gives, or where the engine differs.
type Played<T> = Result<T, Box<Mismatch>>;

impl Replay<'_> {
    /// Waits for every line of the transcript.
    fn compare(&self) -> anyhow::Result<Played<()>> {
        self.play(|runner, referee| {
            runner.compare(&mut |index, line| referee.judge(index, line, &self.matcher))?;
            runner.finish().map_err(|stop| (self.transcript.entries.len(), stop))
        })
    }

    /// The transcript with what the engine writes after each line of the client.
    fn update(&self, due: &[bool]) -> anyhow::Result<Played<Transcript>> {
        self.play(|runner, referee| {
            updated(self.transcript, &self.matcher, runner.record(due)?, self.pinned, referee)
        })
    }

    /// Plays with a fresh process.
    fn play<T>(
        &self,
        play: impl FnOnce(&mut Runner<'_>, &mut Referee<'_>) -> Result<T, (usize, Stop)>,
    ) -> anyhow::Result<Played<T>> {
        let Self { transcript, setup, pinned, .. } = *self;
        let (stderr, stdio) = StderrTail::start().context("cannot make a pipe")?;
        let mut client = Client::start(&setup.engine, stdio)?;
        let mut referee = Referee::new(transcript, &setup.referee, setup.timeout);
        let mut runner = Runner::new(transcript, &self.matcher, &mut client, setup.timeout);
        match play(&mut runner, &mut referee) {
            Ok(played) => Ok(Ok(played)),
            Err((index, Stop::Failed(error))) => {
                Err(error.context(format!("line {}", Transcript::line_of(index))))
            }
            Err((index, Stop::Divergence(mut fault))) => {
                let timeout = setup.timeout.min(AFTERWARDS);
                // The engine is killed before its standard error is read, so that the text is complete.
                let position = position(Session::new(client, Dialect::Ugi, timeout), &mut fault);
                let stderr = stderr.lines();
                Ok(Err(Box::new(Mismatch { index, fault, pinned, position, stderr })))
            }
        }
    }

    /// A mismatch as an outcome. A transcript that expects an illegal move proves nothing.
    fn mismatch(&self, mismatch: Box<Mismatch>) -> anyhow::Result<ReplayOutcome> {
        match mismatch.fault {
            Divergence::IllegalExpected(_) => {
                Err(anyhow!(describe::summary(self.transcript, &mismatch)))
            }
            _ => Ok(ReplayOutcome::Mismatch(mismatch)),
        }
    }
}

/// Asks an engine for its position, and finds out whether it still answers.
fn position(mut engine: Session, fault: &mut Divergence) -> Option<String> {
    if matches!(fault, Divergence::Ended(_)) {
        return None;
    }
    match engine.ready() {
        Ok(()) | Err(ClientError::Refused(_)) => {}
        Err(_) => return None,
    }
    if let Divergence::Silent { alive, .. } = fault {
        *alive = true;
    }
    let protocol: ProtocolInfo = engine.ask_if_known(Query::Protocol).ok()??;
    protocol.supports("fen").then(|| engine.ask(Query::Fen).ok()).flatten()
}
