//! Text from an engine. It is parsed as a reply, printed and parsed again. The body of a response is parsed as
//! everything that it can be.

#![no_main]

use std::fmt::{Debug, Display};
use std::str::FromStr;

use leap_protocol::Reply;
use leap_protocol::payload::{
    Effects, GameInfo, GameResult, History, KeyValues, Legality, MoveList, ProtocolInfo, Guide,
    Status, Tokens, YesNo,
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|line: &str| {
    if line.contains(['\n', '\r']) {
        return;
    }
    let reply = Reply::parse(line);
    assert_eq!(Reply::parse(&reply.to_string()), reply);
    if let Reply::Rules(body) = &reply {
        let (mut told, mut again) = (Guide::default(), Guide::default());
        if told.push(body).is_ok() {
            assert!(told.lines().iter().all(|line| again.push(line).is_ok()));
            assert_eq!(told, again);
        }
    }
    if let Reply::Response(body) = reply {
        round_trip::<YesNo>(&body);
        round_trip::<GameResult>(&body);
        round_trip::<Legality>(&body);
        round_trip::<Status>(&body);
        round_trip::<MoveList>(&body);
        round_trip::<History>(&body);
        round_trip::<Tokens>(&body);
        round_trip::<ProtocolInfo>(&body);
        round_trip::<GameInfo>(&body);
        round_trip::<KeyValues>(&body);
        round_trip::<Effects>(&body);
    }
});

fn round_trip<T>(body: &str)
where
    T: FromStr + Display + Debug + PartialEq,
{
    if let Ok(value) = body.parse::<T>() {
        let printed = value.to_string();
        assert_eq!(printed.parse::<T>().ok(), Some(value), "{printed:?}");
    }
}
