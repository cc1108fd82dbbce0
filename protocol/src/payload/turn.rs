//! The body that describes a move entered so far.

use std::fmt;

use nom::Parser;
use nom::branch::alt;
use nom::combinator::{map_opt, opt, verify};
use nom::error::Error;
use nom::multi::{length_count, many0};
use nom::sequence::{preceded, separated_pair};
use strum::{Display, EnumString, IntoStaticStr};

use super::{COLON, Effect, Effects, NOTHING, for_people, print_fault};
use crate::print::{pair, spaced};
use crate::scan::{Parsed, keyword, number, owned, word};
use crate::visible::OneLine;

/// The answer to `query turn`: the part of a move that has been entered, and what may follow (SPEC 4.41).
///
/// ```
/// use leap_protocol::payload::{Awaited, Turn, TurnEnd};
///
/// let body = "entered b2 awaits step drops 0 next 1 step d4=step,end effects 0 unfinished incomplete at -";
/// let turn: Turn = body.parse()?;
/// assert_eq!(turn.entered, "b2");
/// assert_eq!(turn.next[0].token, "d4");
/// assert_eq!(turn.next[0].then, [Awaited::Step, Awaited::End]);
/// assert!(matches!(turn.end, TurnEnd::Unfinished { .. }));
/// assert_eq!(turn.to_string(), body);
/// # Ok::<(), leap_protocol::payload::PayloadError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// The longest beginning of the text with which a legal move begins: a word other than `-`, or empty.
    pub entered: String,
    /// Why the text after this beginning is refused; `None` if there is no such text.
    pub refused: Option<TurnRefusal>,
    /// The kinds of what may follow, in the order of [`Awaited`]. Empty if the game is over.
    pub awaits: Vec<Awaited>,
    /// How many drops must still be made where the piece stands.
    pub drops: u64,
    /// The tokens that may follow, `end` aside, in listing order.
    pub next: Vec<NextToken>,
    /// What the entered part does to the board.
    pub effects: Effects,
    /// Whether the entered part is a move.
    pub end: TurnEnd,
}

/// What may come next in a move: the kinds of `rules prompt` (SPEC 4.38).
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Display, EnumString, IntoStaticStr,
)]
#[strum(serialize_all = "lowercase")]
pub enum Awaited {
    /// `first`: the square that the piece starts on.
    First,
    /// `step`: a further square.
    Step,
    /// `drop`: a drop.
    Drop,
    /// `remove`: a removal.
    Remove,
    /// `pass`: the move that only ends the turn.
    Pass,
    /// `end`: the end of the move.
    End,
}

impl Awaited {
    /// The word on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// A token that may follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NextToken {
    /// Its kind, other than [`Awaited::End`].
    pub kind: Awaited,
    /// The token as `query next` gives it: a word without `=`.
    pub token: String,
    /// What is awaited after this token. Only [`Awaited::End`] if the token completes the move.
    pub then: Vec<Awaited>,
}

/// Why a text is refused from some place on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnRefusal {
    /// A code of SPEC 6.8.
    pub reason: String,
    /// The square at fault, a word other than `-`, if it is one square.
    pub at: Option<String>,
    /// The reason for people to read. One line.
    pub text: String,
}

/// Whether the move may end where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TurnEnd {
    /// `end <move> <pair>...`: what has been entered is a legal move.
    Move {
        /// Its canonical text, a word.
        mv: String,
        /// What ending the move here does, after the effects of the entered part.
        effects: Effects,
    },
    /// `unfinished <reason> at <square>`: the move cannot end here.
    Unfinished {
        /// Why not: a code of SPEC 6.8.
        reason: String,
        /// The square at fault, a word other than `-`, if it is one square.
        at: Option<String>,
    },
}

impl Turn {
    /// Whether what has been entered is a legal move.
    #[must_use]
    pub const fn may_end(&self) -> bool {
        matches!(self.end, TurnEnd::Move { .. })
    }

    /// All that the move does if it ends here, as `query effects` tells; `None` if it cannot.
    #[must_use]
    pub fn whole_effects(&self) -> Option<Effects> {
        let TurnEnd::Move { effects, .. } = &self.end else { return None };
        Some(Effects([self.effects.0.as_slice(), &effects.0].concat()))
    }
}

/// What stands for no kind: the game is over.
const NONE: &str = "none";

/// The word for something that may be missing.
fn something(input: &str) -> Parsed<'_, Option<String>> {
    owned.map(|word| Some(word).filter(|word| word != NOTHING)).parse(input)
}

fn kinds(word: &str) -> Option<Vec<Awaited>> {
    if word == NONE {
        return Some(Vec::new());
    }
    word.split(',').map(|kind| kind.parse().ok()).collect()
}

fn next_token(input: &str) -> Parsed<'_, NextToken> {
    let next = |(kind, value): (&str, &str)| {
        let (token, then) = value.split_once('=')?;
        Some(NextToken { kind: kind.parse().ok()?, token: token.to_owned(), then: kinds(then)? })
    };
    map_opt((word, word), next).parse(input)
}

/// One pair of effects; an effect from one square to another takes two.
fn effect(input: &str) -> Parsed<'_, Effect> {
    let key = verify(owned, |key: &str| key != COLON);
    map_opt((key, owned), |pair| Effect::from_pair(pair).ok()).parse(input)
}

/// `refused <reason> at <square>`, or `unfinished` with the same.
fn fault<'a>(
    key: &'static str,
) -> impl Parser<&'a str, Output = (String, Option<String>), Error = Error<&'a str>> {
    preceded(keyword(key), separated_pair(owned, keyword("at"), something))
}

fn end(input: &str) -> Parsed<'_, TurnEnd> {
    let unfinished = fault("unfinished").map(|(reason, at)| TurnEnd::Unfinished { reason, at });
    let effects = many0(effect).map(Effects);
    let end = preceded(keyword("end"), (owned, effects));
    alt((unfinished, end.map(|(mv, effects)| TurnEnd::Move { mv, effects }))).parse(input)
}

fn turn(input: &str) -> Parsed<'_, Turn> {
    let entered = preceded(keyword("entered"), something);
    let awaits = map_opt(preceded(keyword("awaits"), word), kinds);
    let drops = preceded(keyword("drops"), number);
    let next = preceded(keyword("next"), length_count(number::<usize>, next_token));
    let effects = preceded(keyword("effects"), length_count(number::<usize>, effect));
    let (rest, (entered, refused, awaits, drops, next, effects, end)) =
        (entered, opt(fault("refused")), awaits, drops, next, effects, end).parse(input)?;
    let entered = entered.unwrap_or_default();
    let refused = match refused {
        None => None,
        Some((reason, at)) => {
            let (_, (_, text)) = for_people(rest)?;
            Some(TurnRefusal { reason, at, text: text.to_owned() })
        }
    };
    Ok((rest, Turn { entered, refused, awaits, drops, next, effects: Effects(effects), end }))
}

parsed_as!(Turn: turn, "'entered <text> awaits ... drops ... next ... effects ...'");

/// Prints kinds, joined by commas.
struct Kinds<'a>(&'a [Awaited]);

impl fmt::Display for Kinds<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<&str> = self.0.iter().map(|kind| kind.as_str()).collect();
        f.write_str(if words.is_empty() { NONE } else { "" })?;
        f.write_str(&words.join(","))
    }
}

fn print_effects(f: &mut fmt::Formatter<'_>, Effects(effects): &Effects) -> fmt::Result {
    effects.iter().try_for_each(|effect| write!(f, " {effect}"))
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let entered = if self.entered.is_empty() { NOTHING } else { &self.entered };
        write!(f, "entered {}", OneLine(entered))?;
        if let Some(TurnRefusal { reason, at, .. }) = &self.refused {
            print_fault(f, " refused", reason, at.as_deref())?;
        }
        write!(f, " awaits {} drops {}", Kinds(&self.awaits), self.drops)?;
        write!(f, " next {}", self.next.len())?;
        for NextToken { kind, token, then } in &self.next {
            write!(f, " {kind} {}={}", OneLine(token), Kinds(then))?;
        }
        write!(f, " effects {}", self.effects.0.len())?;
        print_effects(f, &self.effects)?;
        match &self.end {
            TurnEnd::Move { mv, effects } => {
                pair(f, "end", Some(OneLine(mv)))?;
                print_effects(f, effects)?;
            }
            TurnEnd::Unfinished { reason, at } => {
                print_fault(f, " unfinished", reason, at.as_deref())?;
            }
        }
        let Some(TurnRefusal { text, .. }) = &self.refused else { return Ok(()) };
        write!(f, " {COLON}")?;
        spaced(f, text)
    }
}
