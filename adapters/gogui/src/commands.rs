//! The GTP commands.

use std::collections::VecDeque;
use std::time::Duration;

use crossbeam_channel::Receiver;
use leap_board::{Game, LimitArgs};
use leap_client::ClientError;

use super::clock::TimeSettings;
use super::gtp::{Answer, Colour, MOST_FILES, Request, Vertex};
use super::plan::Plan;
use super::play::{Play, PlayError};
use super::shared::SharedOptions;
use super::show;

/// What a command does.
type Run = fn(&mut GtpSession, &Request) -> Result<String, PlayError>;

/// All supported commands, in order.
static COMMANDS: [(&str, Run); 38] = [
    ("boardsize", GtpSession::board_size),
    ("clear_board", |session, _| session.clear_board()),
    ("final_score", |session, _| match show::score(&session.play.node().status) {
        Some(score) => Ok(score.to_owned()),
        None => Err("cannot score".to_owned().into()),
    }),
    ("genmove", GtpSession::generate),
    ("gg-undo", GtpSession::undo_some),
    ("gogui-analyze_commands", |session, _| Ok(session.analyze_commands())),
    ("gogui-interrupt", |_, _| Ok(String::new())),
    ("gogui-play_sequence", GtpSession::play_sequence),
    ("gogui-rules_board", |session, _| {
        let placement = session.play.node().turn.placement();
        Ok(format!("\n{}", show::stones(session.game.board(), placement)))
    }),
    ("gogui-rules_board_gfx", |session, _| Ok(session.graphics(session.refusal.as_deref()))),
    ("gogui-rules_board_size", |session, _| Ok(session.size().to_string())),
    ("gogui-rules_captured_count", |session, _| Ok(show::captured(session.play.node()))),
    ("gogui-rules_final_result", |session, _| {
        let status = &session.play.node().status;
        Ok(show::sentence(&show::result(session.game.rules(), status)))
    }),
    ("gogui-rules_game_id", |session, _| Ok(capital(session.game.id()))),
    ("gogui-rules_legal_moves", |session, _| Ok(join(&session.play.node().legal()))),
    ("gogui-rules_side_to_move", |session, _| Ok(Colour(session.play.node().side()).to_string())),
    ("gogui-title", |session, _| Ok(format!("{} - {}", session.game.id(), session.game.engine()))),
    ("known_command", |_, request| {
        // It never fails.
        Ok(request.args.first().is_some_and(|name| command(name).is_some()).to_string())
    }),
    // GoGui sends komi for every game; that is no reason to fail.
    ("komi", |_, _| Ok(String::new())),
    ("leap-hint", |session, _| session.hint()),
    ("leap-level", GtpSession::set_level),
    ("leap-moves", |session, _| session.moves()),
    ("leap-options", GtpSession::options),
    ("leap-position", |session, _| Ok(session.play.node().fen.clone())),
    ("leap-rules", GtpSession::rules),
    ("leap-save", GtpSession::save),
    ("leap-value", |session, _| session.values()),
    ("leap-why", GtpSession::explain),
    ("list_commands", |_, _| Ok(COMMANDS.map(|(name, _)| name).join("\n"))),
    ("name", |session, _| Ok(session.game.engine().to_owned())),
    ("play", GtpSession::play_one),
    ("protocol_version", |_, _| Ok("2".to_owned())),
    ("quit", |_, _| Ok(String::new())),
    ("showboard", |session, _| {
        let placement = session.play.node().turn.placement();
        Ok(format!("\n{}", show::diagram(session.game.board(), placement)))
    }),
    ("time_left", GtpSession::time_left),
    ("time_settings", GtpSession::time_settings),
    ("undo", |session, _| session.undo(1)),
    ("version", |_, _| Ok(env!("CARGO_PKG_VERSION").to_owned())),
];

fn command(name: &str) -> Option<Run> {
    COMMANDS.iter().find(|(known, _)| *known == name).map(|(_, run)| *run)
}

/// The time limit for all answers of the engine within one command, searches aside.
pub(super) const COMMAND_PATIENCE: Duration = Duration::from_secs(30);

/// A game controlled by GTP.
#[derive(Debug)]
pub(super) struct GtpSession {
    pub(super) game: Game,
    pub(super) play: Play,
    /// Why the last vertex was refused, until one is played or taken back.
    refusal: Option<String>,
    pub(super) clock: TimeSettings,
    pub(super) level: LimitArgs,
    pub(super) plan: Plan,
    /// How long a search without a time limit may take.
    pub(super) stall: Duration,
    pub(super) lines: Receiver<String>,
    /// Lines that arrived during a search.
    pub(super) waiting: VecDeque<String>,
    /// Rule options set in another process of this command.
    pub(super) shared: SharedOptions,
}

impl GtpSession {
    pub(super) fn new(
        mut game: Game,
        level: LimitArgs,
        stall: Duration,
        lines: Receiver<String>,
    ) -> anyhow::Result<Self> {
        let size = game.board().files.max(game.board().ranks);
        anyhow::ensure!(
            size <= MOST_FILES,
            "expected a board of at most {MOST_FILES} files and ranks, found {size}"
        );
        let play = Play::begin(&mut game)?;
        let (refusal, clock, plan, waiting) = Default::default();
        let shared = SharedOptions::find();
        Ok(Self { game, play, refusal, clock, level, plan, stall, lines, waiting, shared })
    }

    /// The next line of the input; `None` at its end.
    pub(super) fn next_line(&mut self) -> Option<String> {
        self.waiting.pop_front().or_else(|| self.lines.recv().ok())
    }

    /// Executes a command. An engine that crashes is restarted, and the position stays.
    pub(super) fn answer(&mut self, request: &Request) -> Answer {
        self.game.allow(COMMAND_PATIENCE);
        self.take_over_options();
        let lost = match self.dispatch(request) {
            Ok(text) => return Ok(text),
            Err(PlayError::Illegal(why)) => return Err(why),
            Err(PlayError::Resignation) => return Err("the engine resigns".to_owned()),
            Err(PlayError::Engine(error @ ClientError::Refused(_))) => {
                return Err(error.to_string());
            }
            Err(PlayError::Engine(error)) => error,
        };
        self.game.allow(COMMAND_PATIENCE);
        match self.game.revive() {
            Ok(()) => Err(format!("{lost}; it has been started again, try once more")),
            Err(error) => Err(format!("{lost}; and it cannot be started again: {error:#}")),
        }
    }

    fn dispatch(&mut self, request: &Request) -> Result<String, PlayError> {
        let run = command(&request.name).ok_or_else(|| "unknown command".to_owned())?;
        run(self, request)
    }

    /// The files or the ranks, whichever are more: GoGui's boards are squares.
    fn size(&self) -> usize {
        self.game.board().files.max(self.game.board().ranks)
    }

    fn board_size(&mut self, request: &Request) -> Result<String, PlayError> {
        let size: usize = request.arg(0, "a number")?;
        if size != self.size() {
            return Err(PlayError::Illegal("unacceptable size".to_owned()));
        }
        self.play.clear();
        Ok(String::new())
    }

    fn clear_board(&mut self) -> Result<String, PlayError> {
        self.refusal = None;
        self.play.clear();
        Ok(String::new())
    }

    /// The turn on the board, and the sentence about a vertex, if one is given.
    fn graphics(&self, about: Option<&str>) -> String {
        show::graphics(self.game.board(), self.play.node(), &self.told(about))
    }

    fn play_one(&mut self, request: &Request) -> Result<String, PlayError> {
        let colour: Colour = request.arg(0, Colour::EXPECTED)?;
        let vertex: Vertex = request.arg(1, Vertex::EXPECTED)?;
        match self.turn_of(colour).and_then(|()| self.enter(&vertex)) {
            Err(PlayError::Illegal(why)) => Err(self.refuse(why)),
            played => played.map(|()| String::new()),
        }
    }

    /// Refuses a vertex, and says what is awaited instead. The graphics show the reason until something is played.
    fn refuse(&mut self, why: String) -> PlayError {
        let node = self.play.node();
        if node.status.over {
            return PlayError::Illegal(why);
        }
        let text = format!("{why}; {}", show::awaited(&self.game, node));
        self.refusal = Some(why);
        PlayError::Illegal(text)
    }

    /// The sentence about a vertex, if one is given, and what is awaited.
    pub(super) fn told(&self, about: Option<&str>) -> String {
        let situation = show::situation(&self.game, self.play.node());
        match about {
            Some(text) => format!("{} {situation}", show::sentence(text)),
            None => situation,
        }
    }

    /// Shows the board with the reason why a vertex cannot be played now. For a click GoGui itself gives no reason.
    fn explain(&mut self, request: &Request) -> Result<String, PlayError> {
        let vertex: Vertex = request.arg(0, Vertex::EXPECTED)?;
        let about = if self.play.node().status.over {
            None
        } else {
            let why = self.play.refusal(&mut self.game, &vertex)?;
            Some(why.unwrap_or_else(|| format!("{vertex} can be played now")))
        };
        Ok(self.graphics(about.as_deref()))
    }

    /// Plays all of the moves or none of them.
    fn play_sequence(&mut self, request: &Request) -> Result<String, PlayError> {
        let before = self.play.len();
        let mut play = |index| {
            let colour: Colour = request.arg(index, Colour::EXPECTED)?;
            let vertex: Vertex = request.arg(index + 1, Vertex::EXPECTED)?;
            self.turn_of(colour)?;
            self.enter(&vertex)
        };
        let played = (0..request.args.len()).step_by(2).try_for_each(&mut play);
        if played.is_err() {
            self.play.back_to(before);
        }
        played.map(|()| String::new())
    }

    pub(super) fn enter(&mut self, vertex: &Vertex) -> Result<(), PlayError> {
        self.refusal = None;
        self.play.play(&mut self.game, vertex).map_err(|fault| match fault {
            PlayError::Illegal(why) => PlayError::Illegal(format!("illegal move: {why}")),
            PlayError::Resignation | PlayError::Engine(_) => fault,
        })
    }

    pub(super) fn turn_of(&self, Colour(player): Colour) -> Result<(), PlayError> {
        let node = self.play.node();
        if node.status.over {
            let result = show::result(self.game.rules(), &node.status);
            return Err(PlayError::Illegal(format!("illegal move: the game is over, {result}")));
        }
        let side = node.side();
        if player == side {
            return Ok(());
        }
        Err(PlayError::Illegal(format!("illegal move: it is the turn of {}", Colour(side))))
    }

    fn undo_some(&mut self, request: &Request) -> Result<String, PlayError> {
        let count = if request.args.is_empty() { 1 } else { request.arg(0, "a number")? };
        self.undo(count)
    }

    fn undo(&mut self, count: usize) -> Result<String, PlayError> {
        self.refusal = None;
        match self.play.undo(count) {
            true => Ok(String::new()),
            false => Err(PlayError::Illegal("cannot undo".to_owned())),
        }
    }
}

impl From<String> for PlayError {
    fn from(why: String) -> Self {
        Self::Illegal(why)
    }
}

fn join(vertices: &[Vertex]) -> String {
    let words: Vec<String> = vertices.iter().map(Vertex::to_string).collect();
    words.join(" ")
}

/// The word with a capital letter, as GoGui wants the names of games.
fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(chars.flat_map(char::to_lowercase)).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commands_are_in_order() {
        assert!(COMMANDS.is_sorted_by_key(|(name, _)| *name));
    }
}
