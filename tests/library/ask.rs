//! Questions to an engine, and their answers as types.

use std::str::FromStr;

use leap_engine::Engine;
use leap_protocol::{Query, Reply};

/// The one response to a question.
#[track_caller]
pub(crate) fn ask<T: FromStr>(engine: &dyn Engine, query: &Query) -> T {
    let replies = engine.answer(query).unwrap();
    let [Reply::Response(body)] = &replies[..] else {
        panic!("expected one response, found {replies:?}")
    };
    body.parse().unwrap_or_else(|_| panic!("cannot read '{body}'"))
}
