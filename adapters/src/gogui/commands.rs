//! The GTP commands.

use std::collections::VecDeque;
use std::path::Path;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, at, select};
use leap_protocol::Go;
use leap_protocol::payload::Player;

use super::clock::TimeSettings;
use super::gtp::{Answer, Colour, MOST_FILES, Request, Vertex};
use super::play::{Play, PlayError};
use super::show;
use crate::client::{ClientError, allowed};
use crate::game::{Game, LevelArgs, PATIENCE, SearchEvent, split};

/// All supported commands.
const COMMANDS: [&str; 32] = [
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
    "gogui-rules_final_result",
    "gogui-rules_game_id",
    "gogui-rules_legal_moves",
    "gogui-rules_side_to_move",
    "gogui-title",
    "known_command",
    "komi",
    "leap-level",
    "leap-moves",
    "leap-position",
    "leap-save",
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
/// The analyze commands that GoGui offers in its dialog: type, label, command.
const ANALYZE: &str = "gfx/Pieces/gogui-rules_board_gfx\n\
    plist/Legal vertices/gogui-rules_legal_moves\n\
    string/Position text/leap-position\n\
    hstring/Moves/leap-moves\n\
    string/Result/gogui-rules_final_result\n\
    param/Level/leap-level\n\
    string/Save record/leap-save %w";

/// Legal moves that are searched for those that start like the turn being entered.
const MOST_MOVES: u64 = 10_000;

/// How long the engine's answers to all questions of one command may take, searches aside.
const COMMAND_PATIENCE: Duration = Duration::from_secs(30);

/// The line that GoGui writes to interrupt a search.
const INTERRUPT: &str = "# interrupt";

/// A game controlled by GTP.
#[derive(Debug)]
pub(super) struct GtpSession {
    game: Game,
    play: Play,
    clock: TimeSettings,
    level: LevelArgs,
    /// The rest of the move that the engine is making, token by token.
    plan: Vec<String>,
    /// How long a search without a time limit may take.
    stall: Duration,
    lines: Receiver<String>,
    /// Lines that arrived during a search.
    waiting: VecDeque<String>,
}

impl GtpSession {
    pub(super) fn new(
        mut game: Game,
        level: LevelArgs,
        stall: Duration,
        lines: Receiver<String>,
    ) -> anyhow::Result<Self> {
        let size = game.board().files.max(game.board().ranks);
        anyhow::ensure!(
            size <= MOST_FILES,
            "expected a board of at most {MOST_FILES} files and ranks, found {size}"
        );
        let play = Play::begin(&mut game)?;
        let (clock, plan, waiting) = Default::default();
        Ok(Self { game, play, clock, level, plan, stall, lines, waiting })
    }

    /// The next line of the input; `None` at its end.
    pub(super) fn next_line(&mut self) -> Option<String> {
        self.waiting.pop_front().or_else(|| self.lines.recv().ok())
    }

    /// Executes a command. An engine that crashes is restarted, and the position stays.
    pub(super) fn answer(&mut self, request: &Request) -> Answer {
        self.game.allow(COMMAND_PATIENCE);
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
            "known_command" => {
                COMMANDS.contains(&request.arg::<String>(0, "a command")?.as_str()).to_string()
            }
            "list_commands" => COMMANDS.join("\n"),
            "gogui-title" => format!("{} - {}", self.game.id(), self.game.engine()),
            "gogui-analyze_commands" => ANALYZE.to_owned(),
            // GoGui sends komi for every game; that is no reason to fail.
            "quit" | "komi" | "gogui-interrupt" => String::new(),
            "boardsize" => self.board_size(request)?,
            "clear_board" => {
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
            "final_score" => show::score(&node.status).to_owned(),
            "showboard" => format!("\n{}", show::diagram(board, node.turn.placement())),
            "gogui-rules_game_id" => capital(self.game.id()),
            "gogui-rules_board_size" => board.files.max(board.ranks).to_string(),
            "gogui-rules_board" => format!("\n{}", show::stones(board, node.turn.placement())),
            "gogui-rules_board_gfx" => show::graphics(board, node),
            "gogui-rules_side_to_move" => Colour(node.side()).to_string(),
            "gogui-rules_legal_moves" => join(&node.legal()),
            "gogui-rules_final_result" => show::result(board, &node.status),
            "leap-position" => node.fen.clone(),
            "leap-moves" => self.moves()?,
            "leap-save" => self.save(request)?,
            "leap-level" => self.set_level(request)?,
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
        self.turn_of(colour)?;
        self.enter(&vertex)?;
        Ok(String::new())
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

    fn enter(&mut self, vertex: &Vertex) -> Result<(), PlayError> {
        self.play.play(&mut self.game, vertex).map_err(|fault| match fault {
            PlayError::Illegal(why) => PlayError::Illegal(format!("illegal move: {why}")),
            PlayError::Engine(_) => fault,
        })
    }

    fn turn_of(&self, Colour(player): Colour) -> Result<(), PlayError> {
        let node = self.play.node();
        if node.status.over {
            let result = show::result(self.game.board(), &node.status);
            return Err(PlayError::Illegal(format!("illegal move: the game is over, {result}")));
        }
        let side = node.side();
        if player == side {
            return Ok(());
        }
        Err(PlayError::Illegal(format!("illegal move: it is the turn of {}", Colour(side))))
    }

    fn undo(&mut self, count: usize) -> Result<String, PlayError> {
        match self.play.undo(count) {
            true => Ok(String::new()),
            false => Err(PlayError::Illegal("cannot undo".to_owned())),
        }
    }

    /// The next vertex of the engine's move, which is searched for at the first vertex.
    fn generate(&mut self, request: &Request) -> Result<String, PlayError> {
        let colour = request.arg(0, Colour::EXPECTED)?;
        self.turn_of(colour)?;
        let entered = split(&self.play.node().turn.text());
        if entered.is_empty() || !self.plan.starts_with(&entered) {
            self.plan = self.search(colour.0, &entered)?;
        }
        let vertex = match self.plan.get(entered.len()) {
            Some(token) => Vertex::of(token.trim_start_matches(['@', 'x'])),
            None => Vertex::Pass,
        };
        self.enter(&vertex)?;
        Ok(vertex.to_string())
    }

    /// The move that the engine likes best among those that start with what was entered.
    fn search(&mut self, player: Player, entered: &[String]) -> Result<Vec<String>, PlayError> {
        self.play.sync(&mut self.game)?;
        let mut go = self.clock.go(player, self.level.go());
        if !entered.is_empty() {
            let moves = self.game.legal_moves(MOST_MOVES)?;
            go.searchmoves =
                moves.into_iter().filter(|mv| split(mv).starts_with(entered)).collect();
            if go.searchmoves.is_empty() {
                // The listed moves have one route to each destination, and this is another. Any route to it is as good.
                let whole = self.play.node().turn.clone().shortest(&mut self.game)?;
                return whole.map(|mv| split(&mv)).ok_or_else(no_move);
            }
        }
        self.think(go)?.map(|mv| split(&mv)).ok_or_else(no_move)
    }

    /// Runs a search; `# interrupt` on the input makes it move at once, other lines are queued.
    fn think(&mut self, go: Go) -> Result<Option<String>, PlayError> {
        let begun = Instant::now();
        let mut deadline = begun + allowed(&go).map_or(self.stall, |time| time + PATIENCE);
        self.game.think(go)?;
        let mut lines = self.lines.clone();
        loop {
            select! {
                recv(self.game.incoming()) -> line => {
                    if let Some(SearchEvent::Move(best)) = self.game.hear(line.ok())? {
                        self.game.allow(COMMAND_PATIENCE);
                        return Ok(best.mv);
                    }
                }
                recv(lines) -> line => match line {
                    Ok(line) if line.trim() == INTERRUPT => {
                        self.game.hurry()?;
                        deadline = deadline.min(Instant::now() + PATIENCE);
                    }
                    Ok(line) => self.waiting.push_back(line),
                    // The input is closed, but the answer may still be read.
                    Err(_) => lines = crossbeam_channel::never(),
                },
                recv(at(deadline)) -> _ => return Err(ClientError::Timeout(begun.elapsed()).into()),
            }
        }
    }

    fn time_settings(&mut self, request: &Request) -> Result<String, PlayError> {
        let number = |index| request.arg(index, "a number of seconds or stones");
        self.clock.set(number(0)?, number(1)?, number(2)?);
        Ok(String::new())
    }

    fn time_left(&mut self, request: &Request) -> Result<String, PlayError> {
        let Colour(player) = request.arg(0, Colour::EXPECTED)?;
        let number = |index| request.arg(index, "a number of seconds or stones");
        self.clock.note(player, number(1)?, number(2)?);
        Ok(String::new())
    }

    /// The moves so far, one per line.
    fn moves(&mut self) -> Result<String, PlayError> {
        self.play.sync(&mut self.game)?;
        let moves = self.game.moves().iter().zip(1..).map(|(mv, number)| format!("{number}. {mv}"));
        Ok(moves.collect::<Vec<_>>().join("\n"))
    }

    fn save(&mut self, request: &Request) -> Result<String, PlayError> {
        self.play.sync(&mut self.game)?;
        // A path with blanks is quoted.
        let path = request.args.join(" ");
        let path = path.trim_matches('"');
        if path.is_empty() {
            return Err(PlayError::Illegal("expected the name of a file".to_owned()));
        }
        let saved = self.game.save(Path::new(path), ["black", "white"]);
        saved.map_err(|error| PlayError::Illegal(format!("{error:#}")))?;
        Ok(format!("saved in {path}"))
    }

    /// Without arguments, lists the resource limits; with a name and a number, sets one (0: no limit).
    fn set_level(&mut self, request: &Request) -> Result<String, PlayError> {
        let LevelArgs { movetime, depth, nodes } = &mut self.level;
        let Some(name) = request.args.first() else {
            let (movetime, depth) = (movetime.unwrap_or(0), depth.unwrap_or(0));
            let nodes = nodes.unwrap_or(0);
            return Ok(format!(
                "[string] movetime {movetime}\n[string] depth {depth}\n[string] nodes {nodes}"
            ));
        };
        let value: u32 = request.arg(1, "a number")?;
        let given = (value > 0).then_some(value);
        match name.as_str() {
            "movetime" => *movetime = given.map(u64::from),
            "depth" => *depth = given,
            "nodes" => *nodes = given.map(u64::from),
            _ => {
                let why = format!("expected movetime, depth or nodes, found '{name}'");
                return Err(PlayError::Illegal(why));
            }
        }
        Ok(String::new())
    }
}

impl From<String> for PlayError {
    fn from(why: String) -> Self {
        Self::Illegal(why)
    }
}

fn no_move() -> PlayError {
    PlayError::Illegal("the engine has no move".to_owned())
}

fn join(vertices: &[Vertex]) -> String {
    let words: Vec<String> = vertices.iter().map(Vertex::to_string).collect();
    words.join(" ")
}

/// Capitalized, as GoGui wants the names of games.
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
