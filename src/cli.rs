//! The command line of `leapd`, an engine daemon on standard input and output.

use std::io::{Write, stderr, stdin, stdout};
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand};
use leap_protocol::{Start, Visible};

use crate::games::GameId;
use crate::io::Port;
use crate::options::{Mover, Settings};
use crate::search::Control;
use crate::session::Session;
use crate::{bench, engine, io, openings, problems};

/// An engine for Alquerque, Eximo, Sapos, Froglet and Táctica "S" that speaks UGI (see SPEC.md) on standard input and
/// output.
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
pub struct Cli {
    #[command(flatten)]
    daemon: Daemon,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(clap::Args)]
struct Daemon {
    /// The game to begin with
    #[arg(long, value_name = "GAME", value_parser = PossibleValuesParser::new(GameId::NAMES))]
    game: Option<String>,
    /// Lets a sparring player choose the moves instead of the search
    #[arg(long, value_name = "PLAYER", value_parser = Mover::SPARRING.map(Mover::name).map(Option::unwrap_or_default))]
    player: Option<String>,
    #[command(flatten)]
    options: OptionArgs,
    /// What to log to standard error: error, warn, info, debug or trace
    #[arg(long, value_name = "LEVEL", default_value = "warn")]
    log: log::LevelFilter,
}

#[derive(clap::Args)]
struct OptionArgs {
    /// Sets an option as `setoption` does; may be repeated
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
}

#[derive(Subcommand)]
enum Command {
    /// Counts the move sequences of N plies from a position, for each move and in all
    Perft {
        /// The game
        #[arg(value_parser = PossibleValuesParser::new(GameId::NAMES))]
        game: String,
        /// The number of plies
        plies: u32,
        /// A position text, in one argument or several; the start position if left out
        position: Vec<String>,
        #[command(flatten)]
        options: OptionArgs,
    },
    /// Searches fixed positions of every game; prints the node counts, a signature of the search, and the speed
    Bench {
        /// Searches problems instead, and prints how many are solved, after how many nodes, and which are not
        #[arg(long)]
        suite: bool,
        /// The games whose problems are searched [default: all]
        #[arg(requires = "suite", value_name = "GAME", value_parser = game_id())]
        games: Vec<GameId>,
        /// Nodes for each problem
        #[arg(long, requires = "suite", value_name = "N", default_value_t = 5_000)]
        nodes: u64,
    },
    /// Makes balanced openings of a game for `leap match --openings`, by random moves, search and games against itself
    Openings {
        /// The game
        #[arg(value_parser = game_id())]
        game: GameId,
        #[command(flatten)]
        wanted: openings::Wanted,
    },
    /// Makes problems of a game for `leapd bench --suite`: positions of its games against itself, solved by exhaustion
    Problems {
        /// The game
        #[arg(value_parser = game_id())]
        game: GameId,
        #[command(flatten)]
        wanted: problems::make::Wanted,
    },
}

/// Reads the name of a game.
fn game_id() -> impl TypedValueParser<Value = GameId> {
    PossibleValuesParser::new(GameId::NAMES).try_map(|name| name.parse::<GameId>())
}

/// The exit status for a mistake on the command line.
const USAGE: u8 = 2;

/// Runs the command that this process was given. The exit status is 2 for a mistake on the command line.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(mistake) if mistake.use_stderr() => {
            complain(&mistake.to_string());
            return ExitCode::from(USAGE);
        }
        Err(help) => help.exit(),
    };
    let Err(error) = run(cli) else { return ExitCode::SUCCESS };
    complain(&format!("error: {error:#}"));
    ExitCode::FAILURE
}

/// Writes to standard error, with control characters escaped.
fn complain(text: &str) {
    for line in text.lines() {
        // If standard error is closed, there is nobody left to tell.
        let _ = writeln!(stderr(), "{}", Visible(line));
    }
}

fn run(Cli { daemon, command }: Cli) -> Result<()> {
    env_logger::Builder::new().filter_level(daemon.log).init();
    // Work whose results nobody can read ends at once (SPEC 7.7).
    io::when_closed(|| std::process::exit(0))?;
    match command {
        None => {
            let mover = mover(daemon.player.as_deref());
            let settings = settings(mover, daemon.game.as_deref(), &daemon.options)?;
            let output = Port::stdout().context("cannot use the standard output")?;
            io::serve(Session::new(settings)?, stdin(), output)
        }
        Some(Command::Perft { game, plies, position, options }) => {
            perft(&settings(Mover::Search, Some(&game), &options)?, plies, &position)
        }
        Some(Command::Bench { suite: false, .. }) => io::print(stdout(), bench::run()?),
        Some(Command::Bench { suite: true, games, nodes }) => {
            let games = if games.is_empty() { GameId::ALL } else { &games };
            io::print(stdout(), bench::suite::run(games, nodes)?)
        }
        Some(Command::Openings { game, wanted }) => make_openings(game, &wanted),
        Some(Command::Problems { game, wanted }) => {
            io::print(stdout(), problems::make::make(game, &wanted)?)
        }
    }
}

/// The mover of that name; the search if none is named.
fn mover(name: Option<&str>) -> Mover {
    let named = Mover::SPARRING.into_iter().find(|mover| mover.name() == name);
    named.unwrap_or_default()
}

/// The default settings with what the command line changes.
fn settings(mover: Mover, game: Option<&str>, options: &OptionArgs) -> Result<Settings> {
    let mut settings = Settings { mover, ..Settings::default() };
    if game.is_some() {
        settings.set("Game", game)?;
    }
    for option in &options.options {
        let (name, value) = option.split_once('=').map_or((&**option, None), |(n, v)| (n, Some(v)));
        settings.set(name, value)?;
    }
    Ok(settings)
}

fn perft(settings: &Settings, plies: u32, position: &[String]) -> Result<()> {
    let mut engine = engine::new(settings);
    if !position.is_empty() {
        let start = Start::Fen(position.join(" "));
        engine.set_up(&start, &[]).map_err(|error| anyhow!("{}", error.text))?;
    }
    let mut result = Ok(());
    let job = engine.perft(plies);
    let total = job(&Control::new(), &mut |reply| {
        if result.is_ok() {
            result = io::print(stdout(), [reply]);
        }
    });
    result?;
    io::print(stdout(), [total])
}

/// Prints openings, and to standard error who won them.
fn make_openings(game: GameId, wanted: &openings::Wanted) -> Result<()> {
    let made = openings::make(game, wanted)?;
    let [one, drawn, two] = openings::tally(&made);
    complain(&format!("{game}: won by player 1 {one}, drawn {drawn}, won by player 2 {two}"));
    io::print(stdout(), openings::lines(game, wanted, &made))
}
