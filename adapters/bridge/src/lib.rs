//! `leap bridge`: a UGI engine out of an engine that speaks another protocol.
//!
//! `ugi` talks to the client and knows no other protocol. `link` is the engine's process. Each protocol has a
//! module that implements `ugi::Engine`: it says in the engine's words what the client asks for.

mod fault;
mod gtp;
mod link;
mod ugi;
mod uhp;
mod words;

use std::process::ExitCode;
use std::time::Duration;

use clap::Subcommand;
use leap_client::EngineCommand;

use fault::Broken;
use link::Link;

/// The longest wait, so that every deadline stays within the range of `Instant`.
const DAY_MS: u64 = 86_400_000;

/// Let an engine of another protocol play as a UGI engine.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Exit status: 0 at 'quit' or the end of the input, 2 could not run or the engine has failed.\n\n\
    Example: leap match --game go --option BoardSize=9 --engine cmd='leap bridge gtp -- gnugo --mode gtp' ..."
)]
pub struct BridgeArgs {
    #[command(subcommand)]
    protocol: Protocol,
}

#[derive(Clone, Debug, Subcommand)]
enum Protocol {
    Gtp(gtp::GtpArgs),
    Uhp(uhp::UhpArgs),
    /// An engine that speaks the Universal Ataxx Interface.
    Uai(words::WordArgs),
    /// An engine that speaks the Tak Engine Interface.
    Tei(words::WordArgs),
}

/// How the engine is started and waited for.
#[derive(Clone, Debug, clap::Args)]
struct Program {
    /// How long the engine may leave a command unanswered, in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 600_000, value_parser = clap::value_parser!(u64).range(1..=DAY_MS))]
    stall: u64,
    /// The engine and its arguments.
    #[arg(last = true, required = true, value_name = "ENGINE")]
    engine: Vec<String>,
}

impl Program {
    fn start(&self) -> Result<Link, Broken> {
        let command = EngineCommand::from_words(&self.engine).unwrap_or_default();
        Link::start(&command, Duration::from_millis(self.stall))
    }
}

/// Runs the command. The exit status is 0.
///
/// # Errors
/// If the engine cannot be started, or fails so that no game can go on.
pub fn run(args: BridgeArgs) -> anyhow::Result<ExitCode> {
    leap_client::share_process_group();
    let served = match &args.protocol {
        Protocol::Gtp(args) => gtp::Gtp::start(args).and_then(ugi::serve),
        Protocol::Uhp(args) => uhp::Uhp::start(args).and_then(ugi::serve),
        Protocol::Uai(args) => words::run(&words::UAI, args),
        Protocol::Tei(args) => words::run(&words::TEI, args),
    };
    match served {
        Ok(()) | Err(Broken::Quit) => Ok(ExitCode::SUCCESS),
        Err(error) => Err(error.into()),
    }
}
