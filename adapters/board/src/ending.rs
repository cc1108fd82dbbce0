//! How a game ends, by the rules or by the people who play it, and the texts that say so.

use leap_client::ClientError;
use leap_protocol::payload::{GameResult, Guide, Player, Status};

use super::{Game, Side};

/// The texts for endings that are not by the rules, by their reasons in records.
const BY_PEOPLE: [(&str, &str); 2] =
    [(RESIGNATION, "the other side has resigned"), (AGREEMENT, "agreed by both sides")];
const RESIGNATION: &str = "resignation";
const AGREEMENT: &str = "agreement";

/// An ending on which people decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// This side has given up.
    Resignation(Player),
    /// Both sides have agreed on a draw.
    Agreement,
}

impl Decision {
    /// Puts the ending into the engine's status.
    pub(super) fn apply(self, status: &mut Status) {
        let (result, reason) = match self {
            Self::Resignation(Player::P1) => (GameResult::P2Win, RESIGNATION),
            Self::Resignation(Player::P2) => (GameResult::P1Win, RESIGNATION),
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
        self.client.offer_draw(self.patience())
    }

    /// Who plays a side: "you" or "the engine". If both sides have the same player, the colour.
    pub fn player(&self, player: Player, people: Side) -> &str {
        match people {
            Side::Both | Side::None => self.rules.word(self.board.colour(player)),
            _ if people.is(player) => "you",
            _ => "the engine",
        }
    }

    /// Who has won and how, or whose turn it is, as a sentence without a full stop.
    pub fn outcome(&self, people: Side) -> String {
        let status = &self.status;
        let winner = match status.result {
            GameResult::None => {
                return format!("{} is to move", self.board.colour(status.turn));
            }
            GameResult::Draw => return format!("A draw: {}", why(&self.rules, status)),
            GameResult::P1Win => self.player(Player::P1, people),
            GameResult::P2Win => self.player(Player::P2, people),
        };
        let have = if winner == "you" { "have" } else { "has" };
        capital(&format!("{winner} {have} won: {}", why(&self.rules, status)))
    }
}

/// Why the game has ended, in the words of the game.
pub fn why(rules: &Guide, status: &Status) -> String {
    let by_people = BY_PEOPLE.iter().find(|(reason, _)| *reason == status.reason);
    by_people.map_or_else(|| rules.ending(status), |(_, text)| text).to_owned()
}

/// The text with a capital letter.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    first + letters.as_str()
}
