//! leapd without an operating system: text in, replies out, for a game chosen at run time.
//!
//! [`Session`](session::Session) is the protocol as a state machine. It takes lines and returns *effects*: a reply to
//! write, or a job to run. It has no threads and no pipes, so any host can drive it: leapd does, and so does the engine
//! for browsers.
//!
//! ```
//! use leap_engine::options::Settings;
//! use leap_engine::session::{Effect, Event, Session};
//! use leap_protocol::Line;
//! use leap_search::clock::Instant;
//!
//! let mut session = Session::new(Settings::default()).expect("a table of the default size");
//! let mut effects = Vec::new();
//! for line in ["setoption name Game value eximo", "position startpos", "query p1turn"] {
//!     let line = Line::Text(line.to_owned());
//!     session.handle(Event::Line(line, Instant::now()), &mut effects);
//! }
//! let [Effect::Reply(reply)] = &effects[..] else { panic!("one question has one answer") };
//! assert_eq!(reply.to_string(), "response true");
//! ```
//!
//! [`Engine`] is the layer below: one game in progress, without the order of answers that the protocol demands.
//! Nothing below this crate knows the protocol, and nothing above it knows a game.

mod answer;
pub mod files;
mod guide;
mod jobs;
pub mod limits;
pub mod options;
mod refusal;
pub mod session;
mod turn;
mod typed;

use std::sync::Arc;

use leap_protocol::{ErrorReply, Go, Query, Reply, Start};

use crate::options::Settings;
use leap_games::GameId;
use leap_games::for_each_game;
use leap_search::{Control, Lag, TranspositionTable};
use typed::Typed;

/// A game in progress.
///
/// A method that returns an error has changed nothing.
///
/// ```
/// use leap_protocol::{Query, Reply};
/// use leap_engine::options::Settings;
/// use leap_search::Control;
///
/// let mut engine = leap_engine::new(&Settings::default());
/// engine.play(&["b2c3".to_owned()])?;
/// assert_eq!(engine.answer(&Query::P1Turn)?, [Reply::Response("false".to_owned())]);
///
/// // Searches and perft are jobs, which any thread can run.
/// let job = engine.perft(1);
/// let mut moves = Vec::new();
/// let total = job(&Control::new(), &mut |reply| moves.push(reply));
/// assert!(matches!(total, Reply::PerftTotal { nodes, .. } if nodes == moves.len() as u64));
/// # Ok::<(), leap_protocol::ErrorReply>(())
/// ```
pub trait Engine: Send {
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

    /// Takes over the game's rule options. The moves of the game so far must be legal under the new rules too.
    ///
    /// # Errors
    /// `illegal-move` for the first one that is not.
    fn change_rules(&mut self, settings: &Settings) -> Result<(), ErrorReply>;

    /// Answers a question about the game.
    ///
    /// # Errors
    /// What is wrong with the question's argument.
    fn answer(&self, query: &Query) -> Result<Vec<Reply>, ErrorReply>;

    /// The position as a picture for a person: the lines that answer `d`.
    fn diagram(&self) -> Vec<Reply>;

    /// Exact values of the position and of its moves, as far as tables know them (`query value`).
    fn values(&self, settings: &Settings) -> Reply;

    /// The static evaluation in parts.
    fn evaluation(&self, settings: &Settings) -> Reply;

    /// Whether a draw by agreement is accepted.
    ///
    /// # Errors
    /// `not-in-this-game` where the rules know no agreement.
    fn consider_draw(&self, settings: &Settings) -> Result<Reply, ErrorReply>;

    /// A search of the position.
    ///
    /// # Errors
    /// `illegal-move` for a move of `searchmoves` that is not legal.
    fn search(&self, request: SearchRequest<'_>) -> Result<Job, ErrorReply>;

    /// A count of move sequences from the position.
    fn perft(&self, depth: u32) -> Job;
}

/// What a search is asked to do.
pub struct SearchRequest<'a> {
    /// The command.
    pub go: &'a Go,
    /// The options in force.
    pub settings: &'a Settings,
    /// The transposition table of the search.
    pub table: Arc<TranspositionTable>,
    /// The lag of the moves before.
    pub lag: Arc<Lag>,
}

/// Long work for another thread: reports as it goes and returns its last reply.
pub type Job = Box<dyn FnOnce(&Control, &mut dyn FnMut(Reply)) -> Reply + Send>;

/// The game that the settings name, at its start position.
///
/// ```
/// use leap_protocol::{Query, Reply};
/// use leap_games::GameId;
/// use leap_engine::options::Settings;
///
/// let engine = leap_engine::new(&Settings { game: GameId::Alquerque, ..Settings::default() });
/// let start = "mmmmm/mmmmm/mm1MM/MMMMM/MMMMM 1 - 0 0";
/// assert_eq!(engine.answer(&Query::Fen)?, [Reply::Response(start.to_owned())]);
/// # Ok::<(), leap_protocol::ErrorReply>(())
/// ```
#[must_use]
pub fn new(settings: &Settings) -> Box<dyn Engine> {
    macro_rules! play {
        ($($id:ident $rules:ident $title:literal;)*) => {
            match settings.game {
                $(GameId::$rules => Box::new(Typed::<leap_games::$id::$rules>::new(settings)),)*
            }
        };
    }
    for_each_game!(play)
}
