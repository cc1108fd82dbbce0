//! The constants of the search as options.

use std::sync::Arc;

use leap_engine::Engines;
use leap_games::{eximo::Eximo, sapos::Sapos};
use leap_protocol::{Go, Reply};
use leap_search::option::Kind;
use leap_search::{Control, TranspositionTable};

use leapd::GAMES;

#[test]
fn every_constant_is_an_option_that_sets_it_alone() {
    let defaults = Engines::new(GAMES);
    let names: Vec<&str> = defaults.options().map(|row| &*row.name).collect();
    for row in defaults.options().filter(|row| row.name.starts_with("Tune")) {
        let Kind::Spin(min, max) = row.kind else { panic!("{}", row.name) };
        let default = row.default.parse().unwrap();
        assert!((min..=max).contains(&default), "{}: {default}", row.name);
        assert_eq!(names.iter().filter(|name| **name == row.name).count(), 1);
        for value in [min, max, default] {
            let mut engines = Engines::new(GAMES);
            engines.set(&row.name, Some(&value.to_string())).unwrap();
            let changed: Vec<&str> = names
                .iter()
                .copied()
                .filter(|name| engines.value(name) != defaults.value(name))
                .collect();
            assert_eq!(changed, if value == default { vec![] } else { vec![&*row.name] });
            assert_eq!(engines.value(&row.name), value.to_string());
        }
    }
}

/// The nodes of a search to a fixed depth.
fn nodes(engines: &Engines) -> u64 {
    let go = Go { depth: Some(7), ..Go::default() };
    let table = Arc::new(TranspositionTable::new(1).unwrap());
    let mut nodes = 0;
    let job = engines.engine().search(&go, &engines.settings, table, Arc::default()).unwrap();
    job(&Control::new(), &mut |reply| {
        if let Reply::Info(info) = reply {
            nodes = info.nodes.unwrap_or(nodes);
        }
    });
    nodes
}

#[test]
fn a_set_constant_changes_the_search_of_its_game_alone() {
    let of = |options: &[(&str, &str)]| {
        let mut engines = Engines::new(GAMES);
        engines.set("Game", Some("eximo")).unwrap();
        for (name, value) in options {
            engines.set(name, Some(value)).unwrap();
        }
        nodes(&engines)
    };
    let default = of(&[]);
    assert_ne!(of(&[("TuneEximoReductionBase", "300")]), default);
    assert_eq!(of(&[("TuneSaposReductionBase", "300")]), default);
    assert_eq!(of(&[("TuneEximoReductionBase", "50")]), default);
}

#[test]
fn the_lines_for_openbench_have_the_options_of_a_game_with_their_defaults() {
    let lines = (leap_engine::game::<Eximo>().spsa_lines)();
    assert!(lines.contains(&"TuneEximoReductionDivisor, int, 200, 50, 1000, 20, 0.002".to_owned()));
    let name = |line: String| line.split(',').next().unwrap().to_owned();
    let of_all: Vec<String> =
        GAMES.iter().flat_map(|tools| (tools.game.spsa_lines)()).map(name).collect();
    let engines = Engines::new(GAMES);
    let options = engines.options().filter(|row| row.name.starts_with("Tune"));
    assert!(options.map(|row| &*row.name).eq(of_all.iter()));
    let sapos = (leap_engine::game::<Sapos>().spsa_lines)();
    assert!(!sapos.iter().any(|line| line.contains("CaptureRule")), "no quiescence search");
}
