//! The options of the search and of the sparring players.

use leap_engine::Engines;
use leap_engine::options::Agent;

use leapd::GAMES;

/// Whether an agent has an option. An option that it lacks cannot be set.
fn has(agent: Agent, (name, value): (&str, &str)) -> bool {
    let mut engines = Engines::new(GAMES);
    engines.settings.agent = agent;
    let is_announced = engines.options().any(|row| row.name == name);
    assert_eq!(engines.set(name, Some(value)).is_ok(), is_announced, "{agent:?} {name}");
    is_announced
}

/// What applies to Monte Carlo tree search, besides the seed: SPEC 15.
#[test]
fn an_agent_has_the_options_that_affect_it_and_no_others() {
    let of_mcts = ["Hash", "MultiPV", "MoveOverhead"].map(|name| (name, "7"));
    let of_mcts = of_mcts.into_iter().chain(["Ponder", "UCI_ShowWDL"].map(|name| (name, "true")));
    for agent in Agent::SPARRING {
        assert!(
            [("Game", "eximo"), ("MaxPlies", "7"), ("Seed", "7")].map(|o| has(agent, o))
                == [true; 3]
        );
        assert!(!has(agent, ("Strength", "7")));
        assert!(of_mcts.clone().all(|option| has(agent, option) == (agent == Agent::Mcts)));
        assert!(of_mcts.clone().all(|option| has(Agent::Search, option)));
    }
}
