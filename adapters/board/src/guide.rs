//! The game explained to people, in the engine's words (SPEC 4.34).

use leap_client::ClientError;
use leap_client::notation::PASS;
use leap_protocol::payload::Guide;

use super::{Game, Turn};

/// The prompts for engines that have none of their own, by the kinds of SPEC 4.38.
const PROMPTS: [(&str, &str); 6] = [
    ("first", "choose a piece"),
    ("step", "where to?"),
    ("drop", "drop a piece"),
    ("remove", "take off a piece"),
    ("pass", "pass"),
    ("end", "end the turn"),
];

impl Game {
    /// The rules of the game in English; empty if the engine tells nothing.
    pub fn rules(&self) -> &Guide {
        &self.rules
    }

    /// The rules in a language such as `es`, as far as the engine has it; empty if it tells nothing.
    pub fn ask_rules(&mut self, language: Option<&str>) -> Result<Guide, ClientError> {
        if !self.session.supports("rules") {
            return Ok(Guide::default());
        }
        self.session.rules(language)
    }

    /// What may be done next in a turn, as a part of a sentence. `stop` says how a turn is ended.
    pub fn awaited(&self, turn: &Turn, stop: &str) -> String {
        let say = |kind: &str| {
            let own = PROMPTS.iter().find(|(known, _)| *known == kind).map(|(_, text)| *text);
            self.rules.prompt(kind).or(own).unwrap_or_default().to_owned()
        };
        let is_any = |is: fn(&str) -> bool| turn.next().iter().any(|token| is(token));
        let drop = match turn.drops_in_all() {
            0 | 1 => say("drop"),
            all => format!("{}: {} of {all}", say("drop"), turn.drops_made() + 1),
        };
        let steps = if turn.is_begun() { say("step") } else { say("first") };
        let kinds = [
            (is_any(|token| token.starts_with('x')), say("remove")),
            (is_any(|token| token != PASS && !token.starts_with(['x', '@'])), steps),
            (is_any(|token| token.starts_with('@')), drop),
            (is_any(|token| token == PASS), format!("{} ({stop})", say("pass"))),
            (turn.may_end(), format!("{} ({stop})", say("end"))),
        ];
        let texts: Vec<String> =
            kinds.into_iter().filter_map(|(is_offered, text)| is_offered.then_some(text)).collect();
        texts.join(", or ")
    }
}

/// Wraps words into lines of at most this width, except for longer words.
pub fn fold(words: impl IntoIterator<Item = String>, gap: &str, width: usize) -> Vec<String> {
    let columns = |text: &str| text.chars().count();
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        match lines.last_mut() {
            Some(line) if columns(line) + columns(gap) + columns(&word) <= width => {
                line.push_str(gap);
                line.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    lines
}
