//! Adjudicating games whose players agree on the result. Pure: it receives the scores.

use leap_protocol::payload::Side;

use crate::events::{Outcome, Reason, Score};
use crate::plan::config::Adjudication;

/// A mate score counts as this many centipawns.
const MATE_CP: i32 = 1_000_000;

/// The recent scores of both players.
#[derive(Clone, Debug)]
pub(crate) struct Adjudicator {
    rules: Adjudication,
    /// Consecutive moves with a score near zero, of p1 and p2.
    quiet: [u32; 2],
    /// Consecutive moves at which p1 and p2 saw p1 winning (positive) or p2 (negative).
    ahead: [i64; 2],
}

impl Adjudicator {
    pub(crate) fn new(rules: Adjudication) -> Self {
        Self { rules, quiet: [0, 0], ahead: [0, 0] }
    }

    /// Records a move after which the game goes on, and decides whether to end it. `ply` counts all plies of the game
    /// so far.
    pub(crate) fn moved(
        &mut self,
        side: Side,
        score: Option<Score>,
        ply: u64,
    ) -> Option<(Outcome, Reason)> {
        self.note(side, score);
        if let Some(rule) = self.rules.draw
            && ply >= rule.plies
            && self.quiet.iter().all(|count| *count >= rule.count)
        {
            return Some((Outcome::Draw, Reason::DrawAdjudication));
        }
        if let Some(rule) = self.rules.win {
            let count = i64::from(rule.count.max(1));
            if self.ahead.iter().all(|ahead| *ahead >= count) {
                return Some((Outcome::P1Win, Reason::WinAdjudication));
            }
            if self.ahead.iter().all(|ahead| *ahead <= -count) {
                return Some((Outcome::P2Win, Reason::WinAdjudication));
            }
        }
        let too_long = self.rules.max_plies.is_some_and(|most| ply >= most);
        too_long.then_some((Outcome::Draw, Reason::MaxPlies))
    }

    fn note(&mut self, side: Side, score: Option<Score>) {
        let own = usize::from(side == Side::P2);
        let cp = score.map(|score| match score {
            Score::Cp(cp) => cp,
            Score::Mate(n) => MATE_CP * n.signum(),
        });
        let near = |limit: i32| cp.is_some_and(|cp| cp.unsigned_abs() <= limit.unsigned_abs());
        if let Some(rule) = self.rules.draw {
            self.quiet[own] = if near(rule.score) { self.quiet[own] + 1 } else { 0 };
        }
        if let Some(rule) = self.rules.win {
            let sign = match cp {
                Some(cp) if cp >= rule.score => 1,
                Some(cp) if cp <= -rule.score => -1,
                _ => 0,
            };
            // The sign from the view of p1.
            let sign = if side == Side::P1 { sign } else { -sign };
            let same = self.ahead[own].signum() == sign;
            self.ahead[own] = if same { self.ahead[own] + sign } else { sign };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::config::{DrawRule, WinRule};

    fn play(rules: Adjudication, scores: &[Option<Score>]) -> Option<(usize, Outcome, Reason)> {
        let mut adjudicator = Adjudicator::new(rules);
        scores.iter().enumerate().find_map(|(index, score)| {
            let side = if index % 2 == 0 { Side::P1 } else { Side::P2 };
            let ended = adjudicator.moved(side, *score, index as u64 + 1);
            ended.map(|(outcome, reason)| (index + 1, outcome, reason))
        })
    }

    fn cp(scores: &[i32]) -> Vec<Option<Score>> {
        scores.iter().map(|cp| Some(Score::Cp(*cp))).collect()
    }

    #[test]
    fn a_draw_needs_both_players_in_succession() {
        let draw = Some(DrawRule { plies: 4, count: 2, score: 10 });
        let rules = Adjudication { draw, ..Adjudication::default() };
        let ended = |ply| Some((ply, Outcome::Draw, Reason::DrawAdjudication));
        assert_eq!(play(rules.clone(), &cp(&[0, 5, -10, 10])), ended(4));
        assert_eq!(play(rules.clone(), &cp(&[0, 5, 11, 0, 0, 0, 0])), ended(7));
        let silent = [Some(Score::Cp(0)), None, Some(Score::Cp(0)), None, Some(Score::Cp(0))];
        assert_eq!(play(rules.clone(), &silent), None);
        let mut silent_once = cp(&[0; 7]);
        silent_once[2] = None;
        assert_eq!(play(rules, &silent_once), ended(7));
    }

    #[test]
    fn a_win_needs_both_to_see_the_same_winner() {
        let win = Some(WinRule { count: 2, score: 500 });
        let rules = Adjudication { win, ..Adjudication::default() };
        let ended = |ply, outcome| Some((ply, outcome, Reason::WinAdjudication));
        assert_eq!(play(rules.clone(), &cp(&[500, -600, 700, -500])), ended(4, Outcome::P1Win));
        assert_eq!(play(rules.clone(), &cp(&[-500, 600, -700, 500])), ended(4, Outcome::P2Win));
        assert_eq!(play(rules.clone(), &cp(&[600, 600, 600, 600, 600, 600])), None);
        let mates = [5, -5, 5, -5].map(|n| Some(Score::Mate(n)));
        assert_eq!(play(rules, &mates), ended(4, Outcome::P1Win));
    }

    #[test]
    fn a_long_game_is_drawn() {
        let rules = Adjudication { max_plies: Some(3), ..Adjudication::default() };
        let scores = [None; 5];
        assert_eq!(play(rules, &scores), Some((3, Outcome::Draw, Reason::MaxPlies)));
    }
}
