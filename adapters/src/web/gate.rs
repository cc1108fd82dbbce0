//! What passes between a page and its engine.

use std::collections::VecDeque;

use leap_protocol::ErrorReply;

use super::bounds::Bounds;

/// Refusals that wait for their turn, at most; then the page has to wait.
const WAITING: usize = 64;

/// Lines are passed on as they are but for those of [`Bounds`]. A line that is refused is answered in the engine's place,
/// and in its turn: the engine is sent an `isready` for it, and its `readyok` becomes the answer.
#[derive(Debug)]
pub(super) struct Gate {
    bounds: Bounds,
    /// How many `isready` the engine was sent, and how many it has answered.
    asked: u64,
    answered: u64,
    /// Answers of ours, each with the number of the `isready` that it waits for.
    refusals: VecDeque<(u64, ErrorReply)>,
}

impl Gate {
    pub(super) fn new(bounds: Bounds) -> Self {
        Self { bounds, asked: 0, answered: 0, refusals: VecDeque::new() }
    }

    /// Whether a line of the page may be taken.
    pub(super) fn has_room(&self) -> bool {
        self.refusals.len() < WAITING
    }

    /// What the engine is sent for a line of the page.
    pub(super) fn pass_to_engine(&mut self, line: &str) -> String {
        let line = self.bounds.admit(line).unwrap_or_else(|refusal| {
            self.refusals.push_back((self.asked, refusal));
            "isready".to_owned()
        });
        self.asked += u64::from(line.trim() == "isready");
        line
    }

    /// What the page is sent for a line of the engine.
    pub(super) fn pass_to_page(&mut self, line: String) -> String {
        if line.trim() != "readyok" {
            return self.bounds.declare(line);
        }
        let number = self.answered;
        self.answered += 1;
        // An engine that answers more often than it was asked shall not keep a refusal from the page.
        let is_due = self.refusals.front().is_some_and(|(due, _)| *due <= number);
        let refusal = if is_due { self.refusals.pop_front() } else { None };
        refusal.map_or(line, |(_, refusal)| refusal.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOO_MUCH: &str = "setoption name Hash value 2";

    fn gate() -> Gate {
        Gate::new(Bounds { max_hash: 1, max_threads: 1, max_multipv: 1 })
    }

    #[test]
    fn a_refusal_comes_when_all_before_it_has_been_answered() {
        let mut gate = gate();
        for (line, sent) in [
            ("isready", "isready"),
            (TOO_MUCH, "isready"),
            ("query fen", "query fen"),
            (" isready\t", " isready\t"),
            (TOO_MUCH, "isready"),
        ] {
            assert_eq!(gate.pass_to_engine(line), sent);
        }
        let answers = ["readyok", "readyok", "response 8/8", "readyok", "readyok", "readyok"];
        let answers = answers.map(|line| gate.pass_to_page(line.to_owned()));
        let kinds = answers.each_ref().map(|line| line.split(' ').next().unwrap());
        assert_eq!(kinds, ["readyok", "error", "response", "readyok", "error", "readyok"]);
        assert!(answers[1].starts_with("error out-of-range : Hash expects "), "{}", answers[1]);
    }

    #[test]
    fn refusals_that_nobody_hears_hold_the_page_back() {
        let mut gate = gate();
        for _ in 0..WAITING {
            assert!(gate.has_room());
            gate.pass_to_engine(TOO_MUCH);
        }
        assert!(!gate.has_room());
        gate.pass_to_page("readyok".to_owned());
        assert!(gate.has_room());
    }
}
