//! The Universal Game Interface (UGI) and its leap extensions as types, parsed and printed.
//!
//! Parse a line of the client, or of the engine:
//!
//! ```
//! use leap_protocol::{Command, Go, Reply, Score};
//!
//! let command: Command = "go movetime 500".parse()?;
//! assert_eq!(command, Command::Go(Go { movetime: Some(500), ..Go::default() }));
//!
//! // Parsing a reply never fails.
//! let Reply::Info(info) = Reply::parse("info depth 7 score mate -2 nodes 4711 pv a1c3 d4e5")
//! else {
//!     unreachable!("an info line");
//! };
//! assert_eq!(info.exact_score(), Some(Score::Mate(-2)));
//! assert_eq!(info.pv, ["a1c3", "d4e5"]);
//! # Ok::<(), leap_protocol::CommandError>(())
//! ```
//!
//! Answer a command. An error is a reply that says what was expected, what was found, and where:
//!
//! ```
//! use leap_protocol::{Command, ErrorCode, ErrorReply, Reply};
//!
//! fn answer(line: &str) -> Option<Reply> {
//!     match Command::parse(line) {
//!         Ok(Some(Command::IsReady)) => Some(Reply::ReadyOk),
//!         Ok(Some(_)) => Some(ErrorReply::new(ErrorCode::NotInThisGame, "not yet").into()),
//!         Ok(None) => None,
//!         Err(error) => Some(error.into()),
//!     }
//! }
//!
//! assert_eq!(answer("isready"), Some(Reply::ReadyOk));
//! assert_eq!(
//!     answer("go depth x").unwrap().to_string(),
//!     "error bad-argument column 10 : depth expects a whole number from 0 to 4294967295, found 'x'",
//! );
//! ```
//!
//! Print a question. The body of its `response` is text until the client says what it has asked:
//!
//! ```
//! use leap_protocol::payload::{Side, Status};
//! use leap_protocol::{Command, Query, Reply};
//!
//! assert_eq!(Command::Query(Query::Status).to_string(), "query status");
//!
//! let line = "response over true result p1win reason no-moves turn p2 ply 31 quiet 0 repetitions 1";
//! let Reply::Response(body) = Reply::parse(line) else { unreachable!("a response line") };
//! let status: Status = body.parse()?;
//! assert_eq!((status.over, status.turn), (true, Side::P2));
//! # Ok::<(), leap_protocol::payload::PayloadError>(())
//! ```
//!
//! A client (GUI, match runner) writes [`Command`]s and reads [`Reply`]s. An engine does the opposite. Both directions
//! parse and print, so one crate serves either end of the pipe. A printed line parses back to its value. The crate
//! knows no game: moves, squares and position texts are words, and it never looks inside them.
//!
//! - [`command`]: what a client sends ([`Command`], [`Go`], [`Query`]).
//! - [`reply`]: what an engine answers ([`Reply`], with [`Info`], [`OptionDecl`] and
//!   [`ErrorReply`] as its larger parts).
//! - [`payload`]: the typed bodies of `response` lines ([`Status`](payload::Status),
//!   [`MoveList`](payload::MoveList) and others). Which one to expect follows from the question.
//! - [`mod@line`]: splits a byte stream into lines, with bounded memory ([`LineSplitter`],
//!   [`LineReader`]).
//! - [`visible`]: text of the other side, made safe to show ([`Visible`], [`shown`]).
//!
//! # Lines and blanks
//!
//! Every value prints as one line, without a line ending. A line feed or carriage return inside a text prints as a
//! space.
//!
//! Blanks are space, tab, carriage return and line feed, so a line may be parsed with its ending. Leading, trailing and
//! repeated blanks are harmless.
//!
//! A field documented as a *word* holds no blank and is not empty. A value that breaks this prints as a line that
//! parses as something else.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

pub mod command;
pub mod error;
pub mod info;
pub mod line;
pub mod option;
pub mod payload;
pub mod reply;
pub mod visible;

mod print;
mod scan;

pub use command::{Command, Dialect, Go, Query, Start};
pub use error::{CommandError, ErrorCode, ErrorReply};
pub use info::{Bound, Info, Score, Wdl};
pub use line::{Line, LineReader, LineSplitter};
pub use option::{OptionDecl, OptionKind};
pub use reply::{IdKey, RESIGN, Reply};
pub use scan::{is_blank, is_decimal};
pub use visible::{OneLine, Visible, nearest, quoted, shown, suggestion};
