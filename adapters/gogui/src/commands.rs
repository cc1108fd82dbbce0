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

/// All supported commands.
const COMMANDS: [&str; 38] = [
    "boardsize",
    "clear_board",
    "final_score",
    "genmove",
    "gg-undo",
    "gogui-analyze_commands",
    "gogui-interrupt",
    "gogui-play_sequence",
    "gogui-rules_board",
    "gogui-rules_board_gfx",
    "gogui-rules_board_size",
    "gogui-rules_captured_count",
    "gogui-rules_final_result",
    "gogui-rules_game_id",
    "gogui-rules_legal_moves",
    "gogui-rules_side_to_move",
    "gogui-title",
    "known_command",
    "komi",
    "leap-hint",
    "leap-level",
    "leap-moves",
    "leap-options",
    "leap-position",
    "leap-rules",
    "leap-save",
    "leap-value",
    "leap-why",
    "list_commands",
    "name",
    "play",
    "protocol_version",
    "quit",
    "showboard",
    "time_left",
    "time_settings",
    "undo",
    "version",
];

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
        let board = self.game.board();
        let node = self.play.node();
        Ok(match request.name.as_str() {
            "protocol_version" => "2".to_owned(),
            "name" => self.game.engine().to_owned(),
            "version" => env!("CARGO_PKG_VERSION").to_owned(),
            // It never fails.
            "known_command" => request
                .args
                .first()
                .is_some_and(|name| COMMANDS.contains(&name.as_str()))
                .to_string(),
            "list_commands" => COMMANDS.join("\n"),
            "gogui-title" => format!("{} - {}", self.game.id(), self.game.engine()),
            "gogui-analyze_commands" => self.analyze_commands(),
            // GoGui sends komi for every game; that is no reason to fail.
            "quit" | "komi" | "gogui-interrupt" => String::new(),
            "boardsize" => self.board_size(request)?,
            "clear_board" => {
                self.refusal = None;
                self.play.clear();
                String::new()
            }
            "play" => self.play_one(request)?,
            "gogui-play_sequence" => self.play_sequence(request)?,
            "genmove" => self.generate(request)?,
            "undo" => self.undo(1)?,
            "gg-undo" if request.args.is_empty() => self.undo(1)?,
            "gg-undo" => self.undo(request.arg(0, "a number")?)?,
            "time_settings" => self.time_settings(request)?,
            "time_left" => self.time_left(request)?,
            "gogui-rules_captured_count" => show::captured(node),
            "final_score" => show::score(&node.status).ok_or("cannot score".to_owned())?.to_owned(),
            "showboard" => format!("\n{}", show::diagram(board, node.turn.placement())),
            "gogui-rules_game_id" => capital(self.game.id()),
            "gogui-rules_board_size" => board.files.max(board.ranks).to_string(),
            "gogui-rules_board" => format!("\n{}", show::stones(board, node.turn.placement())),
            "gogui-rules_board_gfx" => {
                show::graphics(board, node, &self.told(self.refusal.as_deref()))
            }
            "gogui-rules_side_to_move" => Colour(node.side()).to_string(),
            "gogui-rules_legal_moves" => join(&node.legal()),
            "gogui-rules_final_result" => {
                show::sentence(&show::result(self.game.rules(), &node.status))
            }
            "leap-position" => node.fen.clone(),
            "leap-moves" => self.moves()?,
            "leap-rules" => self.rules(request)?,
            "leap-save" => self.save(request)?,
            "leap-value" => self.values()?,
            "leap-why" => self.explain(request)?,
            "leap-hint" => self.hint()?,
            "leap-level" => self.set_level(request)?,
            "leap-options" => self.options(request)?,
            _ => return Err(PlayError::Illegal("unknown command".to_owned())),
        })
    }

    fn board_size(&mut self, request: &Request) -> Result<String, PlayError> {
        let size: usize = request.arg(0, "a number")?;
        let board = self.game.board();
        if size != board.files.max(board.ranks) {
            return Err(PlayError::Illegal("unacceptable size".to_owned()));
        }
        self.play.clear();
        Ok(String::new())
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
        Ok(show::graphics(self.game.board(), self.play.node(), &self.told(about.as_deref())))
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
            PlayError::Engine(_) => fault,
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
        assert!(COMMANDS.is_sorted());
    }
}
