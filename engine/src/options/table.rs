//! The options that all games share. Those of a game's rules are with the game.

use super::table_path::MOST_MEN;
use super::{Scope, Settings, TablePath};
use leap_search::field_option;
use leap_search::option::{Kind, OptionRefusal, OptionSpec};
use leap_search::strength::{FULL, LOWEST};

/// A row for a field of [`Settings`].
macro_rules! row {
    ($scope:ident, $($option:tt)*) => {
        (Scope::$scope, field_option!($($option)*))
    };
}

/// The options, in the order in which they are announced.
#[rustfmt::skip]
pub(crate) static SHARED: &[(Scope, OptionSpec<Settings>)] = &[
    row!(TranspositionTable, "Hash": Kind::Spin(1, 65_536) => store(hash_mib),
         "size of the transposition table in MiB"),
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
    row!(Search, "Threads": Kind::Spin(1, 256) => store(threads),
         "search threads; a search is reproducible on one only"),
    row!(Search, "MultiPV": Kind::Spin(1, 256) => store(multipv), "how many best lines a search reports"),
    row!(Search, "Ponder": Kind::Check => choose(ponder), "whether bestmove names a move to ponder on"),
    row!(Search, "MoveOverhead": Kind::Spin(0, 5_000) => store(move_overhead_ms),
         "milliseconds kept back from every clock"),
    row!(Search, "Strength": Kind::Spin(LOWEST as i64, FULL as i64) => store(strength),
         "playing strength: 100 is full strength, -20 a beginner's first games"),
    row!(Search, "Seed": Kind::Spin(0, i32::MAX as i64) => store(seed),
         "what chance is drawn from: a sparring player's, or what a weak search overlooks"),
    row!(Search, "Contempt": Kind::Spin(-100, 100) => store(contempt),
         "centipawns that a draw is worth less than an even position; above 0 wins are sought on the board"),
    row!(Search, "UCI_ShowWDL": Kind::Check => choose(show_wdl),
         "whether info lines carry win, draw and loss in permille"),
    // The engine of the game has read the file.
    row!(Weights, "EvalFile": Kind::Text => choose(eval_file),
         "weights of the evaluation from a file, for the game that it names; <empty> for those of the program"),
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
    row!(ClearTable, "TableProbeLimit": Kind::Spin(0, MOST_MEN as i64) => store(table_probe_limit),
         "the most men on the board for which tables of exact values are asked; 0 = never"),
];
