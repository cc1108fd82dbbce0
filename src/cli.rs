//! The command line of `leapd`, an engine daemon on standard input and output.

use std::io::{IsTerminal, stdin, stdout};
use std::process::ExitCode;

use anyhow::{Result, anyhow, bail};
use clap::{Parser, Subcommand};
use leap_protocol::option::EMPTY;
use leap_protocol::payload::MoveList;
use leap_protocol::{ErrorReply, Query, Reply, Start};

use crate::io::{Progress, complain};
use crate::problems::make::Made;
use crate::usage::{self, Mistake, positive};
use crate::{bench, genfens, io, openings, problems};
use leap_engine::Engine;
use leap_engine::options::{Agent, Settings};
use leap_engine::session::Session;
use leap_games::{GameId, Kind};
use leap_search::Control;

/// The command line.
#[derive(Parser)]
#[command(version, about = about(), args_conflicts_with_subcommands = true)]
pub struct Cli {
    #[command(flatten)]
    daemon: Daemon,
    #[command(subcommand)]
    command: Option<Command>,
}

fn about() -> String {
    let titles: Vec<&str> = GameId::ALL.iter().map(|game| game.title()).collect();
    let (last, others) = titles.split_last().expect("there are games");
    let games = format!("{} and {last}", others.join(", "));
    format!("An engine for {games} that speaks UGI (see SPEC.md) on standard input and output")
}

#[derive(clap::Args)]
struct Daemon {
    /// The game to begin with
    #[arg(long, value_name = "GAME", value_parser = usage::game())]
    game: Option<GameId>,
    /// Lets a sparring player choose the moves instead of the search
    #[arg(long, value_name = "PLAYER", value_parser = usage::one_of(Agent::SPARRING.map(Agent::name).map(Option::unwrap_or_default)))]
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
        #[arg(value_parser = usage::game())]
        game: GameId,
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
        #[arg(requires = "suite", value_name = "GAME", value_parser = usage::game())]
        games: Vec<GameId>,
        /// Nodes for each problem
        #[arg(long, requires = "suite", value_name = "N", default_value_t = 5_000, value_parser = positive::<u64>())]
        nodes: u64,
    },
    /// Makes balanced openings of a game for `leap match --openings`, by random moves, search and games against itself
    Openings {
        /// The game
        #[arg(value_parser = usage::game())]
        game: GameId,
        #[command(flatten)]
        wanted: openings::Wanted,
    },
    /// Makes problems of a game for `leapd bench --suite`: positions of its games against itself, solved by exhaustion
    Problems {
        /// The game
        #[arg(value_parser = usage::game())]
        game: GameId,
        #[command(flatten)]
        wanted: problems::make::Wanted,
    },
    /// What `leap-tables make` does
    #[command(hide = true, disable_help_flag = true)]
    Tables(Moved),
    /// What `leap-tables solve` does
    #[command(hide = true, disable_help_flag = true)]
    Solve(Moved),
    /// Prints the constants of a game's search as OpenBench's form for SPSA takes them
    #[cfg(feature = "tune")]
    Tune {
        /// The game
        #[arg(value_parser = usage::game())]
        game: GameId,
    },
}

/// The arguments of a command that has gone to another program.
#[derive(clap::Args)]
struct Moved {
    #[arg(allow_hyphen_values = true, trailing_var_arg = true)]
    _words: Vec<String>,
}

/// A hint for people who have started the program themselves: what to type.
const GREETING: &str = concat!(
    "leapd ",
    env!("CARGO_PKG_VERSION"),
    " speaks UGI: type 'ugi', 'query rules', 'go movetime 1000' or 'quit'; 'leap play' has a board"
);

/// Runs the command of this process. The exit status is 2 for a mistake on the command line.
pub fn main() -> ExitCode {
    let words: Vec<String> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    match genfens::asked(&words) {
        Some(request) => usage::status(request.and_then(print_fens)),
        None => usage::main(run),
    }
}

/// Prints quick openings as OpenBench reads them.
fn print_fens(request: genfens::Request) -> Result<()> {
    io::when_closed(|| std::process::exit(0))?;
    request.each(&mut |line| io::print(stdout(), [line]))
}

fn run(Cli { daemon, command }: Cli) -> Result<()> {
    env_logger::Builder::new().filter_level(daemon.log).init();
    // Work whose results nobody can read ends immediately (SPEC 7.7).
    io::when_closed(|| std::process::exit(0))?;
    match command {
        None => {
            let agent = agent(daemon.player.as_deref());
            let settings = settings(agent, daemon.game, &daemon.options)?;
            if stdin().is_terminal() && stdout().is_terminal() {
                complain(GREETING);
            }
            io::serve(Session::new(settings)?)
        }
        Some(Command::Perft { game, plies, position, options }) => {
            perft(&settings(Agent::Search, Some(game), &options)?, plies, &position)
        }
        Some(Command::Bench { suite: false, .. }) => io::print(stdout(), bench::run()?),
        Some(Command::Bench { suite: true, games, nodes }) => {
            let games = if games.is_empty() { GameId::ALL } else { &games };
            let progress = Progress::new(Some(0), "problems")?;
            let lines = bench::suite::run(games, nodes, &progress)?;
            drop(progress);
            io::print(stdout(), lines)
        }
        Some(Command::Openings { game, wanted }) => make_openings(game, &wanted),
        Some(Command::Problems { game, wanted }) => make_problems(game, &wanted),
        Some(Command::Tables(_)) => {
            bail!(Mistake::new("tables is a command of the program leap-tables: make"))
        }
        Some(Command::Solve(_)) => {
            bail!(Mistake::new("solve is a command of the program leap-tables"))
        }
        #[cfg(feature = "tune")]
        Some(Command::Tune { game }) => io::print(stdout(), leap_engine::options::spsa_lines(game)),
    }
}

/// The agent of that name; the search if none is named.
fn agent(name: Option<&str>) -> Agent {
    let named = Agent::SPARRING.into_iter().find(|agent| agent.name() == name);
    named.unwrap_or_default()
}

/// The default settings, changed by the command line.
fn settings(agent: Agent, game: Option<GameId>, options: &OptionArgs) -> Result<Settings> {
    let game = game.unwrap_or_default();
    let mut settings = Settings { agent, game, ..Settings::default() };
    for option in &options.options {
        let (name, value) = option.split_once('=').map_or((&**option, None), |(n, v)| (n, Some(v)));
        let value = value.map(|value| if value.is_empty() { empty(agent, name) } else { value });
        settings.set(name, value).map_err(Mistake::new)?;
    }
    Ok(settings)
}

/// How an empty value is written, for an option that takes a text.
fn empty(agent: Agent, name: &str) -> &'static str {
    let mut texts = agent.options().filter(|row| matches!(row.kind, Kind::Text));
    if texts.any(|row| row.name.eq_ignore_ascii_case(name)) { EMPTY } else { "" }
}

fn perft(settings: &Settings, plies: u32, position: &[String]) -> Result<()> {
    let mut engine = leap_engine::new(settings);
    if !position.is_empty() {
        let start = Start::Fen(position.join(" "));
        engine.set_up(&start, &[]).map_err(|error| Mistake::new(placed(&error)))?;
    }
    let progress = Progress::new(count_moves(&*engine)?, "moves")?;
    let mut result = Ok(());
    let job = engine.perft(plies);
    let total = job(&Control::new(), &mut |reply| {
        if result.is_ok() {
            result = progress.suspend(|| io::print(stdout(), [reply]));
        }
        progress.inc(1);
    });
    drop(progress);
    result?;
    io::print(stdout(), [total])
}

/// What is wrong with a position text, and where.
fn placed(ErrorReply { fields, text, .. }: &ErrorReply) -> String {
    let place: String = fields.iter().map(|(key, value)| format!(", {key} {value}")).collect();
    format!("position{place}: {text}")
}

/// How many legal moves there are; `None` if there are too many to list.
fn count_moves(engine: &dyn Engine) -> Result<Option<u64>> {
    let replies =
        engine.answer(&Query::Moves { limit: None }).map_err(|error| anyhow!("{error}"))?;
    let [Reply::Response(text)] = &replies[..] else { bail!("expected a list of moves") };
    let MoveList { more, moves } = text.parse()?;
    Ok((!more).then_some(moves.len() as u64))
}

/// Prints openings. Who won them goes to standard error.
fn make_openings(game: GameId, wanted: &openings::Wanted) -> Result<()> {
    let progress = Progress::new(Some(wanted.count as u64), "openings")?;
    let made = openings::make(game, wanted, &progress)?;
    drop(progress);
    let [one, drawn, two] = openings::tally(&made);
    complain(&format!("{game}: won by player 1 {one}, drawn {drawn}, won by player 2 {two}"));
    io::print(stdout(), openings::lines(game, wanted, &made))
}

/// Prints problems. It is an error if there are fewer than wanted; those are printed too.
fn make_problems(game: GameId, wanted: &problems::make::Wanted) -> Result<()> {
    let progress = Progress::new(Some(wanted.count as u64), "problems")?;
    let Made { lines, shortfall } = problems::make::make(game, wanted, &progress)?;
    drop(progress);
    if lines.len() > 1 {
        io::print(stdout(), lines)?;
    }
    shortfall.map_or(Ok(()), |shortfall| bail!("{game}: {shortfall}"))
}
