//! The options of the search and of the sparring players.

use leap_engine::Engines;
use leap_engine::options::Agent;
use leap_protocol::ErrorCode;

use leapd::GAMES;

/// What applies to Monte Carlo tree search, besides the seed (SPEC 15).
const OF_MCTS: [&str; 5] = ["Hash", "MultiPV", "Ponder", "MoveOverhead", "UCI_ShowWDL"];

fn engines(agent: Agent) -> Engines {
    let mut engines = Engines::new(GAMES);
    engines.settings.agent = agent;
    engines
}

fn names(agent: Agent) -> Vec<String> {
    engines(agent).options().map(|row| row.name.clone().into_owned()).collect()
}

fn has(agent: Agent, name: &str) -> bool {
    names(agent).iter().any(|known| known == name)
}

#[test]
fn a_player_has_the_rule_options_and_those_that_affect_it() {
    for agent in Agent::SPARRING {
        assert_eq!(names(agent)[0], "Game");
        assert!(has(agent, "MaxPlies") && has(agent, "Seed"));
        assert!(!has(agent, "Strength"));
    }
    assert!(OF_MCTS.iter().all(|name| has(Agent::Mcts, name)));
    assert!(OF_MCTS.iter().all(|name| !has(Agent::Greedy, name)));
}

#[test]
fn an_option_that_the_mover_lacks_is_none() {
    let is_missing = |agent, name: &str, value| {
        engines(agent)
            .set(name, Some(value))
            .is_err_and(|error| error.code == ErrorCode::NoSuchOption)
    };
    assert!(is_missing(Agent::Mcts, "Strength", "7"));
    assert!(is_missing(Agent::Random, "Hash", "7"));
    assert!(!is_missing(Agent::Random, "seed", "7"));
    assert!(!is_missing(Agent::Mcts, "Hash", "7"));
}
