//! Engines of every game, and questions to them.

use std::str::FromStr;

use leap_engine::options::Settings;
use leap_engine::{Engine, Engines};
use leap_protocol::{Query, Reply};

/// The engines of all games, with this game in play.
pub(crate) fn engines(game: &str) -> Engines {
    let mut engines = Engines::new(leapd::GAMES);
    engines.set("Game", Some(game)).unwrap();
    engines
}

/// The one response to a question.
#[track_caller]
pub(crate) fn ask<T: FromStr>(engine: &dyn Engine, query: &Query) -> T {
    let replies = engine.answer(query, &Settings::default()).unwrap();
    let [Reply::Response(body)] = &replies[..] else {
        panic!("expected one response, found {replies:?}")
    };
    body.parse().unwrap_or_else(|_| panic!("cannot read '{body}'"))
}
