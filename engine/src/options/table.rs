//! The options that all games share. Those of a game's rules are with the game.

use super::table_path::MOST_MEN;
use super::{Scope, Settings, TablePath};
use leap_protocol::option::EMPTY;
use leap_search::option::{Kind, OptionRefusal, OptionSpec, flag, store};
use leap_search::strength::{FULL, LOWEST};

/// A row for a number in a field of [`Settings`].
macro_rules! spin {
    ($scope:ident, $name:literal, $min:expr, $max:expr, $field:ident, $help:literal) => {
        (
            Scope::$scope,
            OptionSpec {
                name: $name,
                kind: Kind::Spin($min as i64, $max as i64),
                help: $help,
                get: |settings| settings.$field.to_string(),
                set: |settings, value| store(&mut settings.$field, value),
            },
        )
    };
}

/// A row for a flag of [`Settings`] that changes how the engine searches or reports.
macro_rules! check {
    ($name:literal, $field:ident, $help:literal) => {
        (
            Scope::Search,
            OptionSpec {
                name: $name,
                kind: Kind::Check,
                help: $help,
                get: |settings| settings.$field.to_string(),
                set: |settings, value| flag(&mut settings.$field, value),
            },
        )
    };
}

/// The options, in the order in which they are announced.
#[rustfmt::skip]
pub(crate) static SHARED: &[(Scope, OptionSpec<Settings>)] = &[
    spin!(TranspositionTable, "Hash", 1, 65_536, hash_mib, "size of the transposition table in MiB"),
    (
        Scope::ClearTable,
        OptionSpec {
            name: "Clear Hash",
            kind: Kind::Button,
            help: "empties the transposition table",
            get: |_| String::new(),
            set: |_, _| Ok(()),
        },
    ),
    spin!(Search, "Threads", 1, 256, threads, "search threads; a search is reproducible on one only"),
    spin!(Search, "MultiPV", 1, 256, multipv, "how many best lines a search reports"),
    check!("Ponder", ponder, "whether bestmove names a move to ponder on"),
    spin!(Search, "MoveOverhead", 0, 5_000, move_overhead_ms, "milliseconds kept back from every clock"),
    spin!(Search, "Strength", LOWEST, FULL, strength,
          "playing strength: 100 is full strength, -20 a beginner's first games"),
    spin!(Search, "Seed", 0, i32::MAX, seed,
          "what chance is drawn from: a sparring player's, or what a weak search overlooks"),
    spin!(Search, "Contempt", -100, 100, contempt,
          "centipawns that a draw is worth less than an even position; above 0 wins are sought on the board"),
    check!("UCI_ShowWDL", show_wdl, "whether info lines carry win, draw and loss in permille"),
    (
        Scope::Weights,
        OptionSpec {
            name: "EvalFile",
            kind: Kind::Text,
            help: "weights of the evaluation from a file, for the game that it names; <empty> for those of the program",
            get: |s| s.eval_file.clone(),
            set: |s, value| {
                // The engine of the game has read the file.
                s.eval_file =
                    if value.text == EMPTY { String::new() } else { value.text.to_owned() };
                Ok(())
            },
        },
    ),
    (
        Scope::ExactValues,
        OptionSpec {
            name: "TablePath",
            kind: Kind::Text,
            help: "a directory with tables of exact values, beside those of the program; <empty> for these alone",
            get: |s| s.tables.to_string(),
            set: |s, value| {
                let expected = "a directory with tables".into();
                let refusal = |reason: &str| OptionRefusal { expected, reason: Some(reason.into()) };
                s.tables = TablePath::open(value.text).map_err(refusal)?;
                Ok(())
            },
        },
    ),
    spin!(ClearTable, "TableProbeLimit", 0, MOST_MEN, table_probe_limit,
          "the most men on the board for which tables of exact values are asked; 0 = never"),
];
