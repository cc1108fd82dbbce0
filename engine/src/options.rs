//! The options: what `option` lines, the checks of `setoption`, the command line and the table in SPEC 8 come from.

mod agent;
mod eval_file;
mod table;
mod table_path;
#[cfg(feature = "tune")]
pub(crate) mod tune;

use std::borrow::Cow;
use std::sync::Arc;

use derive_more::From;
use leap_protocol::{ErrorCode, ErrorReply, OptionDecl, OptionKind, quoted, suggestion};

pub use agent::Agent;
pub(crate) use eval_file::{EvalFileError, weights};
pub(crate) use table::SHARED;
pub use table_path::TablePath;

use leap_core::Rules;
use leap_core::exact::Tablebase;
use leap_search::option::{Kind, OptionRefusal, OptionSpec, OptionValue};

/// The values of the options that all games share.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The ids of the games, in the order of their announcement.
    pub games: Arc<[&'static str]>,
    /// Who chooses the moves; no option can change that.
    pub agent: Agent,
    /// Seed of the chances of sparring players and weak searches.
    pub seed: u64,
    /// Size of the transposition table in MiB.
    pub hash_mib: usize,
    /// Searching threads, at least 1.
    pub threads: usize,
    /// How many best lines a search reports.
    pub multipv: usize,
    /// Whether `bestmove` may carry a ponder move.
    pub ponder: bool,
    /// Milliseconds reserved on every clock for the way to the client and back.
    pub move_overhead_ms: u64,
    /// Playing strength, -20 to 100; see [`leap_search::strength`].
    pub strength: i32,
    /// How many centipawns a draw is worth less than an even position; see [`leap_search::contempt`].
    pub contempt: i32,
    /// Whether `info` lines carry `wdl`.
    pub show_wdl: bool,
    /// The file of the weights in place of those of the program. Empty if there is none.
    pub eval_file: String,
    /// Exact values of endings.
    pub tables: TablePath,
    /// The most men on the board for which exact values are asked, 0 to 24.
    pub table_probe_limit: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            games: Arc::default(),
            agent: Agent::Search,
            seed: 1,
            hash_mib: 16,
            threads: 1,
            multipv: 1,
            ponder: false,
            move_overhead_ms: 10,
            strength: 100,
            contempt: 10,
            show_wdl: false,
            eval_file: String::new(),
            tables: TablePath::default(),
            table_probe_limit: table_path::MOST_MEN,
        }
    }
}

impl Settings {
    /// The exact values of a game, if there are any and the options allow them.
    #[must_use]
    pub fn tables_of<R: Rules>(&self, rules: &R) -> Option<Arc<dyn Tablebase<R>>> {
        let tables = self.tables.library.of(rules, self.table_probe_limit);
        tables.filter(|tables| tables.reach() > 0)
    }
}

/// What changes when an option is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// How the engine searches or reports.
    Search,
    /// The size of the transposition table.
    TranspositionTable,
    /// The transposition table is emptied.
    ClearTable,
    /// The weights of the evaluation. The transposition table is emptied.
    Weights,
    /// Which exact values are known. The transposition table is emptied.
    ExactValues,
    /// Which game is played.
    Game,
    /// The rules of all games.
    AllRules,
    /// The rules of the game with this id.
    Rules(&'static str),
}

impl Scope {
    /// Whether the scores of earlier searches become invalid.
    #[must_use]
    pub const fn outdates_scores(self) -> bool {
        !matches!(self, Self::Search | Self::TranspositionTable)
    }

    /// Whether the option belongs to the rules of the game with this id.
    #[must_use]
    pub fn rules_of(self, game: &str) -> bool {
        self == Self::AllRules || matches!(self, Self::Rules(of) if of == game)
    }
}

/// An option, as it is announced.
#[derive(Clone, Debug)]
pub struct OptionRow {
    /// The name; matched without regard to case.
    pub name: Cow<'static, str>,
    /// Type and range.
    pub kind: Kind,
    /// What changes when it is set.
    pub scope: Scope,
    /// What it does, for people.
    pub help: &'static str,
    /// The value in this version, as text.
    pub default: String,
}

/// Why a value is refused that the kind of the option allows.
#[derive(Debug, From)]
pub enum Refusal {
    /// The value does not fit the option.
    Value(OptionRefusal),
    /// The game in progress has a move that the rules would then forbid.
    Moves(ErrorReply),
}

/// The name under which a client of the `uci` dialect knows the option `Game` (SPEC 2.13).
pub(crate) const UCI_VARIANT: &str = "UCI_Variant";

impl OptionRow {
    /// The row of an option that sets something in `T`.
    pub(crate) fn new<T: Default>(scope: Scope, spec: &OptionSpec<T>) -> Self {
        let OptionSpec { name, kind, help, get, .. } = spec;
        let (name, kind) = (Cow::Borrowed(*name), kind.clone());
        Self { name, kind, scope, help, default: get(&T::default()) }
    }

    /// The number of the option of that name.
    pub(crate) fn find<'a>(
        rows: impl IntoIterator<Item = &'a Self> + Clone,
        name: &str,
    ) -> Result<usize, ErrorReply> {
        let mut names = rows.clone().into_iter().map(|row| &*row.name);
        if let Some(index) = names.position(|known| known.eq_ignore_ascii_case(name)) {
            return Ok(index);
        }
        let hint = suggestion(name, rows.into_iter().map(|row| &*row.name));
        Err(ErrorReply::new(ErrorCode::NoSuchOption, format!("no option {}{hint}", quoted(name))))
    }

    /// The declaration that `ugi` prints, with the default of this version.
    #[must_use]
    pub fn declaration(&self) -> OptionDecl {
        let default = self.default.clone();
        let kind = match self.kind {
            Kind::Spin(min, max) => {
                OptionKind::Spin { default: default.parse().unwrap_or_default(), min, max }
            }
            Kind::Check => OptionKind::Check { default: default == "true" },
            Kind::Combo(ref words) => OptionKind::Combo {
                default,
                vars: words.iter().map(|word| (*word).to_owned()).collect(),
            },
            Kind::Button => OptionKind::Button,
            Kind::Text => OptionKind::String { default },
        };
        OptionDecl { name: self.name.clone().into_owned(), kind }
    }

    /// Checks a text and stores it by `set`. Messages call the option `name`.
    pub(crate) fn apply(
        &self,
        name: &str,
        value: Option<&str>,
        set: impl FnOnce(OptionValue<'_>) -> Result<(), Refusal>,
    ) -> Result<(), ErrorReply> {
        let found = value.unwrap_or_default().trim();
        let mut words = self.kind.words().iter();
        let word = words.find(|word| word.eq_ignore_ascii_case(found));
        let text = word.copied().unwrap_or(found);
        let set = if self.allows(text) {
            set(OptionValue::from(text))
        } else {
            Err(Refusal::Value(OptionRefusal { expected: self.expected().into(), reason: None }))
        };
        set.map_err(|refusal| match refusal {
            Refusal::Value(refusal) => self.error(name, &refusal, found),
            Refusal::Moves(reply) => reply,
        })
    }

    fn allows(&self, text: &str) -> bool {
        match self.kind {
            Kind::Spin(min, max) => {
                text.parse().is_ok_and(|number: i64| (min..=max).contains(&number))
            }
            Kind::Check | Kind::Combo(_) => self.kind.words().contains(&text),
            Kind::Button => text.is_empty(),
            Kind::Text => !text.is_empty(),
        }
    }

    fn expected(&self) -> String {
        match self.kind {
            Kind::Spin(min, max) => format!("a number from {min} to {max}"),
            Kind::Check => "true or false".to_owned(),
            Kind::Combo(ref words) => format!("one of {}", words.join(", ")),
            Kind::Button => "no value".to_owned(),
            Kind::Text => "a text".to_owned(),
        }
    }

    /// The error for a refused value; a whole number is out of range if a number is expected.
    fn error(&self, name: &str, refusal: &OptionRefusal, found: &str) -> ErrorReply {
        let OptionRefusal { expected, reason } = refusal;
        let digits = found.strip_prefix('-').unwrap_or(found);
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        let code = if reason.is_some() {
            ErrorCode::BadArgument
        } else if found.is_empty() {
            ErrorCode::MissingArgument
        } else if is_number && matches!(self.kind, Kind::Spin(..) | Kind::Text) {
            ErrorCode::OutOfRange
        } else if self.scope == Scope::Game {
            ErrorCode::NoSuchGame
        } else {
            ErrorCode::BadArgument
        };
        let found = if found.is_empty() { "nothing".to_owned() } else { quoted(found) };
        let reason = reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
        ErrorReply::new(code, format!("option {name} takes {expected}, found {found}{reason}"))
    }
}
