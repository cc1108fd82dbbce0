//! The options of the search and of the sparring players.

use leap_engine::options::{Agent, OPTIONS, OptionError, Settings};

/// What applies to Monte Carlo tree search, besides the seed (SPEC 15).
const OF_MCTS: [&str; 5] = ["Hash", "MultiPV", "Ponder", "MoveOverhead", "UCI_ShowWDL"];

fn names(agent: Agent) -> Vec<&'static str> {
    agent.options().map(|row| row.name).collect()
}

#[test]
fn the_search_has_all_options_of_the_table() {
    assert!(Agent::Search.options().map(|row| row.name).eq(OPTIONS.iter().map(|row| row.name)));
}

#[test]
fn a_player_has_the_rule_options_and_those_that_affect_it() {
    for agent in Agent::SPARRING {
        let names = names(agent);
        assert_eq!(names.first(), Some(&"Game"));
        assert!(names.contains(&"MaxPlies") && names.contains(&"Seed"));
        assert!(!names.contains(&"Strength"));
    }
    assert!(OF_MCTS.iter().all(|name| names(Agent::Mcts).contains(name)));
    assert!(OF_MCTS.iter().all(|name| !names(Agent::Greedy).contains(name)));
}

#[test]
fn an_option_that_the_mover_lacks_is_none() {
    let is_missing = |agent, name: &str, value| {
        let mut settings = Settings { agent, ..Settings::default() };
        matches!(settings.set(name, Some(value)), Err(OptionError::NoSuchOption { .. }))
    };
    assert!(is_missing(Agent::Mcts, "Strength", "7"));
    assert!(is_missing(Agent::Random, "Hash", "7"));
    assert!(!is_missing(Agent::Random, "seed", "7"));
    assert!(!is_missing(Agent::Mcts, "Hash", "7"));
}
