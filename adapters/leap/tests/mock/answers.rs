//! The mock's answers to questions.

use leap_protocol::payload::{Exact, ExactResult, Legality, ProtocolInfo, Values};
use leap_protocol::{ErrorReply, Query};

use super::defect::Defect;
use super::game::Race;
use super::session::{Answer, Session, illegal, say};

impl Session {
    pub(crate) fn query(&mut self, query: Query) -> Answer {
        let position = self.position();
        let legal = self.legal_moves(&position);
        let over = legal.is_empty();
        let plain = matches!(query, Query::P1Turn | Query::GameOver | Query::Result);
        if self.plain && !plain {
            return Ok(());
        }
        let result = self.result(&position, over);
        let body = match query {
            Query::P1Turn => (position.side == 0).to_string(),
            Query::GameOver => over.to_string(),
            Query::Result if self.is(Defect::ResultLies) && over => "none".to_owned(),
            Query::Result => result.to_owned(),
            Query::Protocol => ProtocolInfo::complete().to_string(),
            Query::Games => "race".to_owned(),
            Query::Game => format!("race MaxPlies {}", self.max_plies),
            Query::Fen => position.to_string(),
            Query::Board => {
                self.board();
                return Ok(());
            }
            Query::Rules(language) => {
                self.rules(language.as_deref().unwrap_or_default());
                return Ok(());
            }
            Query::Problems => {
                self.problems();
                return Ok(());
            }
            Query::Value => {
                let values = self.values(&position, &legal);
                if self.is(Defect::ValuePlays) {
                    self.moves.extend(legal.into_iter().next());
                }
                values.to_string()
            }
            Query::Moves { limit } => self.list(legal, limit),
            Query::Legal(mv) if legal.contains(&mv) => "true".to_owned(),
            Query::Legal(_) => refusal().to_string(),
            Query::Next(partial) => self.next(&legal, &partial.unwrap_or_default())?,
            Query::Effects(mv) => {
                if !legal.contains(&mv) {
                    return Err(illegal(1, &mv));
                }
                let to = if self.is(Defect::EffectsLie) { "h1" } else { &mv[2..] };
                format!("from {} to {to}", &mv[..2])
            }
            Query::Turn(text) => self.turn(&legal, &text.unwrap_or_default()),
            Query::Status => {
                let turn = if self.is(Defect::StatusLies) { 0 } else { position.side };
                let reason = match (over, position.moves().is_empty()) {
                    (false, _) => "none",
                    (true, true) => "no-moves",
                    (true, false) => "max-plies",
                };
                let ply = position.ply;
                format!(
                    "over {over} result {result} reason {reason} turn p{} ply {ply} quiet {ply} repetitions 1",
                    turn + 1
                )
            }
            Query::History => {
                let told = self.moves.len()
                    - usize::from(self.is(Defect::HistoryShort)).min(self.moves.len());
                format!("{told} {}", self.moves[..told].join(" "))
            }
        };
        say(format!("response {body}").trim_end());
        Ok(())
    }

    fn result(&self, position: &Race, over: bool) -> &'static str {
        match (over, position.moves().is_empty(), position.side) {
            (false, ..) => "none",
            (true, false, _) => "draw",
            (true, true, 0) => "p2win",
            (true, true, _) => "p1win",
        }
    }

    fn list(&self, mut legal: Vec<String>, limit: Option<u64>) -> String {
        match self.defect {
            Some(Defect::OmitsMove) if legal.len() > 1 => drop(legal.pop()),
            Some(Defect::AddsMove) if !legal.is_empty() => legal.push("h2h1".to_owned()),
            Some(Defect::Unsorted) => legal.reverse(),
            _ => {}
        }
        let limit = if self.is(Defect::NoLimit) { None } else { limit };
        let limit = usize::try_from(limit.unwrap_or(10_000)).unwrap_or(usize::MAX);
        let more = if legal.len() > limit { "+" } else { "" };
        legal.truncate(limit);
        format!("{}{more} {}", legal.len(), legal.join(" "))
    }

    fn next(&self, legal: &[String], partial: &str) -> Result<String, ErrorReply> {
        let mut tokens: Vec<&str> = Vec::new();
        for mv in legal.iter().filter_map(|mv| mv.strip_prefix(partial)) {
            let token = mv.get(..2).unwrap_or("end");
            if !tokens.contains(&token) {
                tokens.push(token);
            }
        }
        if tokens.is_empty() && !partial.is_empty() {
            return Err(illegal(1, partial));
        }
        match self.defect {
            Some(Defect::NextOmits) if tokens.len() > 1 => drop(tokens.pop()),
            Some(Defect::NextAdds) if partial.len() == 2 => tokens.push("h2"),
            _ => {}
        }
        if self.is(Defect::NextAdds) && partial.ends_with("h2") {
            tokens = vec!["end"];
        }
        Ok(tokens.join(" "))
    }

    fn turn(&self, legal: &[String], text: &str) -> String {
        let begins = |text: &str| legal.iter().any(|mv| mv.starts_with(text));
        let entered = [text.get(..4), text.get(..2)];
        let entered = entered.into_iter().flatten().find(|text| begins(text)).unwrap_or_default();
        let (kind, then) = match entered.len() {
            0 => ("first", "step"),
            2 => ("step", if self.is(Defect::TurnSeesNoEnd) { "step" } else { "end" }),
            _ => ("end", ""),
        };
        let (awaits, shown) = if legal.is_empty() {
            ("none", "-")
        } else {
            (kind, if entered.is_empty() { "-" } else { entered })
        };
        let tokens = self.next(legal, entered).unwrap_or_default();
        let mut next: Vec<String> = tokens
            .split(' ')
            .filter(|token| token.len() == 2)
            .map(|token| format!(" {kind} {token}={then}"))
            .collect();
        if self.is(Defect::TurnOmits) && next.len() > 1 {
            next.pop();
        }
        let to =
            if self.is(Defect::TurnLies) { "h1" } else { entered.get(2..).unwrap_or_default() };
        let (effects, end) = match (legal.is_empty(), entered.get(..4)) {
            (true, _) => (String::from("0"), String::from("unfinished game-over at -")),
            (false, None) => (String::from("0"), String::from("unfinished no-such-line at -")),
            (false, Some(mv)) => (format!("2 from {} to {to}", &mv[..2]), format!("end {mv}")),
        };
        let goes_wrong = entered != text && !self.is(Defect::TurnRefusesNothing);
        let (refused, why) =
            if goes_wrong { (" refused no-such-line at -", " : no such move") } else { ("", "") };
        let (count, next) = (next.len(), next.concat());
        format!(
            "entered {shown}{refused} awaits {awaits} drops 0 next {count}{next} effects {effects} {end}{why}"
        )
    }

    fn board(&self) {
        let files = if self.is(Defect::BoardWrong) { 7 } else { 8 };
        say(&format!("board files {files} ranks 2 kind cells"));
        say(
            "board piece A name runner owner p1 value 1\nboard piece a name runner owner p2 value 1",
        );
        say("board colours p1 white p2 black\nboardok");
    }

    fn problems(&self) {
        let best = if self.is(Defect::ProblemsLie) { "a1h2" } else { "a1c1" };
        say(&format!(
            "problems a7/A7 1 - 0 0 bm {best}; c0 \"hold for 4 plies\"; id \"race.1\";\nproblemsok"
        ));
    }

    fn values(&self, position: &Race, legal: &[String]) -> Values {
        let told = |(wins, plies)| Exact {
            result: if wins { ExactResult::Win } else { ExactResult::Loss },
            plies: Some(plies),
        };
        let value_of = |mv: &String| {
            let mut after = *position;
            after.play(mv);
            let (wins, plies) = after.value();
            let wins = wins == self.is(Defect::ValueOfTheOtherSide);
            (mv.clone(), told((wins, plies + 1)))
        };
        let mut moves: Vec<(String, Exact)> = legal.iter().map(value_of).collect();
        let mut exact = told(position.value());
        match self.defect {
            Some(Defect::ValueAddsMove) => moves.push(("h2h1".to_owned(), exact)),
            Some(Defect::ValueOmitsMove) => drop(moves.pop()),
            Some(Defect::ValueNotBest) => exact.result = ExactResult::Draw,
            Some(Defect::ValueDawdles) => exact.plies = exact.plies.map(|plies| plies + 2),
            Some(Defect::ValueWhenOver) if legal.is_empty() => exact = Exact::default(),
            _ => {}
        }
        Values { position: exact, reach: 2, moves, more: false }
    }

    fn rules(&self, language: &str) {
        let first = language.split('-').next().unwrap_or_default();
        let language = if first.eq_ignore_ascii_case("de") { "de" } else { "en" };
        let to = if self.is(Defect::RulesLie) { "d1" } else { "c1" };
        let done = if self.is(Defect::TasksLie) { "a1b1" } else { "a1b1 a1c1" };
        let caption =
            if self.is(Defect::RulesGarbled) { "" } else { ": The runner goes two squares." };
        say(&format!(
            "rules language {language} of en de
rules title Race
rules clause Aim : Make the last move.
rules example fen a7/A7 1 - 0 0 move a1c1 effects from a1 to {to} {caption}
rules example fen 7a/7A 1 - 14 14 : Nobody can move.
rules task from 1 fen a7/A7 1 - 0 0 moves {done} : Go on."
        ));
        for kind in ["first", "step", "drop", "remove", "end"] {
            say(&format!("rules prompt {kind} : go on"));
        }
        if self.is(Defect::RulesForgetALanguage) && language == "de" {
            say("rules prompt first : go on");
        }
        say("rules option MaxPlies : Longest game : The game ends after this many moves.");
        let words = ["runner", "white", "black", "no-moves", "max-plies"];
        let told = if self.is(Defect::RulesLackWords) { &words[1..] } else { &words[..] };
        for word in told {
            say(&format!("rules word {word} : {word}"));
        }
        if self.is(Defect::RulesEndLikeNoGame) {
            say("rules ending no-moves runners 0 : all runners are captured");
        }
        say("rulesok");
    }
}

fn refusal() -> Legality {
    let text = "no such move".to_owned();
    Legality::Illegal { reason: "no-such-line".to_owned(), at: None, text }
}
