//! The options that all games share. Those of a game's rules are with the game.

use super::table_path::MOST_MEN;
use super::{Scope, Settings, TablePath};
use leap_protocol::option::EMPTY;
use leap_search::option::{Kind, OptionRefusal, OptionSpec, flag, store};
use leap_search::strength::{FULL, LOWEST};

/// The options, in the order in which they are announced.
pub(crate) static SHARED: &[(Scope, OptionSpec<Settings>)] = &[
    (
        Scope::TranspositionTable,
        OptionSpec {
            name: "Hash",
            kind: Kind::Spin(1, 65_536),
            help: "size of the transposition table in MiB",
            get: |s| s.hash_mib.to_string(),
            set: |s, value| store(&mut s.hash_mib, value),
        },
    ),
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
    (
        Scope::Search,
        OptionSpec {
            name: "Threads",
            kind: Kind::Spin(1, 256),
            help: "search threads; a search is reproducible on one only",
            get: |s| s.threads.to_string(),
            set: |s, value| store(&mut s.threads, value),
        },
    ),
    (
        Scope::Search,
        OptionSpec {
            name: "MultiPV",
            kind: Kind::Spin(1, 256),
            help: "how many best lines a search reports",
            get: |s| s.multipv.to_string(),
            set: |s, value| store(&mut s.multipv, value),
        },
    ),
    (
        Scope::Search,
        OptionSpec {
            name: "Ponder",
            kind: Kind::Check,
            help: "whether bestmove names a move to ponder on",
            get: |s| s.ponder.to_string(),
            set: |s, value| flag(&mut s.ponder, value),
        },
    ),
    (
        Scope::Search,
        OptionSpec {
            name: "MoveOverhead",
            kind: Kind::Spin(0, 5_000),
            help: "milliseconds kept back from every clock",
            get: |s| s.move_overhead_ms.to_string(),
            set: |s, value| store(&mut s.move_overhead_ms, value),
        },
    ),
    (
        Scope::Search,
        OptionSpec {
            name: "Strength",
            kind: Kind::Spin(LOWEST as i64, FULL as i64),
            help: "playing strength: 100 is full strength, -20 a beginner's first games",
            get: |s| s.strength.to_string(),
            set: |s, value| store(&mut s.strength, value),
        },
    ),
    (
        Scope::Search,
        OptionSpec {
            name: "Seed",
            kind: Kind::Spin(0, i32::MAX as i64),
            help: "what chance is drawn from: a sparring player's, or what a weak search overlooks",
            get: |s| s.seed.to_string(),
            set: |s, value| store(&mut s.seed, value),
        },
    ),
    (
        Scope::Search,
        OptionSpec {
            name: "Contempt",
            kind: Kind::Spin(-100, 100),
            help: "centipawns that a draw is worth less than an even position; above 0 wins are sought on the board",
            get: |s| s.contempt.to_string(),
            set: |s, value| store(&mut s.contempt, value),
        },
    ),
    (
        Scope::Search,
        OptionSpec {
            name: "UCI_ShowWDL",
            kind: Kind::Check,
            help: "whether info lines carry win, draw and loss in permille",
            get: |s| s.show_wdl.to_string(),
            set: |s, value| flag(&mut s.show_wdl, value),
        },
    ),
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
                let expected = "a directory with tables";
                s.tables = TablePath::open(value.text)
                    .map_err(|error| OptionRefusal { expected, reason: Some(error.to_string()) })?;
                Ok(())
            },
        },
    ),
    (
        Scope::ClearTable,
        OptionSpec {
            name: "TableProbeLimit",
            kind: Kind::Spin(0, MOST_MEN as i64),
            help: "the most men on the board for which tables of exact values are asked; 0 = never",
            get: |s| s.table_probe_limit.to_string(),
            set: |s, value| store(&mut s.table_probe_limit, value),
        },
    ),
];
