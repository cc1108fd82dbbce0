//! leapd without an operating system: text in, replies out, for a game chosen at run time.
//!
//! [`Session`](session::Session) is the protocol as a state machine. It takes lines and returns *actions*: a reply to
//! write, or a job to run. It has no threads and no pipes, so any host can drive it: leapd does, and so does the engine
//! for browsers.
//!
//! # Say lines, and do what the session asks for
//!
//! ```
//! use leap_engine::session::{Action, Event, Session};
//! use leap_engine::{Engines, game};
//! use leap_games::{eximo::Eximo, sapos::Sapos};
//! use leap_protocol::Line;
//! use leap_search::clock::Instant;
//!
//! let games = [game::<Sapos>(), game::<Eximo>()];
//! let mut session = Session::new(Engines::new(games)).expect("a table of the default size");
//! let mut actions = Vec::new();
//! for line in ["setoption name Game value eximo", "position startpos", "query p1turn"] {
//!     let line = Line::Text(line.to_owned());
//!     session.handle(Event::Line(line, Instant::now()), &mut actions);
//! }
//! let [Action::Reply(reply)] = &actions[..] else { panic!("one question has one answer") };
//! assert_eq!(reply.to_string(), "response true");
//! ```
//!
//! # Where to read on
//!
//! - [`game()`]: a game for the list that a program makes of its games
//! - [`Engines`]: an engine for each game of the list, and the options
//! - [`Engine`]: one game in progress, without the order of answers that the protocol demands
//! - [`session`]: the order of answers, `stop`, `ponderhit` and `quit`
//! - [`options`]: what an option is, and the options that all games share
//! - [`guide`]: the rules of a game for people
//!
//! No crate below this one knows the protocol.

mod answer;
mod engines;
pub mod files;
mod game;
mod game_engine;
pub mod guide;
mod jobs;
pub mod limits;
pub mod options;
mod refusal;
pub mod session;
mod turn;

use std::sync::Arc;

use leap_protocol::payload::GameInfo;
use leap_protocol::{ErrorReply, Go, Query, Reply, Start};
use leap_search::eval::weights::WeightsError;
use leap_search::option::OptionValue;
use leap_search::{Control, Lag, TranspositionTable};

pub use answer::status;
pub use engines::Engines;
pub use game::{AnyGame, engine, game, rules};
pub use refusal::{bad_position, illegal_move};
pub use turn::Entry;

use crate::options::{OptionRow, Refusal, Settings};

/// A game in progress, with its rules and its options.
///
/// A method that returns an error has changed nothing.
///
/// ```
/// use leap_engine::options::Settings;
/// use leap_games::alquerque::Alquerque;
/// use leap_protocol::{Query, Reply};
/// use leap_search::Control;
///
/// let mut engine = leap_engine::engine(Alquerque::default());
/// engine.play(&["b2c3".to_owned()])?;
/// let answer = engine.answer(&Query::P1Turn, &Settings::default())?;
/// assert_eq!(answer, [Reply::Response("false".to_owned())]);
///
/// // Searches and perft are jobs, which any thread can run.
/// let job = engine.perft(1);
/// let mut moves = Vec::new();
/// let total = job(&Control::new(), &mut |reply| moves.push(reply));
/// assert!(matches!(total, Reply::PerftTotal { nodes, .. } if nodes == moves.len() as u64));
/// # Ok::<(), leap_protocol::ErrorReply>(())
/// ```
pub trait Engine: Send {
    /// The id of the game.
    fn id(&self) -> &'static str;

    /// The options of the game: `MaxPlies`, then its own.
    fn options(&self) -> Vec<OptionRow>;

    /// The value of the option with this number in [`options`](Self::options).
    fn option(&self, index: usize) -> String;

    /// Sets an option of this number to a value that its kind allows.
    ///
    /// # Errors
    /// The option refuses the value, or a move of the game so far would be illegal.
    fn set_option(&mut self, index: usize, value: OptionValue<'_>) -> Result<(), Refusal>;

    /// Takes the weights of a file for the evaluation, or those of the program.
    ///
    /// # Errors
    /// The game's evaluation is made by hand, the weights do not fit it, or the file is damaged.
    fn read_weights(&mut self, file: Option<&[u8]>) -> Result<(), WeightsError>;

    /// The options of the rules and their values (`query game`).
    fn rules_in_force(&self) -> GameInfo;

    /// Sets up the game's start position.
    fn start(&mut self);

    /// Sets up a position and makes moves.
    ///
    /// # Errors
    /// `bad-position` or `illegal-move`, with where and why.
    fn set_up(&mut self, start: &Start, moves: &[String]) -> Result<(), ErrorReply>;

    /// Makes moves.
    ///
    /// # Errors
    /// `illegal-move` for the first one that is not legal.
    fn play(&mut self, moves: &[String]) -> Result<(), ErrorReply>;

    /// Takes back moves.
    ///
    /// # Errors
    /// `nothing-to-undo` if there are fewer.
    fn undo(&mut self, count: u32) -> Result<(), ErrorReply>;

    /// Answers a question.
    ///
    /// # Errors
    /// What is wrong with the question's argument.
    fn answer(&self, query: &Query, settings: &Settings) -> Result<Vec<Reply>, ErrorReply>;

    /// The position as a picture for a person: the lines that answer `d`.
    fn diagram(&self) -> Vec<Reply>;

    /// The parts of the static evaluation and their total, from the view of the side to move (SPEC 4.33).
    fn evaluation(&self) -> Reply;

    /// Whether a draw by agreement is accepted.
    ///
    /// # Errors
    /// `not-in-this-game` where the rules know no agreement.
    fn consider_draw(&self, settings: &Settings) -> Result<Reply, ErrorReply>;

    /// A search of the position, with this table. `lag` is that of the moves before.
    ///
    /// # Errors
    /// `illegal-move` for a move of `searchmoves` that is not legal.
    fn search(
        &self,
        go: &Go,
        settings: &Settings,
        table: Arc<TranspositionTable>,
        lag: Arc<Lag>,
    ) -> Result<Job, ErrorReply>;

    /// A count of move sequences from the position.
    fn perft(&self, depth: u32) -> Job;
}

/// Long work for another thread: reports as it goes and returns its last reply.
pub type Job = Box<dyn FnOnce(&Control, &mut dyn FnMut(Reply)) -> Reply + Send>;
