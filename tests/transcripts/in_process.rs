//! A transcript repeated by the session alone: no thread, no pipe, no clock. Independent of `leap replay`, which
//! repeats the same files with the daemon.

#[path = "../../engine/src/session/tests/harness.rs"]
mod harness;

use std::sync::Arc;
use std::time::Instant;

use leap_engine::Job;
use leap_engine::options::Settings;
use leap_engine::session::{Effect, Event, JobId, Session};
use leap_protocol::transcript::{Entry, LineRules, Rule, Sent, Stream, Transcript};
use leap_protocol::{Line, LineReader, Reply};
use leap_search::Control;

use harness::Harness;

/// Plays the client of the transcript.
///
/// # Panics
/// The session says something else than the transcript expects.
pub(crate) fn repeat(name: &str, transcript: &Transcript) {
    let mut harness = Harness::new();
    let pinned = transcript.engine() == Some(concat!("leapd ", env!("CARGO_PKG_VERSION")));
    for (option, value) in transcript.options() {
        harness.say(&format!("setoption name {option} value {}", value.unwrap_or_default()));
    }
    if let Some(game) = transcript.game() {
        harness.say(&format!("setoption name Game value {game}"));
    }
    let rules = transcript.rules(pinned);
    for (index, entry) in transcript.entries.iter().enumerate() {
        let place = format!("{name}:{}", Transcript::line_of(index));
        if let Entry::Sent(sent) = entry {
            let rest = harness.rest(&rules, index);
            assert!(rest.is_empty(), "{place}: before this the session also said {rest:?}");
            harness.send(sent);
        }
        match rules.get(index) {
            None | Some(Rule::Ignored) => {}
            Some(Rule::End(_)) => {
                // A search that `quit` has stopped answers first.
                harness.work();
                assert!(harness.exited, "{place}: expected the end");
            }
            Some(rule) => {
                let found = harness.hear(&rules, index, entry.stream());
                assert!(
                    fits(&mut harness, rule, &found),
                    "{place}: expected {entry:?}, found {found}"
                );
            }
        }
    }
    if !rules.leaves_search() {
        let rest = harness.rest(&rules, transcript.entries.len());
        assert!(rest.is_empty(), "{name}: at the end the session also said {rest:?}");
    }
}

/// Whether the line is what the rule wants. The session, which stands at the searched position, judges moves.
fn fits(harness: &mut Harness, rule: &Rule, found: &str) -> bool {
    match rule {
        Rule::Pattern(pattern) => pattern.matches(found),
        Rule::Regex(regex) => regex::Regex::new(&format!("^(?:{regex})$")).unwrap().is_match(found),
        Rule::AnyMove { id: expected, .. } => match Reply::parse(found) {
            Reply::BestMove { mv: Some(mv), id, .. } => {
                harness.say(&format!("query legal {mv}"));
                id == *expected && harness.written.pop().as_deref() == Some("response true")
            }
            _ => false,
        },
        _ => false,
    }
}

// Jobs run when their answer is waited for.
impl Harness {
    fn send(&mut self, sent: &Sent) {
        match sent {
            Sent::Line(line) => self.say(line),
            Sent::Bytes(bytes) => {
                for line in LineReader::new([bytes.as_slice(), b"\n"].concat().as_slice()) {
                    self.event(Event::Line(line.unwrap(), Instant::now()));
                }
            }
            Sent::TooLong => self.event(Event::Line(Line::TooLong, Instant::now())),
            Sent::End => {
                self.event(Event::EndOfInput);
                self.work();
            }
        }
    }

    /// The next line of the stream, but for those that may come at any time.
    fn hear(&mut self, rules: &LineRules, index: usize, stream: Stream) -> String {
        let is_wanted = |line: &String| Stream::of(line) == stream && !rules.may_come(line, index);
        if stream == Stream::Search && !self.written.iter().any(is_wanted) {
            self.work();
        }
        let at = self.written.iter().position(is_wanted);
        at.map_or_else(|| "nothing".to_owned(), |at| self.written.remove(at))
    }

    /// What has been written and was not waited for.
    fn rest(&mut self, rules: &LineRules, index: usize) -> Vec<String> {
        let mut rest = std::mem::take(&mut self.written);
        rest.retain(|line| !rules.may_come(line, index));
        rest
    }
}
