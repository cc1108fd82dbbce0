//! The command line of `leapd`, an engine daemon on standard input and output.

use std::io::{IsTerminal, stdin, stdout};
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, bail};
use clap::{CommandFactory as _, Parser, Subcommand};
use leap_protocol::option::EMPTY;
use leap_protocol::payload::MoveList;
use leap_protocol::{ErrorReply, Query, Reply, Start};

use crate::io::{Progress, complain};
use crate::problems::make::Made;
use crate::tools::{GameTools, named};
use crate::usage::{self, Mistake, positive};
use crate::{bench, genfens, io, openings, problems};
use leap_engine::Engines;
use leap_engine::options::Agent;
use leap_engine::session::Session;
use leap_search::Control;
use leap_search::option::Kind;

/// The command line.
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
pub struct Cli {
    #[command(flatten)]
    daemon: DaemonArgs,
    #[command(subcommand)]
    command: Option<Command>,
}

/// The command line of a program with these games.
#[must_use]
pub fn command(games: &[GameTools]) -> clap::Command {
    let command = Cli::command().about(about(games));
    usage::offer_games(command, games.iter().map(|tools| tools.game.id))
}

fn about(games: &[GameTools]) -> String {
    let titles: Vec<&str> = games.iter().map(|tools| tools.game.title).collect();
    let games = match titles.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => titles.concat(),
    };
    format!("An engine for {games} that speaks UGI (see SPEC.md) on standard input and output")
}

/// The names of the sparring players.
fn sparring() -> impl Iterator<Item = &'static str> {
    Agent::SPARRING.into_iter().filter_map(Agent::name)
}

#[derive(clap::Args)]
struct DaemonArgs {
    /// The game to begin with
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Lets a sparring player choose the moves instead of the search
    #[arg(long, value_name = "PLAYER", value_parser = usage::one_of(sparring()))]
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
        #[arg(requires = "suite", value_name = "GAME")]
        games: Vec<String>,
        /// Nodes for each problem
        #[arg(long, requires = "suite", value_name = "N", default_value_t = 5_000, value_parser = positive::<u64>())]
        nodes: u64,
    },
    /// Makes balanced openings of a game for `leap match --openings`, by random moves, search and games against itself
    Openings {
        /// The game
        game: String,
        #[command(flatten)]
        wanted: openings::Arguments,
    },
    /// Makes problems of a game for `leapd bench --suite`: positions of its games against itself, solved by exhaustion
    Problems {
        /// The game
        game: String,
        #[command(flatten)]
        wanted: problems::make::Arguments,
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
        game: String,
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

/// Runs the command of this process, for a program with these games. The exit status is 2 for a mistake on the command
/// line.
pub fn main(games: &[GameTools]) -> ExitCode {
    let words: Vec<String> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    match genfens::asked(&words, Engines::new(games)) {
        Some(request) => usage::status(request.and_then(|request| print_fens(&request, games))),
        None => usage::main_of(command(games), |cli| run(cli, games)),
    }
}

/// Prints quick openings as OpenBench reads them.
fn print_fens(request: &genfens::Genfens, games: &[GameTools]) -> Result<()> {
    io::when_closed(|| std::process::exit(0))?;
    let game = named(games, request.game()).context("expected a game")?;
    (game.fens)(request, &mut |line| io::print(stdout(), [line]))
}

fn run(Cli { daemon, command }: Cli, games: &[GameTools]) -> Result<()> {
    let find = |id: &str| named(games, id).context("expected a game");
    env_logger::Builder::new().filter_level(daemon.log).init();
    // Work whose results nobody can read ends immediately (SPEC 7.7).
    io::when_closed(|| std::process::exit(0))?;
    match command {
        None => {
            let agent = agent(daemon.player.as_deref());
            let engines = engines(games, agent, daemon.game.as_deref(), &daemon.options)?;
            if stdin().is_terminal() && stdout().is_terminal() {
                complain(GREETING);
            }
            io::serve(Session::new(engines)?)
        }
        Some(Command::Perft { game, plies, position, options }) => {
            perft(engines(games, Agent::Search, Some(&game), &options)?, plies, &position)
        }
        Some(Command::Bench { suite: false, .. }) => io::print(stdout(), bench::run(games)?),
        Some(Command::Bench { suite: true, games: wanted, nodes }) => {
            let wanted: Vec<_> =
                wanted.iter().map(|id| find(id).copied()).collect::<Result<_>>()?;
            let games = if wanted.is_empty() { games } else { &wanted };
            let progress = Progress::new(Some(0), "problems")?;
            let solve = |tools: &GameTools| -> Result<_> {
                Ok((tools.game.id, (tools.solve_problems)(nodes, &progress)?))
            };
            let suites: Vec<_> = games.iter().map(solve).collect::<Result<_>>()?;
            drop(progress);
            io::print(stdout(), bench::suite::lines(&suites))
        }
        Some(Command::Openings { game, wanted }) => make_openings(find(&game)?, &wanted),
        Some(Command::Problems { game, wanted }) => make_problems(find(&game)?, &wanted),
        Some(Command::Tables(_)) => {
            bail!(Mistake::new("tables is a command of the program leap-tables: make"))
        }
        Some(Command::Solve(_)) => {
            bail!(Mistake::new("solve is a command of the program leap-tables"))
        }
        #[cfg(feature = "tune")]
        Some(Command::Tune { game }) => io::print(stdout(), (find(&game)?.game.spsa_lines)()),
    }
}

/// The agent of that name; the search if none is named.
fn agent(name: Option<&str>) -> Agent {
    let named = Agent::SPARRING.into_iter().find(|agent| agent.name() == name);
    named.unwrap_or_default()
}

/// The engines of the games, with the options of the command line.
fn engines(
    games: &[GameTools],
    agent: Agent,
    game: Option<&str>,
    options: &OptionArgs,
) -> Result<Engines> {
    let mut engines = Engines::new(games);
    engines.settings.agent = agent;
    if game.is_some() {
        engines.set("Game", game).map_err(|error| Mistake::new(error.text))?;
    }
    for option in &options.options {
        let (name, value) = option.split_once('=').map_or((&**option, None), |(n, v)| (n, Some(v)));
        let value = value.map(|value| if value.is_empty() { empty(&engines, name) } else { value });
        engines.set(name, value).map_err(|error| Mistake::new(error.text))?;
    }
    Ok(engines)
}

/// How an empty value is written, for an option that takes a text.
fn empty(engines: &Engines, name: &str) -> &'static str {
    let mut texts = engines.options().filter(|row| row.kind == Kind::Text);
    if texts.any(|row| row.name.eq_ignore_ascii_case(name)) { EMPTY } else { "" }
}

fn perft(mut engines: Engines, plies: u32, position: &[String]) -> Result<()> {
    if !position.is_empty() {
        let start = Start::Fen(position.join(" "));
        let set_up = engines.engine_mut().set_up(&start, &[]);
        set_up.map_err(|error| Mistake::new(placed(&error)))?;
    }
    let progress = Progress::new(count_moves(&engines)?, "moves")?;
    let mut result = Ok(());
    let job = engines.engine().perft(plies);
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
fn count_moves(engines: &Engines) -> Result<Option<u64>> {
    let replies = engines.answer(&Query::Moves { limit: None });
    let replies = replies.map_err(|error| anyhow!("{error}"))?;
    let [Reply::Response(text)] = &replies[..] else { bail!("expected a list of moves") };
    let MoveList { more, moves } = text.parse()?;
    Ok((!more).then_some(moves.len() as u64))
}

/// Prints openings. Who won them goes to standard error.
fn make_openings(tools: &GameTools, wanted: &openings::Arguments) -> Result<()> {
    let progress = Progress::new(Some(wanted.count as u64), "openings")?;
    let (made, lines) = (tools.openings)(wanted, &progress)?;
    drop(progress);
    let [one, drawn, two] = openings::tally(&made);
    let id = tools.game.id;
    complain(&format!("{id}: won by player 1 {one}, drawn {drawn}, won by player 2 {two}"));
    io::print(stdout(), lines)
}

/// Prints problems. It is an error if there are fewer than wanted; those are printed too.
fn make_problems(tools: &GameTools, wanted: &problems::make::Arguments) -> Result<()> {
    let progress = Progress::new(Some(wanted.count as u64), "problems")?;
    let Made { lines, shortfall } = (tools.make_problems)(wanted, &progress)?;
    drop(progress);
    if lines.len() > 1 {
        io::print(stdout(), lines)?;
    }
    shortfall.map_or(Ok(()), |shortfall| bail!("{}: {shortfall}", tools.game.id))
}
