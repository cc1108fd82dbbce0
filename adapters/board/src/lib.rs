//! A game held by an engine, for programs that show it to people: the board, the pieces, moves entered step by step.
//!
//! The crate knows no rules. It asks the engine what is allowed and what a move does (SPEC 4, 17.4).

mod args;
mod board;
mod ending;
mod guide;
mod input;
mod options;
mod save;
mod search;
mod turn;
mod values;

use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use crossbeam_channel::Receiver;
use leap_client::notation::Placement;
use leap_client::{ClientError, PositionCommand, Session};
use leap_protocol::option::OptionKind;
use leap_protocol::payload::{self, Guide, Legality, MoveList, Side, Status, Tokens};
use leap_protocol::{Line, Query};

pub use board::{Board, Piece};
pub use ending::{Decision, capital, why};
pub use guide::fold;
pub use input::read_input;
pub use search::{SearchEvent, score_text};
use turn::{Told, is_drop};
pub use turn::{Turn, split, squares};
pub use values::{best_first, exact_text};

pub use args::{GameArgs, Level, LimitArgs, People, PersonArgs};

/// How long a reply that needs no thinking may take.
pub const PATIENCE: Duration = Duration::from_secs(10);
/// The number of crashes at one position after which the engine is not asked again.
const MOST_LOSSES: u32 = 2;
/// The option by which levels differ (SPEC 8.13).
const STRENGTH: &str = "Strength";
/// The extensions that programs showing a game need.
const EXTENSIONS: [&str; 5] = ["fen", "board", "status", "next", "legal"];

/// A game and the engine that holds it. The moves are kept here too, so that the game outlives its engine.
#[derive(Debug)]
pub struct Game {
    args: GameArgs,
    session: Session,
    id: String,
    /// Rule options with their current values.
    options: Vec<(String, String)>,
    /// What the engine tells people about the game; empty if it tells nothing.
    rules: Guide,
    board: Board,
    /// The position text at the start of the game; `None` for the start position.
    start: Option<String>,
    /// The start position as a text, if an option that decides the start has changed since (SPEC 8.10).
    pinned: Option<String>,
    /// The moves made, followed by those taken back.
    moves: Vec<String>,
    /// The side that made each of the moves.
    movers: Vec<Side>,
    /// How many of the moves are currently made.
    ply: usize,
    fen: String,
    status: Status,
    /// How people have ended the game, if they have.
    decision: Option<Decision>,
    placement: Placement,
    /// Whether a `go` has not yet been answered.
    thinking: bool,
    /// The engine's lines, once there was a search.
    lines: Receiver<(Line, Instant)>,
    /// The ply at which the engine last crashed, and how often it crashed there.
    losses: (usize, u32),
    /// Whether nothing has been played since the game was saved or started.
    is_saved: bool,
    /// The deadline for all answers, if one is set.
    until: Option<Instant>,
}

impl Game {
    /// Starts the engine and sets up a game.
    ///
    /// # Errors
    /// If there is no engine, it lacks an extension, or it refuses the game, an option or the position.
    pub fn open(args: &GameArgs) -> anyhow::Result<Self> {
        let command = args.command()?;
        let session =
            greet(args).with_context(|| format!("in the engine {}", command.program.display()))?;
        let mut game = Self {
            args: args.clone(),
            session,
            id: String::new(),
            options: Vec::new(),
            rules: Guide::default(),
            board: Board::default(),
            start: args.fen.clone(),
            pinned: None,
            moves: Vec::new(),
            movers: Vec::new(),
            ply: 0,
            fen: String::new(),
            status: args::BEFORE_THE_GAME,
            decision: None,
            placement: Placement::default(),
            thinking: false,
            lines: crossbeam_channel::never(),
            losses: (0, 0),
            is_saved: true,
            until: None,
        };
        game.set_up()?;
        game.position(0).context("--fen")?;
        Ok(game)
    }

    /// Sets the game and its options in the engine.
    fn set_up(&mut self) -> anyhow::Result<()> {
        let info = self.session.info();
        let chosen = self.args.game.as_deref().map(|id| info.game(id)).transpose()?;
        let game = match (&chosen, info.game_option()) {
            (Some(id), None) => return Err(ClientError::OneGame(id.clone()).into()),
            (Some(id), Some(option)) => Some((option.name.clone(), id.clone())),
            (None, _) => None,
        };
        let level =
            self.args.level.map(|level| (STRENGTH.to_owned(), self.strength(level).to_string()));
        let options = self.args.option.iter().map(|pair| (pair.key.clone(), pair.value.clone()));
        let settings: Vec<_> = game.into_iter().chain(level).chain(options).collect();
        for (name, value) in settings {
            self.session.set(&name, &value).with_context(|| format!("option {name}={value}"))?;
        }
        self.id = chosen.unwrap_or_else(|| "game".to_owned());
        self.look_at_options()?;
        self.board = Board::parse(&self.session.board()?);
        ensure!(self.board.files > 0 && self.board.ranks > 0, "the engine shows no board");
        self.rules = self.ask_rules(None)?;
        Ok(self.session.new_game()?)
    }

    /// The value of `Strength` for a level. Another engine may know fewer levels for beginners.
    fn strength(&self, level: Level) -> i64 {
        let least = match self.session.info().option(STRENGTH).map(|option| &option.kind) {
            Some(OptionKind::Spin { min, .. }) => *min,
            _ => i64::MIN,
        };
        level.strength().max(least)
    }

    /// The level at which the engine plays now, or its strength where no level has this one. `None` if the engine has no
    /// option `Strength`.
    pub fn level(&self) -> Option<String> {
        let Some(OptionKind::Spin { default, .. }) =
            self.option(STRENGTH).map(|option| &option.kind)
        else {
            return None;
        };
        let set =
            self.args.option.iter().rev().find(|pair| pair.key.eq_ignore_ascii_case(STRENGTH));
        let strength = match set {
            Some(pair) => pair.value.parse().ok()?,
            None => self.args.level.map_or(*default, |level| self.strength(level)),
        };
        Some(Level::describe(strength))
    }

    /// Restarts the engine after a crash and sets up the same position.
    pub fn revive(&mut self) -> anyhow::Result<()> {
        let (ply, count) = self.losses;
        self.losses = (self.ply, if ply == self.ply { count + 1 } else { 1 });
        self.thinking = false;
        self.session = greet(&self.args)?;
        self.session.set_deadline(self.until);
        self.set_up()?;
        Ok(self.position(self.ply)?)
    }

    /// Restarts the engine as [`Game::revive`] does, and returns a message about its loss.
    ///
    /// # Errors
    /// If the engine could not be restarted. The message describes the loss in either case.
    pub fn recover(&mut self, lost: &ClientError) -> Result<String, String> {
        match self.revive() {
            Ok(()) if self.is_hopeless() => Ok(format!(
                "{lost}; it has been started again, but is not asked for this move any more"
            )),
            Ok(()) => Ok(format!("{lost}; it has been started again")),
            Err(error) => Err(format!("{lost}, and not started again: {error:#}")),
        }
    }

    /// Whether the engine has crashed here so often that it should not be asked for this move again.
    pub fn is_hopeless(&self) -> bool {
        let (ply, count) = self.losses;
        ply == self.ply && count >= MOST_LOSSES
    }

    /// Sets one time limit for all answers from now on. Searches do not count.
    pub fn allow(&mut self, time: Duration) {
        self.until = Some(Instant::now() + time);
        self.session.set_deadline(self.until);
    }

    /// The game's id, a word such as `eximo`.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The engine's name for itself.
    pub fn engine(&self) -> &str {
        &self.session.info().name
    }

    /// The board, as the engine describes it.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The current position as a text.
    pub fn fen(&self) -> &str {
        &self.fen
    }

    /// Whether the game is over, whose turn it is, and so on.
    pub fn status(&self) -> &Status {
        &self.status
    }

    /// The pieces on the board.
    pub fn placement(&self) -> &Placement {
        &self.placement
    }

    /// The moves that lead to the current position.
    pub fn moves(&self) -> &[String] {
        self.moves.get(..self.ply).unwrap_or_default()
    }

    /// Starts a new game, from a position text or from the start position. If that is refused, the current game stays.
    ///
    /// # Errors
    /// [`ClientError::Refused`], and any other failure of the engine.
    pub fn begin(&mut self, start: Option<String>) -> Result<(), ClientError> {
        self.stop()?;
        if start.is_none() {
            self.session.new_game()?;
        }
        let before = (
            std::mem::replace(&mut self.start, start),
            self.pinned.take(),
            std::mem::take(&mut self.moves),
            self.decision.take(),
        );
        self.position(0)
            .inspect_err(|_| (self.start, self.pinned, self.moves, self.decision) = before)?;
        self.movers.clear();
        self.is_saved = true;
        Ok(())
    }

    /// Starts the game again from its first position.
    pub fn begin_again(&mut self) -> Result<(), ClientError> {
        self.begin(self.start.clone())
    }

    /// The position that the game began with; `None` for the start position.
    fn first(&self) -> Option<&str> {
        self.start.as_deref().or(self.pinned.as_deref())
    }

    /// Makes a move in any of its notations. Moves that were taken back are discarded, unless the move is the next of
    /// them.
    ///
    /// # Errors
    /// [`ClientError::Refused`] if the move is not legal.
    pub fn play(&mut self, mv: &str) -> Result<(), ClientError> {
        self.stop()?;
        if self.session.supports("move") {
            self.session.send(&format!("move {mv}"))?;
            self.session.ready()?;
        } else {
            self.session.set_up(&PositionCommand::new(self.first(), self.moves()).with(mv))?;
        }
        let mut mv = mv.to_owned();
        if self.session.supports("history") {
            let mut history: MoveList = self.session.ask_for(Query::History)?;
            mv = history.moves.pop().unwrap_or(mv);
        }
        if self.moves.get(self.ply) != Some(&mv) {
            self.moves.truncate(self.ply);
            self.movers.truncate(self.ply);
            self.moves.push(mv);
            self.movers.push(self.status.turn);
        }
        self.decision = None;
        self.ply += 1;
        self.is_saved = false;
        self.look()
    }

    /// Goes to the position after this many of the moves, at most all.
    pub fn go_to(&mut self, ply: usize) -> Result<(), ClientError> {
        self.stop()?;
        self.decision = None;
        self.position(ply.min(self.moves.len()))
    }

    /// Whether the side to move has made the last move too.
    pub fn moves_again(&self) -> bool {
        let last = self.ply.checked_sub(1).and_then(|ply| self.movers.get(ply));
        last == Some(&self.status.turn) && !self.status.over
    }

    /// Goes back to the last earlier position in which a person is to move; if there is none, to the start.
    pub fn take_back(&mut self, people: People) -> Result<(), ClientError> {
        while let Some(ply) = self.ply.checked_sub(1) {
            self.go_to(ply)?;
            if people.is(self.status.turn) {
                break;
            }
        }
        Ok(())
    }

    /// Goes forward, through moves that were taken back, to the next position in which a person is to move.
    pub fn make_again(&mut self, people: People) -> Result<(), ClientError> {
        while self.ply < self.moves.len() {
            self.go_to(self.ply + 1)?;
            if people.is(self.status.turn) {
                break;
            }
        }
        Ok(())
    }

    fn position(&mut self, ply: usize) -> Result<(), ClientError> {
        let moves = self.moves.get(..ply).unwrap_or_default();
        let position = PositionCommand::new(self.first(), moves);
        self.session.set_up(&position)?;
        self.ply = ply;
        self.look()
    }

    /// Asks for the current position.
    fn look(&mut self) -> Result<(), ClientError> {
        self.fen = self.session.ask(Query::Fen)?;
        self.status = self.session.ask_for(Query::Status)?;
        if let Some(decision) = self.decision {
            decision.apply(&mut self.status);
        }
        let placement = self.fen.split(' ').next().and_then(Placement::parse);
        self.placement = placement.ok_or_else(|| senseless("a position text", &self.fen))?;
        Ok(())
    }

    /// Asks about a move entered so far (SPEC 4.41). An engine without this query tells only what may follow.
    fn turn(&mut self, text: &str) -> Result<Told, ClientError> {
        let entered = (!text.is_empty()).then(|| text.to_owned());
        if !self.session.supports("turn") {
            let tokens: Tokens = self.session.ask_for(Query::Next(entered))?;
            let may_end = tokens.may_end();
            let next: Vec<String> =
                tokens.0.into_iter().filter(|token| token != Tokens::END).collect();
            let due = usize::from(!next.is_empty() && next.iter().all(|token| is_drop(token)));
            return Ok(Told { next, may_end, effects: Vec::new(), due });
        }
        let turn: payload::Turn = self.session.ask_for(Query::Turn(entered))?;
        if turn.entered != text {
            return Err(senseless("what was offered to be entered", &turn.to_string()));
        }
        let due = usize::try_from(turn.drops).unwrap_or(0);
        let may_end = turn.may_end();
        let next = turn.next.into_iter().map(|next| next.token).collect();
        Ok(Told { next, may_end, effects: turn.effects.0, due })
    }

    /// Legal moves, at most `limit`.
    pub fn legal_moves(&mut self, limit: u64) -> Result<Vec<String>, ClientError> {
        Ok(self.session.moves(Some(limit))?.moves)
    }

    /// Why a move, or the beginning of one, is illegal, in the engine's words; `None` if it is legal.
    pub fn why_not(&mut self, mv: &str) -> Result<Option<String>, ClientError> {
        Ok(match self.session.legal(mv)? {
            Legality::Legal => None,
            Legality::Illegal { text, .. } => Some(text),
        })
    }
}

/// Starts an engine and asks what it supports.
fn greet(args: &GameArgs) -> anyhow::Result<Session> {
    let mut session = Session::start(&args.command()?, PATIENCE)?;
    session.discover().context("no answer to 'isready'")?;
    ensure!(session.info().protocol.is_some(), "no answer to 'query protocol'");
    let missing: Vec<&str> =
        EXTENSIONS.into_iter().filter(|name| !session.supports(name)).collect();
    ensure!(missing.is_empty(), "it does not have the extensions {}", missing.join(", "));
    Ok(session)
}

fn senseless(expected: &'static str, found: &str) -> ClientError {
    ClientError::Unexpected { expected, found: found.to_owned() }
}
