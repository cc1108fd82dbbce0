//! The engine's options: one table, from which the `option` lines, the checks of `setoption`, the command line and the
//! table in SPEC 8 all come.

mod agent;
mod eval_file;
mod table;
mod table_path;
#[cfg(feature = "tune")]
mod tune;

use std::sync::{Arc, LazyLock};

use leap_protocol::{OptionDecl, OptionKind};
use thiserror::Error;

pub use agent::Agent;
pub use eval_file::{EvalFile, EvalFileError};
pub use table_path::{TablePath, TablePathError};
#[cfg(feature = "tune")]
pub use tune::{Tunings, spsa_lines};

use leap_core::Rules;
use leap_core::exact::Tablebase;
use leap_core::notation::quoted;
use leap_games::for_each_game;
use leap_games::{GameId, Kind, OptionRefusal, OptionSpec, OptionValue, Row, Rulesets};

/// The value of every option.
///
/// ```
/// use leap_engine::options::Settings;
///
/// let mut settings = Settings::default();
/// settings.set("hash", Some("64"))?;
/// assert_eq!(settings.hash_mib, 64);
///
/// let error = settings.set("Hash", Some("0")).unwrap_err();
/// assert_eq!(error.to_string(), "option Hash takes a number from 1 to 65536, found '0'");
/// # Ok::<(), leap_engine::options::OptionError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Settings {
    /// The game in play.
    pub game: GameId,
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
    /// Weights in place of those of the program, for one game.
    pub eval_file: EvalFile,
    /// Exact values of endings.
    pub tables: TablePath,
    /// The most men on the board for which exact values are asked, 0 to 24.
    pub table_probe_limit: u32,
    /// The constants of the search that were set, for each game.
    #[cfg(feature = "tune")]
    pub tunings: Tunings,
    /// The rules of all games.
    pub rules: Rulesets,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            game: GameId::default(),
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
            eval_file: EvalFile::default(),
            tables: TablePath::default(),
            table_probe_limit: table_path::MOST_MEN,
            #[cfg(feature = "tune")]
            tunings: Tunings::default(),
            rules: Rulesets::default(),
        }
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
    /// Which exact values are known. The transposition table is emptied.
    ExactValues,
    /// Which game is played.
    Game,
    /// The rules of all games.
    AllRules,
    /// The rules of one game.
    Rules(GameId),
}

/// One row of the table: an option, and what changes when it is set.
pub struct OptionRow {
    /// The name; matched without regard to case.
    pub name: &'static str,
    /// Type and range.
    pub kind: Kind,
    /// What changes when it is set.
    pub scope: Scope,
    /// What it does, for people.
    pub help: &'static str,
    get: Box<dyn Fn(&Settings) -> String + Send + Sync>,
    set: Box<SetOption>,
}

type SetOption = dyn Fn(&mut Settings, OptionValue<'_>) -> Result<(), OptionRefusal> + Send + Sync;

/// Every option of the search, in the order in which they are announced.
///
/// ```
/// use leap_engine::options::{OPTIONS, Settings};
///
/// let hash = OPTIONS.iter().find(|option| option.name == "Hash").unwrap();
/// assert_eq!(hash.declaration().to_string(), "option name Hash type spin default 16 min 1 max 65536");
/// assert_eq!(hash.value(&Settings::default()), "16");
/// ```
pub static OPTIONS: LazyLock<Vec<OptionRow>> = LazyLock::new(|| {
    let mut rows: Vec<OptionRow> = table::ENGINE.iter().map(OptionRow::engine).collect();
    macro_rules! rule_options {
        ($($id:ident $rules:ident $title:literal;)*) => {
            $(rows.extend(OptionRow::rules::<leap_games::$id::$rules>());)*
        };
    }
    for_each_game!(rule_options);
    #[cfg(feature = "tune")]
    rows.extend(tune::rows());
    rows
});

/// Why an option cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    /// There is no option of that name.
    #[error("no option {}{}", quoted(.name), suggest(*.suggestion))]
    NoSuchOption {
        /// The name that was given.
        name: String,
        /// The nearest name, if there is one.
        suggestion: Option<&'static str>,
    },
    /// No value was given.
    #[error("option {name} takes {expected}, found nothing")]
    MissingValue {
        /// The option.
        name: &'static str,
        /// What is allowed.
        expected: String,
    },
    /// The number is outside the option's range.
    #[error("option {name} takes {expected}, found {}", quoted(.found))]
    OutOfRange {
        /// The option.
        name: &'static str,
        /// What is allowed.
        expected: String,
        /// What was given.
        found: String,
    },
    /// The value is of the wrong kind.
    #[error("option {name} takes {expected}, found {}", quoted(.found))]
    BadValue {
        /// The option.
        name: &'static str,
        /// What is allowed.
        expected: String,
        /// What was given.
        found: String,
    },
    /// The value is unusable, for a reason that its text does not show.
    #[error("option {name} takes {expected}, found {}: {reason}", quoted(.found))]
    Unfit {
        /// The option.
        name: &'static str,
        /// What is allowed.
        expected: &'static str,
        /// What was given.
        found: String,
        /// What is wrong with it.
        reason: String,
    },
}

fn suggest(name: Option<&str>) -> String {
    name.map(|name| format!("; did you mean '{name}'?")).unwrap_or_default()
}

impl Scope {
    /// Whether the scores of earlier searches become invalid.
    #[must_use]
    pub const fn outdates_scores(self) -> bool {
        match self {
            Self::ClearTable | Self::ExactValues | Self::Game | Self::AllRules | Self::Rules(_) => {
                true
            }
            Self::Search | Self::TranspositionTable => false,
        }
    }

    /// Whether the option belongs to the rules of this game.
    #[must_use]
    pub fn rules_of(self, game: GameId) -> bool {
        match self {
            Self::AllRules => true,
            Self::Rules(of) => of == game,
            Self::Search
            | Self::TranspositionTable
            | Self::ClearTable
            | Self::ExactValues
            | Self::Game => false,
        }
    }
}

/// The name under which a client of the `uci` dialect knows the option `Rules` (SPEC 2.13).
pub(crate) const UCI_VARIANT: &str = "UCI_Variant";

/// The declaration of `UCI_Variant`.
#[must_use]
pub fn uci_variant() -> OptionDecl {
    OptionDecl { name: UCI_VARIANT.to_owned(), ..OPTIONS[0].declaration() }
}

impl Settings {
    /// Sets an option from text. Nothing changes on an error.
    ///
    /// # Errors
    /// What is wrong with the name or the value.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<Scope, OptionError> {
        let (row, name) = find(self.agent, name)?;
        let text = value.unwrap_or_default().trim();
        let value = row.check(text).map_err(|expected| row.wrong(name, expected, text))?;
        (row.set)(self, value).map_err(|refusal| row.refused(name, refusal, text))?;
        Ok(row.scope)
    }

    /// The exact values of a game, if there are any and the options allow them.
    #[must_use]
    pub fn tables_of<R: Rules>(&self, game: &R) -> Option<Arc<dyn Tablebase<R>>> {
        self.tables.of(game, self.table_probe_limit)
    }

    /// The size of the transposition table in MiB: the minimum for movers that do not search.
    #[must_use]
    pub fn table_mib(&self) -> usize {
        if self.agent == Agent::Search { self.hash_mib } else { 1 }
    }
}

/// The agent's option of that name, and the name that messages call it by.
fn find(agent: Agent, name: &str) -> Result<(&'static OptionRow, &'static str), OptionError> {
    if name.eq_ignore_ascii_case(UCI_VARIANT) {
        return Ok((&OPTIONS[0], UCI_VARIANT));
    }
    if let Some(row) = agent.options().find(|row| row.name.eq_ignore_ascii_case(name)) {
        return Ok((row, row.name));
    }
    let names = agent.options().map(|row| row.name);
    let distance =
        |known: &str| strsim::damerau_levenshtein(&known.to_lowercase(), &name.to_lowercase());
    let nearest = names.min_by_key(|known| distance(known)).filter(|known| distance(known) <= 3);
    Err(OptionError::NoSuchOption { name: name.to_owned(), suggestion: nearest })
}

impl OptionRow {
    fn engine((scope, spec): &'static (Scope, OptionSpec<Settings>)) -> Self {
        let OptionSpec { name, kind, help, get, set } = *spec;
        Self { name, kind, scope: *scope, help, get: Box::new(get), set: Box::new(set) }
    }

    /// The options of a game's rules.
    fn rules<R: Row>() -> impl Iterator<Item = Self>
    where
        Rulesets: AsRef<R> + AsMut<R>,
    {
        R::OPTIONS.iter().map(|OptionSpec { name, kind, help, get, set }| Self {
            name,
            kind: *kind,
            scope: Scope::Rules(R::ID),
            help,
            get: Box::new(|settings| get(settings.rules.as_ref())),
            set: Box::new(|settings, value| set(settings.rules.as_mut(), value)),
        })
    }

    /// The value as text.
    #[must_use]
    pub fn value(&self, settings: &Settings) -> String {
        (self.get)(settings)
    }

    /// The declaration that `ugi` prints, with the default of this version.
    #[must_use]
    pub fn declaration(&self) -> OptionDecl {
        let default = self.value(&Settings::default());
        let kind = match self.kind {
            Kind::Spin(min, max) => {
                OptionKind::Spin { default: default.parse().unwrap_or_default(), min, max }
            }
            Kind::Check => OptionKind::Check { default: default == "true" },
            Kind::Combo(words) => OptionKind::Combo {
                default,
                vars: words.iter().map(|word| (*word).to_owned()).collect(),
            },
            Kind::Button => OptionKind::Button,
            Kind::Text => OptionKind::String { default },
        };
        OptionDecl { name: self.name.to_owned(), kind }
    }

    /// The text as a value of this option, or what is expected instead.
    fn check<'a>(&self, text: &'a str) -> Result<OptionValue<'a>, String> {
        let number = text.parse::<i64>().ok();
        let fits = match self.kind {
            Kind::Spin(min, max) => number.is_some_and(|number| (min..=max).contains(&number)),
            Kind::Check | Kind::Combo(_) => {
                self.kind.words().iter().any(|word| text.eq_ignore_ascii_case(word))
            }
            Kind::Button => text.is_empty(),
            Kind::Text => !text.is_empty(),
        };
        if fits { Ok(OptionValue::from(text)) } else { Err(self.expected()) }
    }

    fn expected(&self) -> String {
        match self.kind {
            Kind::Spin(min, max) => format!("a number from {min} to {max}"),
            Kind::Check => "true or false".to_owned(),
            Kind::Combo(words) => format!("one of {}", words.join(", ")),
            Kind::Button => "no value".to_owned(),
            Kind::Text => "a text".to_owned(),
        }
    }

    /// The error for a value that the kind allows, but not the option.
    fn refused(&self, name: &'static str, refusal: OptionRefusal, found: &str) -> OptionError {
        let OptionRefusal { expected, reason } = refusal;
        match reason {
            None => self.wrong(name, expected.to_owned(), found),
            Some(reason) => OptionError::Unfit { name, expected, found: found.to_owned(), reason },
        }
    }

    /// The error for an invalid value; a whole number is out of range if a number is expected.
    fn wrong(&self, name: &'static str, expected: String, found: &str) -> OptionError {
        let digits = found.strip_prefix('-').unwrap_or(found);
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        let found = found.to_owned();
        if found.is_empty() {
            OptionError::MissingValue { name, expected }
        } else if is_number && matches!(self.kind, Kind::Spin(..) | Kind::Text) {
            OptionError::OutOfRange { name, expected, found }
        } else {
            OptionError::BadValue { name, expected, found }
        }
    }
}
