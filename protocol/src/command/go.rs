//! The `go` command (SPEC 5).

use std::fmt;

use super::Dialect;
use super::args::{Args, Fault, Whole};
use crate::error::ErrorCode;
use crate::print::{pair, spaced_all};
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
    pub fn is_unbounded(&self) -> bool {
        let Self { p1time, p2time, movetime, depth, nodes, mate, infinite, .. } = self;
        let is_timed = p1time.is_some() || p2time.is_some() || movetime.is_some();
        *infinite || !(is_timed || depth.is_some() || nodes.is_some() || mate.is_some())
    }
}

/// The longest id, in characters (SPEC 5.14).
pub const MAX_ID_CHARS: usize = 64;

/// Every keyword of `go`. They end a list of moves and serve as suggestions.
const KEYWORDS: &[&str] = &[
    "p1time",
    "p2time",
    "p1inc",
    "p2inc",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "movetime",
    "depth",
    "nodes",
    "mate",
    "infinite",
    "ponder",
    "searchmoves",
    "id",
];

pub(super) fn parse<'a>(args: &mut Args<'a>, dialect: Dialect) -> Result<Go, Fault<'a>> {
    let mut go = Go::default();
    let mut skipped = None;
    while let Some(keyword) = args.next() {
        if Dialect::Uci.clock_words().contains(&keyword) {
            go.clocks = Dialect::Uci;
        }
        match keyword {
            "p1time" | "wtime" => number(args, keyword, &mut go.p1time)?,
            "p2time" | "btime" => number(args, keyword, &mut go.p2time)?,
            "p1inc" | "winc" => number(args, keyword, &mut go.p1inc)?,
            "p2inc" | "binc" => number(args, keyword, &mut go.p2inc)?,
            "movestogo" => number(args, keyword, &mut go.movestogo)?,
            "movetime" => number(args, keyword, &mut go.movetime)?,
            "depth" => number(args, keyword, &mut go.depth)?,
            "nodes" => number(args, keyword, &mut go.nodes)?,
            "mate" => number(args, keyword, &mut go.mate)?,
            "infinite" => flag(keyword, &mut go.infinite)?,
            "ponder" => flag(keyword, &mut go.ponder)?,
            "searchmoves" => {
                once(keyword, !go.searchmoves.is_empty())?;
                go.searchmoves = args.some_words_while("a move", |w| !KEYWORDS.contains(&w))?;
            }
            "id" => {
                once(keyword, go.id.is_some())?;
                go.id = Some(id(args)?);
            }
            // SPEC 2.15
            _ if dialect == Dialect::Uci => skipped = skipped.or(Some(keyword)),
            _ => return Err(Fault::not_among(keyword, "a keyword of 'go'", KEYWORDS)),
        }
    }
    match skipped {
        Some(word) if !go.infinite && go.is_unbounded() => {
            Err(Fault::not_among(word, "a limit of 'go'", KEYWORDS))
        }
        _ => Ok(go),
    }
}

fn number<'a, T: Whole>(
    args: &mut Args<'a>,
    keyword: &'a str,
    slot: &mut Option<T>,
) -> Result<(), Fault<'a>> {
    once(keyword, slot.is_some())?;
    *slot = Some(args.number(keyword)?);
    Ok(())
}

fn id<'a>(args: &mut Args<'a>) -> Result<String, Fault<'a>> {
    let word = args.required("an id")?;
    if word.chars().nth(MAX_ID_CHARS).is_some() {
        return Err(Fault::bad_argument(word, "an id of at most 64 characters"));
    }
    // The id is echoed in lines that people read (SPEC 5.14).
    if word.contains(is_obeyed) {
        return Err(Fault::bad_argument(word, "an id without control characters"));
    }
    Ok(word.to_owned())
}

fn flag<'a>(keyword: &'a str, slot: &mut bool) -> Result<(), Fault<'a>> {
    once(keyword, *slot)?;
    *slot = true;
    Ok(())
}

fn once<'a>(keyword: &'a str, is_set: bool) -> Result<(), Fault<'a>> {
    if is_set {
        let text = format!("expected each keyword of 'go' once, found '{keyword}' again");
        return Err(Fault::new(ErrorCode::BadArgument, keyword, text));
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
