//! The `go` command (SPEC 5).

use std::fmt;

use nom::{Err, Parser};

use super::Dialect;
use super::argument::{Fault, Parsed, Whole, number_in, required, some_words};
use crate::error::ErrorCode;
use crate::print::{pair, spaced_all};
use crate::scan::word;
use crate::visible::{OneLine, is_obeyed};

/// How to search: clocks, limits and root moves. Every field is optional.
///
/// Times are milliseconds. Clocks are signed: runners send a negative one once a player has overstepped the time
/// (SPEC 5.4).
///
/// ```
/// use leap_protocol::{Command, Dialect, Go};
///
/// let go = Go { p1time: Some(60_000), p2time: Some(58_500), p1inc: Some(500), ..Go::default() };
/// assert_eq!(go.to_string(), "go p1time 60000 p2time 58500 p1inc 500");
///
/// // The names of UCI mean the same.
/// let go = Go { clocks: Dialect::Uci, ..go };
/// assert_eq!(Command::parse("go wtime 60000 btime 58500 winc 500")?, Some(Command::Go(go)));
/// # Ok::<(), leap_protocol::CommandError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Go {
    /// The dialect whose names the clocks and increments have.
    pub clocks: Dialect,
    /// Time left to player 1 (`p1time`, in UCI `wtime`).
    pub p1time: Option<i64>,
    /// Time left to player 2 (`p2time`, in UCI `btime`).
    pub p2time: Option<i64>,
    /// Time that player 1 gains with each move (`p1inc`, in UCI `winc`).
    pub p1inc: Option<i64>,
    /// Time that player 2 gains with each move (`p2inc`, in UCI `binc`).
    pub p2inc: Option<i64>,
    /// Moves to the next time control.
    pub movestogo: Option<u32>,
    /// Time for this move.
    pub movetime: Option<u64>,
    /// Depth to search, in plies.
    pub depth: Option<u32>,
    /// Nodes to search.
    pub nodes: Option<u64>,
    /// Search for a win in this many moves, each of two plies (SPEC 5.1).
    pub mate: Option<u32>,
    /// Search until `stop`.
    pub infinite: bool,
    /// Search on the opponent's time, until `ponderhit` or `stop`.
    pub ponder: bool,
    /// Only these moves are searched at the root; all of them if empty. Each is a word other than the keywords of `go`.
    pub searchmoves: Vec<String>,
    /// A word of at most [`MAX_ID_CHARS`] that each `info` and the `bestmove` of this search carry.
    pub id: Option<String>,
}

impl Go {
    /// Whether nothing ends this search but `stop` (SPEC 5.6).
    #[must_use]
    pub const fn is_unbounded(&self) -> bool {
        let Self { p1time, p2time, movetime, depth, nodes, mate, infinite, .. } = self;
        let is_timed = p1time.is_some() || p2time.is_some() || movetime.is_some();
        *infinite || !(is_timed || depth.is_some() || nodes.is_some() || mate.is_some())
    }
}

/// The longest id, in characters (SPEC 5.14).
pub const MAX_ID_CHARS: usize = 64;

/// Parses the value of a keyword into the field that it belongs to.
type Value = for<'a> fn(&mut Go, &'a str, &'a str) -> Parsed<'a, ()>;

/// Every keyword of `go`. They end a list of moves and serve as suggestions.
const KEYWORDS: &[(&str, Value)] = &[
    ("p1time", |go, keyword, rest| number(&mut go.p1time, keyword, rest)),
    ("p2time", |go, keyword, rest| number(&mut go.p2time, keyword, rest)),
    ("p1inc", |go, keyword, rest| number(&mut go.p1inc, keyword, rest)),
    ("p2inc", |go, keyword, rest| number(&mut go.p2inc, keyword, rest)),
    ("wtime", |go, keyword, rest| number(&mut go.p1time, keyword, rest)),
    ("btime", |go, keyword, rest| number(&mut go.p2time, keyword, rest)),
    ("winc", |go, keyword, rest| number(&mut go.p1inc, keyword, rest)),
    ("binc", |go, keyword, rest| number(&mut go.p2inc, keyword, rest)),
    ("movestogo", |go, keyword, rest| number(&mut go.movestogo, keyword, rest)),
    ("movetime", |go, keyword, rest| number(&mut go.movetime, keyword, rest)),
    ("depth", |go, keyword, rest| number(&mut go.depth, keyword, rest)),
    ("nodes", |go, keyword, rest| number(&mut go.nodes, keyword, rest)),
    ("mate", |go, keyword, rest| number(&mut go.mate, keyword, rest)),
    ("infinite", |go, keyword, rest| flag(&mut go.infinite, keyword, rest)),
    ("ponder", |go, keyword, rest| flag(&mut go.ponder, keyword, rest)),
    ("searchmoves", |go, keyword, rest| {
        once(keyword, !go.searchmoves.is_empty())?;
        some_words("a move", |word| !names().any(|name| name == word))
            .map(|moves| go.searchmoves = moves)
            .parse(rest)
    }),
    ("id", |go, keyword, rest| {
        once(keyword, go.id.is_some())?;
        id.map(|id| go.id = Some(id)).parse(rest)
    }),
];

fn names() -> impl Iterator<Item = &'static str> {
    KEYWORDS.iter().map(|(name, _)| *name)
}

pub(super) fn parse(input: &str, dialect: Dialect) -> Parsed<'_, Go> {
    let mut go = Go::default();
    let mut skipped = None;
    let mut rest = input;
    while let Ok((after, keyword)) = word::<Fault<'_>>(rest) {
        if Dialect::Uci.clock_words().contains(&keyword) {
            go.clocks = Dialect::Uci;
        }
        rest = match KEYWORDS.iter().find(|(name, _)| *name == keyword) {
            Some((_, value)) => value(&mut go, keyword, after)?.0,
            // SPEC 2.15
            None if dialect == Dialect::Uci => {
                skipped = skipped.or(Some(keyword));
                after
            }
            None => return Err(unknown(keyword, "a keyword of 'go'")),
        };
    }
    match skipped {
        Some(word) if !go.infinite && go.is_unbounded() => Err(unknown(word, "a limit of 'go'")),
        _ => Ok((rest, go)),
    }
}

fn unknown<'a>(word: &'a str, expected: &str) -> Err<Fault<'a>> {
    Err::Failure(Fault::not_among(word, expected, names()))
}

fn number<'a, T: Whole>(slot: &mut Option<T>, keyword: &'a str, rest: &'a str) -> Parsed<'a, ()> {
    once(keyword, slot.is_some())?;
    number_in(T::MIN..=T::MAX, keyword).map(|number| *slot = Some(number)).parse(rest)
}

fn id(input: &str) -> Parsed<'_, String> {
    let (rest, word) = required("an id", word).parse(input)?;
    let expected = if word.chars().nth(MAX_ID_CHARS).is_some() {
        "an id of at most 64 characters"
    } else if word.contains(is_obeyed) {
        // The id is echoed in lines that people read (SPEC 5.14).
        "an id without control characters"
    } else {
        return Ok((rest, word.to_owned()));
    };
    Err(Err::Failure(Fault::bad_argument(word, expected)))
}

fn flag<'a>(slot: &mut bool, keyword: &'a str, rest: &'a str) -> Parsed<'a, ()> {
    once(keyword, *slot)?;
    *slot = true;
    Ok((rest, ()))
}

fn once(keyword: &str, is_set: bool) -> Result<(), Err<Fault<'_>>> {
    if is_set {
        let text = format!("expected each keyword of 'go' once, found '{keyword}' again");
        return Err(Err::Failure(Fault::new(ErrorCode::BadArgument, keyword, text)));
    }
    Ok(())
}

/// Prints the line, in a fixed order.
impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")?;
        let clocks = [self.p1time, self.p2time, self.p1inc, self.p2inc];
        for (word, ms) in self.clocks.clock_words().into_iter().zip(clocks) {
            pair(f, word, ms)?;
        }
        pair(f, "movestogo", self.movestogo)?;
        pair(f, "movetime", self.movetime)?;
        pair(f, "depth", self.depth)?;
        pair(f, "nodes", self.nodes)?;
        pair(f, "mate", self.mate)?;
        if self.infinite {
            f.write_str(" infinite")?;
        }
        if self.ponder {
            f.write_str(" ponder")?;
        }
        if !self.searchmoves.is_empty() {
            f.write_str(" searchmoves")?;
            spaced_all(f, &self.searchmoves)?;
        }
        pair(f, "id", self.id.as_deref().map(OneLine))
    }
}
