//! Certificates with right checksums and wrong contents.

use leap_core::Side;
use leap_solve::Solver;
use leap_tables::certificate::{
    Claim, Head, Record, read_claim, read_head, write_claim, write_head,
};
use leap_tables::{CaptureRule, EndgameTablebase, Men, Slice, Wdl, make};

use crate::solved::{checked, solver};

/// Tables to so many men.
fn tables(men: u32) -> EndgameTablebase {
    let place = tempfile::tempdir().unwrap();
    make::tables(CaptureRule::Optional, men, place.path()).unwrap()
}

/// Tables to three men, and the claims of a position with two against two men.
struct Forge {
    tables: EndgameTablebase,
    head: Head,
    claims: Vec<(Claim, Vec<Record>)>,
}

impl Forge {
    fn new(men: Men) -> Self {
        let place = tempfile::tempdir().unwrap();
        let tables = tables(3);
        let position = men.position_of(Side::Two);
        let solver = Solver { position, ..solver(&tables, men, place.path()) };
        let solved = solver.solve(&|_| {}).unwrap();
        let bytes = std::fs::read(solved.certificate).unwrap();
        let mut file = &bytes[..];
        let head = read_head(&mut file).unwrap();
        let claims = (1..=head.claims).map(|number| read_claim(&mut file, number).unwrap());
        Self { claims: claims.collect(), head, tables }
    }

    /// What the check says of these claims, in a file whose checksums are right.
    fn check(&self, change: impl FnOnce(&mut Vec<(Claim, Vec<Record>)>)) -> Result<Wdl, String> {
        let mut claims = self.claims.clone();
        change(&mut claims);
        let mut bytes = Vec::new();
        let head = Head { claims: claims.len() as u8, ..self.head.clone() };
        write_head(&mut bytes, &head).unwrap();
        for (claim, records) in &claims {
            write_claim(&mut bytes, *claim, records).unwrap();
        }
        checked(&bytes, &self.tables).map(|known| known.checked().value)
    }
}

/// One man in each corner: a draw, by endless play.
const DRAW: Men = Men { own: 1 | 1 << 24, enemy: 1 << 4 | 1 << 20 };

#[test]
fn forged_claims_are_refused_although_their_checksums_are_right() {
    let forge = Forge::new(DRAW);
    assert_eq!(forge.check(|_| {}), Ok(Wdl::Draw));
    assert_eq!(
        forge.check(|claims| drop(claims.pop())),
        Err("the claims leave the value open".to_owned())
    );
    let more = forge.check(|claims| claims[0].0.at_least = Wdl::Win);
    assert!(more.unwrap_err().contains("claim 1, record"));
    let root = (true, DRAW.least_image());
    let is_root = |record: &Record| (record.claimant_moves, record.men) == root;
    let hole = forge.check(|claims| claims[0].1.retain(|record| !is_root(record)));
    assert!(hole.is_err());
    let first = forge.check(|claims| claims[0].1.truncate(2));
    assert!(first.unwrap_err().contains("lacks a position"));
    let order = forge.check(|claims| claims[0].1.swap(0, 1));
    assert_eq!(order.unwrap_err(), "claim 1, record 2: it is not above the one before");
    let choice = forge.check(|claims| claims[0].1.iter_mut().for_each(|r| r.choice = 99));
    assert!(choice.unwrap_err().contains("there is no such move"));
}

#[test]
fn a_claim_of_a_win_by_steps_alone_must_make_progress() {
    let exact = tables(4);
    let slice = Slice { own: 2, enemy: 2 };
    let wins_late = |men: &Men| {
        exact.probe(*men).is_some_and(|exact| {
            exact.outcome == Wdl::Win && exact.plies.is_some_and(|plies| plies >= 5)
        })
    };
    let men = (0..slice.size()).map(|at| slice.men_at(at)).find(wins_late).unwrap();
    let forge = Forge::new(men);
    assert_eq!(forge.check(|_| {}), Ok(Wdl::Win));
    let ranks: Vec<u32> = forge.claims[0].1.iter().map(|record| record.rank).collect();
    assert!(ranks.iter().any(|rank| *rank > 0), "{ranks:?}");
    let same = forge.check(|claims| claims[0].1.iter_mut().for_each(|record| record.rank = 1));
    assert!(same.unwrap_err().contains("a step makes no progress"));
}
