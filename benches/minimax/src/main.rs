//! The games of the examples and Connect Four, with two searches: that of leapd and that of the crate minimax.
//!
//! ```text
//! leap-minimax                                                     # the engine of leapd for all three games
//! leap-minimax minimax connect4 [THREADS [QUIESCENCE [WINS]]]      # the same game, searched by minimax
//! ```

mod connect4;
mod peer;

#[allow(dead_code)]
#[path = "../../../examples/breakthrough/src"]
mod breakthrough {
    pub mod evaluation;
    pub mod rules;
}
#[allow(dead_code)]
#[path = "../../../examples/othello/src"]
mod othello {
    pub mod evaluation;
    pub mod rules;
}

use std::process::ExitCode;

use breakthrough::rules::Breakthrough;
use connect4::Connect4;
use othello::rules::Othello;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let run = match arguments[..] {
        ["minimax", "connect4", ref rest @ ..] => peer::run::<Connect4>(rest),
        ["minimax", "breakthrough", ref rest @ ..] => peer::run::<Breakthrough>(rest),
        ["minimax", "othello", ref rest @ ..] => peer::run::<Othello>(rest),
        _ => {
            return leapd::main(&[
                leapd::game::<Connect4>(),
                leapd::game::<Breakthrough>(),
                leapd::game::<Othello>(),
            ]);
        }
    };
    match run {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}
