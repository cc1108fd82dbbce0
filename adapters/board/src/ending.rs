//! How a game ends, by the rules or by the people who play it, and the texts that say so.

use leap_client::ClientError;
use leap_protocol::payload::{GameResult, Guide, Side, Status};

use super::{Game, People};

/// The texts for endings that are not by the rules, by their reasons in records: for everybody, and for the loser.
const BY_PEOPLE: [(&str, &str, &str); 2] = [
    (RESIGNATION, "the other side has resigned", "you have resigned"),
    (AGREEMENT, "agreed by both sides", "agreed by both sides"),
];
const RESIGNATION: &str = "resignation";
const AGREEMENT: &str = "agreement";

/// An ending on which people decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// This side has given up.
    Resignation(Side),
    /// Both sides have agreed on a draw.
    Agreement,
}

impl Decision {
    /// Puts the ending into the engine's status.
    pub(super) fn apply(self, status: &mut Status) {
        let (result, reason) = match self {
            Self::Resignation(Side::P1) => (GameResult::P2Win, RESIGNATION),
            Self::Resignation(Side::P2) => (GameResult::P1Win, RESIGNATION),
            Self::Agreement => (GameResult::Draw, AGREEMENT),
        };
        (status.over, status.result, status.reason) = (true, result, reason.to_owned());
    }
}

impl Game {
    /// Ends the game. Any change of the position takes this back.
    pub fn decide(&mut self, decision: Decision) {
        decision.apply(&mut self.status);
        self.decision = Some(decision);
        self.is_saved = false;
    }

    /// Whether people have ended the game, rather than its rules.
    pub fn is_decided(&self) -> bool {
        self.decision.is_some()
    }

    /// Whether the engine, which is to move, accepts a draw (SPEC 4.30).
    ///
    /// # Errors
    /// [`ClientError::Refused`] if the game knows no agreement, and any other failure of the engine.
    pub fn offer_draw(&mut self) -> Result<bool, ClientError> {
        self.stop()?;
        self.session.offer_draw()
    }

    /// Who plays a side: "you" or "the engine". If both sides have the same player, the colour.
    pub fn player(&self, player: Side, people: People) -> &str {
        name(self.rules.word(self.board.colour(player)), player, people)
    }

    /// Who has won and how, or whose turn it is, as a sentence without a full stop.
    pub fn outcome(&self, people: People) -> String {
        let (rules, status) = (&self.rules, &self.status);
        let colour = |player| rules.word(self.board.colour(player));
        match status.result {
            GameResult::None => format!("{} is to move", self.board.colour(status.turn)),
            GameResult::Draw => format!("A draw: {}", why(rules, status)),
            GameResult::P1Win => won(rules, status, people, Side::P1, colour(Side::P1)),
            GameResult::P2Win => won(rules, status, people, Side::P2, colour(Side::P2)),
        }
    }
}

fn name(colour: &str, player: Side, people: People) -> &str {
    match people {
        People::Both | People::None => colour,
        _ if people.is(player) => "you",
        _ => "the engine",
    }
}

/// The result of a game that this winner, of this colour, has won. The only person of a game is told of their own side.
fn won(rules: &Guide, status: &Status, people: People, winner: Side, colour: &str) -> String {
    match name(colour, winner, people) {
        "you" => format!("You have won: {}", why(rules, status)),
        "the engine" => format!("You have lost: {}", why_lost(rules, status)),
        colour => capital(&format!("{colour} has won: {}", why(rules, status))),
    }
}

/// Why the game has ended, in the words of the game, for the winner and for spectators.
pub fn why(rules: &Guide, status: &Status) -> String {
    by_people(status).map_or_else(|| rules.ending(status), |(_, text, _)| text).to_owned()
}

/// Why the game is lost, as the side is told that has lost it.
fn why_lost(rules: &Guide, status: &Status) -> String {
    by_people(status).map_or_else(|| rules.loss(status), |(_, _, text)| text).to_owned()
}

fn by_people(status: &Status) -> Option<&'static (&'static str, &'static str, &'static str)> {
    BY_PEOPLE.iter().find(|(reason, ..)| *reason == status.reason)
}

/// The text with a capital letter.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    first + letters.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GUIDE: [&str; 6] = [
        "word no-moves : the other side has no legal move",
        "word count : the points decide",
        "word max-plies : the game is too long",
        "ending no-moves men 0 : all men of the other side are captured",
        "loss no-moves men 0 : all your men are captured",
        "loss no-moves : you have no legal move",
    ];

    fn told(result: &str, reason: &str, men: &str, people: People) -> String {
        let mut rules = Guide::default();
        GUIDE.iter().for_each(|line| rules.push(line).unwrap());
        let text = "turn p1 ply 9 quiet 0 repetitions 1";
        let text = format!("over true result {result} reason {reason} {text} men {men}");
        let status: Status = text.parse().unwrap();
        match status.result {
            GameResult::P1Win => won(&rules, &status, people, Side::P1, "White"),
            _ => won(&rules, &status, people, Side::P2, "Black"),
        }
    }

    #[test]
    fn a_result_is_said_to_the_winner_the_loser_and_those_who_watch() {
        let no_man = "all men of the other side are captured";
        let blocked = "the other side has no legal move";
        let resigned = "the other side has resigned";
        for (reason, men, others, loser) in [
            ("no-moves", ["3-0", "0-3"], no_man, "all your men are captured"),
            ("no-moves", ["3-2", "2-3"], blocked, "you have no legal move"),
            ("count", ["3-2", "2-3"], "the points decide", "the points decide"),
            ("max-plies", ["3-2", "2-3"], "the game is too long", "the game is too long"),
            ("resignation", ["3-2", "2-3"], resigned, "you have resigned"),
            ("strange", ["3-2", "2-3"], "strange", "strange"),
        ] {
            for (result, men, colour, winner) in
                [("p1win", men[0], "White", People::P1), ("p2win", men[1], "Black", People::P2)]
            {
                let beaten = if winner == People::P1 { People::P2 } else { People::P1 };
                let say = |people| told(result, reason, men, people);
                assert_eq!(say(winner), format!("You have won: {others}"));
                assert_eq!(say(beaten), format!("You have lost: {loser}"));
                for people in [People::Both, People::None] {
                    assert_eq!(say(people), format!("{colour} has won: {others}"));
                }
            }
        }
    }
}
