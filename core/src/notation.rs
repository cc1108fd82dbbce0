//! Positions and moves as text (SPEC 9), for every game.
//!
//! A game supplies what differs: its letters, its extra field, its impossible positions, and a [`PartialMove`].

mod fields;
mod illegal;
mod quoted;
mod steps;

pub use fields::{Field, Piece, PositionError, Setup, SetupError};
pub use illegal::{GameReason, Illegal, Reason};
pub use quoted::quoted;
pub use steps::{MAX_STEPS, Step, Steps, StepsError};

use super::{BySide, Position, Rules, Side, Square};

/// Whether the game's history forbids a position. Only Táctica "S" asks.
pub type Banned<'a, P> = &'a dyn Fn(&P) -> bool;

/// The text side of a game.
///
/// ```
/// use leap_core::Rules;
/// use leap_core::notation::{Notation, PositionError, Reason};
/// use leap_games::tactica::Tactica;
///
/// let rules = Tactica::default();
/// let mut position = rules.parse_position("8/3c4/2c1c3/3c4/8/S7/8/8 1 - 0 20")?;
/// let resolve = |position, text| rules.resolve(position, &|_| false, text);
/// assert_eq!(resolve(&position, "b3d6").unwrap_err().reason, Reason::EmptySquare);
///
/// let mv = resolve(&position, "a3d6").unwrap();
/// rules.play(&mut position, mv);
/// assert_eq!(rules.print_position(&position), "8/3c~4/2c~Sc~3/3c~4/8/8/8/8 2 - 0 21");
/// # Ok::<(), PositionError>(())
/// ```
pub trait Notation: Rules {
    /// A partly entered move.
    type PartialMove<'a>: PartialMove<Move = Self::Move>
    where
        Self: 'a;

    /// What stands on a square.
    fn piece(&self, position: &Self::Position, square: Square) -> Option<Piece>;

    /// The letters that a board text may hold, such as `Mm`.
    const LETTERS: &'static str;

    /// What a GUI needs to draw the board.
    const DIAGRAM: Diagram;

    /// Whether pieces may be flipped (`c~`).
    const FLIPS: bool = false;

    /// The third field of the position text.
    fn extra(&self, _position: &Self::Position) -> String {
        "-".to_owned()
    }

    /// Builds a position from well-formed fields, or says why the game has no such position.
    ///
    /// # Errors
    /// The field that is impossible and why.
    fn from_setup(&self, composed: &Setup) -> Result<Self::Position, SetupError>;

    /// The parts of a position's text, which [`Notation::from_setup`] reads. The pieces ascend by square.
    fn to_setup(&self, position: &Self::Position) -> Setup {
        let squares = (0..Self::GEOMETRY.squares()).map(Square::new);
        let piece = |square| Some((square, self.piece(position, square)?));
        Setup {
            pieces: squares.filter_map(piece).collect(),
            counters: position.counters(),
            extra: self.extra(position),
        }
    }

    /// An extra field with the players exchanged. Most games have no extra field that names a player.
    fn exchange_extra(extra: &str) -> String {
        extra.to_owned()
    }

    /// Begins to enter a move. The game must not be over in `position`.
    fn turn<'a>(
        &'a self,
        position: &'a Self::Position,
        banned: Banned<'a, Self::Position>,
    ) -> Self::PartialMove<'a>;

    /// The canonical route of a legal move: fewest squares first, then smallest square indices. Drops ascend (SPEC
    /// 9.24).
    fn route(&self, position: &Self::Position, mv: Self::Move) -> Steps;

    /// The numbers of a position that `query status` shows, each with its name.
    fn tally(&self, position: &Self::Position) -> Vec<(&'static str, Tally)>;

    /// Reads a position text.
    ///
    /// # Errors
    /// The field and column at fault, what was expected and what was found.
    fn parse_position(&self, text: &str) -> Result<Self::Position, PositionError> {
        let (composed, columns) = fields::parse(Self::GEOMETRY, Self::LETTERS, Self::FLIPS, text)?;
        self.from_setup(&composed).map_err(|refusal| columns.locate(refusal))
    }

    /// The position text.
    fn print_position(&self, position: &Self::Position) -> String {
        let piece = |square| self.piece(position, square);
        fields::print(Self::GEOMETRY, piece, position.counters(), &self.extra(position))
    }

    /// The canonical text of a legal move.
    fn move_text(&self, position: &Self::Position, mv: Self::Move) -> String {
        self.route(position, mv).display(Self::GEOMETRY).to_string()
    }

    /// The legal move that a text means. Any route to the move and any order of its drops are accepted.
    ///
    /// # Errors
    /// Why the text is no legal move, and where.
    fn resolve(
        &self,
        position: &Self::Position,
        banned: Banned<'_, Self::Position>,
        text: &str,
    ) -> Result<Self::Move, Illegal> {
        let steps = Steps::parse(Self::GEOMETRY, text)?;
        let mut turn = self.turn(position, banned);
        let mut effects = Vec::new();
        for step in &steps.0 {
            turn.take(*step, &mut effects)?;
        }
        turn.finish(&mut effects)
    }
}

/// How a game looks, for a GUI that does not know its rules (SPEC 4.22).
#[derive(Clone, Copy, Debug)]
pub struct Diagram {
    /// The colours of the players.
    pub colours: BySide<&'static str>,
    /// Every piece that can stand on the board.
    pub pieces: &'static [PieceKind],
    /// The lines between neighbouring points; empty where pieces stand on cells.
    pub lines: &'static [(Square, Square)],
}

/// A kind of piece.
#[derive(Clone, Copy, Debug)]
pub struct PieceKind {
    /// Its text on the board.
    pub piece: Piece,
    /// Its name, in one word.
    pub name: &'static str,
    /// Its owner, or `None` if the piece is nobody's.
    pub owner: Option<Side>,
    /// Its value: 1, or a frog's points.
    pub value: u32,
}

/// A number that `query status` shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tally {
    /// A number for each player.
    Each(BySide<u32>),
    /// A number for the board.
    Board(u32),
}

/// A move that is being entered, step by step.
///
/// A turn spells out for people what is legal in a game. The law tests check that the game's fast generator agrees.
pub trait PartialMove: Clone {
    /// The finished move.
    type Move;

    /// The steps that may follow, in listing order. Each of them leads to some legal move.
    fn steps(&self) -> Vec<Step>;

    /// The steps that may follow, and whether the move may end here.
    fn next(&self) -> Next {
        Next { steps: self.steps(), may_end: self.finish(&mut Vec::new()).is_ok() }
    }

    /// Enters one step and appends what it does to the board.
    ///
    /// # Errors
    /// Why the step is not possible, and where. The turn is then unchanged.
    fn take(&mut self, step: Step, effects: &mut Vec<MoveEffect>) -> Result<(), Illegal> {
        match step {
            Step::Remove(square) => self.remove(square, effects),
            Step::To(square) => self.go_to(square, effects),
            Step::Drop(square) => self.drop_on(square, effects),
        }
    }

    /// Does what [`PartialMove::take`] does for [`Step::To`].
    fn go_to(&mut self, square: Square, effects: &mut Vec<MoveEffect>) -> Result<(), Illegal>;

    /// Does what [`PartialMove::take`] does for [`Step::Remove`]. Most games have no such step.
    fn remove(&mut self, square: Square, _effects: &mut Vec<MoveEffect>) -> Result<(), Illegal> {
        Err(Illegal::at(Reason::NoRemoval, square))
    }

    /// Does what [`PartialMove::take`] does for [`Step::Drop`]. Most games have no such step.
    fn drop_on(&mut self, square: Square, _effects: &mut Vec<MoveEffect>) -> Result<(), Illegal> {
        Err(Illegal::at(Reason::DropNotAllowed, square))
    }

    /// Why no legal move begins with the steps entered. Called only if there is no such move.
    fn dead_end(&self) -> Illegal {
        let end = self.finish(&mut Vec::new());
        end.err().unwrap_or(Illegal::nowhere(Reason::Incomplete))
    }

    /// The number of drops that must still be made before the move can end here.
    fn missing_drops(&self) -> u32 {
        match self.finish(&mut Vec::new()) {
            Err(Illegal { reason: Reason::DropMissing, .. }) => 1,
            _ => 0,
        }
    }

    /// Ends the move, and appends what its end does to the board.
    ///
    /// # Errors
    /// Why the move cannot end here.
    fn finish(&self, effects: &mut Vec<MoveEffect>) -> Result<Self::Move, Illegal>;
}

/// What may follow a partly entered move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Next {
    /// The possible steps, in ascending order.
    pub steps: Vec<Step>,
    /// Whether the move may end here.
    pub may_end: bool,
}

/// One change that a move makes to the board. The effects of a move are listed in the order in which they happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveEffect {
    /// A piece goes from one square to another.
    Moved {
        /// Where it stood.
        from: Square,
        /// Where it lands.
        to: Square,
    },
    /// An enemy piece or a frog leaves the board.
    Captured(Square),
    /// A piece leaves the board without a capture: the mover's own (Eximo's last row), or a frog (Froglet's first
    /// move).
    Removed(Square),
    /// A piece is turned over, and then looks like this.
    Flipped(Square, Piece),
    /// A piece of the mover is put onto the board.
    Dropped(Square, Piece),
    /// The mover scores points.
    Scored(u32),
}
