//! The constants of the search as options.

use std::sync::Arc;

use leap_engine::SearchRequest;
use leap_engine::options::{OPTIONS, Settings, spsa_lines};
use leap_games::{GameId, Kind};
use leap_protocol::{Go, Reply};
use leap_search::{Control, TranspositionTable};

#[test]
fn every_constant_is_an_option_that_sets_it_alone() {
    let defaults = Settings::default();
    let names: Vec<&str> = OPTIONS.iter().map(|row| row.name).collect();
    for row in OPTIONS.iter().filter(|row| row.name.starts_with("Tune")) {
        let Kind::Spin(min, max) = row.kind else { panic!("{}", row.name) };
        let default = row.value(&defaults).parse().unwrap();
        assert!((min..=max).contains(&default), "{}: {default}", row.name);
        assert_eq!(names.iter().filter(|name| **name == row.name).count(), 1);
        for value in [min, max, default] {
            let mut settings = Settings::default();
            settings.set(row.name, Some(&value.to_string())).unwrap();
            let changed = OPTIONS.iter().filter(|row| row.value(&settings) != row.value(&defaults));
            let changed: Vec<&str> = changed.map(|row| row.name).collect();
            assert_eq!(changed, if value == default { vec![] } else { vec![row.name] });
            assert_eq!(row.value(&settings), value.to_string());
        }
    }
}

/// The nodes of a search to a fixed depth.
fn nodes(settings: &Settings) -> u64 {
    let request = SearchRequest {
        go: &Go { depth: Some(7), ..Go::default() },
        settings,
        table: Arc::new(TranspositionTable::new(1).unwrap()),
        lag: Arc::default(),
    };
    let mut nodes = 0;
    leap_engine::new(settings).search(request).unwrap()(&Control::new(), &mut |reply| {
        if let Reply::Info(info) = reply {
            nodes = info.nodes.unwrap_or(nodes);
        }
    });
    nodes
}

#[test]
fn a_set_constant_changes_the_search_of_its_game_alone() {
    let of = |options: &[(&str, &str)]| {
        let mut settings = Settings { game: GameId::Eximo, ..Settings::default() };
        for (name, value) in options {
            settings.set(name, Some(value)).unwrap();
        }
        nodes(&settings)
    };
    let default = of(&[]);
    assert_ne!(of(&[("TuneEximoReductionBase", "300")]), default);
    assert_eq!(of(&[("TuneSaposReductionBase", "300")]), default);
    assert_eq!(of(&[("TuneEximoReductionBase", "50")]), default);
}

#[test]
fn the_lines_for_openbench_have_the_options_of_a_game_with_their_defaults() {
    let lines = spsa_lines(GameId::Eximo);
    assert!(lines.contains(&"TuneEximoReductionDivisor, int, 200, 50, 1000, 20, 0.002".to_owned()));
    let names =
        |game| spsa_lines(game).into_iter().map(|line| line.split(',').next().unwrap().to_owned());
    let of_all: Vec<String> = GameId::ALL.iter().flat_map(|game| names(*game)).collect();
    let options = OPTIONS.iter().filter(|row| row.name.starts_with("Tune"));
    assert!(options.map(|row| row.name).eq(of_all.iter()));
    assert!(!names(GameId::Sapos).any(|name| name.contains("Capture")), "no quiescence search");
}
