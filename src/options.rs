//! The engine's options: one table, from which the `option` lines, the checks of `setoption`, the command line and the
//! table in SPEC 8 all come.

mod mover;

use leap_protocol::{OptionDecl, OptionKind};
use thiserror::Error;

pub use mover::Mover;

use crate::games::GameId;
use crate::rules::alquerque::{Alquerque, Capture};
use crate::rules::eximo::Eximo;
use crate::rules::froglet::Froglet;
use crate::rules::notation::quoted;
use crate::rules::sapos::{Placement, Sapos};
use crate::rules::tactica::{Pairs, Tactica};

/// The value of every option.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The game in play.
    pub game: GameId,
    /// Who chooses the moves; no option can change that.
    pub mover: Mover,
    /// What a sparring player's chances are drawn from.
    pub seed: u64,
    /// Size of the transposition table in MiB.
    pub hash_mib: usize,
    /// Searching threads, at least 1.
    pub threads: usize,
    /// How many best lines a search reports.
    pub multipv: usize,
    /// Whether `bestmove` may carry a ponder move.
    pub ponder: bool,
    /// Milliseconds kept back from every clock for the way to the client and back.
    pub move_overhead_ms: u64,
    /// Playing strength in percent; 100 is full strength.
    pub strength: u32,
    /// Whether `info` lines carry `wdl`.
    pub show_wdl: bool,
    /// The rules of Alquerque.
    pub alquerque: Alquerque,
    /// The rules of Eximo.
    pub eximo: Eximo,
    /// The rules of Sapos.
    pub sapos: Sapos,
    /// The rules of Froglet.
    pub froglet: Froglet,
    /// The rules of Táctica "S".
    pub tactica: Tactica,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            game: GameId::default(),
            mover: Mover::Search,
            seed: 1,
            hash_mib: 16,
            threads: 1,
            multipv: 1,
            ponder: false,
            move_overhead_ms: 10,
            strength: 100,
            show_wdl: false,
            alquerque: Alquerque::default(),
            eximo: Eximo::default(),
            sapos: Sapos::default(),
            froglet: Froglet::default(),
            tactica: Tactica::default(),
        }
    }
}

/// What changes when an option is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// How the engine searches or reports.
    Search,
    /// The size of the transposition table.
    Table,
    /// The transposition table is emptied.
    ClearTable,
    /// Which game is played.
    Game,
    /// The rules of all games.
    AllRules,
    /// The rules of one game.
    Rules(GameId),
}

/// The kind of an option with its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A whole number within these bounds.
    Spin(i64, i64),
    /// `true` or `false`.
    Check,
    /// One of these words.
    Combo(&'static [&'static str]),
    /// No value: an action.
    Button,
    /// Any text, checked when it is set.
    Text,
}

/// One row of the table.
#[derive(Debug)]
pub struct OptionRow {
    /// The name; matched without regard to case.
    pub name: &'static str,
    /// Type and range.
    pub kind: Kind,
    /// What setting it changes.
    pub scope: Scope,
    /// What it does, for people.
    pub help: &'static str,
    /// The value now, as text.
    get: fn(&Settings) -> String,
    /// Stores a value that the kind allows; says what was expected where the kind alone cannot tell.
    set: fn(&mut Settings, Value<'_>) -> Result<(), &'static str>,
}

/// A value that has passed the check of its option's kind.
#[derive(Clone, Copy)]
struct Value<'a> {
    text: &'a str,
    number: i64,
}

impl Value<'_> {
    fn is(self, word: &str) -> bool {
        self.text.eq_ignore_ascii_case(word)
    }
}

/// Why an option cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    /// There is no option of that name.
    #[error("no option {}{}", quoted(.name), suggest(*.suggestion))]
    NoSuchOption {
        /// The name that was given.
        name: String,
        /// The option that was perhaps meant.
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
}

fn suggest(name: Option<&str>) -> String {
    name.map(|name| format!("; did you mean '{name}'?")).unwrap_or_default()
}

/// The largest number of plies that an option takes.
const MAX_PLIES: i64 = 1_000_000;

impl Scope {
    /// Whether the option belongs to the rules of this game.
    #[must_use]
    pub fn rules_of(self, game: GameId) -> bool {
        match self {
            Scope::AllRules => true,
            Scope::Rules(of) => of == game,
            Scope::Search | Scope::Table | Scope::ClearTable | Scope::Game => false,
        }
    }
}

/// Every option of the search, in the order in which they are announced. Rule options cite the clause that they switch.
pub static OPTIONS: &[OptionRow] = &[
    OptionRow {
        name: "Game",
        kind: Kind::Combo(GameId::NAMES),
        scope: Scope::Game,
        help: "the game in play; setting it starts that game",
        get: |s| s.game.to_string(),
        set: |s, value| {
            s.game = value.text.parse().map_err(|_| "a game")?;
            Ok(())
        },
    },
    OptionRow {
        name: "Hash",
        kind: Kind::Spin(1, 65_536),
        scope: Scope::Table,
        help: "size of the transposition table in MiB",
        get: |s| s.hash_mib.to_string(),
        set: |s, value| store(&mut s.hash_mib, value),
    },
    OptionRow {
        name: "Clear Hash",
        kind: Kind::Button,
        scope: Scope::ClearTable,
        help: "empties the transposition table",
        get: |_| String::new(),
        set: |_, _| Ok(()),
    },
    OptionRow {
        name: "Threads",
        kind: Kind::Spin(1, 256),
        scope: Scope::Search,
        help: "search threads; a search is reproducible on one only",
        get: |s| s.threads.to_string(),
        set: |s, value| store(&mut s.threads, value),
    },
    OptionRow {
        name: "MultiPV",
        kind: Kind::Spin(1, 256),
        scope: Scope::Search,
        help: "how many best lines a search reports",
        get: |s| s.multipv.to_string(),
        set: |s, value| store(&mut s.multipv, value),
    },
    OptionRow {
        name: "Ponder",
        kind: Kind::Check,
        scope: Scope::Search,
        help: "whether bestmove names a move to ponder on",
        get: |s| s.ponder.to_string(),
        set: |s, value| flag(&mut s.ponder, value),
    },
    OptionRow {
        name: "MoveOverhead",
        kind: Kind::Spin(0, 5_000),
        scope: Scope::Search,
        help: "milliseconds kept back from every clock",
        get: |s| s.move_overhead_ms.to_string(),
        set: |s, value| store(&mut s.move_overhead_ms, value),
    },
    OptionRow {
        name: "Strength",
        kind: Kind::Spin(0, 100),
        scope: Scope::Search,
        help: "playing strength in percent",
        get: |s| s.strength.to_string(),
        set: |s, value| store(&mut s.strength, value),
    },
    OptionRow {
        name: "UCI_ShowWDL",
        kind: Kind::Check,
        scope: Scope::Search,
        help: "whether info lines carry win, draw and loss in permille",
        get: |s| s.show_wdl.to_string(),
        set: |s, value| flag(&mut s.show_wdl, value),
    },
    OptionRow {
        name: "MaxPlies",
        kind: Kind::Spin(0, MAX_PLIES),
        scope: Scope::AllRules,
        help: "the ply at which every game ends; 0 = never",
        get: |s| s.alquerque.max_plies.to_string(),
        set: |s, value| {
            store(&mut s.alquerque.max_plies, value)?;
            store(&mut s.eximo.max_plies, value)?;
            store(&mut s.sapos.max_plies, value)?;
            store(&mut s.froglet.max_plies, value)?;
            store(&mut s.tactica.max_plies, value)
        },
    },
    OptionRow {
        name: "AlquerqueCapture",
        kind: Kind::Combo(&["optional", "mandatory"]),
        scope: Scope::Rules(GameId::Alquerque),
        help: "whether a capture may be left alone",
        get: |s| word(s.alquerque.capture == Capture::Mandatory, "mandatory", "optional"),
        set: |s, value| {
            s.alquerque.capture =
                if value.is("mandatory") { Capture::Mandatory } else { Capture::Optional };
            Ok(())
        },
    },
    OptionRow {
        name: "AlquerqueQuietLimit",
        kind: Kind::Spin(0, MAX_PLIES),
        scope: Scope::Rules(GameId::Alquerque),
        help: "plies without a capture after which the men are counted; 0 = never",
        get: |s| s.alquerque.quiet_limit.to_string(),
        set: |s, value| store(&mut s.alquerque.quiet_limit, value),
    },
    OptionRow {
        name: "SaposPlacement",
        kind: Kind::Combo(&["required", "possible"]),
        scope: Scope::Rules(GameId::Sapos),
        help: "whether a turn without a capture that cannot place is illegal or just places nothing",
        get: |s| word(s.sapos.placement == Placement::Possible, "possible", "required"),
        set: |s, value| {
            s.sapos.placement =
                if value.is("possible") { Placement::Possible } else { Placement::Required };
            Ok(())
        },
    },
    OptionRow {
        name: "SaposRevisit",
        kind: Kind::Check,
        scope: Scope::Rules(GameId::Sapos),
        help: "whether a piece may come back to a square of its route",
        get: |s| s.sapos.revisit.to_string(),
        set: |s, value| flag(&mut s.sapos.revisit, value),
    },
    OptionRow {
        name: "FrogletSeed",
        kind: Kind::Text,
        scope: Scope::Rules(GameId::Froglet),
        help: "the start position's seed, an unsigned 64-bit number; used when the start position is next set up",
        get: |s| s.froglet.seed.to_string(),
        set: |s, value| {
            s.froglet.seed =
                value.text.parse().map_err(|_| "a number from 0 to 18446744073709551615")?;
            Ok(())
        },
    },
    OptionRow {
        name: "FrogletFirstFrogScores",
        kind: Kind::Check,
        scope: Scope::Rules(GameId::Froglet),
        help: "whether the green frog that is removed first scores its point",
        get: |s| s.froglet.first_frog_scores.to_string(),
        set: |s, value| flag(&mut s.froglet.first_frog_scores, value),
    },
    OptionRow {
        name: "TacticaPairs",
        kind: Kind::Combo(&["orthogonal", "all"]),
        scope: Scope::Rules(GameId::Tactica),
        help: "which pairs around the moved piece are captured",
        get: |s| word(s.tactica.pairs == Pairs::All, "all", "orthogonal"),
        set: |s, value| {
            s.tactica.pairs = if value.is("all") { Pairs::All } else { Pairs::Orthogonal };
            Ok(())
        },
    },
    OptionRow {
        name: "TacticaRepetition",
        kind: Kind::Spin(0, 1_000),
        scope: Scope::Rules(GameId::Tactica),
        help: "a move may not bring about a position for this many-th time; 0 = no such rule, 1 is refused",
        get: |s| s.tactica.repetition.to_string(),
        set: |s, value| match value.number {
            1 => Err("0 or a number from 2 to 1000"),
            _ => store(&mut s.tactica.repetition, value),
        },
    },
];

/// The option that sparring players alone have (SPEC 8.12).
static SEED: OptionRow = OptionRow {
    name: "Seed",
    kind: Kind::Spin(0, i32::MAX as i64),
    scope: Scope::Search,
    help: "what a sparring player's chances are drawn from",
    get: |s| s.seed.to_string(),
    set: |s, value| store(&mut s.seed, value),
};

/// The name under which a client of the `uci` dialect knows the option `Game` (SPEC 2.13).
const UCI_VARIANT: &str = "UCI_Variant";

/// The declaration of `UCI_Variant`.
#[must_use]
pub fn uci_variant() -> OptionDecl {
    OptionDecl { name: UCI_VARIANT.to_owned(), ..OPTIONS[0].declaration() }
}

fn store<T: TryFrom<i64>>(field: &mut T, value: Value<'_>) -> Result<(), &'static str> {
    *field = T::try_from(value.number).map_err(|_| "a smaller number")?;
    Ok(())
}

fn flag(field: &mut bool, value: Value<'_>) -> Result<(), &'static str> {
    *field = value.is("true");
    Ok(())
}

fn word(second: bool, yes: &str, no: &str) -> String {
    (if second { yes } else { no }).to_owned()
}

impl Settings {
    /// Sets an option from text. Nothing changes on an error.
    ///
    /// # Errors
    /// What is wrong with the name or the value.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<Scope, OptionError> {
        let row = find(self.mover, name)?;
        let value = row.check(value.unwrap_or_default().trim())?;
        (row.set)(self, value).map_err(|expected| row.wrong(expected.to_owned(), value.text))?;
        Ok(row.scope)
    }

    /// The size of the transposition table in MiB: the smallest where nothing is searched.
    #[must_use]
    pub fn table_mib(&self) -> usize {
        if self.mover == Mover::Search { self.hash_mib } else { 1 }
    }
}

/// The mover's option of that name.
fn find(mover: Mover, name: &str) -> Result<&'static OptionRow, OptionError> {
    let name = if name.eq_ignore_ascii_case(UCI_VARIANT) { "Game" } else { name };
    if let Some(row) = mover.options().find(|row| row.name.eq_ignore_ascii_case(name)) {
        return Ok(row);
    }
    let names = mover.options().map(|row| row.name);
    let distance =
        |known: &str| strsim::damerau_levenshtein(&known.to_lowercase(), &name.to_lowercase());
    let nearest = names.min_by_key(|known| distance(known)).filter(|known| distance(known) <= 3);
    Err(OptionError::NoSuchOption { name: name.to_owned(), suggestion: nearest })
}

impl OptionRow {
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

    fn check<'a>(&self, text: &'a str) -> Result<Value<'a>, OptionError> {
        let number = text.parse::<i64>().ok();
        let is_one_of = |words: &[&str]| words.iter().any(|word| text.eq_ignore_ascii_case(word));
        let fits = match self.kind {
            Kind::Spin(min, max) => number.is_some_and(|number| (min..=max).contains(&number)),
            Kind::Check => is_one_of(&["true", "false"]),
            Kind::Combo(words) => is_one_of(words),
            Kind::Button => text.is_empty(),
            Kind::Text => !text.is_empty(),
        };
        if fits {
            return Ok(Value { text, number: number.unwrap_or_default() });
        }
        Err(self.wrong(self.expected(), text))
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

    /// The error for a value that is not taken: whole numbers are out of range where a number is expected.
    fn wrong(&self, expected: String, found: &str) -> OptionError {
        let name = self.name;
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
