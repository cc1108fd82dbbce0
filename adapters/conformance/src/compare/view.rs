//! What is compared in one position.

use std::collections::BTreeSet;

use leap_protocol::payload::MoveList;

use super::{Difference, EnginePair, LineOfPlay};

/// Questions that both engines must answer alike, with the extension that each belongs to.
const QUESTIONS: &[(&str, Option<&str>)] = &[
    ("query p1turn", None),
    ("query gameover", None),
    ("query result", None),
    ("query fen", Some("fen")),
    ("query status", Some("status")),
    ("query moves", Some("moves")),
    ("query next", Some("next")),
    ("query turn", Some("turn")),
    ("query history", Some("history")),
];

/// Moves whose effects are compared in one position.
const EFFECTS: usize = 24;

impl EnginePair {
    pub(super) fn both_have(&self, extension: &str) -> bool {
        self.a.has(extension) && self.b.has(extension)
    }

    /// What is being compared, for people who wait.
    pub(super) fn stage(&self, line: &LineOfPlay) -> String {
        let game = line.game.as_deref().map(|game| format!("{game}, ")).unwrap_or_default();
        format!("{game}{} positions compared", self.positions)
    }

    /// Sets up a position in both engines. It is a difference if only one of them accepts it, or neither does.
    pub(super) fn set(&mut self, line: &LineOfPlay) -> Option<Box<Difference>> {
        let (a, b) = (self.a.set(line), self.b.set(line));
        if a.is_ok() && b.is_ok() {
            return None;
        }
        let told =
            |answer: Result<(), String>| answer.err().unwrap_or_else(|| "(accepted)".to_owned());
        // The `position` command is the question that shows the difference. The line of play ends one move before.
        let mut line = line.clone();
        let question = line.command();
        line.moves.pop();
        Some(Box::new(Difference { line, question, a: told(a), b: told(b) }))
    }

    /// Asks both engines the same question and compares their answers.
    pub(super) fn ask(
        &mut self,
        line: &LineOfPlay,
        question: &str,
    ) -> Result<String, Box<Difference>> {
        let (a, b) = (self.a.say(question), self.b.say(question));
        // What is reported about a dead engine stands in brackets.
        let gone = a.starts_with('(') || b.starts_with('(');
        if !gone && (a == b || alike(question, &a, &b)) {
            return Ok(a);
        }
        Err(Box::new(Difference { line: line.clone(), question: question.to_owned(), a, b }))
    }

    /// Compares everything that both engines report about the position at the end of the line. Returns its moves if
    /// there is no difference.
    pub(super) fn compare(&mut self, line: &LineOfPlay) -> Result<Vec<String>, Box<Difference>> {
        if let Some(difference) = self.set(line) {
            return Err(difference);
        }
        self.positions += 1;
        let mut moves = Vec::new();
        for (question, extension) in QUESTIONS {
            if extension.is_some_and(|name| !self.both_have(name)) {
                continue;
            }
            let answer = self.ask(line, question)?;
            if *question == "query moves" {
                moves = listed(&answer);
            }
        }
        if self.both_have("effects") {
            // Spread over the list, since adjacent moves are similar.
            let step = moves.len().div_ceil(EFFECTS).max(1);
            for mv in moves.iter().step_by(step) {
                self.ask(line, &format!("query effects {mv}"))?;
            }
        }
        if moves.is_empty() && !self.both_have("moves") {
            // Any engine that lists its moves can lead; the other one shows that it agrees by accepting them.
            let leader = if self.a.has("moves") { &mut self.a } else { &mut self.b };
            moves = listed(&leader.say("query moves"));
        }
        Ok(moves)
    }
}

fn listed(answer: &str) -> Vec<String> {
    let list = answer.strip_prefix("response ").and_then(|body| body.parse::<MoveList>().ok());
    list.map_or(Vec::new(), |list| list.moves)
}

/// Whether answers that differ mean the same: errors with one code, truncated lists, pairs that only one engine has.
fn alike(question: &str, a: &str, b: &str) -> bool {
    let (a_words, b_words): (Vec<&str>, Vec<&str>) =
        (a.split(' ').collect(), b.split(' ').collect());
    match question {
        // It is up to the engine which moves a truncated list contains (SPEC 4.14).
        "query moves" => {
            let cut = |words: &[&str]| words.get(1).is_some_and(|count| count.ends_with('+'));
            cut(&a_words) && cut(&b_words)
        }
        // A later version may add pairs (SPEC 4.3).
        "query status" => {
            let pairs = |words: &[&str]| -> BTreeSet<String> {
                words[1..].chunks(2).map(|pair| pair.join(" ")).collect()
            };
            let keys = |pairs: &BTreeSet<String>| -> BTreeSet<String> {
                pairs.iter().filter_map(|pair| Some(pair.split_once(' ')?.0.to_owned())).collect()
            };
            let (a, b) = (pairs(&a_words), pairs(&b_words));
            let common: BTreeSet<String> = keys(&a).intersection(&keys(&b)).cloned().collect();
            !common.is_empty()
                && a.symmetric_difference(&b)
                    .all(|pair| !common.contains(pair.split(' ').next().unwrap_or_default()))
        }
        _ => {
            a_words[..2.min(a_words.len())] == b_words[..2.min(b_words.len())]
                && a.starts_with("error ")
        }
    }
}
