//! A certificate as knowledge: the values and the moves of the positions that it proves.

use std::io::Read;
use std::ops::ControlFlow;

use leap_core::Game as _;
use leap_games::alquerque::AlquerqueMove;
use leap_tables::{Men, Outcome, Tables};

use crate::certificate::{Claim, Head, Record};
use crate::check::{CheckError, Checked, after_moves, checked, find, least_image, rules};

/// What a certificate proves, position by position. Tables know the positions with few men.
#[derive(Clone, Debug)]
pub struct Knowledge {
    checked: Checked,
    claims: Vec<(Claim, Vec<Record>)>,
}

impl Knowledge {
    /// Checks a certificate whose head was read, as [`check`](crate::check()) does, and keeps it. Nothing is known from
    /// a certificate with a fault.
    ///
    /// # Errors
    /// The first fault of the certificate, or the lack of tables.
    pub fn read(
        file: &mut impl Read,
        head: Head,
        tables: &Tables,
        tell: &mut dyn FnMut(u64, u64),
    ) -> Result<Self, CheckError> {
        let (checked, claims) = checked(file, head, tables, tell)?;
        Ok(Self { checked, claims })
    }

    /// What the certificate proves about its own position.
    #[must_use]
    pub const fn checked(&self) -> &Checked {
        &self.checked
    }

    /// The value of a position for the side to move. `None` where the certificate does not settle it.
    #[must_use]
    pub fn outcome(&self, men: Men) -> Option<Outcome> {
        let image = least_image(men);
        let (mut least, mut most) = (Outcome::Loss, Outcome::Win);
        for (claim, records) in &self.claims {
            if find(records, image, true).is_some() {
                least = least.max(claim.at_least);
            }
            if find(records, image, false).is_some() {
                most = most.min(claim.at_least.flipped());
            }
        }
        (least == most).then_some(least)
    }

    /// The moves by which the side to move reaches the value that the certificate proves. Moves to the same position, or
    /// to its images, are alike. None where the other side reaches it whatever is played.
    #[must_use]
    pub fn moves(&self, men: Men) -> Vec<AlquerqueMove> {
        let game = rules(self.checked.head.capture);
        let (image, outcome) = (least_image(men), self.outcome(men));
        let proves = |(claim, _): &&(Claim, _)| Some(claim.at_least) == outcome;
        let record =
            self.claims.iter().filter(proves).find_map(|(_, records)| find(records, image, true));
        let chosen = record
            .and_then(|record| after_moves(&game, image).get(usize::from(record.choice)).copied());
        let position = men.position();
        let mut moves = Vec::new();
        let _ = game.visit_moves(&position, |mv| {
            if Some(least_image(Men::of(&game.after(&position, mv)))) == chosen {
                moves.push(mv);
            }
            ControlFlow::Continue(())
        });
        moves
    }
}
