//! Giving up and agreeing on a draw. Both are asked about first.

use leap_board::{Decision, People, capital};
use leap_client::ClientError;
use leap_protocol::payload::Side;

use super::App;
use crate::action::Action;

/// A question that is answered with `y` or `n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    /// Does this side give up?
    Resign(Side),
    /// Does the other side accept the draw that this side offers?
    Draw(Side),
}

impl App {
    /// The question, as a sentence.
    pub(super) fn question_text(&self, question: Question) -> String {
        let name = |player| self.game.player(player, self.people);
        let text = match question {
            Question::Resign(player) if name(player) == "you" => "give the game up?".to_owned(),
            Question::Resign(player) => format!("{} gives the game up?", name(player)),
            Question::Draw(player) => {
                let other = name(player.other());
                format!("{} offers a draw. Does {other} accept?", name(player))
            }
        };
        format!("{} y: yes, n: no", capital(&text))
    }

    /// Handles a key while a question is open: only an answer does anything.
    pub(super) fn reply(&mut self, question: Question, action: &Action) -> Result<(), ClientError> {
        match action {
            Action::Type('y' | 'Y') => {}
            Action::Type('n' | 'N') | Action::Back => {
                self.question = None;
                let Question::Draw(player) = question else { return Ok(()) };
                let other = self.game.player(player.other(), self.people);
                return self.say(format!("{other} declines the draw"));
            }
            _ => return Ok(()),
        }
        self.question = None;
        self.conclude(match question {
            Question::Resign(player) => Decision::Resignation(player),
            Question::Draw(_) => Decision::Agreement,
        })
    }

    /// Asks whether a person gives up. With two people it is the one to move.
    pub(super) fn resign(&mut self) -> Result<(), ClientError> {
        let person = match self.people {
            People::None => return self.say("nobody is playing who could give up"),
            People::Both => self.game.status().turn,
            People::P1 => Side::P1,
            People::P2 => Side::P2,
        };
        if !self.game.status().over {
            self.question = Some(Question::Resign(person));
        }
        Ok(())
    }

    /// Offers a draw: to the other of two people, or to the engine together with the next move.
    pub(super) fn propose_draw(&mut self) -> Result<(), ClientError> {
        let turn = self.game.status().turn;
        if self.game.status().over || self.people == People::None {
            return self.say("nobody is playing who could offer a draw");
        }
        if !self.people.is(turn) {
            return self.say("a draw is offered when you are to move");
        }
        // The engine refuses in games that know no agreement. The game does not change (SPEC 4.31).
        self.game.offer_draw()?;
        if self.people == People::Both {
            self.question = Some(Question::Draw(turn));
            return Ok(());
        }
        self.offers_draw = !self.offers_draw;
        self.say(match self.offers_draw {
            true => "the draw is offered with your next move",
            false => "the offer of a draw is taken back",
        })
    }

    /// Hands the offer, if there is one, to the engine, which is to move; returns whether it accepts.
    pub(super) fn deliver_offer(&mut self) -> Result<bool, ClientError> {
        if !std::mem::take(&mut self.offers_draw) {
            return Ok(false);
        }
        let accepts = self.game.offer_draw()?;
        if !accepts {
            self.say("the engine declines the draw")?;
        }
        Ok(accepts)
    }

    pub(super) fn conclude(&mut self, decision: Decision) -> Result<(), ClientError> {
        self.game.stop()?;
        self.game.decide(decision);
        self.settle()
    }
}
