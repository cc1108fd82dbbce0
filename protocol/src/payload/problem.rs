//! Problems: positions whose right moves are proved, as lines of text.

use std::fmt;
use std::str::FromStr;

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_until};
use nom::character::complete::{i32, u32};
use nom::combinator::all_consuming;
use nom::error::Error;
use nom::multi::many1;
use nom::sequence::{delimited, preceded, terminated};

use super::PayloadError;
use crate::print::spaced_all;
use crate::scan::{is_blank, owned, whole};
use crate::visible::OneLine;

/// A line of the answer to `query problems` and of a file of problems: a position and its right moves, as in EPD
/// (SPEC 4.48).
///
/// ```
/// use leap_protocol::payload::{Problem, Proof};
///
/// let line = r#"8/8/8/1m6/8/8/M7/8 1 - 0 393 bm a2a3 a2b3; c0 "win in 5 plies"; id "eximo.1";"#;
/// let problem: Problem = line.parse()?;
/// assert_eq!((problem.id.as_str(), problem.proof), ("eximo.1", Proof::Win(5)));
/// assert_eq!(problem.best, ["a2a3", "a2b3"]);
/// assert_eq!(problem.to_string(), line);
/// # Ok::<(), leap_protocol::payload::PayloadError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The position text.
    pub fen: String,
    /// The right moves, each a word without `;`; at least one.
    pub best: Vec<String>,
    /// What is proved.
    pub proof: Proof,
    /// Its name, without quotes in it.
    pub id: String,
}

/// What is proved of the right moves of a problem, and of no other move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::Display)]
pub enum Proof {
    /// They win by force in this many plies. The others do not win.
    #[strum(to_string = "win in {0} plies")]
    Win(u32),
    /// They do not lose within the plies that are left, this many. The others do.
    #[strum(to_string = "hold for {0} plies")]
    Hold(u32),
    /// They reach the best possible margin of points, in centipawns for the side to move.
    #[strum(to_string = "margin of {0} cp")]
    Margin(i32),
}

impl FromStr for Problem {
    type Err = PayloadError;

    fn from_str(line: &str) -> Result<Self, Self::Err> {
        let fault = |expected| PayloadError::new(expected, line);
        let (rest, fen) = until(" bm ").parse(line).map_err(|_| fault("'bm' and moves"))?;
        let (rest, best) = until(";").parse(rest).map_err(|_| fault("';' after the moves"))?;
        let operand = |begin| preceded(until(begin), until("\";")).parse(rest);
        let (_, proof) =
            operand(" c0 \"").map_err(|_| fault("'c0' and what is proved, in quotes"))?;
        let proof = proof.parse()?;
        let (_, id) = operand(" id \"").map_err(|_| fault("'id' and a name, in quotes"))?;
        let best = whole(many1(owned), best).ok_or_else(|| fault("a move after 'bm'"))?;
        Ok(Self { fen: fen.trim_matches(is_blank).to_owned(), best, proof, id: id.to_owned() })
    }
}

/// The text before a mark, which is passed over.
fn until<'a>(mark: &'static str) -> impl Parser<&'a str, Output = &'a str, Error = Error<&'a str>> {
    terminated(take_until(mark), tag(mark))
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { fen, best, proof, id } = self;
        write!(f, "{} bm", OneLine(fen))?;
        spaced_all(f, best)?;
        write!(f, "; c0 \"{proof}\"; id \"{}\";", OneLine(id))
    }
}

parsed_as!(
    Proof: all_consuming(alt((
        delimited(tag("win in "), u32, tag(" plies")).map(Proof::Win),
        delimited(tag("hold for "), u32, tag(" plies")).map(Proof::Hold),
        delimited(tag("margin of "), i32, tag(" cp")).map(Proof::Margin),
    ))),
    "'win in N plies', 'hold for N plies' or 'margin of N cp'"
);
