//! The program on the front page of `leap-client`.

use leap_protocol::Go;
use leap_protocol::payload::GameResult;

use crate::process::LEAPD;

#[allow(dead_code, reason = "the program starts leapd by its name")]
#[path = "../../adapters/client/examples/whole_game.rs"]
mod example;

#[test]
fn the_program_on_the_front_page_of_the_client_plays_a_whole_game() {
    let result = example::play(LEAPD, &Go { depth: Some(1), ..Go::default() }).unwrap();
    assert_ne!(result, GameResult::None);
}
