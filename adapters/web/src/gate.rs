//! The gate between a page and its engine.

use std::collections::VecDeque;

use leap_protocol::{Command, ErrorCode, ErrorReply, shown};

use super::bounds::Bounds;

/// How many refusals may wait for their turn. When there are more, the page has to wait.
const WAITING: usize = 64;

/// Passes lines unchanged, except that [`Bounds`] checks and reprints lines about options, and refuses odd characters.
///
/// A refused line is answered in place of the engine, and in order. The engine gets an `isready` instead, and the
/// answer replaces its `readyok`.
#[derive(Debug)]
pub(super) struct Gate {
    bounds: Bounds,
    /// The only options that may be set, in lower case; `None` if all may be.
    options: Option<Vec<String>>,
    /// The number of `isready` sent to the engine, and the number that it has answered.
    asked: u64,
    answered: u64,
    /// Our answers, each with the number of the `isready` that it waits for.
    refusals: VecDeque<(u64, ErrorReply)>,
}

impl Gate {
    pub(super) fn new(bounds: Bounds) -> Self {
        Self { bounds, options: None, asked: 0, answered: 0, refusals: VecDeque::new() }
    }

    /// The gate of a guest who may let the engine search: only rules, and what a search reports, may be set.
    pub(super) fn for_guest(bounds: Bounds, rules: Vec<String>) -> Self {
        let own = ["game", "multipv", "uci_showwdl", "strength", "seed"].map(str::to_owned);
        Self { options: Some(rules.into_iter().chain(own).collect()), ..Self::new(bounds) }
    }

    /// The line to send to the engine, or why it must not be sent.
    fn admit(&self, line: &str) -> Result<String, ErrorReply> {
        let line = self.bounds.admit(line)?;
        let Some(options) = &self.options else { return Ok(line) };
        match Command::parse(&line)? {
            Some(Command::SetOption { name, .. })
                if !options.contains(&name.to_ascii_lowercase()) =>
            {
                let text = format!("{} is no option of the rules", shown(&name));
                Err(ErrorReply::new(ErrorCode::NoSuchOption, text))
            }
            Some(Command::Quit | Command::Perft(_) | Command::Debug(_)) => {
                let text = "guests may not use this command";
                Err(ErrorReply::new(ErrorCode::UnknownCommand, text))
            }
            command => Ok(command.map_or_else(String::new, |command| command.to_string())),
        }
    }

    /// Whether another line of the page can be accepted.
    pub(super) fn has_room(&self) -> bool {
        self.refusals.len() < WAITING
    }

    /// Returns the line to send to the engine for a line of the page.
    pub(super) fn pass_to_engine(&mut self, line: &str) -> String {
        let line = self.admit(line).unwrap_or_else(|refusal| {
            self.refusals.push_back((self.asked, refusal));
            "isready".to_owned()
        });
        self.asked += u64::from(line.trim() == "isready");
        line
    }

    /// Returns the line to send to the page for a line of the engine.
    pub(super) fn pass_to_page(&mut self, line: String) -> String {
        if line.trim() != "readyok" {
            return self.bounds.declare(line);
        }
        let number = self.answered;
        self.answered += 1;
        // An engine that answers too often must not swallow a refusal.
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
    fn a_guest_sets_rules_and_what_a_search_reports_alone() {
        let gate = Gate::for_guest(gate().bounds, vec!["maxplies".to_owned()]);
        for line in
            ["setoption name MaxPlies value 9", "setoption name multipv value 1", "go depth 3"]
        {
            assert_eq!(gate.admit(line).as_deref(), Ok(line));
        }
        for line in
            ["setoption name Threads value 1", "setoption name Log value 1", "quit", "perft 9", "x"]
        {
            assert!(gate.admit(line).is_err(), "{line}");
        }
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
