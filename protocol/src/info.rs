//! The `info` line (SPEC 5).

use std::fmt;

use nom::Parser;
use nom::combinator::{fail, map_opt, verify};
use nom::multi::many0;

use crate::print::{pair, spaced_all, tagged};
use crate::scan::{Parsed, number, owned, text, word};
use crate::visible::OneLine;

/// What an engine reports about its search. Every field is optional.
///
/// ```
/// use leap_protocol::{Bound, Info, Reply, Score};
///
/// let Reply::Info(info) = Reply::parse("info depth 9 score cp 34 lowerbound nodes 120000 pv a1c3") else {
///     unreachable!("an info line");
/// };
/// assert_eq!(info.score, Some((Score::Cp(34), Bound::Lower)));
/// assert_eq!(info.pv, ["a1c3"]);
///
/// let info = Info { depth: Some(3), nodes: Some(1_000), ..Info::default() };
/// assert_eq!(info.to_string(), "info depth 3 nodes 1000");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Info {
    /// The word that the `go` command gave this search.
    pub id: Option<String>,
    /// Depth searched, in plies.
    pub depth: Option<u32>,
    /// Deepest line looked at, in plies.
    pub seldepth: Option<u32>,
    /// Rank of this line among the best lines searched: 1 is the best.
    pub multipv: Option<u32>,
    /// The value for the side to move, and whether it is exact.
    pub score: Option<(Score, Bound)>,
    /// Chances of the side to move.
    pub wdl: Option<Wdl>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Nodes a second.
    pub nps: Option<u64>,
    /// Fill of the transposition table, in permille.
    pub hashfull: Option<u32>,
    /// Positions that tables of exact values have answered for.
    pub tbhits: Option<u64>,
    /// Time searched, in milliseconds.
    pub time: Option<u64>,
    /// The root move being searched, a word.
    pub currmove: Option<String>,
    /// Other words, in order: keys of other engines, with their values. None is a key of this struct.
    pub other: Vec<String>,
    /// The principal variation: moves, each a word that is no key of `info`.
    pub pv: Vec<String>,
    /// Free text. It ends the line.
    pub string: Option<String>,
}

/// The value of a position for the side to move. Prints as in the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::Display)]
pub enum Score {
    /// Hundredths of the game's unit (`cp`).
    #[strum(to_string = "cp {0}")]
    Cp(i32),
    /// The game is won (positive) or lost (negative) in this many plies; in moves for some engines (SPEC 5.20).
    #[strum(to_string = "mate {0}")]
    Mate(i32),
}

impl Score {
    /// The score with its distance to the end in moves, where it was in plies: half of them, rounded up.
    ///
    /// ```
    /// use leap_protocol::Score;
    ///
    /// let in_moves = [1, 2, 3, -4, -5].map(|plies| Score::Mate(plies).in_moves());
    /// assert_eq!(in_moves, [1, 1, 2, -2, -3].map(Score::Mate));
    /// assert_eq!(Score::Cp(7).in_moves(), Score::Cp(7));
    /// ```
    #[must_use]
    pub const fn in_moves(self) -> Self {
        match self {
            Self::Mate(plies) => Self::Mate(plies / 2 + plies % 2),
            Self::Cp(_) => self,
        }
    }
}

/// Whether a score is the value or a bound on it. Prints as what follows the score, the blank before it included.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, strum::Display)]
pub enum Bound {
    /// The value itself.
    #[default]
    #[strum(to_string = "")]
    Exact,
    /// The value is at least this (`lowerbound`).
    #[strum(to_string = " lowerbound")]
    Lower,
    /// The value is at most this (`upperbound`).
    #[strum(to_string = " upperbound")]
    Upper,
}

/// Chances to win, draw and lose, in permille; they add up to 1000.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Wdl {
    /// Chance that the side to move wins.
    pub win: u32,
    /// Chance of a draw.
    pub draw: u32,
    /// Chance that the side to move loses.
    pub loss: u32,
}

/// A line that is being read.
#[derive(Default)]
struct Fields {
    info: Info,
    /// It may stand before the score.
    bound: Option<Bound>,
}

/// Parses the value of a key into the field that it belongs to.
type Value = for<'a> fn(&mut Fields, &'a str) -> Parsed<'a, ()>;

/// Keys that have a field, and their values.
const KEYS: &[(&str, Value)] = &[
    ("id", |fields, rest| fill(&mut fields.info.id, owned(rest)?)),
    ("depth", |fields, rest| fill(&mut fields.info.depth, number(rest)?)),
    ("seldepth", |fields, rest| fill(&mut fields.info.seldepth, number(rest)?)),
    ("multipv", |fields, rest| fill(&mut fields.info.multipv, number(rest)?)),
    ("score", |fields, rest| fill(&mut fields.info.score, score(rest)?)),
    ("lowerbound", |fields, rest| fill(&mut fields.bound, (rest, Bound::Lower))),
    ("upperbound", |fields, rest| fill(&mut fields.bound, (rest, Bound::Upper))),
    ("wdl", |fields, rest| fill(&mut fields.info.wdl, wdl(rest)?)),
    ("nodes", |fields, rest| fill(&mut fields.info.nodes, number(rest)?)),
    ("nps", |fields, rest| fill(&mut fields.info.nps, number(rest)?)),
    ("hashfull", |fields, rest| fill(&mut fields.info.hashfull, number(rest)?)),
    ("tbhits", |fields, rest| fill(&mut fields.info.tbhits, number(rest)?)),
    ("time", |fields, rest| fill(&mut fields.info.time, number(rest)?)),
    ("currmove", |fields, rest| fill(&mut fields.info.currmove, owned(rest)?)),
    ("pv", |fields, rest| moves(&mut fields.info.pv, rest)),
    ("string", |fields, rest| fill(&mut fields.info.string, text.map(str::to_owned).parse(rest)?)),
];

/// Keys of UCI without a field here. They end a `pv` too.
const UNTYPED_KEYS: &[&str] = &["currmovenumber", "sbhits", "cpuload", "refutation", "currline"];

fn value(word: &str) -> Option<Value> {
    KEYS.iter().find(|(key, _)| *key == word).map(|(_, value)| *value)
}

impl Info {
    /// The line with its distance to the end in moves, where it was in plies ([`Score::in_moves`]).
    #[must_use]
    pub fn in_moves(self) -> Self {
        let score = self.score.map(|(score, bound)| (score.in_moves(), bound));
        Self { score, ..self }
    }

    /// A line with nothing but free text.
    pub fn string(text: impl Into<String>) -> Self {
        Self { string: Some(text.into()), ..Self::default() }
    }

    /// The score that counts as the result of the search: exact, and of the best line. A bound is not the value, and
    /// the scores of other lines are those of worse moves.
    ///
    /// ```
    /// use leap_protocol::{Info, Reply, Score};
    ///
    /// let score = |line| match Reply::parse(line) {
    ///     Reply::Info(info) => info.exact_score(),
    ///     _ => None,
    /// };
    /// assert_eq!(score("info depth 9 score cp 34 pv a1c3"), Some(Score::Cp(34)));
    /// assert_eq!(score("info depth 9 score cp 34 lowerbound"), None);
    /// assert_eq!(score("info depth 9 multipv 2 score cp 34"), None);
    /// ```
    #[must_use]
    pub fn exact_score(&self) -> Option<Score> {
        let (score, bound) = self.score?;
        (bound == Bound::Exact && self.is_of_best_line()).then_some(score)
    }

    /// Whether the line tells of the best move that was searched, and not of another one.
    #[must_use]
    pub fn is_of_best_line(&self) -> bool {
        self.multipv.is_none_or(|rank| rank <= 1)
    }

    /// Parses what follows the word `info`. Fails if a key lacks a valid value or is repeated.
    pub(crate) fn parse_body(input: &str) -> Parsed<'_, Self> {
        let mut fields = Fields::default();
        let mut rest = input;
        while let Ok((after, key)) = owned(rest) {
            rest = match value(&key) {
                Some(value) => value(&mut fields, after)?.0,
                None => {
                    fields.info.other.push(key);
                    after
                }
            };
        }
        let Fields { mut info, bound } = fields;
        match (bound, &mut info.score) {
            (Some(found), Some((_, bound))) => *bound = found,
            (Some(_), None) => return fail().parse(rest),
            (None, _) => {}
        }
        Ok((rest, info))
    }
}

fn score(input: &str) -> Parsed<'_, (Score, Bound)> {
    let score = map_opt((word, number), |(unit, number)| match unit {
        "cp" => Some(Score::Cp(number)),
        "mate" => Some(Score::Mate(number)),
        _ => None,
    });
    score.map(|score| (score, Bound::Exact)).parse(input)
}

fn wdl(input: &str) -> Parsed<'_, Wdl> {
    (number, number, number).map(|(win, draw, loss)| Wdl { win, draw, loss }).parse(input)
}

/// Fills a slot that must be empty.
fn fill<'a, T>(slot: &mut Option<T>, (rest, value): (&'a str, T)) -> Parsed<'a, ()> {
    match slot.replace(value) {
        None => Ok((rest, ())),
        Some(_) => fail().parse(rest),
    }
}

/// The words up to the next key. `pv` alone is accepted: some engines print it.
fn moves<'a>(pv: &mut Vec<String>, input: &'a str) -> Parsed<'a, ()> {
    if !pv.is_empty() {
        return fail().parse(input);
    }
    let is_move = |word: &str| value(word).is_none() && !UNTYPED_KEYS.contains(&word);
    many0(verify(owned, is_move)).map(|moves| *pv = moves).parse(input)
}

/// Prints the line, `info` included, in a fixed order.
impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("info")?;
        pair(f, "id", self.id.as_deref().map(OneLine))?;
        pair(f, "depth", self.depth)?;
        pair(f, "seldepth", self.seldepth)?;
        pair(f, "multipv", self.multipv)?;
        if let Some((score, bound)) = self.score {
            write!(f, " score {score}{bound}")?;
        }
        if let Some(Wdl { win, draw, loss }) = self.wdl {
            write!(f, " wdl {win} {draw} {loss}")?;
        }
        pair(f, "nodes", self.nodes)?;
        pair(f, "nps", self.nps)?;
        pair(f, "hashfull", self.hashfull)?;
        pair(f, "tbhits", self.tbhits)?;
        pair(f, "time", self.time)?;
        pair(f, "currmove", self.currmove.as_deref().map(OneLine))?;
        spaced_all(f, &self.other)?;
        if !self.pv.is_empty() {
            f.write_str(" pv")?;
            spaced_all(f, &self.pv)?;
        }
        self.string.as_ref().map_or(Ok(()), |text| tagged(f, " string", text))
    }
}
